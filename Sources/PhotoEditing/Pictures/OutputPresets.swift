import FoundationEssentials
import SafelightFiles
import SafelightFormats
import SafelightRendering

/// The outputs that a user keeps under names: JSON files in a folder, beside the user's filters.
///
/// ```swift
/// let presets = OutputPresets.standard
/// try presets.save(RenderOutput(format: .webp, quality: 80, longestSide: 1600), named: "web")
/// let web = try presets.output(named: "web")
/// ```
public struct OutputPresets: Sendable, Hashable {
  /// Where the files are; made when the first output is saved.
  public let folder: FilePath

  /// The outputs in a folder, which need not exist.
  public init(folder: FilePath) { self.folder = folder }

  /// Those in the folder `outputs` beside a user's filters.
  public init(beside filters: UserFilters) {
    self.init(folder: filters.folder.removingLastComponent().appending("outputs"))
  }

  /// Those in `safelight/outputs` where the user's data are; see ``UserFilters/standard``.
  public static var standard: OutputPresets { OutputPresets(beside: .standard) }

  /// An output with its name.
  public struct Preset: Sendable, Hashable {
    /// Lower case letters, digits and hyphens.
    public let name: String
    /// What it asks for.
    public let output: RenderOutput

    /// An output with a name.
    public init(name: String, output: RenderOutput) { (self.name, self.output) = (name, output) }

    /// The name and the parameters that are not neutral; of files only their names.
    package var json: JSONValue {
      let members = output.members.map { member in
        JSONValue.Member(member.key, member.value["name"] ?? member.value)
      }
      return .object([.init("name", .string(name)), .init("output", .object(members))])
    }
  }

  private static let largestFile = 64 << 20

  /// All outputs by name, and why other files in the folder cannot be used.
  ///
  /// - Throws: ``EditError/fileSystem(path:_:)`` when the folder is there and cannot be read.
  public func list() throws(EditError) -> (presets: [Preset], problems: [EditError]) {
    let names: [FilePath]
    do {
      names = try FileSystem.real.namesIfPresent(in: folder)
    } catch {
      throw EditError(error, path: folder)
    }
    var presets: [Preset] = []
    var problems: [EditError] = []
    for file in names.filter({ $0.extension == "json" }).sorted(by: { $0.string < $1.string }) {
      let name = file.stem?.string ?? ""
      do throws(OperationError) {
        presets.append(Preset(name: name, output: try output(named: name)))
      } catch {
        problems.append(.invalidOperation(error))
      }
    }
    return (presets, problems)
  }

  /// The output of a name.
  ///
  /// - Throws: ``OperationError`` when there is none, or its file is damaged.
  public func output(named name: String) throws(OperationError) -> RenderOutput {
    try RenderOutput(reading: members(named: name), checking: false)
  }

  private func members(named name: String) throws(OperationError) -> [JSONValue.Member] {
    guard Filter.isValidName(name) else { throw Self.refused(Self.badName(name)) }
    let path = path(of: name)
    let bytes: [UInt8]
    do {
      bytes = try FileSystem.real.contents(of: path, limit: Self.largestFile)
    } catch {
      let isMissing = (try? FileSystem.real.exists(path)) == false
      throw Self.refused(
        isMissing ? "No output is kept as “\(name)”." : "\(path) cannot be read: \(error).")
    }
    guard let members = (try? JSONValue(parsing: bytes))?.compact.members,
      (try? RenderOutput(reading: members, checking: false)) != nil,
      !members.contains(where: { $0.key == Self.key })
    else { throw Self.refused("\(path) is damaged: it describes no output.") }
    return members
  }

  /// Keeps an output: its file appears whole or not at all. Files that the output names are kept in it.
  ///
  /// - Parameters:
  ///   - output: The output.
  ///   - name: Lower case letters, digits and hyphens.
  ///   - replacing: Whether it may take the place of one of the same name.
  /// - Returns: Where the file is.
  /// - Throws: ``EditError``.
  @discardableResult
  public func save(
    _ output: RenderOutput, named name: String, replacing: Bool = false
  ) throws(EditError) -> FilePath {
    guard Filter.isValidName(name) else {
      throw .invalidOperation(Self.refused(Self.badName(name)))
    }
    let text = try output.readingFiles().json.text + "\n"
    let path = path(of: name)
    let isSaved: Bool
    do {
      try FileSystem.real.createFolders(folder)
      isSaved =
        try FileSystem.real.writeWhole(path, replacing: replacing) { sink in
          try sink.write(Array(text.utf8))
        } != nil
    } catch {
      throw EditError(error, path: path)
    }
    guard isSaved else {
      throw .invalidOperation(Self.refused("There is an output called “\(name)” already."))
    }
    return path
  }

  /// Removes an output.
  ///
  /// - Returns: Where its file was.
  /// - Throws: ``EditError``.
  @discardableResult
  public func remove(named name: String) throws(EditError) -> FilePath {
    let path = path(of: name)
    guard Filter.isValidName(name), (try? FileSystem.real.exists(path)) == true else {
      throw .invalidOperation(Self.refused("No output is kept as “\(name)”."))
    }
    do {
      try FileSystem.real.remove(path)
    } catch {
      throw EditError(error, path: path)
    }
    return path
  }

  private func path(of name: String) -> FilePath { folder.appending(name + ".json") }

  private static func badName(_ name: String) -> String {
    "“\(name)” cannot be an output's name: it has at most 100 lower case letters, digits and hyphens."
  }

  private static func refused(_ sentence: String) -> OperationError {
    .contradiction(sentence, of: RenderOutput.id)
  }
}

extension OutputPresets {
  /// The parameter by which an output is taken.
  private static let key = "preset"

  /// Parameters with those of the kept output that they name, where nothing else is said. Of ways that exclude each other
  /// the given one counts.
  package func expanding(
    _ members: [JSONValue.Member]
  ) throws(OperationError) -> [JSONValue.Member] {
    guard let name = members.first(where: { $0.key == Self.key && $0.value != .null })?.value else {
      return members
    }
    guard let name = name.string else {
      throw .parameter(
        Self.key, of: RenderOutput.id, range: nil, problem: .wrongKind(expected: String.kind))
    }
    let given = members.filter { $0.key != Self.key && $0.value != .null }
    var replaced = Set(given.map(\.key))
    for case .atMostOne(let names) in RenderOutput.rules where !replaced.isDisjoint(with: names) {
      replaced.formUnion(names)
    }
    return try self.members(named: name).filter { !replaced.contains($0.key) } + given
  }
}
