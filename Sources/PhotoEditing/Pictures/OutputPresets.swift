import FoundationEssentials
import SafelightDarkroom
import SafelightFiles
import SafelightFormats
import SafelightRendering

/// A user's presets, which are outputs kept under names: JSON files in a folder, beside the user's filters.
///
/// ```swift
/// let presets = OutputPresets.standard
/// try presets.save(RenderOutput(format: .webp, quality: 80, longestSide: 1600), named: "web")
/// let web = try presets.output(named: "web")
/// ```
public struct OutputPresets: Sendable, Hashable {
  /// Where the files are; made when the first preset is saved.
  public let folder: FilePath

  /// The presets in a folder, which need not exist.
  public init(folder: FilePath) { self.folder = folder }

  /// Those in the folder `presets` beside a user's filters.
  public init(beside filters: UserFilters) {
    self.init(folder: filters.folder.removingLastComponent().appending("presets"))
  }

  /// Those in `safelight/presets` where the user's data are; see ``UserFilters/standard``.
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

    /// What it asks for, for people.
    package var summary: String {
      let members = json["output"]?.members ?? []
      return members.map { "\($0.key) \($0.value.string ?? $0.value.text)" }
        .joined(separator: ", ")
    }
  }

  private static let largestFile = 64 << 20

  /// All presets by name, and why other files in the folder cannot be used.
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
    guard Filter.isValidName(name) else { throw .presetName(name, .invalid) }
    let path = path(of: name)
    let bytes: [UInt8]
    do {
      bytes = try FileSystem.real.contents(of: path, limit: Self.largestFile)
    } catch {
      let isMissing = (try? FileSystem.real.exists(path)) == false
      throw isMissing
        ? .unknownPreset(name) : .unusablePreset(path: path, reason: "cannot be read: \(error)")
    }
    guard let members = (try? JSONValue(parsing: bytes))?.compact.members,
      let output = try? RenderOutput(reading: members, checking: false),
      !members.contains(where: { $0.key == Self.key })
    else { throw .unusablePreset(path: path, reason: "is damaged: it describes no output") }
    return (members, output)
  }

  /// What is wrong with a preset, as what is wrong with a parameter.
  private static func described<Read>(
    _ read: () throws(EditError) -> Read
  ) throws(OperationError) -> Read {
    do {
      return try read()
    } catch {
      throw .contradiction(error.description, of: RenderOutput.id)
    }
  }

  /// Keeps an output: its file appears whole or not at all. Files that the output names are kept in it. One that no
  /// picture can be written by is refused with what rendering would say.
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
    guard Filter.isValidName(name) else { throw .presetName(name, .invalid) }
    if let other = output.preset {
      throw .invalidOperation(
        .contradiction("The preset “\(other)” was not looked up.", of: RenderOutput.id))
    }
    let path = path(of: name)
    let output = try output.readingFiles()
    do {
      try output.checkForAnyPicture(isInFormat: given.contains("format"))
    } catch {
      throw EditError(error, path: path)
    }
    let members = output.members(with: given.subtracting([Self.key]))
    let text = JSONValue.object(members).text + "\n"
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
      throw .presetName(name, .exists)
    }
    return path
  }

  /// Keeps what a request asks for, as every surface does.
  ///
  /// - Parameters:
  ///   - members: An output's parameters.
  ///   - read: Gives the bytes of a file that the request names.
  /// - Throws: ``OperationError`` for what asks for nothing that can be, ``EditError``, or what `read` threw.
  package func save(
    _ members: [JSONValue.Member], named name: String, replacing: Bool,
    reading read: (String) throws -> [UInt8]
  ) throws -> (preset: Preset, path: FilePath) {
    let (asked, given) = try output(of: members)
    let output = try asked.reading(read)
    let path = try save(output, named: name, replacing: replacing, given: given)
    return (Preset(name: name, output: output, given: given), path)
  }

  /// Removes a preset.
  ///
  /// - Returns: Where its file was.
  /// - Throws: ``EditError``.
  @discardableResult
  public func remove(named name: String) throws(EditError) -> FilePath {
    let path = path(of: name)
    guard Filter.isValidName(name), (try? FileSystem.real.exists(path)) == true else {
      throw .unknownPreset(name)
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
  /// The parameter by which a preset is taken.
  private static let key = "preset"

  /// The output that parameters ask for, and the names of those that are given, there or in the preset that they name.
  /// What contradicts its format is found by ``RenderOutput/check()``, because the ending of a file may say the format.
  ///
  /// - Parameter format: The format that counts where the parameters name none.
  package func output(
    of members: [JSONValue.Member], in format: RenderOutput.Format? = nil
  ) throws(OperationError) -> (output: RenderOutput, given: Set<String>) {
    let all = try expanding(members, in: format)
    return (
      try RenderOutput(reading: all, checking: false),
      Set(all.filter { $0.value != .null }.map(\.key))
    )
  }

  /// Parameters with those of the preset that they name, where nothing else is said. Of ways that exclude each other
  /// the given one counts, and what goes only with the kept one is left out with it. So is what the format has not.
  private func expanding(
    _ members: [JSONValue.Member], in format: RenderOutput.Format?
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
    let said = (given + kept).first { $0.key == "format" }?.value.string
    if let format = said.flatMap(RenderOutput.Format.init) ?? format {
      kept.removeAll { format.file.lacks.contains($0.key) }
    }
    return kept + given
  }
}
