import Foundation
import Testing

@testable import PhotoLibraryKit
@testable import SafelightCatalog
@testable import SafelightFiles

@Suite struct AlbumChangeTests {
  private let test: TestLibrary

  init() throws { test = try TestLibrary() }

  @Test func positionsFollowEachOther() async throws {
    let assets = try await test.library.addRows(6)
    let album = try test.album("A", of: Array(assets[..<4]))
    try await test.library.performChanges {
      let request = AssetCollectionChangeRequest(for: album)
      request.insertAssets([assets[4], assets[5]], at: [0, 3])  // 4 0 1 5 2 3
      request.moveAssets(at: [0, 1], to: 4)  // 1 5 2 3 4 0
      request.removeAssets(at: [1])  // 1 2 3 4 0
      request.replaceAssets(at: [0], with: [assets[5]])  // 5 2 3 4 0
      request.removeAssets([assets[3], assets[1]])  // 5 2 4 0
    }
    #expect(
      try test.library.members(of: album) == ["asset-5", "asset-2", "asset-4", "asset-0"])
  }

  @Test func puttingInAtOnePlaceNeverRunsOutOfRoom() async throws {
    let assets = try await test.library.addRows(40)
    let album = try test.album("A", of: Array(assets[..<2]))
    try await test.library.performChanges {
      let request = AssetCollectionChangeRequest(for: album)
      for asset in assets[2...] { request.insertAssets([asset], at: [1]) }
    }
    let expected = [assets[0]] + assets[2...].reversed() + [assets[1]]
    #expect(try test.library.members(of: album) == expected.map(\.localIdentifier))
  }

  @Test(arguments: [Int64.max - 1, .min, 1 << 62])
  func positionsThatNoProgramGivesAreReplaced(position: Int64) async throws {
    let assets = try await test.library.addRows(4)
    let album = try test.album("A", of: Array(assets[..<2]))
    try Database(test.library.catalog.path, .write).run(
      "UPDATE member SET position = ? WHERE asset = ?", position, assets[1].row)
    let isFirst = position < 0
    try await test.library.performChanges {
      let request = AssetCollectionChangeRequest(for: album)
      request.insertAssets([assets[2]], at: [2])
      request.insertAssets([assets[3]], at: [0])
    }
    let present = isFirst ? [assets[1], assets[0]] : [assets[0], assets[1]]
    let expected = [assets[3]] + present + [assets[2]]
    #expect(try test.library.members(of: album) == expected.map(\.localIdentifier))
  }

  @Test func hiddenAndTrashedAssetsKeepTheirPlaces() async throws {
    let assets = try await test.library.addRows(5)
    let album = try test.album("A", of: assets)
    try await test.library.performChanges {
      AssetChangeRequest(for: assets[1]).isHidden = true
      AssetChangeRequest.deleteAssets([assets[3]])
      // 0, 2 and 4 are visible.
      AssetCollectionChangeRequest(for: album).moveAssets(at: [2], to: 0)
    }
    #expect(
      try test.library.members(of: album) == [
        "asset-4", "asset-0", "asset-1", "asset-2", "asset-3",
      ])
  }

  @Test func positionsMayBeThoseOfAnEarlierFetch() async throws {
    let assets = try await test.library.addRows(5)
    let album = try test.album("A", of: Array(assets[..<4]))
    let rows = ContiguousArray(assets[..<4].map(\.row))
    try await test.library.performChanges {
      AssetCollectionChangeRequest(for: album).removeAssets(at: [0])
    }
    try await test.library.performChanges {
      let request = AssetCollectionChangeRequest(for: album, rows: rows)
      request.removeAssets(at: [2])  // Asset 2, wherever it is now.
      request.insertAssets([assets[4]], at: [1])  // Behind asset 0, which is gone: before 1.
    }
    #expect(try test.library.members(of: album) == ["asset-4", "asset-1", "asset-3"])
  }

  @Test func anAssetIsInAnAlbumOnce() async throws {
    let assets = try await test.library.addRows(2)
    let album = try test.album("A", of: assets)
    let refusal = PhotoLibraryError.operationInterrupted("asset-1 would be there twice.")
    await #expect(throws: refusal) {
      try await test.library.performChanges {
        AssetCollectionChangeRequest(for: album).addAssets([assets[1]])
      }
    }
    await #expect(throws: refusal) {
      try await test.library.performChanges {
        AssetCollectionChangeRequest(for: album).insertAssets([assets[1]], at: [0])
      }
    }
    #expect(refusal.errorCode == 3301)
  }

  @Test(arguments: ["", " \n"])
  func anEmptyTitleIsRefused(title: String) async throws {
    let error = await #expect(throws: PhotoLibraryError.self) {
      try await test.library.performChanges {
        _ = AssetCollectionChangeRequest.creationRequestForAssetCollection(withTitle: title)
      }
    }
    #expect(error?.errorCode == 3300)
  }

  @Test func deletingAnAlbumLeavesItsAssets() async throws {
    let assets = try await test.library.addRows(2)
    let album = try test.album("A", of: assets)
    try await test.library.performChanges {
      AssetCollectionChangeRequest(for: album).title = "B"
      AssetCollectionChangeRequest.deleteAssetCollections([album])
    }
    #expect(throws: PhotoLibraryError.self) { try test.library.album(album.localIdentifier) }
    #expect(try test.library.assets() == assets)
    let error = await #expect(throws: PhotoLibraryError.self) {
      try await test.library.performChanges { AssetCollectionChangeRequest(for: album).title = "C" }
    }
    #expect(error == .identifierNotFound(album.localIdentifier))
  }
}

@Suite struct CollectionListChangeTests {
  private let test: TestLibrary

  init() throws { test = try TestLibrary() }

  private func children(of list: String?, in library: PhotoLibrary) throws -> [String] {
    try library.rows(
      """
      SELECT title FROM collection
      WHERE list IS (SELECT id FROM collection WHERE identifier = ?) ORDER BY position
      """, [list]
    ) { $0[0] }
  }

  private func list(_ identifier: String) -> CollectionList {
    CollectionList(localIdentifier: identifier, localizedTitle: "", creationDate: Date(), row: 0)
  }

  /// A list `Outer` with the list `Inner` and the album `B` in it, and the album `A` outside.
  private func filled(_ test: TestLibrary) throws -> (
    outer: String, inner: String, a: AssetCollection, b: AssetCollection
  ) {
    let (a, b) = (try test.album("A"), try test.album("B"))
    let made = Box(("", ""))
    try test.library.performChangesAndWait {
      let outer = CollectionListChangeRequest.creationRequestForCollectionList(withTitle: "Outer")
      let inner = CollectionListChangeRequest.creationRequestForCollectionList(withTitle: "Inner")
      outer.addChildCollections([inner.placeholderForCreatedCollectionList, b])
      made.value = (
        outer.placeholderForCreatedCollectionList.localIdentifier,
        inner.placeholderForCreatedCollectionList.localIdentifier
      )
    }
    return (made.value.0, made.value.1, a, b)
  }

  @Test func childrenLeaveWhereTheyWere() throws {
    let made = try filled(test)
    #expect(try children(of: nil, in: test.library) == ["A", "Outer"])
    #expect(try children(of: made.outer, in: test.library) == ["Inner", "B"])
    try test.library.performChangesAndWait {
      CollectionListChangeRequest(for: list(made.inner)).insertChildCollections(
        [made.b, made.a], at: [0, 1])
    }
    #expect(try children(of: nil, in: test.library) == ["Outer"])
    #expect(try children(of: made.outer, in: test.library) == ["Inner"])
    #expect(try children(of: made.inner, in: test.library) == ["B", "A"])
  }

  @Test func whatIsTakenOutGoesToTheEndOfTheTopLevel() throws {
    let made = try filled(test)
    try test.library.performChangesAndWait {
      let request = CollectionListChangeRequest(for: list(made.outer))
      request.moveChildCollections(at: [1], to: 0)
      request.removeChildCollections(at: [1])
      request.title = "Renamed"
      CollectionListChangeRequest.forTopLevelCollectionListUserCollections()
        .moveChildCollections(at: [2], to: 0)
    }
    #expect(try children(of: nil, in: test.library) == ["Inner", "A", "Renamed"])
    #expect(try children(of: made.outer, in: test.library) == ["B"])
  }

  @Test func aListCannotBePutIntoItself() throws {
    let made = try filled(test)
    for child in [made.outer, made.inner] {
      let error = #expect(throws: PhotoLibraryError.self) {
        try test.library.performChangesAndWait {
          CollectionListChangeRequest(for: list(made.inner)).addChildCollections([list(child)])
        }
      }
      #expect(error?.errorCode == 3300)
    }
    #expect(try children(of: made.outer, in: test.library) == ["Inner", "B"])
  }

  @Test func deletingAListDeletesWhatIsInIt() throws {
    let made = try filled(test)
    let token = try test.library.currentChangeToken
    try test.library.performChangesAndWait {
      CollectionListChangeRequest.deleteCollectionLists([list(made.outer)])
    }
    #expect(try children(of: nil, in: test.library) == ["A"])
    let change = try #require(try test.library.fetchPersistentChanges(since: token).first)
    #expect(
      try change.changeDetails(for: .collectionList)?.deletedLocalIdentifiers
        == [made.outer, made.inner])
    #expect(
      try change.changeDetails(for: .assetCollection)?.deletedLocalIdentifiers
        == [made.b.localIdentifier])
  }
}
