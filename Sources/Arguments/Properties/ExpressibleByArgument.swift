/// A type whose values can be written as one word of a command line.
public protocol ExpressibleByArgument: SendableMetatype {
  /// The value that a word stands for; `nil` when it stands for none.
  init?(argument: String)

  /// How help shows the value as a default.
  var defaultValueDescription: String { get }

  /// Every word that is allowed; empty when they cannot be listed.
  static var allValueStrings: [String] { get }

  /// What a word must look like, for the hint of an error: `a number, such as 0.5`; `nil` when it
  /// cannot be told. Not part of swift-argument-parser.
  static var expectation: String? { get }
}

extension ExpressibleByArgument {
  /// The value as text.
  public var defaultValueDescription: String { String(describing: self) }
  /// No list.
  public static var allValueStrings: [String] { [] }
}

extension ExpressibleByArgument where Self: CaseIterable {
  /// Every case, as help shows it.
  public static var allValueStrings: [String] { allCases.map(\.defaultValueDescription) }
}

extension ExpressibleByArgument where Self: RawRepresentable, RawValue: ExpressibleByArgument {
  /// The value whose raw value the word stands for.
  public init?(argument: String) {
    guard let rawValue = RawValue(argument: argument) else { return nil }
    self.init(rawValue: rawValue)
  }

  /// The raw value as text.
  public var defaultValueDescription: String { rawValue.defaultValueDescription }
}

extension ExpressibleByArgument where Self: LosslessStringConvertible {
  /// The value that the word describes in full.
  public init?(argument: String) { self.init(argument) }
}

extension String: ExpressibleByArgument {
  /// The word itself.
  public init?(argument: String) { self = argument }
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
  public var defaultValueDescription: String {
    Int(exactly: self).map { "\($0)" } ?? "\(self)"
  }
}

extension ExpressibleByArgument {
  /// The allowed words, or the kind of number.
  public static var expectation: String? {
    if !allValueStrings.isEmpty { return oneOf(allValueStrings) }
    if Self.self == Bool.self { return oneOf(["true", "false"]) }
    if let integer = Self.self as? any FixedWidthInteger.Type { return wholeNumber(integer) }
    return Self.self is any BinaryFloatingPoint.Type ? "a number, such as 0.5" : nil
  }
}

private func wholeNumber<Number: FixedWidthInteger>(_ type: Number.Type) -> String {
  // The limits of the wide types would only be noise.
  Number.bitWidth > 16 && (Number.isSigned || Number.bitWidth > 32)
    ? (Number.isSigned ? "a whole number" : "a whole number from 0 up")
    : "a whole number from \(Number.min) to \(Number.max)"
}

private func oneOf(_ values: [String]) -> String {
  let quoted = values.map { "'\($0)'" }
  guard let last = quoted.last, quoted.count > 1 else { return quoted.joined() }
  return quoted.dropLast().joined(separator: ", ") + " or " + last
}
