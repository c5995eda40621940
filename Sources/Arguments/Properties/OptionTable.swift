/// Options that are made from a table when the program runs, such as one for each parameter of
/// each adjustment.
///
/// Values are collected as text, and the command's `validate()` reads them. swift-argument-parser has
/// no such property: there, options stand in the source.
@propertyWrapper
package struct OptionTable: ArgumentProperty, CommandLineOnly, Sendable {
  /// One option of the table.
  package struct Row: Sendable, Hashable {
    /// The name without dashes.
    package let name: String
    /// What stands between the angle brackets.
    package let valueName: String
    /// One line on what the option is for.
    package let help: String
    /// The heading in help; empty lists the option with the command's own.
    package let section: String
    /// The words that shells offer for the value; empty when they cannot be listed.
    package let choices: [String]

    package init(
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
  package struct Given: Sendable, Hashable {
    /// The option's name without dashes.
    package let name: String
    /// The value as it was written.
    package let text: String

    package init(_ name: String, _ text: String) {
      self.name = name
      self.text = text
    }
  }

  private let rows: [Row]

  /// The options that were given, in the order of the command line. An option may be there twice.
  package var wrappedValue: [Given] = []

  /// Declares the options of a table.
  ///
  /// - Parameter rows: The options; no name may be another option's of the command.
  package init(_ rows: [Row]) { self.rows = rows }

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
