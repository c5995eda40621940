/// An argument, an option or a flag: all that the parser, help, the manual and shells know of it.
package struct ArgumentDescription: Sendable {
  /// How an argument is recognized.
  package enum Kind: Sendable, Hashable {
    /// By its place.
    case positional
    /// By its name, which a value follows.
    case option
    /// By its name alone.
    case flag
  }

  /// How the argument is recognized.
  package let kind: Kind
  /// The names with their dashes, short ones first; empty for a positional argument.
  package internal(set) var names: [String] = []
  /// What the value is called, without angle brackets.
  package internal(set) var valueName = ""
  /// One line on what the argument is for.
  package let abstract: String
  /// The default as help shows it; `nil` when there is none to show.
  package internal(set) var defaultValue: String?
  /// Every word that is allowed as a value; empty when they cannot be listed.
  package internal(set) var allowedValues: [String] = []
  /// Whether the argument may be left out.
  package internal(set) var isOptional = true
  /// Whether the argument may be given more than once.
  package internal(set) var isRepeating = false
  /// Whether help leaves the argument out.
  package internal(set) var isHidden = false
  /// What shells offer for the value.
  package internal(set) var completion = CompletionKind.default
  /// Whether every command has it, as `--help`.
  package internal(set) var isBuiltIn = false
  /// The title of the option group it stands in; empty when there is none.
  package internal(set) var section = ""
  /// What its words are kept under: the property's name, after those of its groups: `common.quiet`.
  var key = ""

  init(kind: Kind, _ help: ArgumentHelp) {
    self.kind = kind
    abstract = help.abstract
    isHidden = help.isHidden
  }

  /// The argument as messages show it: `--quality <quality>`, `--quiet` or `<photo>`.
  ///
  /// - Parameter spelled: The name that was used; `nil` takes the first long one.
  func label(spelled: String? = nil) -> String {
    let name = spelled ?? preferredName
    let value = kind == .flag ? nil : "<\(valueName)>"
    return [name, value].compactMap { $0 }.joined(separator: " ")
  }

  /// The first long name, or else the first.
  var preferredName: String? { names.first { $0.hasPrefix("--") } ?? names.first }

  /// What is wrong with a command line that does not have it.
  var missing: UsageError {
    kind == .positional ? .missingArgument(label()) : .missingOption(label())
  }
}

extension ArgumentDescription {
  // A property's name has no dash, so these keys are never taken.
  static let helpKey = "--help"
  static let versionKey = "--version"

  /// An option that every command has.
  static func builtIn(_ key: String, names: [String], _ abstract: String) -> ArgumentDescription {
    var argument = ArgumentDescription(kind: .flag, ArgumentHelp(abstract))
    (argument.key, argument.names, argument.isBuiltIn) = (key, names, true)
    return argument
  }
}

/// A property wrapper that a command line can fill.
protocol ArgumentProperty {
  /// The arguments that the property stands for; an option group has several.
  func arguments(key: String) -> [ArgumentDescription]
  /// Sets the value to that of the words scanned for it.
  func fill(from words: ScannedWords, key: String) throws
}

/// What a property wrapper keeps. The parser sets it in a command that nobody else has yet; a
/// property that is set afterwards gets a box of its own, so that copies of a command are values.
final class Box<Value> {
  var value: Value

  init(_ value: Value) { self.value = value }
}
// Only the parser changes a box, before anybody else has the command.
extension Box: @unchecked Sendable where Value: Sendable {}

/// A wrapper that stands for a single argument.
protocol DeclaredProperty<Value>: ArgumentProperty {
  associatedtype Value
  var declaration: Declaration<Value> { get }
}

extension DeclaredProperty {
  func arguments(key: String) -> [ArgumentDescription] { [declaration.argument(key: key)] }

  func fill(from words: ScannedWords, key: String) throws {
    try declaration.fill(with: words[key] ?? [], key: key)
  }
}

/// What a property wrapper declares, and its value.
struct Declaration<Value> {
  /// The argument without its names, which follow from the property's.
  private let prototype: ArgumentDescription
  private let names: NameSpecification
  private let valueName: String?
  /// Makes the value of one word or more.
  private let read: @Sendable ([ScannedWord], ArgumentDescription) throws(UsageError) -> Value
  private var box: Box<Value?>

  /// - Parameters:
  ///   - valueName: What stands between the angle brackets; `nil` takes the argument's own name.
  ///   - initial: The value when no word is given; `nil` makes the argument required.
  init(
    _ prototype: ArgumentDescription, names: NameSpecification, _ valueName: String?,
    initial: Value?,
    read: @escaping @Sendable ([ScannedWord], ArgumentDescription) throws(UsageError) -> Value
  ) {
    var prototype = prototype
    prototype.isOptional = initial != nil
    (self.prototype, self.names, self.valueName) = (prototype, names, valueName)
    (self.read, box) = (read, Box(initial))
  }

  /// The value, or the default before parsing.
  var value: Value {
    get {
      guard let value = box.value else {
        preconditionFailure("An argument without a default was read before it was parsed.")
      }
      return value
    }
    set { box = Box(newValue) }
  }

  func argument(key: String) -> ArgumentDescription {
    let property = key.split(separator: ".").last.map(String.init) ?? key
    var argument = prototype
    argument.key = key
    if argument.kind != .positional { argument.names = names.spelled(for: property) }
    let name = argument.preferredName ?? kebabCased(property)
    argument.valueName = valueName ?? String(name.drop { $0 == "-" })
    return argument
  }

  func fill(with words: [ScannedWord], key: String) throws(UsageError) {
    if !words.isEmpty {
      box.value = try read(words, argument(key: key))
    } else if !prototype.isOptional {
      throw argument(key: key).missing
    }
  }
}
extension Declaration: Sendable where Value: Sendable {}

extension Declaration where Value: ArgumentValue {
  /// Declares an argument or option whose words each stand for an element of the value.
  init(
    _ kind: ArgumentDescription.Kind, names: NameSpecification = [], _ help: ArgumentHelp,
    _ completion: CompletionKind, initial: Value? = nil, in range: ClosedRange<Double>? = nil
  ) {
    let initial = initial ?? Value.whenLeftOut
    let shown = (initial?.argumentElements ?? []).map(\.defaultValueDescription)
      .joined(separator: ", ")
    var prototype = ArgumentDescription(kind: kind, help)
    prototype.defaultValue = shown.isEmpty ? nil : shown
    prototype.allowedValues = Value.ArgumentElement.allValueStrings
    prototype.isRepeating = Value.isList
    prototype.completion = completion
    self.init(prototype, names: names, help.valueName, initial: initial) {
      words, argument throws(UsageError) in
      var elements: [Value.ArgumentElement] = []
      for word in words {
        guard let element = Value.ArgumentElement(argument: word.text) else {
          throw .invalidValue(
            word.text, argument: argument.label(spelled: word.name),
            expected: Value.ArgumentElement.expectation)
        }
        if let range, let number = Double(word.text), !range.contains(number) {
          throw .outOfRange(number, option: argument.preferredName ?? "", range: range)
        }
        elements.append(element)
      }
      return Value(argumentElements: elements)
    }
  }
}
