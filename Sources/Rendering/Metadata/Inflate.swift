/// Unpacks zlib streams, in which PNG files keep Exif and XMP.
///
/// A small decoder of our own: metadata are short, and the package needs no further library for
/// it. Source: RFC 1950 (zlib), RFC 1951 (deflate).
struct Inflate {
  private let bytes: [UInt8]
  private let limit: Int
  private var offset: Int
  private var bits = 0
  private var bitCount = 0
  private var output: [UInt8] = []

  /// Unpacks a zlib stream; nil when it is damaged or unpacks to more than `limit` bytes.
  static func zlib(_ bytes: [UInt8], limit: Int) -> [UInt8]? {
    guard let method = bytes.byte(at: 0), method & 15 == 8, let flags = bytes.byte(at: 1),
      (Int(method) << 8 | Int(flags)).isMultiple(of: 31), flags & 0x20 == 0
    else { return nil }
    var inflate = Inflate(bytes: bytes, limit: limit, offset: 2)
    return inflate.run() ? inflate.output : nil
  }

  private init(bytes: [UInt8], limit: Int, offset: Int) {
    self.bytes = bytes
    self.limit = limit
    self.offset = offset
  }

  private mutating func run() -> Bool {
    while let isLast = take(1), let kind = take(2) {
      let isFine: Bool =
        switch kind {
        case 0: copyStored()
        case 1: decodeFixed()
        case 2: decodeDynamic()
        default: false
        }
      guard isFine else { return false }
      if isLast == 1 { return true }
    }
    return false
  }

  /// Takes bits, least significant first; nil at the end of the data.
  private mutating func take(_ count: Int) -> Int? {
    while bitCount < count {
      guard let byte = bytes.byte(at: offset) else { return nil }
      bits |= Int(byte) << bitCount
      bitCount += 8
      offset += 1
    }
    defer {
      bits >>= count
      bitCount -= count
    }
    return bits & (1 << count - 1)
  }

  private mutating func copyStored() -> Bool {
    (bits, bitCount) = (0, 0)
    guard let length = bytes.uint16(at: offset, .little),
      let check = bytes.uint16(at: offset + 2, .little), length ^ 0xFFFF == check,
      offset + 4 + length <= bytes.count, output.count + length <= limit
    else { return false }
    output += bytes[(offset + 4)..<(offset + 4 + length)]
    offset += 4 + length
    return true
  }

  /// A canonical Huffman code: symbols by length, then by value.
  private struct Code {
    var counts = [Int](repeating: 0, count: 16)
    var symbols: [Int] = []

    /// Takes the length of each symbol's code; nil when there are more codes than lengths allow.
    init?(lengths: [Int]) {
      for length in lengths where length > 0 { counts[length] += 1 }
      var free = 1
      for length in 1...15 {
        free = free * 2 - counts[length]
        guard free >= 0 else { return nil }
      }
      for length in 1...15 { symbols += lengths.indices.filter { lengths[$0] == length } }
    }
  }

  private mutating func decodeFixed() -> Bool {
    let lengths = (0..<288).map { $0 < 144 ? 8 : $0 < 256 ? 9 : $0 < 280 ? 7 : 8 }
    guard let literals = Code(lengths: lengths),
      let distances = Code(lengths: [Int](repeating: 5, count: 30))
    else { return false }
    return decode(literals, distances)
  }

  private mutating func symbol(_ code: Code) -> Int? {
    var (value, first, index) = (0, 0, 0)
    for length in 1...15 {
      guard let bit = take(1) else { return nil }
      value |= bit
      let count = code.counts[length]
      if value - first < count { return code.symbols[index + value - first] }
      index += count
      first = (first + count) << 1
      value <<= 1
    }
    return nil
  }

  private mutating func decodeDynamic() -> Bool {
    let order = [16, 17, 18, 0, 8, 7, 9, 6, 10, 5, 11, 4, 12, 3, 13, 2, 14, 1, 15]
    guard let literals = take(5), let distances = take(5), let codes = take(4) else { return false }
    var lengths = [Int](repeating: 0, count: 19)
    for index in 0..<(codes + 4) {
      guard let length = take(3) else { return false }
      lengths[order[index]] = length
    }
    guard let code = Code(lengths: lengths) else { return false }
    lengths = []
    while lengths.count < literals + distances + 258 {
      guard let symbol = symbol(code) else { return false }
      switch symbol {
      case 16:
        guard let last = lengths.last, let more = take(2) else { return false }
        lengths += [Int](repeating: last, count: more + 3)
      case 17, 18:
        guard let more = take(symbol == 17 ? 3 : 7) else { return false }
        lengths += [Int](repeating: 0, count: more + (symbol == 17 ? 3 : 11))
      default: lengths.append(symbol)
      }
    }
    guard lengths.count == literals + distances + 258,
      let literalCode = Code(lengths: Array(lengths[..<(literals + 257)])),
      let distanceCode = Code(lengths: Array(lengths[(literals + 257)...]))
    else { return false }
    return decode(literalCode, distanceCode)
  }

  private static let lengthBases = [
    3, 4, 5, 6, 7, 8, 9, 10, 11, 13, 15, 17, 19, 23, 27, 31, 35, 43, 51, 59, 67, 83, 99, 115, 131,
    163, 195, 227, 258,
  ]
  private static let distanceBases = [
    1, 2, 3, 4, 5, 7, 9, 13, 17, 25, 33, 49, 65, 97, 129, 193, 257, 385, 513, 769, 1025, 1537,
    2049, 3073, 4097, 6145, 8193, 12_289, 16_385, 24_577,
  ]

  private mutating func decode(_ literals: Code, _ distances: Code) -> Bool {
    while let symbol = symbol(literals) {
      if symbol == 256 { return true }
      guard output.count < limit else { return false }
      if symbol < 256 {
        output.append(UInt8(symbol))
        continue
      }
      let step = symbol - 257
      guard step < 29, let extra = take(step < 8 || step == 28 ? 0 : step / 4 - 1),
        let far = self.symbol(distances), far < 30, let farExtra = take(far < 4 ? 0 : far / 2 - 1)
      else { return false }
      let distance = Self.distanceBases[far] + farExtra
      guard distance <= output.count else { return false }
      for _ in 0..<(Self.lengthBases[step] + extra) {
        output.append(output[output.count - distance])
      }
    }
    return false
  }
}
