import FoundationEssentials
import Glibc

/// A path as the kernel sees it: bytes without NUL, in no particular encoding.
///
/// Two paths are equal when their bytes are, so names that differ only in Unicode normalization
/// stay two names. Repeated and trailing slashes are dropped; `.` and `..` are kept.
public struct FilePath: Sendable, Hashable {
  /// The bytes between the slashes and the slashes themselves; never NUL.
  public let bytes: [UInt8]

  /// The path in `bytes`; reading stops at the first NUL, as the kernel's does.
  public init(bytes: some Sequence<UInt8>) {
    var kept: [UInt8] = []
    for byte in bytes {
      if byte == 0 { break }
      if byte == Self.slash && kept.last == Self.slash { continue }
      kept.append(byte)
    }
    if kept.count > 1 && kept.last == Self.slash { kept.removeLast() }
    self.bytes = kept
  }

  /// The path in a text, as UTF-8; for command line arguments use ``init(argument:)``.
  public init(_ string: String) {
    self.init(bytes: string.utf8)
  }

  package static let slash = UInt8(ascii: "/")
  private static let dot = UInt8(ascii: ".")

  /// Whether there is nothing in it.
  public var isEmpty: Bool { bytes.isEmpty }

  /// Whether it starts at the root.
  public var isAbsolute: Bool { bytes.first == Self.slash }

  /// The file's name: what follows the last slash; `nil` for the root and the empty path.
  public var lastComponent: FilePath? {
    let name = lastComponentBytes
    return name.isEmpty ? nil : FilePath(bytes: name)
  }

  /// The file's name without its extension: `a.b` for `x/a.b.jpg`, `.hidden` for `.hidden`.
  public var stem: FilePath? {
    let name = lastComponentBytes
    guard let dot = Self.extensionDot(in: name) else { return lastComponent }
    return FilePath(bytes: name[..<dot])
  }

  /// What follows the last dot of the file's name, repaired for display; `nil` without one.
  public var `extension`: String? {
    let name = lastComponentBytes
    guard let dot = Self.extensionDot(in: name) else { return nil }
    return String(decoding: name[(dot + 1)...], as: UTF8.self)
  }

  /// The folder that the file is in; empty for a bare name, the root for the root.
  public func removingLastComponent() -> FilePath {
    guard let slash = bytes.lastIndex(of: Self.slash) else { return FilePath(bytes: []) }
    return FilePath(bytes: slash == 0 ? bytes[...0] : bytes[..<slash])
  }

  /// The path of `name` inside this folder.
  public func appending(_ name: FilePath) -> FilePath {
    isEmpty ? name : FilePath(bytes: bytes + [Self.slash] + name.bytes)
  }

  /// The path of a file named by a text inside this folder.
  public func appending(_ name: String) -> FilePath {
    appending(FilePath(name))
  }

  /// The same path with `suffix` added to the file's name: `beach.jpg` and `.aae`.
  package func suffixed(_ suffix: String) -> FilePath {
    FilePath(bytes: bytes + Array(suffix.utf8))
  }

  /// The text, in which bytes that are not UTF-8 appear as U+FFFD: for JSON, where the bytes stand beside it. People are
  /// shown the ``description``.
  public var string: String { String(decoding: bytes, as: UTF8.self) }

  /// Calls `body` with the path as a C string.
  package func withCString<Result>(_ body: (UnsafePointer<CChar>) -> Result) -> Result {
    (bytes + [0]).withUnsafeBytes { raw in
      raw.withMemoryRebound(to: CChar.self) { body($0.baseAddress!) }
    }
  }

  private var lastComponentBytes: ArraySlice<UInt8> {
    guard let slash = bytes.lastIndex(of: Self.slash) else { return bytes[...] }
    return bytes[(slash + 1)...]
  }

  /// Where the extension's dot stands; hidden files, `.` and `..` have no extension.
  private static func extensionDot(in name: ArraySlice<UInt8>) -> Int? {
    guard let dot = name.lastIndex(of: dot), dot > name.startIndex,
      !name.elementsEqual([Self.dot, Self.dot])
    else { return nil }
    return dot
  }
}

extension FilePath: CustomStringConvertible {
  /// The text to show. A path with bytes that are not UTF-8 is written as shells take it, as in `$'a\xFF.jpg'`, so that
  /// two names never look alike and each can be copied.
  public var description: String {
    let scalars = argument.unicodeScalars
    guard scalars.contains(where: { $0.value >= Self.carrierBase }) else { return string }
    var text = "$'"
    for scalar in scalars {
      switch scalar {
      case "'", "\\": text += "\\\(scalar)"
      case "\n": text += "\\n"
      case _ where scalar.value < Self.carrierBase: text.unicodeScalars.append(scalar)
      default: text += "\\x" + String(scalar.value - Self.carrierBase, radix: 16, uppercase: true)
      }
    }
    return text + "'"
  }
}

extension FilePath: ExpressibleByStringLiteral {
  /// The path spelled by a literal.
  public init(stringLiteral value: String) {
    self.init(value)
  }
}

/// Command line arguments are bytes, Swift strings are Unicode: a byte that is not part of valid
/// UTF-8 travels as the private-use scalar U+10FF00 + byte, so that no file name is out of reach.
/// Those scalars themselves, when a name really has them, travel byte by byte in the same way.
extension FilePath {
  /// First of the 256 scalars that carry one byte each.
  private static let carrierBase: UInt32 = 0x10FF00

  /// The path in an argument made by ``argument(decoding:)``; ordinary text is taken as UTF-8.
  public init(argument: String) { self.init(bytes: Self.bytes(ofArgument: argument)) }

  /// The bytes in a text made by ``argument(decoding:)``, of which a path may have no use for some.
  static func bytes(ofArgument argument: String) -> [UInt8] {
    var bytes: [UInt8] = []
    for scalar in argument.unicodeScalars {
      // Carriers of ASCII are never made, and reading them would smuggle in slashes and NUL.
      if scalar.value >= Self.carrierBase + 0x80 {
        bytes.append(UInt8(scalar.value - Self.carrierBase))
      } else {
        bytes.append(contentsOf: UTF8.encode(scalar)!)
      }
    }
    return bytes
  }

  /// The path as an argument that ``init(argument:)`` turns back into the same bytes.
  public var argument: String { Self.argument(decoding: bytes) }

  /// The text of one `argv` element, reversible by ``init(argument:)``.
  ///
  /// - Parameter bytes: A C string, as in `CommandLine.unsafeArgv`.
  public static func argument(decoding bytes: UnsafePointer<CChar>) -> String {
    let raw = UnsafeRawBufferPointer(start: bytes, count: strlen(bytes))
    return argument(decoding: Array(raw))
  }

  static func argument(decoding bytes: [UInt8]) -> String {
    var scalars = String.UnicodeScalarView()
    var rest = bytes[...]
    while let first = rest.first {
      if let (scalar, length) = leadingScalar(of: rest), scalar.value < carrierBase {
        scalars.append(scalar)
        rest = rest.dropFirst(length)
      } else {
        scalars.append(Unicode.Scalar(carrierBase + UInt32(first))!)
        rest = rest.dropFirst()
      }
    }
    return String(scalars)
  }

  /// The scalar that `bytes` start with, if they start with well-formed UTF-8.
  private static func leadingScalar(of bytes: ArraySlice<UInt8>) -> (Unicode.Scalar, Int)? {
    var decoder = UTF8.ForwardParser()
    var iterator = bytes.makeIterator()
    guard case .valid(let encoded) = decoder.parseScalar(from: &iterator) else { return nil }
    return (UTF8.decode(encoded), encoded.count)
  }
}

extension FilePath {
  /// The file URL of this path, every byte outside the unreserved ASCII ones percent-encoded.
  ///
  /// A relative path is taken from the current folder. Foundation's own initializers go through
  /// `String` and lose names that are not UTF-8; this one keeps them.
  public var fileURL: URL {
    URL(string: "file://" + absolute.percentEncoded)!
  }

  /// The path itself when it is absolute, otherwise the path from the current folder.
  package var absolute: FilePath { isAbsolute ? self : Self.currentFolder.appending(self) }

  /// The path that a file URL names, byte for byte; `nil` when it is not a URL of a local file.
  public init?(fileURL: URL) {
    guard fileURL.isFileURL else { return nil }
    let encoded = Array(fileURL.absoluteURL.path(percentEncoded: true).utf8)
    var bytes: [UInt8] = []
    var index = 0
    while index < encoded.count {
      if encoded[index] == UInt8(ascii: "%") {
        guard index + 2 < encoded.count,
          let byte = UInt8(
            String(decoding: encoded[(index + 1)...(index + 2)], as: UTF8.self), radix: 16),
          byte != 0
        else { return nil }
        bytes.append(byte)
        index += 3
      } else {
        bytes.append(encoded[index])
        index += 1
      }
    }
    guard !bytes.isEmpty else { return nil }
    self.init(bytes: bytes)
  }

  /// The folder that relative paths start from; the root when it was removed meanwhile.
  package static var currentFolder: FilePath {
    guard let path = getcwd(nil, 0) else { return "/" }
    defer { free(path) }
    return FilePath(bytes: UnsafeRawBufferPointer(start: path, count: strlen(path)))
  }

  private var percentEncoded: String {
    let digits = Array("0123456789ABCDEF".utf8)
    var encoded: [UInt8] = []
    for byte in bytes {
      switch byte {
      case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "A")...UInt8(ascii: "Z"),
        UInt8(ascii: "0")...UInt8(ascii: "9"), UInt8(ascii: "/"), UInt8(ascii: "."),
        UInt8(ascii: "-"), UInt8(ascii: "_"), UInt8(ascii: "~"):
        encoded.append(byte)
      default:
        encoded += [UInt8(ascii: "%"), digits[Int(byte >> 4)], digits[Int(byte & 15)]]
      }
    }
    return String(decoding: encoded, as: UTF8.self)
  }
}

extension FilePath {
  /// Whether a path comes before another in the order of their bytes.
  package static func < (one: FilePath, other: FilePath) -> Bool {
    one.bytes.lexicographicallyPrecedes(other.bytes)
  }

  /// Whether the path lies below a folder, by the bytes of both.
  package func isInside(_ folder: FilePath) -> Bool {
    if folder.bytes == [Self.slash] { return bytes.count > 1 && isAbsolute }
    return bytes.count > folder.bytes.count + 1 && bytes.starts(with: folder.bytes)
      && bytes[folder.bytes.count] == Self.slash
  }

  /// Whether one of the path's parts is `..`.
  package var hasParentComponent: Bool {
    bytes.split(separator: Self.slash).contains { $0.elementsEqual("..".utf8) }
  }

  /// What follows a folder that the path lies in; the path itself when it lies elsewhere.
  package func relative(to folder: FilePath) -> FilePath {
    guard isInside(folder) else { return self }
    return FilePath(bytes: bytes.dropFirst(folder.bytes.count).drop { $0 == Self.slash })
  }
}

/// Names on disks that do not tell capital letters from small ones.
extension FilePath {
  /// A spelling that leads to the same file on such a disk, and to no file on most others; `nil` for a name
  /// that has only one.
  package var spelledOtherwise: FilePath? {
    let swapped = bytes.map { byte in
      (UInt8(ascii: "a")...UInt8(ascii: "z")).contains(byte | 0x20) ? byte ^ 0x20 : byte
    }
    return swapped == bytes ? nil : FilePath(bytes: swapped)
  }

  /// The name as a folder has it: this one, or else the only other spelling of it; `nil` when there is none.
  package func spelled(asIn names: some Sequence<FilePath>) -> FilePath? {
    // Strings are equal when they are canonically equivalent: such disks tell no normal forms apart either.
    let folded = string.lowercased()
    var found: [FilePath] = []
    for name in names {
      if name == self { return name }
      if name.string.lowercased() == folded { found.append(name) }
    }
    return found.count == 1 ? found[0] : nil
  }
}
