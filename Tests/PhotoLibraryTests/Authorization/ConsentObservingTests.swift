import Foundation
import Testing

@testable import PhotoLibraryKit
@testable import SafelightFiles

private final class Listener: PhotoLibraryChangeObserver {
  let changes: AsyncStream<Change>
  private let continuation: AsyncStream<Change>.Continuation

  init() { (changes, continuation) = AsyncStream.makeStream() }

  func photoLibraryDidChange(_ change: Change) { continuation.yield(change) }
}

@Suite(.timeLimit(.minutes(10))) struct ConsentObservingTests {
  private let test: TestLibrary
  private var owner: PhotoLibrary { test.library }

  init() throws { test = try TestLibrary() }

  @Test func whoObservedBeforeTheGrantIsToldOfEverything() async throws {
    let assets = try await owner.addRows(5)
    let album = try test.album("A", of: [assets[3]])
    let library = try test.opened(AskedUser(.allow))
    let listener = Listener()
    library.register(listener)
    let all = try library.fetchAssets()
    let albums = try library.fetchAssetCollections(with: .album)
    let members = try library.fetchAssets(in: album)
    #expect(all.isEmpty && albums.isEmpty && members.isEmpty)
    #expect(await library.requestAuthorization(for: .readWrite) == .authorized)
    var changes = listener.changes.makeAsyncIterator()
    let change = try #require(await changes.next())
    let details = try #require(change.changeDetails(for: all))
    #expect(details.insertedIndexes == [0, 1, 2, 3, 4] && details.changedIndexes == [])
    #expect(Array(details.fetchResultAfterChanges) == assets)
    #expect(change.changeDetails(for: albums)?.insertedIndexes == [0])
    #expect(change.changeDetails(for: members)?.insertedIndexes == [0])
    // The result itself does not change.
    #expect(all.isEmpty)
  }

  @Test func whatIsRevokedIsRemoved() async throws {
    let assets = try await owner.addRows(3)
    let album = try test.album("A")
    let library = try await test.opened(.authorized, for: .readWrite)
    var changes = library.changes.makeAsyncIterator()
    let (all, albums) = (
      try library.fetchAssets(), try library.fetchAssetCollections(with: .album)
    )
    try await owner.revokeAccess(of: Client.name)
    let change = try #require(await changes.next())
    let details = try #require(change.changeDetails(for: all))
    #expect(details.removedIndexes == [0, 1, 2] && details.fetchResultAfterChanges.isEmpty)
    #expect(change.changeDetails(for: albums)?.removedIndexes == [0])
    #expect(change.changeDetails(for: assets[0])?.objectWasDeleted == true)
    #expect(change.changeDetails(for: album)?.objectWasDeleted == true)
    // A result that was fetched before can be read to its end.
    #expect(Array(all) == assets)
  }

  @Test func consentFromAnotherProcessIsNoticed() async throws {
    try await owner.addRows(2)
    let library = try test.opened()
    var changes = library.changes.makeAsyncIterator()
    var shown = try library.fetchAssets()
    let path = library.path.string
    await #expect(processExitsWith: .success) { [path = path as String] in
      let owner = try PhotoLibrary(at: FilePath(path))
      try await owner.setAccess(.authorized, level: .readWrite, for: "org.example.frames")
      try await owner.limitAccess(of: "org.example.frames", to: ["asset-1"])
      try await owner.revokeAccess(of: "org.example.frames")
    }
    #expect(library.authorizationStatus(for: .readWrite) == .denied)
    var told = 0
    while told < 3, let change = await changes.next() {
      told += 1
      guard let details = change.changeDetails(for: shown) else { continue }
      shown = details.fetchResultAfterChanges
    }
    #expect(told == 3 && shown.isEmpty)
  }

  @Test func anotherSelectionComesAndGoesAsAssetsDo() async throws {
    let assets = try await owner.addRows(4)
    let library = try await test.opened(seeing: ["asset-0", "asset-1"])
    var changes = library.changes.makeAsyncIterator()
    let before = try library.fetchAssets()
    try await owner.limitAccess(of: Client.name, to: ["asset-1", "asset-2", "asset-3"])
    let change = try #require(await changes.next())
    let details = try #require(change.changeDetails(for: before))
    #expect(details.removedIndexes == [0] && details.insertedIndexes == [1, 2])
    #expect(change.changeDetails(for: assets[0])?.objectWasDeleted == true)
    #expect(change.changeDetails(for: assets[1]) == nil)
  }

  @Test func detailsOfWhatIsNotSeenAreNotTold() async throws {
    let assets = try await owner.addRows(3)
    let album = try test.album("A", of: assets)
    let library = try await test.opened(seeing: ["asset-1", "asset-2"])
    var changes = library.changes.makeAsyncIterator()
    let seen = try library.fetchAssets()
    try await owner.performChanges {
      AssetChangeRequest(for: assets[0]).isFavorite = true
      AssetChangeRequest(for: assets[1]).isFavorite = true
      AssetChangeRequest.deleteAssets([assets[2]])
      AssetCollectionChangeRequest(for: album).title = "B"
    }
    let change = try #require(await changes.next())
    #expect(change.changeDetails(for: assets[0]) == nil)
    #expect(change.changeDetails(for: assets[1])?.objectAfterChanges?.isFavorite == true)
    #expect(change.changeDetails(for: assets[2])?.objectWasDeleted == true)
    #expect(change.changeDetails(for: album) == nil)
    let details = try #require(change.changeDetails(for: seen))
    #expect(details.removedIndexes == [1] && details.changedIndexes == [0])
  }

  @Test func consentOfOthersIsNoChangeForAClient() async throws {
    let assets = try await owner.addRows(1)
    let library = try await test.opened(.authorized, for: .readWrite)
    var changes = library.changes.makeAsyncIterator()
    let (token, all) = (try library.currentChangeToken, try library.fetchAssets())
    try await owner.setAccess(.denied, level: .readWrite, for: "other")
    let change = try #require(await changes.next())
    #expect(change.changeDetails(for: all) == nil)
    #expect(change.changeDetails(for: assets[0]) == nil)
    let history = try library.fetchPersistentChanges(since: token)
    #expect(try history.allSatisfy { try $0.changeDetails(for: .asset) == nil })
  }

  @Test func theHistoryTellsOfTheSelectionAlone() async throws {
    let assets = try await owner.addRows(3)
    let album = try test.album("A")
    let library = try await test.opened(seeing: ["asset-0", "asset-1"])
    let token = try library.currentChangeToken
    try await owner.performChanges {
      for asset in assets { AssetChangeRequest(for: asset).isFavorite = true }
      AssetCollectionChangeRequest(for: album).title = "B"
    }
    try await owner.performChanges { AssetChangeRequest.deleteAssets([assets[1], assets[2]]) }
    let changes = try library.fetchPersistentChanges(since: token)
    #expect(
      try changes.first?.changeDetails(for: .asset)?.updatedLocalIdentifiers
        == ["asset-0", "asset-1"])
    #expect(
      try changes.last?.changeDetails(for: .asset)?.deletedLocalIdentifiers == ["asset-1"])
    #expect(try changes.allSatisfy { try $0.changeDetails(for: .assetCollection) == nil })
  }

  @Test func theHistoryTellsOfSelectedPhotosWhoseFilesAreGone() async throws {
    let tree = PhotoTree()
    for name in ["a.jpg", "b.jpg"] { tree.photo(FilePath(name)) }
    let owner = try tree.open()
    try await owner.add([tree.photos])
    let one = try await owner.identifier("a.jpg")
    try await owner.limitAccess(of: Client.name, to: [one])
    let library = try PhotoLibrary(at: tree.library, client: .frames)
    let token = try library.currentChangeToken
    tree.remove("a.jpg")
    tree.remove("b.jpg")
    tree.photo("c.jpg")
    try await owner.scan()
    let changes = try library.fetchPersistentChanges(since: token)
    let details = try changes.compactMap { try $0.changeDetails(for: .asset) }
    #expect(details.map(\.deletedLocalIdentifiers) == [[one]])
    #expect(details.allSatisfy { $0.insertedLocalIdentifiers.isEmpty })
  }

  @Test func aChangeOfConsentHasNoDetailsInTheHistory() async throws {
    try await owner.addRows(1)
    let library = try test.opened()
    let token = try library.currentChangeToken
    try await owner.setAccess(.authorized, level: .readWrite, for: Client.name)
    try await owner.addRows(1)
    let changes = try library.fetchPersistentChanges(since: token)
    #expect(throws: PhotoLibraryError.persistentChangeDetailsUnavailable) {
      try changes.first?.changeDetails(for: .asset)
    }
    #expect(
      try changes.last?.changeDetails(for: .asset)?.insertedLocalIdentifiers == ["asset-1"])
  }
}
