import Foundation
import SafelightTestSupport
import Testing

@testable import PhotoLibraryKit
@testable import SafelightFiles

@Suite struct OrderedDifferencesTests {
  /// The list after the differences are applied to another; `nil` when an index is out of range.
  private func replayed(
    _ differences: OrderedDifferences, on before: [Int], towards after: [Int]
  ) -> [Int]? {
    var list = before
    for index in differences.removed.reversed() { list.remove(at: index) }
    let present = Set(list)
    var new = after.filter { !present.contains($0) }[...]
    for index in differences.inserted {
      guard index <= list.count, let object = new.popFirst() else { return nil }
      list.insert(object, at: index)
    }
    for move in differences.moves {
      guard list.indices.contains(move.from) else { return nil }
      let object = list.remove(at: move.from)
      guard move.to <= list.count else { return nil }
      list.insert(object, at: move.to)
    }
    return list
  }

  /// Two lists, of which the second is the first after random changes.
  private func lists(_ generator: inout SeededGenerator) -> (before: [Int], after: [Int]) {
    let before = Array(0..<Int.random(in: 0...14, using: &generator)).shuffled(using: &generator)
    var after = before.filter { _ in Int.random(in: 0..<4, using: &generator) > 0 }
    for object in 0..<Int.random(in: 0...5, using: &generator) {
      after.insert(100 + object, at: Int.random(in: 0...after.count, using: &generator))
    }
    for _ in 0..<Int.random(in: 0...4, using: &generator) where !after.isEmpty {
      let object = after.remove(at: Int.random(in: after.indices, using: &generator))
      after.insert(object, at: Int.random(in: 0...after.count, using: &generator))
    }
    return (before, after)
  }

  /// The length of a longest ascending subsequence, by trying all subsequences.
  private func longestRun(_ numbers: [Int]) -> Int {
    var lengths: [Int] = []
    for index in numbers.indices {
      let earlier = (0..<index).filter { numbers[$0] < numbers[index] }.map { lengths[$0] }
      lengths.append(1 + (earlier.max() ?? 0))
    }
    return lengths.max() ?? 0
  }

  @Test(arguments: 0..<40)
  func theStepsGiveTheNewListInAsFewMovesAsCanBe(block: Int) {
    for seed in (block * 250)..<(block * 250 + 250) {
      var generator = SeededGenerator(seed: UInt64(seed))
      let (before, after) = lists(&generator)
      let places = Dictionary(uniqueKeysWithValues: after.enumerated().map { ($1, $0) })
      let survivors = before.compactMap { places[$0] }
      let differences = OrderedDifferences(from: before, to: after, changed: [])
      let isRight =
        replayed(differences, on: before, towards: after) == after
        && differences.moves.count == survivors.count - longestRun(survivors)
        && differences.moves.allSatisfy { $0.from != $0.to }
      #expect(isRight, "seed \(seed): \(before) to \(after)")
    }
  }

  @Test(arguments: 0..<20)
  func withoutMovesInsertedIndexesAreFinalPositions(block: Int) {
    for seed in (block * 100)..<(block * 100 + 100) {
      var generator = SeededGenerator(seed: UInt64(seed))
      let before = Array(0..<Int.random(in: 0...20, using: &generator))
      var after = before.filter { _ in Bool.random(using: &generator) }
      for object in 100..<(100 + Int.random(in: 0...6, using: &generator)) {
        after.insert(object, at: Int.random(in: 0...after.count, using: &generator))
      }
      let differences = OrderedDifferences(from: before, to: after, changed: [])
      #expect(differences.moves.isEmpty)
      #expect(differences.inserted == after.indices.filter { after[$0] >= 100 }, "seed \(seed)")
    }
  }

  @Test func eachKindOfIndexHasItsOwnFrame() {
    // a b c d e f  ->  f x a c y d, where c changed: b and e go, x and y come, f moves.
    let differences = OrderedDifferences(
      from: Array("abcdef"), to: Array("fxacyd"), changed: Set("cxb"))
    #expect(differences.removed == [1, 4])
    // Among a c d f, before f has moved.
    #expect(differences.inserted == [0, 3])
    #expect(differences.moves == [FetchResultMove(from: 5, to: 0)])
    #expect(differences.changed == [3])
  }

  @Test func swappingTwoNeighborsIsOneMove() {
    let differences = OrderedDifferences(from: [1, 2, 3, 4], to: [1, 3, 2, 4], changed: [])
    #expect(differences.moves.count == 1)
    #expect(differences.count == 1)
  }

  @Test func theSameListsDifferInNothing() {
    let differences = OrderedDifferences(from: 0..<1000, to: 0..<1000, changed: [])
    #expect(differences == OrderedDifferences(from: [Int](), to: [], changed: []))
  }

  @Test func whatIsGoneOrNewIsNotChanged() {
    let differences = OrderedDifferences(from: [1, 2], to: [2, 3], changed: [1, 2, 3])
    #expect(differences.changed == [0])
  }

  @Test func aHundredThousandShuffledObjectsTakeSecondsAtMost() {
    var generator = SeededGenerator(seed: 7)
    let before = Array(0..<100_000)
    let after = before.shuffled(using: &generator)
    let clock = ContinuousClock()
    var moves = 0
    let time = clock.measure {
      moves = OrderedDifferences(from: before, to: after, changed: []).moves.count
    }
    #expect(moves > 90_000)
    // A quadratic algorithm would take minutes in a debug build.
    #expect(time < .seconds(20))
  }

  @Test(arguments: [([1, 1], [1]), ([1], [1, 1]), ([1, 2, 1, 3], [3, 3, 2])])
  func anObjectThatIsThereTwiceEndsNothing(before: [Int], after: [Int]) {
    let differences = OrderedDifferences(from: before, to: after, changed: [1, 2, 3])
    let kept = before.count - differences.removed.count
    #expect(kept + differences.inserted.count == after.count)
  }
}
