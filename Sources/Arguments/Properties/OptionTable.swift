/// Options that are made from a table when the program runs, such as one for each parameter of
/// each adjustment.
///
/// Values are collected as text, and the command's `validate()` reads them. swift-argument-parser has
/// no such property: there, options stand in the source.
@propertyWrapper
package struct OptionTable: ArgumentProperty, CommandLineOnly, Sendable {
  /// One row of the table: an option, a flag, or the one argument that is known by its place.
  package struct Row: Sendable {
    /// The name without dashes.
    package let name: String
    /// How it is recognized.
    package let kind: ArgumentDescription.Kind
    /// What stands between the angle brackets.
    package let valueName: String
    /// One line on what the option is for.
    package let help: String
    /// The heading in help; empty lists the option with the command's own.
    package let section: String
    /// The words that are allowed, for help and for shells; empty when they cannot be listed.
    package let choices: [String]
    /// The default as help shows it; `nil` when there is none to show.
    package let defaultValue: String?
    /// What shells offer for the value; `nil` offers the choices.
    package let completion: CompletionKind?
    /// Whether it must be given.
    package let isRequired: Bool

    package init(
      _ name: String, _ kind: ArgumentDescription.Kind = .option, valueName: String, help: String,
      section: String = "", choices: [String] = [], defaultValue: String? = nil,
      completion: CompletionKind? = nil, isRequired: Bool = false
    ) {
      (self.name, self.kind, self.valueName, self.help) = (name, kind, valueName, help)
      (self.section, self.choices, self.defaultValue) = (section, choices, defaultValue)
      (self.completion, self.isRequired) = (completion, isRequired)
    }

    fileprivate var description: ArgumentDescription {
      ArgumentDescription(
        kind: kind, names: kind == .positional ? [] : ["--" + name], valueName: valueName,
        abstract: help, discussion: "", defaultValue: defaultValue,
        // Those of a section are many, and help would be long.
        allowedValues: section.isEmpty ? choices : [], isOptional: !isRequired,
        isRepeating: false, isHidden: false, completion: completion ?? .list(choices),
        section: section)
    }
  }

  /// An option that was given, with its value.
  package struct Given: Sendable, Hashable {
    /// The option's name without dashes.
    package let name: String
    /// The value as it was written; empty for a flag.
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
    rows.map { Definition(key: key, description: $0.description) }
  }

  func filled(from words: ScannedWords, key: String) throws -> OptionTable {
    var copy = self
    let argument = rows.first { $0.kind == .positional }
    copy.wrappedValue = (words[key] ?? []).map { word in
      let name = word.name.map { String($0.drop { $0 == "-" }) }
      return Given(name ?? argument?.name ?? "", word.text)
    }
    for row in rows
    where row.isRequired && !copy.wrappedValue.contains(where: { $0.name == row.name }) {
      throw row.kind == .positional
        ? UsageError.missingArgument(row.description.label())
        : UsageError.missingOption(row.description.label())
    }
    return copy
  }
}
