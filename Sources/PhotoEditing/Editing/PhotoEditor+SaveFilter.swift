extension PhotoEditor {
  /// Makes a filter of a photo's edit and saves it among the user's. Geometry is left out.
  ///
  /// A filter that takes the place of another with other steps gets the next version.
  ///
  /// - Parameters:
  ///   - name: Lower case letters, digits and hyphens; no shipped filter's.
  ///   - asset: The photo.
  ///   - title: The name for people; `nil` makes it from `name`.
  ///   - summary: One sentence on the look; `nil` says which photo it is from.
  ///   - userFilters: Where the filter is saved.
  ///   - replacing: Whether it may take the place of one of the same name.
  /// - Returns: The filter, where its file is, and whether geometry was left out.
  /// - Throws: ``EditError/filterName(_:_:)``, ``EditError/nothingToCopy(path:reason:)``, or another
  ///   ``EditError``. Nothing is saved then.
  @discardableResult
  public func saveFilter(
    named name: String, from asset: Photo, title: String? = nil, summary: String? = nil,
    in userFilters: UserFilters = .standard, replacing: Bool = false
  ) async throws(EditError) -> SavedFilter {
    try userFilters.checkName(name)
    let edit = try await edit(of: asset)
    guard !edit.entries.allSatisfy(\.isGeometry) else {
      throw .nothingToCopy(path: asset.path, reason: .onlyGeometry)
    }
    let photo = asset.path.lastComponent?.string ?? asset.path.string
    func filter(version: Int) throws(EditError) -> Filter {
      do {
        return try Filter(
          name: name, version: version, title: title ?? Self.title(of: name),
          summary: summary ?? "Saved from \(photo).", from: edit)
      } catch {
        throw EditError(error, path: asset.path)
      }
    }
    var saved = try filter(version: 1)
    // A file that is no filter may be replaced too; then the versions begin anew.
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

/// A filter that was saved from a photo's edit.
public struct SavedFilter: Sendable, Hashable {
  /// The filter as it was saved.
  public let filter: Filter
  /// The file that it is in.
  public let path: FilePath
  /// Whether the edit's geometry is not in it.
  public let leavesOutGeometry: Bool
}
