import Foundation
import Testing

@testable import PhotoLibraryKit
@testable import SafelightCatalog
@testable import SafelightFiles

/// The favorites, in an order that changes can move them in.
private struct Favorites: ChangeTracked {
  let snapshot: Snapshot?
  var wantsIncrementalChangeDetails = true
  var listsAssets: Bool { true }

  func rows() throws(PhotoLibraryError) -> ContiguousArray<Int64> {
    guard let snapshot else { return [] }
    return ContiguousArray(
      try snapshot.read { (database) throws(DatabaseError) in
        try database.rows("SELECT id FROM asset WHERE favorite = 1 ORDER BY hidden, id") {
          $0[0] as Int64
        }
      })
  }

  func refetched(in snapshot: Snapshot) -> Favorites {
    Favorites(snapshot: snapshot, wantsIncrementalChangeDetails: wantsIncrementalChangeDetails)
  }
}

private final class Recorder: PhotoLibraryChangeObserver {
  let tokens = Box<[Int64]>([])
  let work: @Sendable (Change) -> Void
  init(_ work: @escaping @Sendable (Change) -> Void = { _ in }) { self.work = work }

  func photoLibraryDidChange(_ change: Change) {
    tokens.value += [change.changeToken.number]
    work(change)
  }
}

@Suite(.timeLimit(.minutes(2))) struct ObserverTests {
  private func favorites(_ test: TestLibrary) throws -> Favorites {
    Favorites(snapshot: try test.library.snapshots.now())
  }

  @Test func detailsSayWhatBecameOfAnAsset() async throws {
    let test = try TestLibrary()
    let assets = try await test.library.addRows(3)
    var changes = test.library.changes.makeAsyncIterator()
    try await test.library.performChanges {
      AssetChangeRequest(for: assets[0]).isFavorite = true
      AssetChangeRequest.deleteAssets([assets[1]])
    }
    let change = try #require(await changes.next())
    let updated = try #require(change.changeDetails(for: assets[0]))
    #expect(updated.objectBeforeChanges == assets[0])
    #expect(updated.objectAfterChanges?.isFavorite == true)
    #expect(!updated.objectWasDeleted && !updated.assetContentChanged)
    #expect(change.changeDetails(for: assets[1])?.objectWasDeleted == true)
    #expect(change.changeDetails(for: assets[2]) == nil)
  }

  @Test func detailsOfAListReplayWhatHappened() async throws {
    let test = try TestLibrary()
    let assets = try await test.library.addRows(5)
    try await test.library.performChanges {
      for asset in assets[..<4] { AssetChangeRequest(for: asset).isFavorite = true }
    }
    let before = try favorites(test)
    var changes = test.library.changes.makeAsyncIterator()
    try await test.library.performChanges {
      AssetChangeRequest(for: assets[0]).isHidden = true  // Goes to the end.
      AssetChangeRequest(for: assets[1]).isFavorite = false
      AssetChangeRequest(for: assets[4]).isFavorite = true
    }
    let change = try #require(await changes.next())
    let details = try #require(change.details(for: before))
    #expect(details.hasIncrementalChanges)
    #expect(details.removedIndexes == [1])
    #expect(details.insertedIndexes == [3])
    #expect(details.moves == [FetchResultMove(from: 0, to: 3)])
    #expect(details.changedIndexes == [3])
    #expect(try details.fetchResultAfterChanges.rows() == [3, 4, 5, 1])
    #expect(change.details(for: details.fetchResultAfterChanges) == nil)
  }

  @Test func indexesThatNobodyWantsAreLeftOut() async throws {
    let test = try TestLibrary()
    let assets = try await test.library.addRows(1)
    var before = try favorites(test)
    before.wantsIncrementalChangeDetails = false
    var changes = test.library.changes.makeAsyncIterator()
    try await test.library.performChanges { AssetChangeRequest(for: assets[0]).isFavorite = true }
    let change = try #require(await changes.next())
    let details = try #require(change.details(for: before))
    #expect(!details.hasIncrementalChanges && !details.hasMoves)
    #expect(details.removedIndexes == nil && details.changedIndexes == nil)
    #expect(try details.fetchResultAfterChanges.rows().count == 1)
  }

  @Test func whatCouldNotBeSeenBeforeIsInserted() async throws {
    let test = try TestLibrary()
    let assets = try await test.library.addRows(2)
    var changes = test.library.changes.makeAsyncIterator()
    try await test.library.performChanges {
      for asset in assets { AssetChangeRequest(for: asset).isFavorite = true }
    }
    let change = try #require(await changes.next())
    let details = try #require(change.details(for: Favorites(snapshot: nil)))
    #expect(details.insertedIndexes == [0, 1] && details.changedIndexes == [])
  }

  @Test func aListThatStayedHasNoDetails() async throws {
    let test = try TestLibrary()
    let assets = try await test.library.addRows(1)
    let before = try favorites(test)
    var changes = test.library.changes.makeAsyncIterator()
    try await test.library.performChanges { AssetChangeRequest(for: assets[0]).isHidden = true }
    let change = try #require(await changes.next())
    #expect(change.details(for: before) == nil)
  }

  @Test func eachChangeSetIsToldOnceAndInOrder() async throws {
    let test = try TestLibrary()
    let assets = try await test.library.addRows(1)
    let start = try test.library.currentChangeToken.number
    let recorder = Recorder()
    test.library.register(recorder)
    test.library.register(recorder)
    var changes = test.library.changes.makeAsyncIterator()
    for number in 0..<100 {
      try await test.library.performChanges {
        AssetChangeRequest(for: assets[0]).isFavorite = number.isMultiple(of: 2)
      }
    }
    var told: [Int64] = []
    while told.count < 100, let change = await changes.next() {
      told.append(change.changeToken.number)
    }
    #expect(told == Array((start + 1)...(start + 100)))
    #expect(recorder.tokens.value == told)
  }

  @Test func followingOneChangeAfterTheOtherLeadsToThePresent() async throws {
    let test = try TestLibrary()
    let assets = try await test.library.addRows(20)
    var list = try favorites(test)
    var shown: [Int64] = []
    var changes = test.library.changes.makeAsyncIterator()
    for number in 0..<40 {
      try await test.library.performChanges {
        AssetChangeRequest(for: assets[number * 7 % 20]).isFavorite = number % 3 != 2
        AssetChangeRequest(for: assets[number * 3 % 20]).isHidden = number % 2 == 0
      }
    }
    for _ in 0..<40 {
      guard let change = await changes.next(), let details = change.details(for: list) else {
        continue
      }
      let after = try details.fetchResultAfterChanges.rows()
      for index in try #require(details.removedIndexes).reversed() { shown.remove(at: index) }
      var new = after.filter { !shown.contains($0) }[...]
      for index in try #require(details.insertedIndexes) {
        let object = new.popFirst()
        shown.insert(try #require(object), at: index)
      }
      details.enumerateMoves { from, to in shown.insert(shown.remove(at: from), at: to) }
      #expect(shown == Array(after))
      list = details.fetchResultAfterChanges
    }
    #expect(shown == Array(try favorites(test).rows()))
  }

  @Test func changesOfAnotherProcessAreTold() async throws {
    let test = try TestLibrary()
    let asset = try await test.library.addRows(1)[0]
    let path = test.library.path.string
    var changes = test.library.changes.makeAsyncIterator()
    await #expect(processExitsWith: .success) { [path = path as String] in
      let library = try PhotoLibrary(at: FilePath(path))
      let asset = try library.asset("asset-0")
      for isFavorite in [true, false, true] {
        try library.performChangesAndWait {
          AssetChangeRequest(for: asset).isFavorite = isFavorite
        }
      }
    }
    var told: [Change] = []
    while told.count < 3, let change = await changes.next() { told.append(change) }
    #expect(told.map(\.changeToken.number) == [2, 3, 4])
    #expect(
      told.last?.changeDetails(for: asset)?.objectAfterChanges?.isFavorite == true)
  }

  @Test func anObserverMayChangeTheLibrary() async throws {
    let test = try TestLibrary()
    let assets = try await test.library.addRows(1)
    let library = test.library
    let recorder = Recorder { change in
      guard let asset = change.changeDetails(for: assets[0])?.objectAfterChanges,
        asset.isFavorite, !asset.isHidden
      else { return }
      try? library.performChangesAndWait { AssetChangeRequest(for: asset).isHidden = true }
    }
    library.register(recorder)
    var changes = library.changes.makeAsyncIterator()
    try await library.performChanges { AssetChangeRequest(for: assets[0]).isFavorite = true }
    _ = await changes.next()
    _ = await changes.next()
    #expect(try library.asset("asset-0").isHidden)
  }

  @Test func observersAreHeldWeaklyAndCanBeRemoved() async throws {
    let test = try TestLibrary()
    let assets = try await test.library.addRows(1)
    var gone: Recorder? = Recorder()
    let removed = Recorder()
    weak let weakly = gone
    if let gone { test.library.register(gone) }
    test.library.register(removed)
    test.library.unregisterChangeObserver(removed)
    gone = nil
    #expect(weakly == nil)
    var changes = test.library.changes.makeAsyncIterator()
    try await test.library.performChanges { AssetChangeRequest(for: assets[0]).isFavorite = true }
    _ = await changes.next()
    #expect(removed.tokens.value.isEmpty)
  }

  @Test func indexingIsToldToo() async throws {
    let test = try TestLibrary()
    var changes = test.library.changes.makeAsyncIterator()
    try await test.library.addRows(2)
    let change = try #require(await changes.next())
    #expect(change.changeToken == (try test.library.currentChangeToken))
  }
}
