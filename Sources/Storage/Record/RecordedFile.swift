import FoundationEssentials

/// A file beside the record as it was when the record was written.
public struct RecordedFile: Sendable, Hashable {
  /// Its name in the folder of the record, without slashes.
  public let name: FilePath
  /// Its length in bytes.
  public let size: Int64
  /// The SHA-256 of its bytes.
  public let sha256: Digest

  /// A file of this name and content.
  public init(name: FilePath, size: Int64, sha256: Digest) {
    self.name = name
    self.size = size
    self.sha256 = sha256
  }
}

/// The rendered JPEG of an edit as it was when the record was written.
public struct RecordedRender: Sendable, Hashable {
  /// Its name and content.
  public let file: RecordedFile
  /// Columns of pixels, upright.
  public let pixelWidth: Int
  /// Rows of pixels, upright.
  public let pixelHeight: Int
  /// Which renderer in which version made it; another one may make other pixels.
  public let renderer: String

  /// A render of this content, size and maker.
  public init(file: RecordedFile, pixelWidth: Int, pixelHeight: Int, renderer: String) {
    self.file = file
    self.pixelWidth = pixelWidth
    self.pixelHeight = pixelHeight
    self.renderer = renderer
  }
}

// MARK: - As property lists

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
    if let bytes = try dictionary.optional("nameBytes", "data", \.data) {
      name = FilePath(bytes: bytes)
    } else {
      name = FilePath(try dictionary.required("name", "string", \.text))
    }
    guard Self.isFileName(name) else {
      throw .invalidValue(key: dictionary.path("name"), expected: "the name of a file")
    }
    size = try dictionary.required("size", "integer", \.integer)
    let digits = try dictionary.required("sha256", "string", \.text)
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
      text.append(PropertyListParser.canCarry(scalar) ? scalar : "\u{FFFD}")
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
    ]
  }

  init(
    _ dictionary: RecordDictionary, endingIn suffix: String = PhotoNames.renderSuffix
  ) throws(RecordError) {
    file = try RecordedFile(dictionary, endingIn: suffix)
    pixelWidth = Int(try dictionary.required("pixelWidth", "integer", \.integer))
    pixelHeight = Int(try dictionary.required("pixelHeight", "integer", \.integer))
    renderer = try dictionary.required("renderer", "string", \.text)
  }
}
