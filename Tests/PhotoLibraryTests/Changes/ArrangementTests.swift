import Foundation
import SafelightTestSupport
import Testing

@testable import PhotoLibraryKit
@testable import SafelightCatalog
@testable import SafelightFiles

@Suite struct ArrangementTests {
  private typealias Refusal = Arrangement<Character>.Refusal

  private func arranged(_ arrangement: Arrangement<Character>, _ list: String) throws -> String {
    String(try arrangement.applied(to: Array(list)))
  }

  @Test func insertedItemsGetTheGivenPositions() throws {
    #expect(try arranged(.insert(Array("xyz"), at: [0, 3, 5]), "abc") == "xabycz")
  }

  @Test func aMoveRemovesItemsFirstAndInsertsThemTogether() throws {
    #expect(try arranged(.move(at: [0, 3], to: 2), "abcde") == "bcade")
    #expect(try arranged(.move(at: [1], to: 4), "abcde") == "acdeb")
  }

  @Test func aReplacedItemMayBeInsertedAtAnotherPosition() throws {
    #expect(try arranged(.replace(at: [0, 2], with: Array("ca")), "abc") == "cba")
  }

  @Test func removingAMissingItemDoesNothing() throws {
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
  func wrongItemsAndPositionsAreRefused(
    arrangement: Arrangement<Character>, refusal: Arrangement<Character>.Refusal
  ) {
    #expect(throws: refusal) { try arrangement.applied(to: ["a", "b", "c"]) }
  }

  @Test func aHiddenItemKeepsItsPlaceBehindTheVisibleItemBeforeIt() {
    // 9 is hidden behind 1, and 8 at the start.
    #expect(rearranged([8, 1, 9, 2, 3], seen: [1, 2, 3], as: [3, 1, 2]) == [8, 3, 1, 9, 2])
    // 2 is removed, and 9 stays behind 1.
    #expect(rearranged([1, 2, 9, 3], seen: [1, 2, 3], as: [1, 3]) == [1, 9, 3])
  }

  @Test func anItemThatTheListHasLostIsNotAddedAgain() {
    // Since the view the list has lost 2 and got 7. 5 is inserted behind 2.
    #expect(rearranged([1, 7, 3], seen: [1, 2, 3], as: [1, 2, 5, 3]) == [1, 7, 5, 3])
  }
}

@Suite struct AlbumPlacesTests {
  private let test: TestLibrary

  init() throws { test = try TestLibrary() }

  /// The members of an album after a change of the whole list, hidden members too.
  private func arranged(
    _ list: [Int64], shown: Set<Int64>, by change: Arrangement<Int64>
  ) throws -> [Int64] {
    let view = list.filter(shown.contains)
    return rearranged(list, seen: view, as: try change.applied(to: view))
  }

  private func members(_ library: PhotoLibrary) throws -> [(row: Int64, isVisible: Bool)] {
    try library.rows("SELECT asset, visible FROM member ORDER BY position") {
      (row: $0[0] as Int64, isVisible: $0[1] as Bool)
    }
  }

  @Test(arguments: 0..<6)
  func changesOfAFewGiveWhatChangesOfTheWholeListGive(seed: UInt64) async throws {
    let assets = try await test.library.addRows(24)
    let album = try test.album("A", of: Array(assets[..<16]))
    var generator = SeededGenerator(seed: seed)
    for round in 0..<50 {
      if round % 3 == 0, let one = assets.randomElement(using: &generator) {
        let isHidden = Bool.random(using: &generator)
        try await test.library.performChanges { AssetChangeRequest(for: one).isHidden = isHidden }
      }
      let before = try members(test.library)
      let shown = Set(before.filter(\.isVisible).map(\.row))
      let count = shown.count
      func some(_ most: Int) -> [Int] {
        Array((0..<count).shuffled(using: &generator).prefix(.random(in: 0...most))).sorted()
      }
      let change: Arrangement<Int64>
      switch Int.random(in: 0..<3, using: &generator) {
      case 0:
        let taken = Set(some(4))
        let target = Int.random(in: 0...(count - taken.count), using: &generator)
        change = .move(at: taken.sorted(), to: target)
      case 1:
        let outside = assets.map(\.row).filter { row in !before.contains { $0.row == row } }
        let new = Array(outside.shuffled(using: &generator).prefix(3))
        let places = (0..<(count + new.count)).shuffled(using: &generator).prefix(new.count)
        change = .insert(new, at: places.sorted())
      default: change = .removeAt(some(2))
      }
      let identifiers = Dictionary(
        uniqueKeysWithValues: assets.map { ($0.row, $0) })
      try await test.library.performChanges {
        let request = AssetCollectionChangeRequest(for: album)
        switch change {
        case .move(let positions, let target):
          request.moveAssets(at: positions, to: target)
        case .insert(let rows, let positions):
          request.insertAssets(rows.compactMap { identifiers[$0] }, at: positions)
        case .removeAt(let positions): request.removeAssets(at: positions)
        case .add, .remove, .replace: break
        }
      }
      #expect(
        try members(test.library).map(\.row)
          == arranged(before.map(\.row), shown: shown, by: change),
        "\(change)")
    }
  }

  @Test func aMoveInALargeAlbumLeavesTheRestWhereItStands() async throws {
    let assets = try await test.library.addRows(3000)
    let album = try test.album("A", of: assets)
    let changes = "SELECT coalesce(max(sequence), 0) FROM unexported"
    let before = try test.library.rows(changes) { $0[0] as Int }[0]
    try await test.library.performChanges {
      AssetCollectionChangeRequest(for: album).moveAssets(at: [2999], to: 1500)
    }
    #expect(try test.library.rows(changes) { $0[0] as Int }[0] - before == 2)
    let members = try test.library.members(of: album)
    #expect(members[1500] == "asset-2999" && members[1501] == "asset-1500")
  }

  @Test func hidingMembersIsNoNewsForTheExport() async throws {
    let assets = try await test.library.addRows(3)
    _ = try test.album("A", of: assets)
    let changes = "SELECT count(*) FROM unexported WHERE kind = 3"
    let before = try test.library.rows(changes) { $0[0] as Int }
    try await test.library.performChanges { AssetChangeRequest(for: assets[1]).isHidden = true }
    #expect(try test.library.rows(changes) { $0[0] as Int } == before)
    #expect(try members(test.library).map(\.isVisible) == [true, false, true])
  }

  static let refused: [(Arrangement<Int>, String)] = [
    (.move(at: [0], to: 3), "There is no position 3 among 2 objects."),
    (.move(at: [3], to: 0), "There is no position 3 among 3 objects."),
    (.move(at: [1, 0], to: 0), "The positions are not in ascending order."),
    (.removeAt([-1]), "There is no position -1 among 3 objects."),
    (.removeAt([1, 1]), "The positions are not in ascending order."),
    (.insert([3], at: [4]), "There is no position 4 among 3 objects."),
    (.insert([3, 4], at: [2, 1]), "The positions are not in ascending order."),
    (.insert([3], at: [0, 1]), "1 objects cannot go to 2 positions."),
    (.insert([1], at: [0]), "asset-1 would be there twice."),
  ]

  @Test(arguments: refused)
  func whatDoesNotFitIsRefusedAsByTheWholeList(
    change: Arrangement<Int>, words: String
  ) async throws {
    let assets = try await test.library.addRows(5)
    let album = try test.album("A", of: Array(assets[..<3]))
    await #expect(throws: PhotoLibraryError.operationInterrupted(words)) {
      try await test.library.performChanges {
        let request = AssetCollectionChangeRequest(for: album)
        switch change {
        case .move(let positions, let target): request.moveAssets(at: positions, to: target)
        case .insert(let items, let positions):
          request.insertAssets(items.map { assets[$0] }, at: positions)
        case .removeAt(let positions): request.removeAssets(at: positions)
        case .add, .remove, .replace: break
        }
      }
    }
    #expect(try test.library.members(of: album) == ["asset-0", "asset-1", "asset-2"])
  }
}
