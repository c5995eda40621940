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
    /// The parameters that were given, also those that are neutral.
    private let given: Set<String>

    /// An output with a name.
    ///
    /// - Parameters:
    ///   - name: Lower case letters, digits and hyphens.
    ///   - output: How pictures are written.
    ///   - given: Parameters that count although they are neutral, such as a format of JPEG.
    public init(name: String, output: RenderOutput, given: Set<String> = []) {
      (self.name, self.output, self.given) = (name, output, given)
    }

    /// The name, and the parameters that were given or are not neutral; of files only their names.
    package var json: JSONValue {
      let members = output.members(with: given).map { member in
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
      do throws(EditError) {
        let kept = try kept(as: name)
        presets.append(Preset(name: name, output: kept.output, given: Set(kept.members.map(\.key))))
      } catch {
        problems.append(error)
      }
    }
    return (presets, problems)
  }

  /// The output of a name.
  ///
  /// - Throws: ``OperationError`` when there is none, or its file is damaged.
  public func output(named name: String) throws(OperationError) -> RenderOutput {
    try Self.described { () throws(EditError) in try kept(as: name).output }
  }

  private func kept(
    as name: String
  ) throws(EditError) -> (members: [JSONValue.Member], output: RenderOutput) {
    guard Filter.isValidName(name) else { throw .outputName(name, .invalid) }
    let path = path(of: name)
    let bytes: [UInt8]
    do {
      bytes = try FileSystem.real.contents(of: path, limit: Self.largestFile)
    } catch {
      let isMissing = (try? FileSystem.real.exists(path)) == false
      throw isMissing
        ? .unknownOutput(name) : .unusableOutput(path: path, reason: "cannot be read: \(error)")
    }
    guard let members = (try? JSONValue(parsing: bytes))?.compact.members,
      let output = try? RenderOutput(reading: members, checking: false),
      !members.contains(where: { $0.key == Self.key })
    else { throw .unusableOutput(path: path, reason: "is damaged: it describes no output") }
    return (members, output)
  }

  /// What is wrong with a kept output, as what is wrong with a parameter.
  private static func described<Read>(
    _ read: () throws(EditError) -> Read
  ) throws(OperationError) -> Read {
    do {
      return try read()
    } catch {
      throw .contradiction(error.description, of: RenderOutput.id)
    }
  }

  /// Keeps an output: its file appears whole or not at all. Files that the output names are kept in it.
  ///
  /// - Parameters:
  ///   - output: The output.
  ///   - name: Lower case letters, digits and hyphens.
  ///   - replacing: Whether it may take the place of one of the same name.
  ///   - given: Parameters that are kept although they are neutral, such as a format of JPEG.
  /// - Returns: Where the file is.
  /// - Throws: ``EditError``.
  @discardableResult
  public func save(
    _ output: RenderOutput, named name: String, replacing: Bool = false, given: Set<String> = []
  ) throws(EditError) -> FilePath {
    guard Filter.isValidName(name) else { throw .outputName(name, .invalid) }
    if let other = output.preset {
      throw .invalidOperation(
        .contradiction("The output “\(other)” was not looked up.", of: RenderOutput.id))
    }
    let members = try output.readingFiles().members(with: given.subtracting([Self.key]))
    let text = JSONValue.object(members).text + "\n"
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
      throw .outputName(name, .exists)
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
      throw .unknownOutput(name)
    }
    do {
      try FileSystem.real.remove(path)
    } catch {
      throw EditError(error, path: path)
    }
    return path
  }

  private func path(of name: String) -> FilePath { folder.appending(name + ".json") }
}

extension OutputPresets {
  /// The parameter by which an output is taken.
  private static let key = "preset"

  /// Parameters with those of the kept output that they name, where nothing else is said. Of ways that exclude each other
  /// the given one counts, and what goes only with the kept one is left out with it.
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
    let found = try Self.described { () throws(EditError) in try self.kept(as: name).members }
    var kept = found.filter { !replaced.contains($0.key) }
    let present = Set((kept + given).filter { $0.value != .bool(false) }.map(\.key))
    for case .goesWith(let name, let others) in RenderOutput.rules
    where present.isDisjoint(with: others) {
      kept.removeAll { $0.key == name }
    }
    return kept + given
  }
}
