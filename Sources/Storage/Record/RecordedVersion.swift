import FoundationEssentials
import SafelightAdjustments

/// A named version of a photo: an edit that was kept, with a render of its own.
public struct RecordedVersion: Sendable {
  /// What it is called, in the case it was saved with.
  public let name: String
  /// The edit.
  public let adjustmentData: AdjustmentData
  /// The program that made the edit, by its bundle identifier; `nil` when not recorded.
  public let editorBundleID: String?
  /// When the edit was made, to the second; `nil` when not recorded.
  public let timestamp: Date?
  /// Its rendered JPEG.
  public let render: RecordedRender
  /// The pixels that the edit starts from; `nil` when it starts from the original.
  public let base: RecordedFile?
  /// Whether the render belongs to the photo that this one was copied from, sidecar and all. It may
  /// be read, and go at any time.
  public let isShared: Bool

  /// The name and everything that is said of the version, in the bytes it was read in.
  let entry: PropertyList.Entry

  /// Whether a version may be called so: 1 to 64 letters without accents, digits, hyphens,
  /// underscores and dots, with no dot in front.
  public static func isName(_ text: String) -> Bool {
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

  /// Whether it is called so, in capital letters or small ones: a name must stand for one file on
  /// disks that do not tell the two apart.
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
    entry = Self.entry(name, record.historyEntry.element) { own in
      own.filter { $0.key != "render" } + [.init("render", .dictionary(render.entries))]
    }
  }

  private init(_ version: RecordedVersion, sharing entry: PropertyList.Entry) {
    name = version.name
    adjustmentData = version.adjustmentData
    editorBundleID = version.editorBundleID
    timestamp = version.timestamp
    render = version.render
    base = version.base
    isShared = true
    self.entry = entry
  }

  /// The version in the record of a photo that was copied: its render is the other photo's.
  func shared() -> RecordedVersion {
    guard !isShared else { return self }
    let entry = Self.entry(name, entry.value) { own in
      own + [.init("shared", PropertyList(.boolean(true)))]
    }
    return RecordedVersion(self, sharing: entry)
  }

  /// The version with other entries in its own dictionary; all else stays as it was read.
  private static func entry(
    _ name: String, _ element: PropertyList,
    _ change: ([PropertyList.Entry]) -> [PropertyList.Entry]
  ) -> PropertyList.Entry {
    let entries = (element.entries ?? []).map { entry in
      guard entry.key == Record.Key.own, let own = entry.value.entries else { return entry }
      return PropertyList.Entry(Record.Key.own, .dictionary(change(own)))
    }
    return PropertyList.Entry(name, .dictionary(entries))
  }
}

extension RecordedVersion {
  /// The versions in Safelight's part of a record.
  static func all(in own: RecordDictionary) throws(RecordError) -> [RecordedVersion] {
    guard let dictionary = try own.dictionary("versions") else { return [] }
    var versions: [RecordedVersion] = []
    for entry in dictionary.entries {
      let version = try RecordedVersion(entry, in: dictionary)
      guard !versions.contains(where: { $0.isCalled(version.name) }) else {
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
      render, endingIn: Record.FileRole.version(entry.key).suffix)
    if let dictionary = try own.dictionary("base") {
      base = try RecordedFile(dictionary, endingIn: PhotoNames.baseSuffix)
    } else {
      base = nil
    }
    isShared = try own.optional("shared", "boolean", \.boolean) ?? false
    self.entry = entry
  }
}

extension Record {
  /// The version of a name, in capital letters or small ones; `nil` when there is none.
  public func version(named name: String) -> RecordedVersion? {
    versions.first { $0.isCalled(name) }
  }
}
