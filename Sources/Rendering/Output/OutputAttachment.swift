import FoundationEssentials
import SafelightAdjustments
import SafelightFiles
import SafelightFormats
import Synchronization

/// A file that an output needs, such as a color profile: its name, and its bytes once it was read.
///
/// As JSON: the name, or `{"name": "paper.icc", "data": "…"}` with the bytes in Base64.
public struct OutputAttachment: Sendable, Hashable, ParameterValue {
  /// The name of the file, for people, and to read it by.
  public let name: String
  /// What is in the file; `nil` before it was read.
  public let bytes: [UInt8]?
  private let keptDigest = KeptDigest()

  /// The most bytes that a file may have.
  package static let mostBytes = 16 << 20

  /// The profile in the file, to be put into another one; `nil` before the file was read. What stands behind the length that
  /// the profile says of itself (ICC.1:2022, 7.2.2) is none of it, for lcms2, too.
  var profile: [UInt8]? {
    bytes.map { bytes in
      guard bytes.count >= 128 else { return bytes }
      let length = bytes[..<4].reduce(0) { $0 << 8 | Int($1) }
      return length >= 128 && length < bytes.count ? Array(bytes[..<length]) : bytes
    }
  }

  /// The most bytes of a description as JSON, with the largest file in Base64 (RFC 4648, 4).
  package static let mostBytesAsJSON = (mostBytes + 2) / 3 * 4 + (1 << 20)

  /// A file.
  public init(name: String, bytes: [UInt8]? = nil) { (self.name, self.bytes) = (name, bytes) }

  /// The SHA-256 of the bytes, computed once for all copies of the value; `nil` before the file was read.
  fileprivate var digest: String? {
    bytes.map { bytes in
      keptDigest.text.withLock { text in
        let digest = text ?? SHA256.digest(of: bytes).description
        text = digest
        return digest
      }
    }
  }

  private final class KeptDigest: Sendable {
    let text = Mutex<String?>(nil)
  }

  public static func == (one: OutputAttachment, other: OutputAttachment) -> Bool {
    one.name == other.name && one.bytes == other.bytes
  }

  public func hash(into hasher: inout Hasher) {
    hasher.combine(name)
    hasher.combine(bytes)
  }

  public static var kind: String { "the name of a file, or an object with its “data” in Base64" }
  public static var typeName: String { "file" }
  public static var argumentKind: String { "a file" }
  public static var hasRange: Bool { false }
  public static var schema: JSONValue {
    let text = JSONValue.object([.init("type", .string("string"))])
    return .object([
      .init(
        "anyOf",
        .array([
          text,
          .object([
            .init("type", .string("object")),
            .init("properties", .object([.init("name", text), .init("data", text)])),
            .init("required", .array([.string("data")])),
          ]),
        ]))
    ])
  }

  public init?(json: JSONValue) {
    if let text = json.string {
      self.init(name: text)
    } else if let text = json["data"]?.string, let data = Data(base64Encoded: text) {
      self.init(name: json["name"]?.string ?? "file", bytes: [UInt8](data))
    } else {
      return nil
    }
  }

  public var json: JSONValue {
    guard let bytes else { return .string(name) }
    return .object([
      .init("name", .string(name)), .init("data", .string(Data(bytes).base64EncodedString())),
    ])
  }

  public func problem(in range: ClosedRange<Double>) -> ParameterProblem? {
    if name.isEmpty { return .invalid("is empty") }
    return bytes?.count ?? 0 <= Self.mostBytes ? nil : .invalid("has more than 16 MB")
  }

  public init?(argument: String, unit: ParameterUnit) { self.init(name: argument) }

  public var argument: String { name }
}

extension RenderOutput {
  /// The files that were not read yet.
  package var unread: [String] {
    [profile.attachment, watermarkPicture].compactMap { $0?.bytes == nil ? $0?.name : nil }
  }

  /// The JSON of the description, with digests in place of what is in its files.
  package var textWithDigests: String {
    var output = self
    func named(_ file: OutputAttachment) -> OutputAttachment {
      OutputAttachment(name: file.digest ?? file.name)
    }
    if let file = profile.attachment { output.profile = .file(named(file)) }
    output.watermarkPicture = watermarkPicture.map(named)
    return output.json.text
  }

  /// The same with its files read.
  package func reading<Failure: Error>(
    _ read: (String) throws(Failure) -> [UInt8]
  ) throws(Failure) -> RenderOutput {
    var output = self
    if let file = profile.attachment, file.bytes == nil {
      output.profile = .file(OutputAttachment(name: file.name, bytes: try read(file.name)))
    }
    if let file = watermarkPicture, file.bytes == nil {
      output.watermarkPicture = OutputAttachment(name: file.name, bytes: try read(file.name))
    }
    return output
  }
}
