import Foundation
import Testing

@testable import PhotoLibraryKit
@testable import SafelightCatalog
@testable import SafelightFiles

@Suite struct HistoryTests {
  private let test: TestLibrary

  init() throws { test = try TestLibrary() }

  @Test func eachChangeSetTellsWhatItDid() async throws {
    let assets = try await test.library.addRows(3)
    let token = try test.library.currentChangeToken
    let album = try test.album("A", of: assets)
    try await test.library.performChanges {
      AssetChangeRequest(for: assets[0]).isFavorite = true
      AssetChangeRequest.deleteAssets([assets[1]])
    }
    let changes = try test.library.fetchPersistentChanges(since: token)
    #expect(changes.count == 2)
    #expect(try changes[0].changeDetails(for: .asset) == nil)
    #expect(
      try changes[0].changeDetails(for: .assetCollection)?.insertedLocalIdentifiers
        == [album.localIdentifier])
    let details = try #require(try changes[1].changeDetails(for: .asset))
    #expect(details.updatedLocalIdentifiers == ["asset-0"])
    #expect(details.deletedLocalIdentifiers == ["asset-1"])
    #expect(details.insertedLocalIdentifiers.isEmpty)
    #expect(try changes[1].changeDetails(for: .assetCollection) == nil)
    let last = try #require(changes.last?.changeToken)
    #expect(last == (try test.library.currentChangeToken))
    #expect(try test.library.fetchPersistentChanges(since: last).isEmpty)
  }

  @Test func whatIsMadeAndDeletedInOneBlockNeverWas() async throws {
    let token = try test.library.currentChangeToken
    try await test.library.performChanges {
      let request = AssetCollectionChangeRequest.creationRequestForAssetCollection(withTitle: "A")
      AssetCollectionChangeRequest.deleteAssetCollections([
        request.placeholderForCreatedAssetCollection
      ])
    }
    #expect(try test.library.fetchPersistentChanges(since: token).isEmpty)
  }

  @Test func aTokenSurvivesBeingStored() async throws {
    let token = try test.library.currentChangeToken
    try await test.library.addRows(1)
    let stored = try JSONEncoder().encode(token)
    let restored = try JSONDecoder().decode(PersistentChangeToken.self, from: stored)
    #expect(try test.reopened().fetchPersistentChanges(since: restored).count == 1)
  }

  @Test func tokensOfAnotherCatalogOrOfALaterTimeAreRefused() throws {
    let (token, other) = (try test.library.currentChangeToken, try TestLibrary())
    let later = PersistentChangeToken(catalog: token.catalog, number: token.number + 1)
    for (library, token) in [(other.library, token), (test.library, later)] {
      #expect(throws: PhotoLibraryError.persistentChangeTokenExpired) {
        try library.fetchPersistentChanges(since: token)
      }
    }
  }

  @Test func theHistoryForgetsChangeSetsOfMoreThanThirtyDaysAgo() async throws {
    let token = try test.library.currentChangeToken
    let now = Date()
    func change(_ age: Double, _ count: Int) async throws {
      for number in 0..<count {
        try await test.library.catalog.change(at: now - age) { _ in
          [Catalog.ChangedObject(kind: .asset, identifier: "\(age)-\(number)", how: .updated)]
        }
      }
    }
    try await change(40 * 86400, 10)
    let kept = try test.library.currentChangeToken
    try await change(20 * 86400, 10)
    try await change(0, 256)
    #expect(throws: PhotoLibraryError.persistentChangeTokenExpired) {
      try test.library.fetchPersistentChanges(since: token)
    }
    #expect(try test.library.fetchPersistentChanges(since: kept).count == 266)
    let details = try test.library.rows("SELECT count(*) FROM changedObject") { $0[0] as Int }
    #expect(details == [266])
  }

  @Test func theHistoryKeepsAHundredThousandChangeSets() async throws {
    let old = try test.library.currentChangeToken
    let now = Date()
    try await test.library.catalog.update { database in
      for _ in 0..<100_352 {
        try database.run("INSERT INTO change (date, origin) VALUES (?, '')", now)
      }
    }
    #expect(throws: PhotoLibraryError.persistentChangeTokenExpired) {
      try test.library.fetchPersistentChanges(since: old)
    }
    let count = try test.library.rows("SELECT count(*) FROM change") { $0[0] as Int }
    #expect(count == [100_000])
  }
}
