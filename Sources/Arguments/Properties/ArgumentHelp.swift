/// What help says about one argument.
package struct ArgumentHelp: Sendable, ExpressibleByStringInterpolation {
  /// One line on what the argument is for.
  let abstract: String
  /// What stands between the angle brackets; `nil` takes the argument's own name.
  let valueName: String?
  /// Whether help leaves the argument out.
  let isHidden: Bool

  package init(_ abstract: String, valueName: String? = nil, isHidden: Bool = false) {
    (self.abstract, self.valueName, self.isHidden) = (abstract, valueName, isHidden)
  }

  package init(stringLiteral value: String) { self.init(value) }

  /// Help that is not listed.
  package static let hidden = ArgumentHelp("", isHidden: true)
}

/// The names under which an option or a flag can be given.
package enum NameSpecification: Sendable, ExpressibleByArrayLiteral {
  /// The property's name with words separated by dashes: `longestSide` is `--longest-side`.
  case long
  /// The first letter of the property's name.
  case short
  /// The given name after two dashes.
  case customLong(String)
  /// The given letter or digit after one dash.
  case customShort(Character)
  /// Several names.
  case several([NameSpecification])

  package init(arrayLiteral elements: NameSpecification...) { self = .several(elements) }

  /// Both the property's first letter and its name.
  package static let shortAndLong: NameSpecification = [.short, .long]

  /// The names with their dashes for a property, short names first.
  func spelled(for property: String) -> [String] {
    switch self {
    case .long: return ["--" + kebabCased(property)]
    case .short: return ["-" + property.prefix(1).lowercased()]
    case .customLong(let name): return ["--" + name]
    case .customShort(let character): return ["-\(character)"]
    case .several(let names):
      let all = names.flatMap { $0.spelled(for: property) }
      return all.filter { !$0.hasPrefix("--") } + all.filter { $0.hasPrefix("--") }
    }
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
