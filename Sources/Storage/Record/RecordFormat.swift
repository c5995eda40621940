import FoundationEssentials
import SafelightAdjustments
import SafelightFiles
import SafelightFormats

extension Record {
  /// Reads a sidecar.
  ///
  /// - Parameter bytes: The whole file.
  /// - Throws: ``RecordError``. Nothing is repaired or guessed.
  package init(parsing bytes: [UInt8]) throws(RecordError) {
    try self.init(RecordDictionary(Self.root(parsing: bytes)))
  }

  static func root(parsing bytes: [UInt8]) throws(RecordError) -> PropertyList {
    guard !bytes.isEmpty else { throw .empty }
    guard bytes.count <= maximumSize else {
      throw .tooLarge(size: bytes.count, limit: maximumSize)
    }
    guard !bytes.starts(with: "bplist".utf8) else { throw .binaryPropertyList }
    do {
      return try PropertyList(parsing: bytes)
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

    guard let own = try top.dictionary(Key.own) else { return }
    try Self.checkVersion(own)
    let photo = try Self.present(own, "original")
    original = try RecordedFile(photo)
    picture = try photo.digest(Key.picture)
    members = try own.members()
    guard let render else { throw .missingKey(own.path("render")) }
    let isGone =
      try own.digest(Key.former) == render.file.sha256
      && Self.isOriginal(adjustmentData, hasBase: base != nil)
    if isGone { (members[.render], formerRender) = (nil, render) }
    history = try (own.optional("history", as: "array", \.elements) ?? []).map(HistoryEntry.init)
    redo = try (own.optional("redo", as: "array", \.elements) ?? []).map(HistoryEntry.init)
    versions = try RecordedVersion.all(in: own)
    newVersions = try Self.newVersions(in: own, versions)
    staging = try Staging(in: own)
    replaces = try own.digest("replaces")
    earlierRenders = try Self.earlierRenders(in: own)
    replacesRecord = try own.digest("replacesRecord")
    replacedSidecar = try Self.replacedSidecar(in: own)
    unknownOwn = own.entries(except: Key.inOwn)
  }

  private static func newVersions(
    in own: RecordDictionary, _ versions: [RecordedVersion]
  ) throws(RecordError) -> [String] {
    let elements = try own.optional("newVersions", as: "array", \.elements) ?? []
    let names = elements.compactMap(\.text)
    guard names.count == elements.count, Set(names).count == names.count,
      Set(names).isSubset(of: versions.map(\.name))
    else {
      throw .invalidValue(key: own.path("newVersions"), expected: "a list of names of versions")
    }
    return names
  }

  private static func earlierRenders(in own: RecordDictionary) throws(RecordError) -> [Digest] {
    let key = Key.earlierRenders
    let elements = try own.optional(key, as: "array", \.elements) ?? []
    let digests = elements.compactMap { $0.text.flatMap { Digest($0) } }
    guard digests.count == elements.count else {
      throw .invalidValue(key: own.path(key), expected: "a list of 64 hexadecimal digits each")
    }
    return digests
  }

  /// Accepts only another program's readable record, because only such a sidecar can have been
  /// replaced.
  private static func replacedSidecar(in own: RecordDictionary) throws(RecordError) -> Data? {
    let key = "replacedSidecar"
    guard let bytes = try own.optional(key, as: "data", \.data) else { return nil }
    do {
      let top = try RecordDictionary(root(parsing: Array(bytes)))
      _ = try adjustmentData(in: top)
      if top[Key.own] == nil { return bytes }
    } catch {
      // The error below names the key; the inner error would name lines of another file.
    }
    throw .invalidValue(key: own.path(key), expected: "another program's sidecar")
  }

  static func adjustmentData(in top: RecordDictionary) throws(RecordError) -> AdjustmentData {
    AdjustmentData(
      formatIdentifier: try top.required(Key.formatIdentifier, as: "string", \.text),
      formatVersion: try top.required(Key.formatVersion, as: "string", \.text),
      data: try top.required(Key.data, as: "data", \.data))
  }

  /// Checked before anything else, so that a newer form is never mistaken for a broken one.
  static func checkVersion(_ own: RecordDictionary) throws(RecordError) {
    let version = try own.required("recordVersion", as: "integer", \.integer)
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
    static let staged = "staged"
    static let picture = "pictureSHA256"
    static let earlierRenders = "earlierRenders"
    /// The SHA-256 of the render that went because the edit shows the original.
    static let former = "formerRender"

    static let top: Set = [
      baseVersion, data, editor, formatIdentifier, formatVersion, timestamp, own,
    ]
    static let inOwn = leftOutOfHistory.union(FileRole.Kind.recordKeys)
    /// What an entry of the history need not repeat.
    static let leftOutOfHistory: Set = [
      "recordVersion", "original", former, "history", "redo", "versions", "newVersions", staged,
      "replaces", earlierRenders, "replacesRecord", "replacedSidecar",
    ]
  }
}

extension Record {
  /// The bytes of the sidecar.
  package func encoded() -> [UInt8] {
    PropertyList.dictionary(parsed ?? entries).document
  }

  /// This record as an entry of a later one's history: everything it says about its own edit, in
  /// the bytes it was read in, without the history that the later record carries itself, and without a render that
  /// went because the photo shows the original.
  package var historyEntry: HistoryEntry {
    let former: Set = formerRender == nil ? [] : ["render", Key.former]
    let entries = (parsed ?? entries).map { entry in
      guard entry.key == Key.own, let own = entry.value.entries else { return entry }
      let kept = own.filter {
        !Key.leftOutOfHistory.contains($0.key) && !former.contains($0.key)
      }
      return PropertyList.Entry(Key.own, .dictionary(kept))
    }
    return HistoryEntry(.dictionary(entries))
  }

  private var entries: [PropertyList.Entry] {
    var entries: [PropertyList.Entry] = [
      .init(Key.baseVersion, .integer(0)),
      .init(Key.data, .data(adjustmentData.data)),
    ]
    if let editorBundleID { entries.append(.init(Key.editor, .string(editorBundleID))) }
    entries.append(.init(Key.formatIdentifier, .string(adjustmentData.formatIdentifier)))
    entries.append(.init(Key.formatVersion, .string(adjustmentData.formatVersion)))
    if let timestamp {
      entries.append(.init(Key.timestamp, PropertyList(.date(ClockTime.text(utc: timestamp)))))
    }
    entries += unknown
    if original != nil { entries.append(.init(Key.own, .dictionary(ownEntries))) }
    return entries
  }

  static func newVersionsEntry(_ names: [String]) -> PropertyList.Entry {
    PropertyList.Entry("newVersions", .array(names.map { .string($0) }))
  }

  private var ownEntries: [PropertyList.Entry] {
    let version = members[.video] != nil ? Self.version : versions.isEmpty ? 1 : 2
    var entries: [PropertyList.Entry] = [.init("recordVersion", .integer(Int64(version)))]
    if let original {
      let picture = picture.map { [PropertyList.Entry(Key.picture, .string($0.description))] }
      entries.append(.init("original", .dictionary(original.entries + (picture ?? []))))
    }
    for role in FileRole.single {
      let former = role == .render ? formerRender : nil
      if let key = role.kind.key, let member = members[role] ?? former.map(RecordedMember.init) {
        entries.append(.init(key, .dictionary(member.entries)))
      }
      if let former {
        entries.append(.init(Key.former, .string(former.file.sha256.description)))
      }
    }
    entries.append(.init("history", .array(history.map(\.element))))
    if !redo.isEmpty { entries.append(.init("redo", .array(redo.map(\.element)))) }
    if !versions.isEmpty { entries.append(.init("versions", .dictionary(versions.map(\.entry)))) }
    if !newVersions.isEmpty { entries.append(Self.newVersionsEntry(newVersions)) }
    if let staging { entries.append(staging.entry) }
    if let replaces { entries.append(.init("replaces", .string(replaces.description))) }
    if !earlierRenders.isEmpty {
      let digests = earlierRenders.map { PropertyList.string($0.description) }
      entries.append(.init(Key.earlierRenders, .array(digests)))
    }
    if let replacesRecord {
      entries.append(.init("replacesRecord", .string(replacesRecord.description)))
    }
    if let replacedSidecar { entries.append(.init("replacedSidecar", .data(replacedSidecar))) }
    return entries + unknownOwn
  }
}

/// A dictionary of a record being read, which names what is missing or of the wrong kind.
struct RecordDictionary {
  let entries: [PropertyList.Entry]
  /// The keys that lead here, for messages.
  private let prefix: String

  init(_ element: PropertyList, at path: String = "") throws(RecordError) {
    guard let entries = element.entries else {
      throw .wrongType(key: path.isEmpty ? "plist" : path, expected: "dict")
    }
    self.entries = entries
    prefix = path.isEmpty ? "" : path + "."
  }

  func path(_ key: String) -> String { prefix + key }

  subscript(key: String) -> PropertyList? {
    entries.first { $0.key.utf8.elementsEqual(key.utf8) }?.value
  }

  /// What `reading` finds under a key; `nil` when there is no such key.
  func optional<Value>(
    _ key: String, as expected: String, _ reading: (PropertyList) -> Value?
  ) throws(RecordError) -> Value? {
    guard let element = self[key] else { return nil }
    guard let value = reading(element) else {
      throw .wrongType(key: path(key), expected: expected)
    }
    return value
  }

  func required<Value>(
    _ key: String, as expected: String, _ reading: (PropertyList) -> Value?
  ) throws(RecordError) -> Value {
    guard let value = try optional(key, as: expected, reading) else {
      throw .missingKey(path(key))
    }
    return value
  }

  func dictionary(_ key: String) throws(RecordError) -> RecordDictionary? {
    guard let element = self[key] else { return nil }
    return try RecordDictionary(element, at: path(key))
  }

  /// What stands under the key of a role; `nil` when there is no such key.
  func member(_ role: FileRole) throws(RecordError) -> RecordedMember? {
    guard let key = role.kind.key, let dictionary = try dictionary(key) else { return nil }
    return try RecordedMember(dictionary, as: role)
  }

  /// The files of which a photo has one, by role.
  func members() throws(RecordError) -> [FileRole: RecordedMember] {
    var members: [FileRole: RecordedMember] = [:]
    for role in FileRole.single { members[role] = try member(role) }
    return members
  }

  /// The SHA-256 under a key; `nil` when there is no such key.
  func digest(_ key: String) throws(RecordError) -> Digest? {
    guard let text = try optional(key, as: "string", \.text) else { return nil }
    guard let digest = Digest(text) else {
      throw .invalidValue(key: path(key), expected: "64 hexadecimal digits")
    }
    return digest
  }

  /// The entries under other keys than these, as they were read.
  func entries(except known: Set<String>) -> [PropertyList.Entry] {
    entries.filter { !known.contains($0.key) }
  }
}

/// Why the bytes of a sidecar are not a record.
public enum RecordError: Error, Hashable, CustomStringConvertible {
  /// There are no bytes at all. Restore the file from a backup, or remove it to start anew.
  case empty
  /// It is a binary property list; only the XML form is read. `plutil` or `plistutil` converts it.
  case binaryPropertyList
  /// It is not the XML of a property list, for the reason given.
  case malformed(PropertyListError)
  /// A key that every record has is missing. Dots separate the keys that lead to it.
  case missingKey(String)
  /// The value of a key is of another kind than the element `expected`.
  case wrongType(key: String, expected: String)
  /// The value of a key is of the right kind and makes no sense.
  case invalidValue(key: String, expected: String)
  /// It has more bytes than a record may have.
  case tooLarge(size: Int, limit: Int)
  /// A newer Safelight wrote it, in a version of the record that this one does not know.
  case newerVersion(Int)

  /// What happened, in one sentence.
  public var description: String {
    switch self {
    case .empty: "It is empty."
    case .binaryPropertyList: "It is a binary property list, and only the XML form is read."
    case .malformed(let error): error.description
    case .missingKey(let key): "The key \(key) is missing."
    case .wrongType(let key, let expected): "The value of \(key) is not of the type \(expected)."
    case .invalidValue(let key, let expected): "The value of \(key) is not \(expected)."
    case .tooLarge(let size, let limit): "It has \(size) bytes, and at most \(limit) are read."
    case .newerVersion(let version): "It is a record of version \(version), which is newer."
    }
  }
}
