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
