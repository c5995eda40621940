import PhotoEditing
import SafelightArguments

/// One share of a batch that several machines divide among them: `2/8` is the second of eight.
///
/// A photo's share follows from its path as it is given, and from nothing else: every machine that
/// is given the same paths comes to the same shares, on every day and in every version.
struct Shard: Hashable, Sendable, ExpressibleByArgument {
  /// Which share, from 1 on.
  let number: Int
  /// How many there are.
  let count: Int

  static var expectation: String? { "a share and their number, such as 2/8" }

  init?(argument: String) {
    let parts = argument.split(separator: "/", omittingEmptySubsequences: false).map { Int($0) }
    guard parts.count == 2, let number = parts[0], let count = parts[1], count > 0,
      (1...count).contains(number)
    else { return nil }
    (self.number, self.count) = (number, count)
  }

  /// Whether the photo at a path belongs to this share.
  func contains(_ path: FilePath) -> Bool {
    Int(Self.hash(path.bytes) % UInt64(count)) + 1 == number
  }

  /// FNV-1a with 64 bits (Fowler, Noll and Vo), whose upper half is folded into the lower one, as
  /// its authors advise for remainders.
  static func hash(_ bytes: [UInt8]) -> UInt64 {
    var hash: UInt64 = 0xcbf2_9ce4_8422_2325
    for byte in bytes {
      hash ^= UInt64(byte)
      hash &*= 0x100_0000_01b3
    }
    return (hash >> 32) ^ (hash & 0xffff_ffff)
  }
}
