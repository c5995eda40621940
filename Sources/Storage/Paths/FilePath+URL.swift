import FoundationEssentials
import Glibc

extension FilePath {
  /// The file URL of this path, every byte outside the unreserved ASCII ones percent-encoded.
  ///
  /// A relative path is taken from the current folder. Foundation's own initializers go through
  /// `String` and lose names that are not UTF-8; this one keeps them.
  public var fileURL: URL {
    let absolute = isAbsolute ? self : Self.currentFolder.appending(self)
    return URL(string: "file://" + absolute.percentEncoded)!
  }

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
  private static var currentFolder: FilePath {
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
