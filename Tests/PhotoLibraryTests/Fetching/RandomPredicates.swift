import Foundation
import SafelightTestSupport

@testable import PhotoLibraryKit
@testable import SafelightCatalog
@testable import SafelightFiles

/// Makes random conditions and texts.
struct RandomPredicates {
  var generator: SeededGenerator

  init(seed: UInt64) { generator = SeededGenerator(seed: seed) }

  mutating func number(_ range: Range<Int>) -> Int { Int.random(in: range, using: &generator) }

  mutating func pick<Element>(_ elements: [Element]) -> Element {
    elements[number(0..<elements.count)]
  }

  mutating func condition(depth: Int = 3) -> Condition {
    switch number(0..<(depth == 0 ? 6 : 9)) {
    case 0: return comparison()
    case 1: return comparison()
    case 2: return .isNil(key())
    case 3:
      let key = key()
      return .among(key, (0..<number(0..<5)).map { _ in value(of: key) })
    case 4: return .text(textKey(), match())
    case 5:
      let bits = Int64(pick([1, 2, 4, 8, 12, 16]))
      return .compare(
        .init(key: .mediaSubtypes, mask: bits), pick([.equal, .greater, .atMost]),
        .value(.integer(pick([0, bits, 4]))))
    case 6: return .not(condition(depth: depth - 1))
    case 7: return .all((0..<number(0..<4)).map { _ in condition(depth: depth - 1) })
    default: return .any((0..<number(0..<4)).map { _ in condition(depth: depth - 1) })
    }
  }

  private mutating func key() -> FetchKey {
    pick(FetchKey.allCases.filter { $0.belongs(to: .asset) })
  }

  private mutating func textKey() -> FetchKey {
    pick([
      .filename, .path, .camera, .localIdentifier, .adjustmentFormatIdentifier, .title, .keywords,
    ])
  }

  private mutating func comparison() -> Condition {
    let key = key()
    let relation: Condition.Relation = pick([.equal, .less, .atMost, .greater, .atLeast])
    if number(0..<6) == 0 {
      let others = FetchKey.allCases.filter { $0.belongs(to: .asset) && $0.kind == key.kind }
      return .compare(.init(key: key), relation, .key(pick(others)))
    }
    return .compare(.init(key: key), relation, .value(value(of: key)))
  }

  private mutating func value(of key: FetchKey) -> DatabaseValue {
    switch key.kind {
    case .truth: .integer(Int64(number(0..<2)))
    case .integer: .integer(Int64(pick([0, 1, 3, 4, 300, 400, 9000])))
    case .keywords: .text(pick(["\nbeach\n", "\nbeach\nSüden\n", ""]))
    case .real: .real(Double(pick([-45, 0, 8, 60])) + Double(number(0..<2)) / 2)
    case .date: SampleLibrary.start.addingTimeInterval(Double(number(0..<200))).databaseValue
    case .text:
      .text(
        pick([
          "asset-7", "IMG_12.jpg", "NIKON D750", "Pixel 8", "org.safelight.edit", "été_9.png", "",
          "/photos/IMG_3.jpg", "a\"b\\c\u{1}",
        ]))
    }
  }

  private mutating func match() -> TextMatch {
    TextMatch(
      pick(TextMatch.Place.allCases),
      pick([
        "", "IMG", "img_1", "ete", "é", ".jpg", "su", "*1?.*", "Pixel", "STRASSE", "?*", "\\*",
        "\nbeach\n",
      ]
      ),
      ignoresCase: number(0..<2) == 0, ignoresAccents: number(0..<2) == 0)
  }

  /// Words of predicates in random order, mostly nonsense.
  mutating func words() -> String {
    let words = [
      "favorite", "hidden", "pixelWidth", "creationDate", "camera", "SELF", "(mediaSubtypes & 4)",
      "rating", "keywords", "ANY", "localDate",
      "mediaSubtypes", "=", "==", "!=", "<", ">=", "IN", "BETWEEN", "BEGINSWITH", "CONTAINS[cd]",
      "LIKE", "AND", "OR", "NOT", "!", "&&", "||", "(", ")", "{", "}", "[", "]", ",", "&", "1", "0",
      "-3",
      "2.5", "'a'", "'2024-01-01'", "nil", "YES", "%@", "%d", "%K", "TRUEPREDICATE", "title", "\"",
      "é", "\0",
    ]
    return (0..<number(1..<14)).map { _ in pick(words) }.joined(separator: " ")
  }

  /// A correct text in which some characters are changed, removed or doubled.
  mutating func damaged(_ text: String) -> String {
    var characters = Array(text)
    for _ in 0..<number(1..<4) where !characters.isEmpty {
      let place = number(0..<characters.count)
      switch number(0..<3) {
      case 0: characters[place] = pick(Array("()'\"=<>!&|%@[]{} ,.-0aZ\\é\u{0}\u{1F4F7}"))
      case 1: characters.remove(at: place)
      default: characters.insert(characters[place], at: number(0..<characters.count))
      }
    }
    return String(characters)
  }
}
