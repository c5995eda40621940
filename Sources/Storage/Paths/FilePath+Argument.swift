import Glibc

/// Command line arguments are bytes, Swift strings are Unicode: a byte that is not part of valid
/// UTF-8 travels as the private-use scalar U+10FF00 + byte, so that no file name is out of reach.
/// Those scalars themselves, when a name really has them, travel byte by byte in the same way.
extension FilePath {
  /// First of the 256 scalars that carry one byte each.
  private static let carrierBase: UInt32 = 0x10FF00

  /// The path in an argument made by ``argument(decoding:)``; ordinary text is taken as UTF-8.
  public init(argument: String) {
    var bytes: [UInt8] = []
    for scalar in argument.unicodeScalars {
      // Carriers of ASCII are never made, and reading them would smuggle in slashes and NUL.
      if scalar.value >= Self.carrierBase + 0x80 {
        bytes.append(UInt8(scalar.value - Self.carrierBase))
      } else {
        bytes.append(contentsOf: UTF8.encode(scalar)!)
      }
    }
    self.init(bytes: bytes)
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

  private static func argument(decoding bytes: [UInt8]) -> String {
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
