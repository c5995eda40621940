import Foundation

/// The MD5 digest, which names extended XMP; nothing here relies on its strength.
///
/// Source: RFC 1321.
enum MD5 {
  /// The digest as 32 upper-case hexadecimal digits.
  static func hexDigest(_ message: [UInt8]) -> String {
    var padded = message + [0x80]
    padded += [UInt8](repeating: 0, count: (120 - padded.count % 64) % 64)
    let bits = UInt64(message.count) * 8
    for shift in stride(from: 0, to: 64, by: 8) {
      padded.append(UInt8(truncatingIfNeeded: bits >> shift))
    }
    var state: [UInt32] = [0x6745_2301, 0xEFCD_AB89, 0x98BA_DCFE, 0x1032_5476]
    for block in stride(from: 0, to: padded.count, by: 64) {
      let words = (0..<16).map { UInt32(padded.uint32(at: block + 4 * $0, .little) ?? 0) }
      mix(words, into: &state)
    }
    let digits = Array("0123456789ABCDEF")
    return state.flatMap { word in
      (0..<4).flatMap { index -> [Character] in
        let byte = Int(word >> (8 * UInt32(index)) & 0xFF)
        return [digits[byte >> 4], digits[byte & 15]]
      }
    }.reduce(into: "") { $0.append($1) }
  }

  private static let shifts: [[UInt32]] = [
    [7, 12, 17, 22], [5, 9, 14, 20], [4, 11, 16, 23], [6, 10, 15, 21],
  ]
  private static let constants = (0..<64).map { UInt32(abs(sin(Double($0 + 1))) * 4_294_967_296) }

  private static func mix(_ words: [UInt32], into state: inout [UInt32]) {
    var (a, b, c, d) = (state[0], state[1], state[2], state[3])
    for step in 0..<64 {
      let round = step / 16
      let (function, word): (UInt32, Int) =
        switch round {
        case 0: ((b & c) | (~b & d), step)
        case 1: ((d & b) | (~d & c), (5 * step + 1) % 16)
        case 2: (b ^ c ^ d, (3 * step + 5) % 16)
        default: (c ^ (b | ~d), 7 * step % 16)
        }
      let sum = a &+ function &+ constants[step] &+ words[word]
      let shift = shifts[round][step % 4]
      (a, d, c) = (d, c, b)
      b = b &+ (sum << shift | sum >> (32 - shift))
    }
    state[0] &+= a
    state[1] &+= b
    state[2] &+= c
    state[3] &+= d
  }
}
