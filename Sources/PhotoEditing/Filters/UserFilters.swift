import FoundationEssentials
import SafelightFiles
import SafelightFilters
import SafelightStorage

/// The filters that a user saved: JSON files in a folder, each called after its filter.
///
/// They are used by name like those that ship; a shipped filter's name cannot be taken.
///
/// ```swift
/// let filters = UserFilters(folder: "my-filters")
/// try await editor.saveFilter(named: "sand", from: photo, in: filters)
/// let sand = try Filter.named("sand", userFilters: filters)
/// ```
public struct UserFilters: Sendable, Hashable {
  /// Where the files are; made when the first filter is saved.
  public let folder: FilePath

  /// The filters in a folder, which need not exist.
  public init(folder: FilePath) {
    self.folder = folder
  }

  /// The filters in `safelight/filters` under `XDG_DATA_HOME`, or under `~/.local/share` when that
  /// is not set to an absolute path.
  ///
  /// Source: XDG Base Directory Specification 0.8.
  public static var standard: UserFilters {
    let environment = ProcessInfo.processInfo.environment
    func folder(_ variable: String) -> FilePath? {
      environment[variable].map { FilePath($0) }.flatMap { $0.isAbsolute ? $0 : nil }
    }
    // Foundation asks the list of users rather than HOME.
    let home = folder("HOME") ?? FilePath(FileManager.default.homeDirectoryForCurrentUser.path)
    let data = folder("XDG_DATA_HOME") ?? home.appending(".local/share")
    return UserFilters(folder: data.appending("safelight/filters"))
  }

  /// What is in the folder.
  public struct Listing: Sendable {
    /// The filters, by name.
    public let filters: [Filter]
    /// Why files in the folder cannot be used, one error for each, by name.
    public let problems: [EditError]
  }

  /// Reads all filters. A file that cannot be used does not keep the others from being read.
  ///
  /// - Throws: ``EditError/fileSystem(path:_:)`` when the folder is there and cannot be read.
  public func list() throws(EditError) -> Listing {
    var names: [FilePath]
    do {
      names = try FileSystem.real.namesIfPresent(in: folder)
    } catch {
      throw EditError(error, path: folder)
    }
    names = names.filter { $0.extension == "json" }.sorted { $0.string < $1.string }
    var filters: [Filter] = []
    var problems: [EditError] = []
    for name in names {
      do {
        filters.append(try read(folder.appending(name)))
      } catch {
        problems.append(error)
      }
    }
    return Listing(filters: filters, problems: problems)
  }

  /// The filter of a name; `nil` when the folder has none.
  ///
  /// - Throws: ``EditError/unusableFilter(path:detail:)`` when there is a file that is no filter of
  ///   that name, or another ``EditError`` when it cannot be read.
  public func filter(named name: String) throws(EditError) -> Filter? {
    guard Filter.isValidName(name), try exists(name) else { return nil }
    return try read(path(of: name))
  }

  /// Saves a filter: its file appears whole or not at all.
  ///
  /// - Parameters:
  ///   - filter: The filter; its name decides the file's.
  ///   - replacing: Whether it may take the place of one of the same name.
  /// - Returns: Where the file is.
  /// - Throws: ``EditError/filterName(_:_:)`` when the name is taken, or another ``EditError``.
  @discardableResult
  public func save(_ filter: Filter, replacing: Bool = false) throws(EditError) -> FilePath {
    try save(filter, replacing: replacing, through: .real)
  }

  /// ``save(_:replacing:)`` with a way to the disk that a test can make fail.
  package func save(
    _ filter: Filter, replacing: Bool, through fileSystem: FileSystem
  ) throws(EditError) -> FilePath {
    try checkName(filter.name)
    let path = path(of: filter.name)
    let text = filter.json.text + "\n"
    let isSaved: Bool
    do {
      try fileSystem.createFolders(folder)
      if replacing { try OutputRule(fileSystem).check(path, replacing: true) }
      isSaved =
        try fileSystem.writeWhole(path, replacing: replacing) { sink in
          try sink.write(Array(text.utf8))
        } != nil
    } catch {
      throw EditError(error, path: path)
    }
    guard isSaved else { throw .filterName(filter.name, .exists) }
    return path
  }

  /// Removes a filter. Photos that have it keep it, because an edit holds the steps of its filters.
  ///
  /// - Returns: Where the file was.
  /// - Throws: ``EditError/filterName(_:_:)`` for a shipped filter, ``EditError/unknownFilter(_:)``
  ///   when there is none, or another ``EditError``.
  @discardableResult
  public func remove(named name: String) throws(EditError) -> FilePath {
    if ShippedFilters.contains(name) { throw .filterName(name, .shipped) }
    guard Filter.isValidName(name), try exists(name) else { throw .unknownFilter(name) }
    do {
      try FileSystem.real.remove(path(of: name))
    } catch {
      throw EditError(error, path: path(of: name))
    }
    return path(of: name)
  }

  /// Throws when a filter of the user may not have a name.
  ///
  /// - Throws: ``EditError/filterName(_:_:)``.
  public func checkName(_ name: String) throws(EditError) {
    guard Filter.isValidName(name) else { throw .filterName(name, .invalid) }
    if ShippedFilters.contains(name) { throw .filterName(name, .shipped) }
  }

  private func path(of name: String) -> FilePath { folder.appending(name + ".json") }

  private func exists(_ name: String) throws(EditError) -> Bool {
    do {
      return try FileSystem.real.exists(path(of: name))
    } catch {
      throw EditError(error, path: path(of: name))
    }
  }

  private func read(_ path: FilePath) throws(EditError) -> Filter {
    let filter = try Filter(reading: path)
    let stem = path.stem?.string ?? ""
    guard filter.name == stem else {
      throw .unusableFilter(path: path, detail: "Its name is \(filter.name), not \(stem).")
    }
    guard !ShippedFilters.contains(filter.name) else {
      throw .unusableFilter(path: path, detail: "A filter of that name ships with Safelight.")
    }
    return filter
  }
}

// MARK: - Saving an edit as a filter

extension PhotoEditor {
  /// Makes a filter of a photo's edit and saves it among the user's. Geometry is left out.
  ///
  /// A filter that takes the place of another with other steps gets the next version.
  ///
  /// - Parameters:
  ///   - name: Lower case letters, digits and hyphens; no shipped filter's.
  ///   - photo: The photo.
  ///   - title: The name for people; `nil` makes it from `name`.
  ///   - summary: One sentence on the look; `nil` says which photo it is from.
  ///   - userFilters: Where the filter is saved.
  ///   - replacing: Whether it may take the place of one of the same name.
  /// - Returns: The filter, where its file is, and whether geometry was left out.
  /// - Throws: ``EditError/filterName(_:_:)``, ``EditError/nothingToCopy(path:reason:)``, or another
  ///   ``EditError``. Nothing is saved then.
  @discardableResult
  public func saveFilter(
    named name: String, from photo: Photo, title: String? = nil, summary: String? = nil,
    in userFilters: UserFilters = .standard, replacing: Bool = false
  ) async throws(EditError) -> SavedFilter {
    try userFilters.checkName(name)
    let edit = try await edit(of: photo)
    guard !edit.entries.allSatisfy(\.isGeometry) else {
      throw .nothingToCopy(path: photo.path, reason: .onlyGeometry)
    }
    let source = photo.path.lastComponent ?? photo.path
    func filter(version: Int) throws(EditError) -> Filter {
      do {
        return try Filter(
          name: name, version: version, title: title ?? Self.title(of: name),
          summary: summary ?? "Saved from \(source).", from: edit)
      } catch {
        throw EditError(error, path: photo.path)
      }
    }
    var saved = try filter(version: 1)
    // A file that is no filter may be replaced too; then versions begin at 1.
    if replacing, let earlier = try? userFilters.filter(named: name) {
      saved = try filter(
        version: earlier.version + (earlier.steps == saved.steps ? 0 : 1))
    }
    return SavedFilter(
      filter: saved, path: try userFilters.save(saved, replacing: replacing),
      leavesOutGeometry: edit.entries.contains(where: \.isGeometry))
  }

  /// `my-look` as `My Look`.
  private static func title(of name: String) -> String {
    name.split(separator: "-").map { $0.prefix(1).uppercased() + $0.dropFirst() }
      .joined(separator: " ")
  }
}

/// A filter that was saved from a photo's edit; see ``PhotoEditor/saveFilter(named:from:title:summary:in:replacing:)``.
public struct SavedFilter: Sendable, Hashable {
  /// The filter as it was saved.
  public let filter: Filter
  /// The file that it is in.
  public let path: FilePath
  /// Whether the edit's geometry is not in it.
  public let leavesOutGeometry: Bool
}
