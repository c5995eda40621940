/// One argument of a command and the key under which its words are kept.
struct Definition {
  /// The property's name, after those of the groups it stands in: `common.quiet`.
  let key: String
  var description: ArgumentDescription
}

/// A property wrapper that a command line can fill.
protocol ArgumentProperty {
  /// The arguments that the property stands for; an option group has several.
  func definitions(key: String) -> [Definition]
  /// A copy that holds the value of the words scanned for it.
  func filled(from words: ScannedWords, key: String) throws -> Self
}

/// What a wrapper holds: first what it declares, then the value.
enum Parsed<Value> {
  case declared(Declaration<Value>)
  case value(Value)

  /// The value, or the default before parsing.
  var value: Value {
    switch self {
    case .value(let value): return value
    case .declared(let declaration):
      guard let initial = declaration.initial else {
        preconditionFailure("An argument without a default was read before it was parsed.")
      }
      return initial
    }
  }
}
extension Parsed: Sendable where Value: Sendable {}

/// A wrapper that stands for a single argument.
protocol DeclaredProperty<Value>: ArgumentProperty, Decodable {
  associatedtype Value
  var content: Parsed<Value> { get }
  init(content: Parsed<Value>)
}

extension DeclaredProperty {
  func definitions(key: String) -> [Definition] {
    guard case .declared(let declaration) = content else { return [] }
    return [Definition(key: key, description: declaration.description(key: key))]
  }

  func filled(from words: ScannedWords, key: String) throws -> Self {
    guard case .declared(let declaration) = content else { return self }
    let description = declaration.description(key: key)
    return Self(content: .value(try declaration.value(of: words[key] ?? [], description)))
  }
}
