/// A type whose values can be written as one word of a command line.
package protocol ExpressibleByArgument: SendableMetatype {
  /// The value that a word stands for; `nil` when it stands for none.
  init?(argument: String)

  /// How help shows the value as a default.
  var defaultValueDescription: String { get }

  /// Every word that is allowed; empty when they cannot be listed.
  static var allValueStrings: [String] { get }

  /// What a word must look like, for the hint of an error: `a number, such as 0.5`; `nil` when there
  /// is no such description. Not part of swift-argument-parser.
  static var expectation: String? { get }
}

extension ExpressibleByArgument {
  package var defaultValueDescription: String { String(describing: self) }
  package static var allValueStrings: [String] { [] }
}

extension ExpressibleByArgument where Self: CaseIterable {
  /// Every case, as help shows it.
  package static var allValueStrings: [String] { allCases.map(\.defaultValueDescription) }
}

extension ExpressibleByArgument where Self: RawRepresentable, RawValue: ExpressibleByArgument {
  package init?(argument: String) {
    guard let rawValue = RawValue(argument: argument) else { return nil }
    self.init(rawValue: rawValue)
  }

  package var defaultValueDescription: String { rawValue.defaultValueDescription }
}

extension ExpressibleByArgument where Self: LosslessStringConvertible {
  package init?(argument: String) { self.init(argument) }
}

extension String: ExpressibleByArgument {
  package init?(argument: String) { self = argument }
}
extension Substring: ExpressibleByArgument {}
extension Character: ExpressibleByArgument {}
extension Bool: ExpressibleByArgument {}
extension Int: ExpressibleByArgument {}
extension Int8: ExpressibleByArgument {}
extension Int16: ExpressibleByArgument {}
extension Int32: ExpressibleByArgument {}
extension Int64: ExpressibleByArgument {}
extension UInt: ExpressibleByArgument {}
extension UInt8: ExpressibleByArgument {}
extension UInt16: ExpressibleByArgument {}
extension UInt32: ExpressibleByArgument {}
extension UInt64: ExpressibleByArgument {}
extension Float: ExpressibleByArgument {}
extension Double: ExpressibleByArgument {
  /// The number, without a fraction where it has none.
  package var defaultValueDescription: String {
    Int(exactly: self).map { "\($0)" } ?? "\(self)"
  }
}

extension ExpressibleByArgument {
  /// The allowed words, or the kind of number.
  package static var expectation: String? {
    if !allValueStrings.isEmpty { return oneOf(allValueStrings) }
    if Self.self == Bool.self { return oneOf(["true", "false"]) }
    if let integer = Self.self as? any FixedWidthInteger.Type { return wholeNumber(integer) }
    return Self.self is any BinaryFloatingPoint.Type ? "a number, such as 0.5" : nil
  }
}

private func wholeNumber<Number: FixedWidthInteger>(_ type: Number.Type) -> String {
  // Nobody reaches the limits of the wide types, so they are not named.
  Number.bitWidth > 16 && (Number.isSigned || Number.bitWidth > 32)
    ? (Number.isSigned ? "a whole number" : "a whole number from 0 up")
    : "a whole number from \(Number.min) to \(Number.max)"
}

private func oneOf(_ values: [String]) -> String {
  let quoted = values.map { "'\($0)'" }
  guard let last = quoted.last, quoted.count > 1 else { return quoted.joined() }
  return quoted.dropLast().joined(separator: ", ") + " or " + last
}
