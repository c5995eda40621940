import Foundation
import SafelightTestSupport
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

@Suite(.timeLimit(.minutes(10))) struct ObserverTests {
  private let test: TestLibrary

  init() throws { test = try TestLibrary() }

  private func favorites(_ test: TestLibrary) throws -> Favorites {
    Favorites(snapshot: try test.library.snapshots.now())
  }

  @Test func detailsSayWhatBecameOfAnAsset() async throws {
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
    let assets = try await test.library.addRows(1)
    let before = try favorites(test)
    var changes = test.library.changes.makeAsyncIterator()
    try await test.library.performChanges { AssetChangeRequest(for: assets[0]).isHidden = true }
    let change = try #require(await changes.next())
    #expect(change.details(for: before) == nil)
  }

  @Test func eachChangeSetIsToldOnceAndInOrder() async throws {
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
    var changes = test.library.changes.makeAsyncIterator()
    try await test.library.addRows(2)
    let change = try #require(await changes.next())
    #expect(change.changeToken == (try test.library.currentChangeToken))
  }

  @Test func aSleepingReaderCostsNoOpenFiles() async throws {
    _ = try await test.library.addRows(1)
    let path = test.library.path.string
    await #expect(processExitsWith: .success) { [path = path as String] in
      func openFiles() throws -> Int {
        try FileManager.default.contentsOfDirectory(atPath: "/proc/self/fd").count
      }
      func memory() throws -> Int {
        let text = try String(contentsOfFile: "/proc/self/statm", encoding: .utf8)
        return (text.split(separator: " ").dropFirst().first.flatMap { Int($0) } ?? 0) * 4
      }
      let library = try PhotoLibrary(at: FilePath(path))
      let asset = try library.asset("asset-0")
      let photos = try library.fetchAssets().map(\.localIdentifier)
      let sequence = library.changes
      var changes = sequence.makeAsyncIterator()
      func change(times: Int) throws {
        for number in 0..<times {
          try library.performChangesAndWait {
            AssetChangeRequest(for: asset).isFavorite = number.isMultiple(of: 2)
          }
        }
      }
      try change(times: 50)
      let (files, kilobytes) = (try openFiles(), try memory())
      let count = Rounds.areLong ? 10_000 : 400
      try change(times: count)
      while sequence.feed.behind < count + 50 { try await Task.sleep(for: .milliseconds(5)) }
      let (newFiles, newKilobytes) = (try openFiles(), try memory())
      let log = FilePath(path).appending("catalogue.sqlite-wal").status?.size ?? 0
      let measured = "files \(files), \(newFiles); KiB \(kilobytes), \(newKilobytes); log \(log)"
      try measured.write(toFile: path + ".measured", atomically: true, encoding: .utf8)
      #expect(newFiles <= files + 4)
      #expect(newKilobytes < kilobytes + 20_000)
      #expect(log < 20_000_000)
      // The reader gets one change for all, and those that come later one by one.
      let all = try #require(await changes.next())
      #expect(all.changeToken == (try library.currentChangeToken))
      #expect(all.changeDetails(for: asset)?.objectAfterChanges != nil)
      #expect(photos.count == 1)
      // An observer asks each change and keeps it.
      let kept = Box<[Change]>([])
      let keeper = Recorder { change in
        _ = change.changeDetails(for: asset)
        kept.value += [change]
      }
      library.register(keeper)
      try change(times: 300)
      while kept.value.count < 300 { try await Task.sleep(for: .milliseconds(5)) }
      #expect(try openFiles() <= files + 5 * ChangeStates.limit)
      let next = try #require(await changes.next())
      #expect(next.changeToken.number == all.changeToken.number + 300)
      // A change that was kept for long still has details.
      #expect(kept.value.first?.changeDetails(for: asset)?.objectAfterChanges != nil)
    }
    print((try? String(contentsOfFile: path + ".measured", encoding: .utf8)) ?? "not measured")
  }

  @Test func aReaderThatIsBehindGetsTheDetailsOfAllChanges() async throws {
    let assets = try await test.library.addRows(3)
    let before = try test.library.fetchAssets()
    let sequence = test.library.changes
    var changes = sequence.makeAsyncIterator()
    try await test.library.performChanges {
      AssetChangeRequest(for: assets[1]).isFavorite = true
      AssetChangeRequest.deleteAssets([assets[2]])
    }
    for number in 0..<Int(ChangeFeed.limit) {
      try await test.library.performChanges {
        AssetChangeRequest(for: assets[0]).isFavorite = number.isMultiple(of: 2)
      }
    }
    #expect(try await eventually { sequence.feed.behind > ChangeFeed.limit })
    let change = try #require(await changes.next())
    #expect(change.changeToken == (try test.library.currentChangeToken))
    let details = try #require(change.changeDetails(for: before))
    #expect(details.removedIndexes == [2] && details.changedIndexes == [0, 1])
    #expect(change.changeDetails(for: assets[1])?.objectAfterChanges?.isFavorite == true)
    #expect(change.changeDetails(for: assets[2])?.objectWasDeleted == true)
  }

  @Test func aCancelledReaderGetsNoMoreChanges() async throws {
    let changes = test.library.changes
    let reader = Task {
      for await _ in changes {}
      return true
    }
    try await Task.sleep(for: .milliseconds(20))
    reader.cancel()
    #expect(await reader.value)
  }

  @Test func theChangesEndWithTheLibrary() async throws {
    var library: PhotoLibrary? = try test.reopened()
    let changes = try #require(library?.changes)
    let reader = Task { for await _ in changes {} }
    try await Task.sleep(for: .milliseconds(20))
    library = nil
    await reader.value
  }
}
