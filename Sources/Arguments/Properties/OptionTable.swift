/// Options that are made from a table when the program runs, such as one for each parameter of
/// each adjustment.
///
/// What is given is collected as text; what it means is for the command's `validate()` to find
/// out. swift-argument-parser has no such property: there, options stand in the source.
@propertyWrapper
public struct OptionTable: Decodable, Sendable, ArgumentProperty {
  /// One option of the table.
  public struct Row: Sendable, Hashable {
    /// The name without dashes.
    public let name: String
    /// What stands between the angle brackets.
    public let valueName: String
    /// One line on what the option is for.
    public let help: String
    /// The heading in help; empty lists the option with the command's own.
    public let section: String
    /// The words that shells offer for the value; empty when they cannot be listed.
    public let choices: [String]

    /// Describes an option.
    public init(
      _ name: String, valueName: String, help: String, section: String = "", choices: [String] = []
    ) {
      self.name = name
      self.valueName = valueName
      self.help = help
      self.section = section
      self.choices = choices
    }
  }

  /// An option that was given, with its value.
  public struct Given: Sendable, Hashable {
    /// The option's name without dashes.
    public let name: String
    /// The value as it was written.
    public let text: String

    /// An option with its value.
    public init(_ name: String, _ text: String) {
      self.name = name
      self.text = text
    }
  }

  private let rows: [Row]

  /// The options that were given, in the order of the command line; one may be there repeatedly.
  public var wrappedValue: [Given] = []

  /// Declares the options of a table.
  ///
  /// - Parameter rows: The options; no name may be another option's of the command.
  public init(_ rows: [Row]) { self.rows = rows }

  /// Refuses: values come from a command line only.
  public init(from decoder: any Decoder) throws { throw PropertyDecoder.refusal(decoder) }

  func definitions(key: String) -> [Definition] {
    // All share the key of the property, so that their words stay in the order given.
    rows.map { row in
      Definition(
        key: key,
        description: ArgumentDescription(
          kind: .option, names: ["--" + row.name], valueName: row.valueName, abstract: row.help,
          discussion: "", defaultValue: nil, allowedValues: [], isOptional: true,
          isRepeating: false, isHidden: false, completion: .list(row.choices),
          section: row.section))
    }
  }

  func filled(from words: ScannedWords, key: String) throws -> OptionTable {
    var copy = self
    copy.wrappedValue = (words[key] ?? []).map { word in
      Given(String((word.name ?? "").drop { $0 == "-" }), word.text)
    }
    return copy
  }
}
