/// A pattern for texts.
struct TextMatch: Sendable, Hashable {
  /// Where the pattern must be found.
  enum Place: Int64, Sendable, CaseIterable {
    case whole, beginning, end, anywhere
    /// `*` stands for any letters, `?` for one, `\` takes the next one literally.
    case like
  }

  let place: Place
  /// The pattern, folded already.
  let pattern: String
  let ignoresCase: Bool
  let ignoresAccents: Bool

  init(_ place: Place, _ pattern: String, ignoresCase: Bool = false, ignoresAccents: Bool = false) {
    self.place = place
    self.pattern = TextFolding.folded(
      pattern, ignoringCase: ignoresCase, ignoringAccents: ignoresAccents)
    self.ignoresCase = ignoresCase
    self.ignoresAccents = ignoresAccents
  }

  /// A pattern that is folded already.
  init(folded pattern: String, _ place: Place, ignoresCase: Bool, ignoresAccents: Bool) {
    self.place = place
    self.pattern = pattern
    self.ignoresCase = ignoresCase
    self.ignoresAccents = ignoresAccents
  }

  func matches(_ text: String) -> Bool {
    let text = TextFolding.folded(text, ignoringCase: ignoresCase, ignoringAccents: ignoresAccents)
    let (text8, pattern8) = (text.utf8, pattern.utf8)
    return switch place {
    case .whole: text8.elementsEqual(pattern8)
    case .beginning: text8.starts(with: pattern8)
    case .end: text8.reversed().starts(with: pattern8.reversed())
    case .anywhere: Self.contains(Array(text8), Array(pattern8))
    case .like: Self.isLike(Array(text.unicodeScalars), Self.parts(pattern))
    }
  }

  /// Whether the texts that match stand together in the order of their bytes.
  var isPrefix: Bool { place == .beginning && !ignoresCase && !ignoresAccents }

  /// Texts that are in every text that matches, as ``TextFolding/searchable(_:)`` makes both.
  var necessary: [String] {
    guard place == .like else { return [TextFolding.searchable(pattern)] }
    var pieces = [String.UnicodeScalarView()]
    for part in Self.parts(pattern) {
      if case .letter(let letter) = part {
        pieces[pieces.count - 1].append(letter)
      } else {
        pieces.append(String.UnicodeScalarView())
      }
    }
    return pieces.map { TextFolding.searchable(String($0)) }
  }

  private static func contains(_ text: [UInt8], _ pattern: [UInt8]) -> Bool {
    guard let first = pattern.first else { return true }
    guard text.count >= pattern.count else { return false }
    for start in 0...(text.count - pattern.count) where text[start] == first {
      if text[start..<start + pattern.count].elementsEqual(pattern) { return true }
    }
    return false
  }

  private enum Part: Equatable {
    case letter(Unicode.Scalar)
    case one
    case many
  }

  private static func parts(_ pattern: String) -> [Part] {
    var parts: [Part] = []
    var isLiteral = false
    for scalar in pattern.unicodeScalars {
      if isLiteral {
        parts.append(.letter(scalar))
        isLiteral = false
      } else {
        switch scalar {
        case "\\": isLiteral = true
        case "*": if parts.last != .many { parts.append(.many) }
        case "?": parts.append(.one)
        default: parts.append(.letter(scalar))
        }
      }
    }
    if isLiteral { parts.append(.letter("\\")) }
    return parts
  }

  /// Goes back to the last star only, so its time is at most text times pattern.
  private static func isLike(_ text: [Unicode.Scalar], _ pattern: [Part]) -> Bool {
    var (position, part) = (0, 0)
    var resume: (position: Int, part: Int)?
    while position < text.count {
      if part < pattern.count, pattern[part] == .many {
        resume = (position, part)
        part += 1
      } else if part < pattern.count,
        pattern[part] == .one || pattern[part] == .letter(text[position])
      {
        position += 1
        part += 1
      } else if let last = resume {
        resume = (last.position + 1, last.part)
        (position, part) = (last.position + 1, last.part + 1)
      } else {
        return false
      }
    }
    return pattern[part...].allSatisfy { $0 == .many }
  }
}
