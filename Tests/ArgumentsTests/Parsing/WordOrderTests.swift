import SafelightArguments
import SafelightTestSupport
import Testing

@Suite struct WordOrderTests {
  /// Options may stand anywhere; only arguments, and repeats of one option, keep their order.
  @Test(arguments: UInt64(1)...200)
  func everyOrderOfTheSameWordsGivesTheSameValues(seed: UInt64) throws {
    var random = SeededGenerator(seed: seed)
    let exposure = Double.random(in: -5...5, using: &random)
    let lists: [[[String]]] = [
      [["noir"], ["a.jpg"], ["-"], ["-7"]],
      [Self.spelled("intensity", "i", "0.25", &random)],
      [
        Self.spelled("exposure", "x", "9", &random),
        Self.spelled("exposure", "x", "\(exposure)", &random),
      ],
      [["--json"]],
      [["-q"]],
    ]
    let words = ["apply"] + Self.merged(lists, &random)
    let apply = try #require(try Edit.parseAsRoot(words) as? Apply, "\(words)")
    #expect(apply.filter == "noir", "\(words)")
    #expect(apply.photos == ["a.jpg", "-", "-7"], "\(words)")
    #expect(apply.intensity == 0.25, "\(words)")
    #expect(apply.exposure == exposure, "\(words)")
    #expect(apply.common.json && apply.common.quiet, "\(words)")
  }

  /// One of the ways to write an option and its value.
  static func spelled(
    _ long: String, _ short: String, _ value: String, _ random: inout SeededGenerator
  ) -> [String] {
    let ways = [
      ["--\(long)", value], ["--\(long)=\(value)"], ["-\(short)", value], ["-\(short)\(value)"],
    ]
    return ways[Int.random(in: ways.indices, using: &random)]
  }

  /// The lists shuffled into one, each in its own order.
  static func merged(_ lists: [[[String]]], _ random: inout SeededGenerator) -> [String] {
    var turns = lists.indices.flatMap { index in lists[index].map { _ in index } }
    turns.shuffle(using: &random)
    var left = lists.map { $0[...] }
    return turns.flatMap { left[$0].removeFirst() }
  }
}
