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

  static let slash = UInt8(ascii: "/")
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
  func suffixed(_ suffix: String) -> FilePath {
    FilePath(bytes: bytes + Array(suffix.utf8))
  }

  /// The text to show; bytes that are not UTF-8 appear as U+FFFD.
  public var string: String { String(decoding: bytes, as: UTF8.self) }

  /// Calls `body` with the path as a C string.
  func withCString<Result>(_ body: (UnsafePointer<CChar>) -> Result) -> Result {
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
  /// The text to show; bytes that are not UTF-8 appear as U+FFFD.
  public var description: String { string }
}

extension FilePath: ExpressibleByStringLiteral {
  /// The path spelled by a literal.
  public init(stringLiteral value: String) {
    self.init(value)
  }
}
