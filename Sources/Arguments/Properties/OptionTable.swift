/// Options that are made from a table when the program runs, such as one for each parameter of
/// each adjustment.
///
/// Values are collected as text, and the command's `validate()` reads them. swift-argument-parser has
/// no such property: there, options stand in the source.
@propertyWrapper
package struct OptionTable: ArgumentProperty, Sendable {
  /// One row of the table: an option, a flag, or the one argument that is known by its place.
  package struct Row: Sendable {
    /// The name without dashes.
    package let name: String
    /// What help and shells know of it.
    package let argument: ArgumentDescription

    /// - Parameters:
    ///   - valueName: What stands between the angle brackets.
    ///   - help: One line on what the option is for.
    ///   - section: The heading in help; empty lists the option with the command's own.
    ///   - choices: The words that are allowed, for help and for shells; empty when they cannot be listed.
    ///   - defaultValue: The default as help shows it; `nil` when there is none to show.
    ///   - completion: What shells offer for the value; `nil` offers the choices.
    package init(
      _ name: String, _ kind: ArgumentDescription.Kind = .option, valueName: String, help: String,
      section: String = "", choices: [String] = [], defaultValue: String? = nil,
      completion: CompletionKind? = nil, isRequired: Bool = false
    ) {
      self.name = name
      var argument = ArgumentDescription(kind: kind, ArgumentHelp(help))
      argument.names = kind == .positional ? [] : ["--" + name]
      (argument.valueName, argument.section) = (valueName, section)
      // Those of a section are many, and help would be long.
      argument.allowedValues = section.isEmpty ? choices : []
      (argument.defaultValue, argument.isOptional) = (defaultValue, !isRequired)
      argument.completion = completion ?? .list(choices)
      self.argument = argument
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
  private var box = Box<[Given]>([])

  /// Declares the options of a table.
  ///
  /// - Parameter rows: The options; no name may be another option's of the command.
  package init(_ rows: [Row]) { self.rows = rows }

  /// The options that were given, in the order of the command line. An option may be there twice.
  package var wrappedValue: [Given] {
    get { box.value }
    set { box = Box(newValue) }
  }

  func arguments(key: String) -> [ArgumentDescription] {
    rows.map { row in
      var argument = row.argument
      // All share the key of the property, so that their words stay in the order given.
      argument.key = key
      return argument
    }
  }

  func fill(from words: ScannedWords, key: String) throws {
    let placed = rows.first { $0.argument.kind == .positional }
    let given = (words[key] ?? []).map { word in
      let name = word.name.map { String($0.drop { $0 == "-" }) }
      return Given(name ?? placed?.name ?? "", word.text)
    }
    let names = given.map(\.name)
    for row in rows where !row.argument.isOptional && !names.contains(row.name) {
      throw row.argument.missing
    }
    box.value = given
  }
}
