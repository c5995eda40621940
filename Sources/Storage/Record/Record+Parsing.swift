import FoundationEssentials
import SafelightAdjustments

extension Record {
  /// Reads a sidecar.
  ///
  /// - Parameter bytes: The whole file.
  /// - Throws: ``RecordError``. Nothing is repaired or guessed.
  public init(parsing bytes: [UInt8]) throws(RecordError) {
    try self.init(RecordDictionary(Self.root(parsing: bytes)))
  }

  static func root(parsing bytes: [UInt8]) throws(RecordError) -> PropertyList {
    guard !bytes.isEmpty else { throw .empty }
    guard bytes.count <= maximumSize else {
      throw .tooLarge(size: bytes.count, limit: maximumSize)
    }
    guard !bytes.starts(with: "bplist".utf8) else { throw .binaryPropertyList }
    do {
      return try PropertyListParser.parse(bytes)
    } catch {
      throw .malformed(error)
    }
  }

  init(_ top: RecordDictionary) throws(RecordError) {
    adjustmentData = try Self.adjustmentData(in: top)
    // Other programs' optional keys may have any type: they are kept in the history as they are.
    editorBundleID = top[Key.editor]?.text
    timestamp = top[Key.timestamp]?.date
    unknown = top.entries(except: Key.top)
    parsed = top.entries

    guard let own = try top.dictionary(Key.own) else {
      original = nil
      render = nil
      base = nil
      history = []
      redo = []
      versions = []
      newVersions = []
      replaces = nil
      replacesRecord = nil
      replacedSidecar = nil
      unknownOwn = []
      return
    }
    try Self.checkVersion(own)
    original = try RecordedFile(Self.present(own, "original"))
    render = try RecordedRender(Self.present(own, "render"))
    if let dictionary = try own.dictionary("base") {
      base = try RecordedFile(dictionary, endingIn: PhotoNames.baseSuffix)
    } else {
      base = nil
    }
    history = try (own.optional("history", "array", \.elements) ?? []).map(HistoryEntry.init)
    redo = try (own.optional("redo", "array", \.elements) ?? []).map(HistoryEntry.init)
    versions = try RecordedVersion.all(in: own)
    newVersions = try Self.newVersions(in: own, versions)
    replaces = try own.digest("replaces")
    replacesRecord = try own.digest("replacesRecord")
    replacedSidecar = try Self.replacedSidecar(in: own)
    unknownOwn = own.entries(except: Key.inOwn)
  }

  private static func newVersions(
    in own: RecordDictionary, _ versions: [RecordedVersion]
  ) throws(RecordError) -> [String] {
    let elements = try own.optional("newVersions", "array", \.elements) ?? []
    let names = elements.compactMap(\.text)
    guard names.count == elements.count, Set(names).count == names.count,
      names.allSatisfy({ name in versions.contains { $0.name == name } })
    else {
      throw .invalidValue(key: own.path("newVersions"), expected: "a list of names of versions")
    }
    return names
  }

  /// Only what an edit can have taken the place of passes: what a revert puts back must be readable
  /// as another program's record.
  private static func replacedSidecar(in own: RecordDictionary) throws(RecordError) -> Data? {
    let key = "replacedSidecar"
    guard let bytes = try own.optional(key, "data", \.data) else { return nil }
    do {
      let top = try RecordDictionary(root(parsing: Array(bytes)))
      _ = try adjustmentData(in: top)
      if top[Key.own] == nil { return bytes }
    } catch {
      // Named below: the reason would be about lines of another file.
    }
    throw .invalidValue(key: own.path(key), expected: "another program's sidecar")
  }

  static func adjustmentData(in top: RecordDictionary) throws(RecordError) -> AdjustmentData {
    AdjustmentData(
      formatIdentifier: try top.required(Key.formatIdentifier, "string", \.text),
      formatVersion: try top.required(Key.formatVersion, "string", \.text),
      data: try top.required(Key.data, "data", \.data))
  }

  /// Checked before anything else, so that a newer form is never mistaken for a broken one.
  static func checkVersion(_ own: RecordDictionary) throws(RecordError) {
    let version = try own.required("recordVersion", "integer", \.integer)
    guard version >= 1 else {
      throw .invalidValue(key: own.path("recordVersion"), expected: "a version from 1 up")
    }
    guard version <= Self.version else { throw .newerVersion(Int(version)) }
  }

  private static func present(
    _ own: RecordDictionary, _ key: String
  ) throws(RecordError) -> RecordDictionary {
    guard let dictionary = try own.dictionary(key) else { throw .missingKey(own.path(key)) }
    return dictionary
  }

  enum Key {
    static let baseVersion = "adjustmentBaseVersion"
    static let data = "adjustmentData"
    static let editor = "adjustmentEditorBundleID"
    static let formatIdentifier = "adjustmentFormatIdentifier"
    static let formatVersion = "adjustmentFormatVersion"
    static let timestamp = "adjustmentTimestamp"
    static let own = "safelight"

    static let top: Set = [
      baseVersion, data, editor, formatIdentifier, formatVersion, timestamp, own,
    ]
    static let inOwn: Set = [
      "recordVersion", "original", "render", "base", "history", "redo", "versions", "newVersions",
      "replaces", "replacesRecord", "replacedSidecar",
    ]
    /// What an entry of the history need not repeat.
    static let leftOutOfHistory: Set = [
      "recordVersion", "original", "history", "redo", "versions", "newVersions", "replaces",
      "replacesRecord", "replacedSidecar",
    ]
  }
}
