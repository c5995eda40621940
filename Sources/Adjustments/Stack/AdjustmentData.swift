import FoundationEssentials

/// A stored edit: data in some program's format, with the identifier and version of that format.
///
/// These are the three values of PhotoKit's adjustment data. Any editor may commit data under its
/// own identifier; Safelight keeps data that it cannot read.
///
/// ```swift
/// let data = AdjustmentData(
///   formatIdentifier: "com.example.sketch", formatVersion: "1.0", data: Data("{}".utf8))
/// ```
public struct AdjustmentData: Sendable, Hashable {
  /// The most bytes that ``data`` may have: 8 MiB. PhotoKit has a limit too but does not name it;
  /// this number is Safelight's own.
  public static let maximumSize = 8 << 20

  /// The format of ``data`` as a reverse DNS name, such as `org.safelight.edit`.
  public let formatIdentifier: String
  /// The revision of the format; ``FormatVersion`` compares two revisions.
  public let formatVersion: String
  /// The edit. A commit refuses empty data and data larger than ``maximumSize``.
  public let data: Data

  /// Wraps an encoded edit.
  ///
  /// - Parameters:
  ///   - formatIdentifier: Reverse DNS name of the format.
  ///   - formatVersion: Dotted integers, such as `1.10`.
  ///   - data: The encoded edit, from 1 byte to ``maximumSize``. Pictures belong into the render.
  public init(formatIdentifier: String, formatVersion: String, data: Data) {
    self.formatIdentifier = formatIdentifier
    self.formatVersion = formatVersion
    self.data = data
  }
}

/// A version number that compares as dotted integers, as AAE files need: 1.10 is newer than 1.9.
///
/// Missing parts count as zero, so 1 and 1.0 are equal.
///
/// ```swift
/// let isNewer = FormatVersion("1.10")! > FormatVersion("1.9")!  // true
/// ```
public struct FormatVersion: Sendable, Hashable, Comparable, CustomStringConvertible {
  /// The numbers between the dots, most significant first, without trailing zeros.
  public let components: [Int]

  /// The version in a text such as `1.10`; `nil` when a part is not a whole number from 0 up.
  public init?(_ text: String) {
    var components: [Int] = []
    for part in text.split(separator: ".", omittingEmptySubsequences: false) {
      guard part.utf8.allSatisfy({ (0x30...0x39).contains($0) }), let number = Int(part) else {
        return nil
      }
      components.append(number)
    }
    while components.last == 0 { components.removeLast() }
    self.components = components
  }

  /// The first number. A program that can read a version can read all versions with the same first
  /// number.
  public var major: Int { components.first ?? 0 }

  /// The numbers joined by dots, at least two of them: `1.0`.
  public var description: String {
    let padded = components + Array(repeating: 0, count: max(0, 2 - components.count))
    return padded.map(String.init).joined(separator: ".")
  }

  /// Orders by the first number that differs.
  public static func < (left: FormatVersion, right: FormatVersion) -> Bool {
    left.components.lexicographicallyPrecedes(right.components)
  }
}
