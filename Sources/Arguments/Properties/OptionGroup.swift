/// Arguments that several commands share, declared once in a type of their own.
@propertyWrapper
package struct OptionGroup<Value: ParsableArguments>: ArgumentProperty, CommandLineOnly {
  private var value: Value?
  /// The heading in help; empty lists the options with the command's own.
  package let title: String
  private let visibility: ArgumentVisibility

  /// Declares a group; a hidden one hides all of its arguments.
  package init(title: String = "", visibility: ArgumentVisibility = .default) {
    self.title = title
    self.visibility = visibility
  }

  /// The group's values; its defaults before parsing.
  package var wrappedValue: Value {
    get { value ?? Value() }
    set { value = newValue }
  }

  func definitions(key: String) -> [Definition] {
    Value.definitions(prefix: key + ".").map { definition in
      var definition = definition
      if definition.description.section.isEmpty { definition.description.section = title }
      definition.origin.groups.insert(Value.self, at: 0)
      if visibility == .hidden { definition.description.isHidden = true }
      return definition
    }
  }

  func filled(from words: ScannedWords, key: String) throws -> Self {
    var copy = self
    copy.value = try Value(words: words, prefix: key + ".")
    return copy
  }
}
extension OptionGroup: Sendable where Value: Sendable {}
