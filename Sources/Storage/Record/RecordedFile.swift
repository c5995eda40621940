import FoundationEssentials
import SafelightAdjustments
import SafelightFiles
import SafelightFormats

/// A file beside the record as it was when the record was written.
package struct RecordedFile: Sendable, Hashable {
  /// Its name in the folder of the record, without slashes.
  package let name: FilePath
  /// Its length in bytes.
  package let size: Int64
  /// The SHA-256 of its bytes.
  package let sha256: Digest

  /// A file of this name and content.
  package init(name: FilePath, size: Int64, sha256: Digest) {
    self.name = name
    self.size = size
    self.sha256 = sha256
  }
}

/// The rendered JPEG of an edit as it was when the record was written.
package struct RecordedRender: Sendable, Hashable {
  /// Its name and content.
  package let file: RecordedFile
  /// Columns of pixels, upright.
  package let pixelWidth: Int
  /// Rows of pixels, upright.
  package let pixelHeight: Int
  /// Which renderer in which version made it; another one may make other pixels.
  package let renderer: String
  /// Whether it has the coefficients of the JPEG that it was made from.
  package let isLossless: Bool

  /// A render of this content, size and maker.
  package init(
    file: RecordedFile, pixelWidth: Int, pixelHeight: Int, renderer: String,
    isLossless: Bool = false
  ) {
    self.file = file
    self.pixelWidth = pixelWidth
    self.pixelHeight = pixelHeight
    self.renderer = renderer
    self.isLossless = isLossless
  }
}

/// The files that came with a record when it was written. The versions among them are
/// ``Record/newVersions``.
struct Staging: Sendable, Hashable {
  /// The roles of these files, in the order of the table.
  let roles: [FileRole]
}

/// What a record says of one file of its edit.
struct RecordedMember: Sendable, Hashable {
  /// Its name and content.
  let file: RecordedFile
  /// The same with its pixels and its renderer; `nil` for a file that was not rendered.
  let render: RecordedRender?

  init(_ file: RecordedFile) { (self.file, render) = (file, nil) }
  init(_ render: RecordedRender) { (file, self.render) = (render.file, render) }
}

// MARK: - As property lists

extension Staging {
  var entry: PropertyList.Entry {
    PropertyList.Entry(Record.Key.staged, .array(roles.map { .string($0.kind.word) }))
  }

  /// What a record says; `nil` when it says nothing.
  init?(in own: RecordDictionary) throws(RecordError) {
    guard let elements = try own.optional(Record.Key.staged, as: "array", \.elements) else {
      return nil
    }
    let words = elements.map(\.text)
    roles = FileRole.single.filter { words.contains($0.kind.word) }
  }
}

extension RecordedMember {
  var entries: [PropertyList.Entry] { render?.entries ?? file.entries }

  /// What a dictionary of a record says of the file of a role.
  init(_ dictionary: RecordDictionary, as role: FileRole) throws(RecordError) {
    if role.kind.isPicture {
      self.init(try RecordedRender(dictionary, endingIn: role.suffix))
    } else {
      self.init(try RecordedFile(dictionary, endingIn: role.suffix))
    }
  }
}

/// `name` is for people. A name that XML cannot carry, because it is not UTF-8 or holds control
/// characters, also stands as `nameBytes`, a data element, and that one counts.
extension RecordedFile {
  var entries: [PropertyList.Entry] {
    var entries = [PropertyList.Entry("name", .string(Self.readable(name)))]
    if FilePath(Self.readable(name)) != name {
      entries.append(.init("nameBytes", .data(Data(name.bytes))))
    }
    entries.append(.init("size", .integer(size)))
    entries.append(.init("sha256", .string(sha256.description)))
    return entries
  }

  init(_ dictionary: RecordDictionary) throws(RecordError) {
    if let bytes = try dictionary.optional("nameBytes", as: "data", \.data) {
      name = FilePath(bytes: bytes)
    } else {
      name = FilePath(try dictionary.required("name", as: "string", \.text))
    }
    guard Self.isFileName(name) else {
      throw .invalidValue(key: dictionary.path("name"), expected: "the name of a file")
    }
    size = try dictionary.required("size", as: "integer", \.integer)
    let digits = try dictionary.required("sha256", as: "string", \.text)
    guard size >= 0 else { throw .invalidValue(key: dictionary.path("size"), expected: "a size") }
    guard let digest = Digest(digits) else {
      throw .invalidValue(key: dictionary.path("sha256"), expected: "64 hexadecimal digits")
    }
    sha256 = digest
  }

  /// The same, for a file that may be replaced or removed: only names that Safelight gives pass, so
  /// that no record, whoever wrote it, leads to the loss of somebody's photo.
  init(_ dictionary: RecordDictionary, endingIn suffix: String) throws(RecordError) {
    try self.init(dictionary)
    guard name.bytes.suffix(suffix.utf8.count).elementsEqual(suffix.utf8) else {
      throw .invalidValue(key: dictionary.path("name"), expected: "a name ending in \(suffix)")
    }
  }

  private static func isFileName(_ name: FilePath) -> Bool {
    !name.isEmpty && !name.bytes.contains(FilePath.slash) && name != "." && name != ".."
  }

  private static func readable(_ name: FilePath) -> String {
    var text = String.UnicodeScalarView()
    for scalar in name.string.unicodeScalars {
      text.append(XMLText.canCarry(scalar) ? scalar : "\u{FFFD}")
    }
    return String(text)
  }
}

extension RecordedRender {
  var entries: [PropertyList.Entry] {
    file.entries + [
      .init("pixelWidth", .integer(Int64(pixelWidth))),
      .init("pixelHeight", .integer(Int64(pixelHeight))),
      .init("renderer", .string(renderer)),
    ] + (isLossless ? [.init("lossless", PropertyList(.boolean(true)))] : [])
  }

  init(
    _ dictionary: RecordDictionary, endingIn suffix: String = FileRole.render.suffix
  ) throws(RecordError) {
    file = try RecordedFile(dictionary, endingIn: suffix)
    pixelWidth = Int(try dictionary.required("pixelWidth", as: "integer", \.integer))
    pixelHeight = Int(try dictionary.required("pixelHeight", as: "integer", \.integer))
    renderer = try dictionary.required("renderer", as: "string", \.text)
    isLossless = try dictionary.optional("lossless", as: "boolean", \.boolean) ?? false
  }
}

/// A named version of a photo: an edit that was kept, with a render of its own.
package struct RecordedVersion: Sendable {
  /// Its name, with the capital letters that it was saved with.
  package let name: String
  /// The edit.
  package let adjustmentData: AdjustmentData
  /// The program that made the edit, by its bundle identifier; `nil` when not recorded.
  package let editorBundleID: String?
  /// When the edit was made, to the second; `nil` when not recorded.
  package let timestamp: Date?
  /// Its rendered JPEG.
  package let render: RecordedRender
  /// The pixels that the edit starts from; `nil` when it starts from the original.
  package let base: RecordedFile?
  /// Whether the render belongs to another photo, from which this one was copied with its sidecar.
  /// That photo may drop the render at any time.
  package let isShared: Bool

  /// The name and everything that is said of the version, in the bytes it was read in.
  let entry: PropertyList.Entry

  /// The version as an entry of a history.
  package var historyEntry: HistoryEntry { HistoryEntry(entry.value) }

  /// The edits before it that no other place has, oldest first, when it keeps the edit of another machine.
  package var earlierEdits: [HistoryEntry] {
    func value(_ key: String, in list: PropertyList?) -> PropertyList? {
      list?.entries?.first { $0.key == key }?.value
    }
    return value("history", in: value(Record.Key.own, in: entry.value))?.elements?
      .map(HistoryEntry.init) ?? []
  }

  /// Whether a version may be called so: 1 to 64 letters without accents, digits, hyphens,
  /// underscores and dots, with no dot in front.
  package static func isName(_ text: String) -> Bool {
    let allowed = text.utf8.allSatisfy { byte in
      switch byte {
      case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "A")...UInt8(ascii: "Z"),
        UInt8(ascii: "0")...UInt8(ascii: "9"), UInt8(ascii: "-"), UInt8(ascii: "_"),
        UInt8(ascii: "."):
        true
      default: false
      }
    }
    return allowed && (1...64).contains(text.utf8.count) && !text.hasPrefix(".")
  }

  /// Whether it has the name, in capital or small letters, because some disks do not distinguish
  /// the two.
  func isCalled(_ name: String) -> Bool { self.name.lowercased() == name.lowercased() }
}

extension RecordedVersion {
  /// The edit of a record, kept under a name with a render of its own.
  init(_ name: String, keeping record: Record, render: RecordedRender) {
    self.name = name
    adjustmentData = record.adjustmentData
    editorBundleID = record.editorBundleID
    timestamp = record.timestamp
    self.render = render
    base = record.base
    isShared = false
    entry = Self.entry(named: name, record.historyEntry.element) { own in
      own.filter { $0.key != "render" } + [.init("render", .dictionary(render.entries))]
    }
  }

  /// An edit of another record of the photo, kept under a name with a render of its own.
  ///
  /// - Parameters:
  ///   - edit: The edit, with all that the other record says about it.
  ///   - earlier: The edits before it that no other place has, which the version keeps.
  /// - Returns: `nil` for an entry of a form that this version does not know.
  init?(
    _ name: String, keeping edit: HistoryEntry, after earlier: [HistoryEntry],
    render: RecordedRender
  ) {
    guard let data = edit.adjustmentData else { return nil }
    self.name = name
    adjustmentData = data
    editorBundleID = edit.editorBundleID
    timestamp = edit.timestamp
    self.render = render
    base = edit.base
    isShared = false
    entry = Self.entry(named: name, edit.element) { own in
      own.filter { !["render", "shared"].contains($0.key) }
        + [.init("render", .dictionary(render.entries))]
        + (earlier.isEmpty ? [] : [.init("history", .array(earlier.map(\.element)))])
    }
  }

  private init(
    _ version: RecordedVersion, _ entry: PropertyList.Entry, data: AdjustmentData? = nil,
    render: RecordedRender? = nil, isShared: Bool
  ) {
    name = version.name
    adjustmentData = data ?? version.adjustmentData
    editorBundleID = version.editorBundleID
    timestamp = version.timestamp
    self.render = render ?? version.render
    base = version.base
    self.isShared = isShared
    self.entry = entry
  }

  /// The version with another render, of its own.
  func with(render: RecordedRender) -> RecordedVersion {
    let entry = Self.entry(named: name, entry.value) { own in
      own.filter { !["render", "shared"].contains($0.key) }
        + [.init("render", .dictionary(render.entries))]
    }
    return RecordedVersion(self, entry, render: render, isShared: false)
  }

  /// The version with other data for its edit, if there are any.
  func converting(_ converted: [AdjustmentData: AdjustmentData]) -> RecordedVersion {
    guard let data = converted[adjustmentData] else { return self }
    return RecordedVersion(
      self, PropertyList.Entry(name, entry.value.with(data)), data: data, isShared: isShared)
  }

  /// The version in the record of a photo that was copied: its render is the other photo's.
  func shared() -> RecordedVersion {
    guard !isShared else { return self }
    let entry = Self.entry(named: name, entry.value) { own in
      own + [.init("shared", PropertyList(.boolean(true)))]
    }
    return RecordedVersion(self, entry, isShared: true)
  }

  /// The version with other entries in its own dictionary; all else stays as it was read.
  private static func entry(
    named name: String, _ element: PropertyList,
    _ change: ([PropertyList.Entry]) -> [PropertyList.Entry]
  ) -> PropertyList.Entry {
    let entries = (element.entries ?? []).map { entry in
      guard entry.key == Record.Key.own, let own = entry.value.entries else { return entry }
      return PropertyList.Entry(Record.Key.own, .dictionary(change(own)))
    }
    return PropertyList.Entry(name, .dictionary(entries))
  }
}

extension PropertyList {
  /// A stored edit with other data of the same format; all else that is said of it stays.
  func with(_ data: AdjustmentData) -> PropertyList {
    .dictionary(
      (entries ?? []).map { entry in
        entry.key == Record.Key.data ? Entry(entry.key, .data(data.data)) : entry
      })
  }
}

extension RecordedVersion {
  /// The versions in Safelight's part of a record.
  static func all(in own: RecordDictionary) throws(RecordError) -> [RecordedVersion] {
    guard let dictionary = try own.dictionary("versions") else { return [] }
    var versions: [RecordedVersion] = []
    var names: Set<String> = []
    for entry in dictionary.entries {
      let version = try RecordedVersion(entry, in: dictionary)
      guard names.insert(version.name.lowercased()).inserted else {
        throw .invalidValue(key: dictionary.path(entry.key), expected: "the only one of its name")
      }
      versions.append(version)
    }
    return versions
  }

  private init(
    _ entry: PropertyList.Entry, in versions: RecordDictionary
  ) throws(RecordError) {
    let path = versions.path(entry.key)
    guard Self.isName(entry.key) else {
      throw .invalidValue(key: path, expected: "a version with a name that is allowed")
    }
    let version = try RecordDictionary(entry.value, at: path)
    guard let own = try version.dictionary(Record.Key.own),
      let render = try own.dictionary("render")
    else { throw .missingKey(version.path("\(Record.Key.own).render")) }
    name = entry.key
    adjustmentData = try Record.adjustmentData(in: version)
    editorBundleID = version[Record.Key.editor]?.text
    timestamp = version[Record.Key.timestamp]?.date
    self.render = try RecordedRender(
      render, endingIn: FileRole.version(entry.key).suffix)
    base = try own.member(.base)?.file
    isShared = try own.optional("shared", as: "boolean", \.boolean) ?? false
    self.entry = entry
  }
}

extension Record {
  /// The version of a name, in capital letters or small ones; `nil` when there is none.
  package func version(named name: String) -> RecordedVersion? {
    versions.first { $0.isCalled(name) }
  }
}
