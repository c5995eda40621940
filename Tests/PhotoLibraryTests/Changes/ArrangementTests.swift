import SafelightTestSupport
import Testing

@testable import PhotoLibraryKit
@testable import SafelightFiles

@Suite struct ArrangementTests {
  private typealias Refusal = Arrangement<Character>.Refusal

  private func arranged(_ arrangement: Arrangement<Character>, _ list: String) throws -> String {
    String(try arrangement.applied(to: Array(list)))
  }

  @Test func insertedThingsGetThePositionsThatWereAsked() throws {
    #expect(try arranged(.insert(Array("xyz"), at: [0, 3, 5]), "abc") == "xabycz")
  }

  @Test func movingTakesOutFirstAndPutsInTogether() throws {
    #expect(try arranged(.move(at: [0, 3], to: 2), "abcde") == "bcade")
    #expect(try arranged(.move(at: [1], to: 4), "abcde") == "acdeb")
  }

  @Test func replacedThingsMayComeBackElsewhere() throws {
    #expect(try arranged(.replace(at: [0, 2], with: Array("ca")), "abc") == "cba")
  }

  @Test func removingWhatIsNotThereDoesNothing() throws {
    #expect(try arranged(.remove(Array("bx")), "abc") == "ac")
  }

  @Test(arguments: [
    (Arrangement<Character>.add(["x", "a"]), Arrangement<Character>.Refusal.alreadyThere("a")),
    (.add(["x", "x"]), .alreadyThere("x")),
    (.insert(["x"], at: [0, 1]), .countMismatch(items: 1, positions: 2)),
    (.insert(["x"], at: [4]), .noSuchPosition(4, count: 3)),
    (.insert(["x"], at: [-1]), .noSuchPosition(-1, count: 3)),
    (.insert(["x", "y"], at: [2, 1]), .positionsNotAscending),
    (.removeAt([3]), .noSuchPosition(3, count: 3)),
    (.removeAt([1, 1]), .positionsNotAscending),
    (.replace(at: [0], with: ["b"]), .alreadyThere("b")),
    (.move(at: [0], to: 3), .noSuchPosition(3, count: 2)),
  ])
  func whatDoesNotFitIsRefused(
    arrangement: Arrangement<Character>, refusal: Arrangement<Character>.Refusal
  ) {
    #expect(throws: refusal) { try arrangement.applied(to: ["a", "b", "c"]) }
  }

  @Test func whatIsNotSeenStaysBehindWhatItStoodBehind() {
    // 9 and 8 are hidden, behind 1 and at the start.
    #expect(rearranged([8, 1, 9, 2, 3], seen: [1, 2, 3], as: [3, 1, 2]) == [8, 3, 1, 9, 2])
    // Behind one that is taken out it stays behind the one before.
    #expect(rearranged([1, 2, 9, 3], seen: [1, 2, 3], as: [1, 3]) == [1, 9, 3])
  }

  @Test func whatAViewStillHasAndTheListHasLostStaysLost() {
    // The list lost 2 and got 7 since it was seen; 5 is put in behind 2.
    #expect(rearranged([1, 7, 3], seen: [1, 2, 3], as: [1, 2, 5, 3]) == [1, 7, 5, 3])
  }
}
