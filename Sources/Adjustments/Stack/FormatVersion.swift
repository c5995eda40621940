/// A version number that compares as dotted integers, as AAE files need: 1.10 is newer than 1.9.
///
/// Missing parts count as zero, so 1 and 1.0 are equal.
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

  /// The first number: a reader that knows it can read every version that shares it.
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
