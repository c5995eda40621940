/// Reads the bytes of a `.cube` file word by word and counts its lines.
///
/// Lines end in a line feed, a carriage return, or both; spaces and tabs separate words; a hash
/// begins a comment.
struct CubeScanner {
  private let bytes: [UInt8]
  private var position: Int
  /// The line of the word that was read last, from 1.
  private(set) var line = 1
  private var reached = 1

  init(_ bytes: [UInt8]) {
    self.bytes = bytes
    position = bytes.starts(with: [0xEF, 0xBB, 0xBF]) ? 3 : 0
  }

  /// The length of the file.
  var byteCount: Int { bytes.count }

  /// Goes to the next word, on this line or a later line; `false` at the end of the file.
  mutating func findContent() -> Bool {
    while position < bytes.count {
      switch bytes[position] {
      case Character.lineFeed:
        position += 1
        reached += 1
      case Character.carriageReturn:
        position += 1
        reached += 1
        if position < bytes.count, bytes[position] == Character.lineFeed { position += 1 }
      case Character.space, Character.tab: position += 1
      case Character.hash: skipLine()
      default:
        line = reached
        return true
      }
    }
    return false
  }

  /// Whether the rest of the line is empty or a comment.
  mutating func isAtLineEnd() -> Bool {
    while position < bytes.count {
      switch bytes[position] {
      case Character.space, Character.tab: position += 1
      case Character.hash: skipLine()
      case Character.lineFeed, Character.carriageReturn: return true
      default: return false
      }
    }
    return true
  }

  /// Whether the next word begins as a number does.
  var startsNumber: Bool {
    guard position < bytes.count else { return false }
    switch bytes[position] {
    case Character.zero...Character.nine, Character.plus, Character.minus, Character.point:
      return true
    default: return false
    }
  }

  /// The next word of the line. Bytes that are not UTF-8 become replacement characters.
  mutating func word() -> String {
    let start = position
    while position < bytes.count, !Character.endsWord(bytes[position]) { position += 1 }
    return String(decoding: bytes[start..<position], as: UTF8.self)
  }

  /// The rest of the line, including hashes, without the spaces around it.
  mutating func restOfLine() -> String {
    var start = position
    skipLine()
    var end = position
    func isSpace(_ byte: UInt8) -> Bool { byte == Character.space || byte == Character.tab }
    while start < end, isSpace(bytes[start]) { start += 1 }
    while end > start, isSpace(bytes[end - 1]) { end -= 1 }
    return String(decoding: bytes[start..<end], as: UTF8.self)
  }

  /// The next word as a decimal number: digits, a point, and an exponent after `e`.
  ///
  /// Only the first 19 digits count. The error is a few units in the last place of a double, far
  /// below the precision of the float that is stored. The locale does not matter.
  ///
  /// - Throws: ``CubeFileProblem/notANumber(_:)`` or ``CubeFileProblem/notFinite(_:)``.
  mutating func number() throws(CubeFileProblem) -> Double {
    let start = position
    var at = position
    func byte() -> UInt8 { at < bytes.count ? bytes[at] : Character.lineFeed }

    let isNegative = byte() == Character.minus
    if isNegative || byte() == Character.plus { at += 1 }
    var (mantissa, digits, exponent, hasDigits) = (UInt64(0), 0, 0, false)
    func take(_ digit: UInt8, isFraction: Bool) {
      hasDigits = true
      if digits < 19 {
        mantissa = mantissa * 10 + UInt64(digit - Character.zero)
        if mantissa > 0 { digits += 1 }
        if isFraction { exponent -= 1 }
      } else if !isFraction {
        exponent += 1
      }
    }
    while case let digit = byte(), Character.isDigit(digit) {
      take(digit, isFraction: false)
      at += 1
    }
    if byte() == Character.point {
      at += 1
      while case let digit = byte(), Character.isDigit(digit) {
        take(digit, isFraction: true)
        at += 1
      }
    }
    if hasDigits, byte() | 0x20 == Character.e {
      at += 1
      let isNegative = byte() == Character.minus
      if isNegative || byte() == Character.plus { at += 1 }
      var power = 0
      hasDigits = Character.isDigit(byte())
      while case let digit = byte(), Character.isDigit(digit) {
        // A larger exponent gives infinity too.
        power = min(power * 10 + Int(digit - Character.zero), 100_000)
        at += 1
      }
      exponent += isNegative ? -power : power
    }
    position = start
    guard hasDigits, Character.endsWord(byte()) else {
      let word = word()
      throw Self.isNotFinite(word) ? .notFinite(word) : .notANumber(word)
    }
    let value = Self.scaled(Double(mantissa), by: exponent)
    guard value <= Double(Float.greatestFiniteMagnitude) else { throw .notFinite(word()) }
    position = at
    return isNegative ? -value : value
  }

  /// Reads the numbers that fill the rest of the line.
  @inline(__always)
  mutating func numbers(
    _ needed: Int, _ body: (Int, Float) -> Void
  ) throws(CubeFileProblem) {
    for index in 0..<needed {
      guard !isAtLineEnd() else { throw .missingNumbers(needed: needed, found: index) }
      body(index, Float(try number()))
    }
    guard isAtLineEnd() else { throw .leftover(word()) }
  }

  /// Whether a word spells not-a-number or an infinity.
  static func isNotFinite(_ word: String) -> Bool {
    let letters = word.lowercased().drop { $0 == "-" || $0 == "+" }
    return ["nan", "inf", "infinity"].contains(letters)
  }

  /// `value` × 10^`exponent`; infinity or zero beyond the range of a double.
  private static func scaled(_ value: Double, by exponent: Int) -> Double {
    guard value != 0, exponent != 0 else { return value }
    var (value, left) = (value, min(abs(exponent), 700))
    while left > 0 {
      let step = min(left, powers.count - 1)
      value = exponent < 0 ? value / powers[step] : value * powers[step]
      left -= step
    }
    return value
  }

  /// The powers of ten that a double holds exactly.
  private static let powers: [Double] = (0...22).reduce(into: []) { powers, _ in
    powers.append((powers.last ?? 0.1) * 10)
  }

  private mutating func skipLine() {
    while position < bytes.count, bytes[position] != Character.lineFeed,
      bytes[position] != Character.carriageReturn
    {
      position += 1
    }
  }
}

/// The bytes that structure a `.cube` file.
private enum Character {
  static let tab = UInt8(ascii: "\t")
  static let lineFeed = UInt8(ascii: "\n")
  static let carriageReturn = UInt8(ascii: "\r")
  static let space = UInt8(ascii: " ")
  static let hash = UInt8(ascii: "#")
  static let plus = UInt8(ascii: "+")
  static let minus = UInt8(ascii: "-")
  static let point = UInt8(ascii: ".")
  static let zero = UInt8(ascii: "0")
  static let nine = UInt8(ascii: "9")
  static let e = UInt8(ascii: "e")

  @inline(__always)
  static func isDigit(_ byte: UInt8) -> Bool { byte &- zero < 10 }

  @inline(__always)
  static func endsWord(_ byte: UInt8) -> Bool {
    byte == space || byte == tab || byte == lineFeed || byte == carriageReturn || byte == hash
  }
}
