/// One pattern of a `.safelightignore` file, or of an option that leaves out files.
///
/// The rules are those of gitignore(5). Letters are compared as Unicode compares them, so that a name means the same
/// whether its accents stand alone, as on a Mac, or with their letters.
struct IgnorePattern: Sendable, Hashable {
  /// Whether it takes names in again that an earlier pattern left out.
  let isNegated: Bool
  /// The line that says the same in a file.
  let line: [UInt8]
  /// Whether it is about folders alone.
  private let isForFolders: Bool
  /// Whether it is about whole paths, and not about names at any depth.
  private let isAnchored: Bool
  private let segments: [Segment]

  /// What stands between two slashes.
  fileprivate enum Segment: Sendable, Hashable {
    /// Any number of folders: `**`.
    case anyFolders
    case name([Token])
  }

  fileprivate enum Token: Sendable, Hashable {
    case character(Character)
    /// Any character: `?`.
    case one
    /// Any number of characters: `*`.
    case many
    /// One of some characters: `[a-z]`.
    case oneOf(CharacterSet)
  }

  /// The pattern on a line of a file; `nil` for an empty line and for a comment.
  init?(line: some Sequence<UInt8>) {
    var line = Array(line)
    if line.last == UInt8(ascii: "\r") { line.removeLast() }
    if line.first == UInt8(ascii: "#") { return nil }
    // Spaces at the end do not count, unless a backslash stands before the last of them.
    while line.last == UInt8(ascii: " ") {
      let backslashes = line.dropLast().reversed().prefix { $0 == UInt8(ascii: "\\") }.count
      if backslashes % 2 == 1 { break }
      line.removeLast()
    }
    self.init(line)
  }

  /// The pattern that an option gives, in which nothing is a comment and all spaces count.
  ///
  /// - Parameter argument: A pattern as ``FilePath/argument`` has bytes.
  init?(argument: String) {
    var line = FilePath.bytes(ofArgument: argument)
    if line.first == UInt8(ascii: "#") { line.insert(UInt8(ascii: "\\"), at: 0) }
    let spaces = line.reversed().prefix { $0 == UInt8(ascii: " ") }.count
    if spaces > 0 { line.insert(UInt8(ascii: "\\"), at: line.count - 1) }
    self.init(line)
  }

  /// The pattern of one file or folder, and of nothing else.
  ///
  /// - Parameter path: Its path from the folder that the pattern stands for.
  init?(exactly path: FilePath) {
    var line = [FilePath.slash]
    for byte in path.bytes {
      if "\\*?[ #!".utf8.contains(byte) { line.append(UInt8(ascii: "\\")) }
      line.append(byte)
    }
    self.init(line)
  }

  /// The line without the mark of a negation.
  var positive: ArraySlice<UInt8> { isNegated ? line.dropFirst() : line[...] }

  private init?(_ line: [UInt8]) {
    self.line = line
    // As in a path on the command line, bytes that are not UTF-8 are characters of their own.
    var text = Array(FilePath.argument(decoding: line))[...]
    isNegated = text.first == "!"
    if isNegated { text.removeFirst() }
    guard !text.isEmpty, text != ["/"] else { return nil }
    isForFolders = text.last == "/"
    if isForFolders { text.removeLast() }
    let startsAtSlash = text.first == "/"
    if startsAtSlash { text.removeFirst() }
    guard let parts = Self.segments(text) else { return nil }
    segments = parts
    isAnchored = startsAtSlash || parts.count > 1
  }

  /// - Returns: `nil` for a pattern that fits no name: one that ends in a backslash or within brackets.
  private static func segments(_ text: ArraySlice<Character>) -> [Segment]? {
    var segments: [Segment] = []
    var tokens: [Token] = []
    var rest = text
    func end() {
      // Two stars between slashes are folders; everywhere else they are as good as one.
      let isAny = tokens == [.many, .many] && (!segments.isEmpty || !rest.isEmpty)
      if !isAny {
        segments.append(.name(tokens))
      } else if segments.last != .anyFolders {
        segments.append(.anyFolders)
      }
      tokens = []
    }
    while let character = rest.first {
      switch character {
      case "/": end()
      case "*": tokens.append(.many)
      case "?": tokens.append(.one)
      case "[":
        guard let (set, after) = CharacterSet.leading(rest) else { return nil }
        tokens.append(.oneOf(set))
        rest = after
        continue
      case "\\":
        rest.removeFirst()
        guard let escaped = rest.first else { return nil }
        tokens.append(.character(escaped))
      default: tokens.append(.character(character))
      }
      rest.removeFirst()
    }
    end()
    return segments
  }
}

extension IgnorePattern {
  /// Whether it is about a file or folder.
  ///
  /// - Parameters:
  ///   - path: The names from the pattern's folder to the file, the file's own last.
  ///   - isFolder: Whether it is a folder.
  func fits(_ path: [[Character]], isFolder: Bool) -> Bool {
    if isForFolders, !isFolder { return false }
    guard isAnchored else {
      guard case .name(let tokens)? = segments.first, let name = path.last else { return false }
      return Self.fits(tokens, name)
    }
    // Whether the segments so far fit the first names, for each number of names.
    var reached = [Bool](repeating: false, count: path.count + 1)
    reached[0] = true
    for (index, segment) in segments.enumerated() {
      var next = [Bool](repeating: false, count: path.count + 1)
      switch segment {
      case .anyFolders:
        // At the end it stands for all that is in a folder, and not for the folder.
        let least = index == segments.count - 1 ? 1 : 0
        for start in reached.indices where reached[start] {
          for end in next.indices.dropFirst(start + least) { next[end] = true }
          break
        }
      case .name(let tokens):
        for start in path.indices where reached[start] && Self.fits(tokens, path[start]) {
          next[start + 1] = true
        }
      }
      reached = next
    }
    return reached[path.count]
  }

  /// Goes back to the last star alone, so that no pattern takes long.
  private static func fits(_ tokens: [Token], _ name: [Character]) -> Bool {
    var (token, place) = (0, 0)
    var star: (token: Int, place: Int)?
    while place < name.count {
      if token < tokens.count, tokens[token] == .many {
        star = (token + 1, place)
        token += 1
      } else if token < tokens.count, tokens[token].fits(name[place]) {
        token += 1
        place += 1
      } else if let (after, start) = star {
        star = (after, start + 1)
        (token, place) = (after, start + 1)
      } else {
        return false
      }
    }
    return tokens[token...].allSatisfy { $0 == .many }
  }
}

extension IgnorePattern.Token {
  fileprivate func fits(_ character: Character) -> Bool {
    switch self {
    case .character(let own): own == character
    case .one, .many: true
    case .oneOf(let set): set.contains(character)
    }
  }
}

/// Characters in brackets.
private struct CharacterSet: Sendable, Hashable {
  private var isNegated = false
  private var ranges: [ClosedRange<Character>] = []
  private var classes: [String] = []

  /// Reads the brackets that a pattern begins with.
  ///
  /// - Returns: The characters, and what follows; `nil` when the brackets do not end.
  static func leading(
    _ text: ArraySlice<Character>
  ) -> (CharacterSet, ArraySlice<Character>)? {
    var set = CharacterSet()
    var rest = text.dropFirst()
    if rest.first == "!" || rest.first == "^" {
      set.isNegated = true
      rest.removeFirst()
    }
    var isFirst = true
    while let character = rest.first {
      if character == "]", !isFirst { return (set, rest.dropFirst()) }
      isFirst = false
      if rest.starts(with: "[:"), let end = rest.dropFirst(2).firstIndex(of: ":"),
        rest[end...].starts(with: ":]")
      {
        set.classes.append(String(rest[(rest.startIndex + 2)..<end]))
        rest = rest[(end + 2)...]
        continue
      }
      guard let low = taken(&rest) else { return nil }
      guard rest.first == "-", let after = rest.dropFirst().first, after != "]" else {
        set.ranges.append(low...low)
        continue
      }
      rest.removeFirst()
      guard let high = taken(&rest) else { return nil }
      if low <= high { set.ranges.append(low...high) }
    }
    return nil
  }

  /// Takes one character, after a backslash whatever it is.
  private static func taken(_ rest: inout ArraySlice<Character>) -> Character? {
    if rest.first == "\\" { rest.removeFirst() }
    return rest.popFirst()
  }

  func contains(_ character: Character) -> Bool {
    let isIn =
      ranges.contains { $0.contains(character) }
      || classes.contains { Self.isOf($0, character) }
    return isIn != isNegated
  }

  /// The classes of POSIX; an unknown one has no characters.
  private static func isOf(_ name: String, _ character: Character) -> Bool {
    let isPrinted = (character.asciiValue ?? 0x21) > 0x20 && character.asciiValue != 0x7F
    return switch name {
    case "alpha": character.isLetter
    case "digit": character.isASCII && character.isNumber
    case "alnum": character.isLetter || character.isNumber
    case "upper": character.isUppercase
    case "lower": character.isLowercase
    case "xdigit": character.isASCII && character.isHexDigit
    case "space": character.isWhitespace
    case "blank": character == " " || character == "\t"
    case "punct":
      isPrinted && !character.isLetter && !character.isNumber && !character.isWhitespace
    case "graph": isPrinted && !character.isWhitespace
    case "print": isPrinted
    case "cntrl": !isPrinted && character != " "
    default: false
    }
  }
}
