/// A type whose wrapped properties are read from the words of a command line.
///
/// Properties without a wrapper keep the value that `init()` gives them. As in
/// swift-argument-parser, conforming types get `Decodable` and `init()` from the compiler.
package protocol ParsableArguments: Decodable, SendableMetatype {
  /// Creates the declaration of the arguments. Values without a default cannot be read from it.
  init()

  /// Checks whether the values fit together. Runs after every property has its value.
  ///
  /// - Throws: ``ValidationError`` to end in exit code 64 with the usage line.
  mutating func validate() throws
}

extension ParsableArguments {
  package mutating func validate() throws {}

  /// Reads the arguments from words, without any subcommands.
  ///
  /// - Parameter arguments: The words after the program's name; `nil` takes this process's own.
  /// - Throws: ``CommandError``.
  package static func parse(_ arguments: [String]? = nil) throws -> Self {
    var parser = CommandParser(root: Self.self as? any ParsableCommand.Type)
    return try parser.parse(self, from: arguments ?? Array(CommandLine.arguments.dropFirst()))
  }
}

extension ParsableArguments {
  /// Creates the values of all properties from scanned words.
  ///
  /// - Parameter prefix: Where this type's properties stand in `words`, as `group.`; empty at the top.
  init(words: ScannedWords, prefix: String = "") throws {
    var properties: [String: Any] = [:]
    for child in Mirror(reflecting: Self()).children {
      guard let label = child.label else { continue }
      if let property = child.value as? any ArgumentProperty {
        let name = propertyName(label)
        properties[name] = try property.filled(from: words, key: prefix + name)
      } else {
        properties[label] = child.value
      }
    }
    self = try Self(from: PropertyDecoder(properties: properties))
    try validate()
  }

  /// Every argument of this type and of its option groups, in the order they are written.
  static func definitions(prefix: String = "") -> [Definition] {
    Mirror(reflecting: Self()).children.flatMap { child -> [Definition] in
      guard let label = child.label, let property = child.value as? any ArgumentProperty else {
        return []
      }
      return property.definitions(key: prefix + propertyName(label))
    }
  }
}

/// The name a wrapped property has in the source: the compiler stores `quiet` as `_quiet`.
private func propertyName(_ label: String) -> String {
  label.hasPrefix("_") ? String(label.dropFirst()) : label
}
