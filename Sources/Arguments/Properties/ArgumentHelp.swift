/// Whether help lists an argument.
package enum ArgumentVisibility: Sendable, Hashable {
  case `default`
  /// Listed only when hidden arguments are asked for.
  case hidden
}

/// What help says about one argument.
package struct ArgumentHelp: Sendable, ExpressibleByStringInterpolation {
  /// One line on what the argument is for.
  package var abstract: String
  /// More on the argument, shown below the first line.
  package var discussion: String
  /// What stands between the angle brackets; `nil` takes the argument's own name.
  package var valueName: String?
  /// Whether help lists the argument.
  package var visibility: ArgumentVisibility

  package init(
    _ abstract: String = "", discussion: String = "", valueName: String? = nil,
    visibility: ArgumentVisibility = .default
  ) {
    self.abstract = abstract
    self.discussion = discussion
    self.valueName = valueName
    self.visibility = visibility
  }

  package init(stringLiteral value: String) { self.init(value) }

  /// Help that is not listed.
  package static var hidden: ArgumentHelp { ArgumentHelp(visibility: .hidden) }
}

/// The names under which an option or a flag can be given.
package struct NameSpecification: Sendable, ExpressibleByArrayLiteral {
  /// One name.
  package struct Element: Sendable, Hashable {
    fileprivate enum Spelling: Hashable {
      case long
      case short
      case customLong(String)
      case customShort(Character)
    }
    fileprivate let spelling: Spelling

    /// The property's name with words separated by dashes: `longestSide` is `--longest-side`.
    package static var long: Element { Element(spelling: .long) }
    /// The first letter of the property's name.
    package static var short: Element { Element(spelling: .short) }
    /// The given name after two dashes.
    package static func customLong(_ name: String) -> Element {
      Element(spelling: .customLong(name))
    }
    /// The given letter or digit after one dash.
    package static func customShort(_ character: Character) -> Element {
      Element(spelling: .customShort(character))
    }
  }

  fileprivate let elements: [Element]

  package init(arrayLiteral elements: Element...) { self.elements = elements }

  /// The property's name with words separated by dashes: `longestSide` is `--longest-side`.
  package static var long: NameSpecification { [.long] }
  /// The first letter of the property's name.
  package static var short: NameSpecification { [.short] }
  /// Both the property's first letter and its name.
  package static var shortAndLong: NameSpecification { [.short, .long] }
  /// The given name after two dashes.
  package static func customLong(_ name: String) -> NameSpecification { [.customLong(name)] }
  /// The given letter or digit after one dash.
  package static func customShort(_ character: Character) -> NameSpecification {
    [.customShort(character)]
  }

  /// The names with their dashes for a property, short names first.
  func spelled(for property: String) -> [String] {
    let names = elements.map { element in
      switch element.spelling {
      case .long: "--" + kebabCased(property)
      case .short: "-" + property.prefix(1).lowercased()
      case .customLong(let name): "--" + name
      case .customShort(let character): "-" + String(character)
      }
    }
    return names.filter { !$0.hasPrefix("--") } + names.filter { $0.hasPrefix("--") }
  }
}

/// A Swift name in lower case with dashes between its words: `toneCURVEPoints` is `tone-curve-points`.
func kebabCased(_ name: String) -> String {
  let letters = Array(name)
  var result = ""
  for (index, letter) in letters.enumerated() {
    if letter == "_" {
      result += "-"
      continue
    }
    if letter.isUppercase, index > 0, letters[index - 1] != "_" {
      let endsAcronym =
        letters[index - 1].isUppercase && index + 1 < letters.count
        && letters[index + 1].isLowercase
      if !letters[index - 1].isUppercase || endsAcronym { result += "-" }
    }
    result += letter.lowercased()
  }
  return result
}

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

/// What a shell offers for the value of an argument.
///
/// Spelled like swift-argument-parser's type of this name; `anyOf(_:)`, the endings to ignore and
/// the candidates' explanations are additions.
package struct CompletionKind: Sendable {
  /// Makes candidates from the words of the command line, the place of the unfinished word, and this
  /// word up to the cursor.
  package typealias Source = @Sendable ([String], Int, String) async -> [CompletionCandidate]

  enum Content: Sendable {
    case standard
    case candidates([CompletionCandidate])
    case files(CompletionFiles)
    case custom(Source)
    case anyOf([CompletionKind])
  }
  let content: Content

  /// The words that the value's type allows, when they can be listed.
  package static var `default`: CompletionKind { CompletionKind(content: .standard) }

  package static func list(_ words: [String]) -> CompletionKind {
    CompletionKind(content: .candidates(words.map { CompletionCandidate($0) }))
  }

  /// Files, and folders on the way to them.
  ///
  /// - Parameters:
  ///   - extensions: Endings without the dot, in any case of letters; empty takes every file.
  ///   - ignoring: Ends of names that are offered only when nothing else is, such as `_edited.jpg`;
  ///     a star stands for any characters.
  package static func file(
    extensions: [String] = [], ignoring: [String] = []
  ) -> CompletionKind {
    CompletionKind(content: .files(CompletionFiles(extensions: extensions, ignoring: ignoring)))
  }

  package static var directory: CompletionKind {
    CompletionKind(content: .files(CompletionFiles(isFoldersOnly: true)))
  }

  /// What a function finds. The first word that it gets is the program's name.
  package static func custom(_ source: @escaping Source) -> CompletionKind {
    CompletionKind(content: .custom(source))
  }

  /// What any of several kinds offers; of files, only the last kind counts.
  package static func anyOf(_ kinds: [CompletionKind]) -> CompletionKind {
    CompletionKind(content: .anyOf(kinds))
  }
}

/// A word that a shell offers.
package struct CompletionCandidate: Sendable, Hashable {
  /// The word, without any shell's quotes.
  package let word: String
  /// A few words on what it stands for, beside it in zsh and fish; empty for none.
  package let explanation: String
  /// The heading that zsh lists it under; empty for none.
  package let section: String

  package init(_ word: String, _ explanation: String = "", section: String = "") {
    self.word = word
    self.explanation = explanation
    self.section = section
  }
}

/// Which files a shell offers; folders are always offered as the way to them.
package struct CompletionFiles: Sendable, Hashable {
  /// Endings without the dot, in any case of letters; empty for every file.
  package let extensions: [String]
  /// Ends of names that are offered only when nothing else is; a star stands for any characters.
  package let ignoring: [String]
  /// Whether nothing but folders is offered.
  package let isFoldersOnly: Bool

  init(extensions: [String] = [], ignoring: [String] = [], isFoldersOnly: Bool = false) {
    self.extensions = extensions
    self.ignoring = ignoring
    self.isFoldersOnly = isFoldersOnly
  }
}
