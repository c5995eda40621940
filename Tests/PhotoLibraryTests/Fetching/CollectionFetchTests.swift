import Foundation
import Testing

@testable import PhotoLibraryKit
@testable import SafelightCatalog
@testable import SafelightFiles

@Suite struct CollectionFetchTests {
  /// Two albums and a list with one.
  private func library() async throws -> SampleLibrary {
    let sample = try await SampleLibrary(random: 300)
    try await sample.run("UPDATE asset SET trashedDate = NULL, hidden = 0 WHERE id <= 10")
    try await sample.fill("trip", with: ["asset-3", "asset-1", "asset-2"])
    try await sample.fill("empty", with: [])
    try await sample.run(
      "INSERT INTO collection (identifier, isList, title, position, creationDate) VALUES "
        + "('years', 1, 'Years', 9, 5)")
    try await sample.fill("inner", with: ["asset-1"], in: "years")
    return sample
  }

  private func album(_ identifier: String, _ library: PhotoLibrary) throws -> AssetCollection {
    try #require(
      try library.fetchAssetCollections(withLocalIdentifiers: [identifier]).firstObject)
  }

  @Test func fetchesTheUsersAlbumsInTheirOrder() async throws {
    let library = try await library().library
    let albums = try AssetCollection.fetchAssetCollections(with: .album, in: library)
    #expect(albums.map(\.localIdentifier) == ["trip", "empty", "inner"])
    #expect(albums.map(\.estimatedAssetCount) == [3, 0, 1])
    #expect(albums[0].localizedTitle == "Trip")
  }

  @Test func anAlbumKeepsItsOrderUnlessOptionsSort() async throws {
    let library = try await library().library
    let trip = try album("trip", library)
    #expect(
      try library.fetchAssets(in: trip).map(\.localIdentifier) == ["asset-3", "asset-1", "asset-2"])
    let options = FetchOptions(sortDescriptors: [FetchSortDescriptor(.localIdentifier)])
    #expect(
      try library.fetchAssets(in: trip, options: options).map(\.localIdentifier)
        == ["asset-1", "asset-2", "asset-3"])
  }

  @Test func anAlbumShowsItsHiddenAssetsWhenAskedFor() async throws {
    let sample = try await library()
    try await sample.run("UPDATE asset SET hidden = 1 WHERE identifier = 'asset-1'")
    let trip = try album("trip", sample.library)
    #expect(trip.estimatedAssetCount == 2)
    #expect(try sample.library.fetchAssets(in: trip).count == 2)
    let options = FetchOptions(includeHiddenAssets: true)
    #expect(try sample.library.fetchAssets(in: trip, options: options).count == 3)
  }

  @Test func anAlbumThatIsGoneHasNoAssets() async throws {
    let sample = try await library()
    let trip = try album("trip", sample.library)
    try await sample.run("DELETE FROM collection WHERE identifier = 'trip'")
    try await sample.fill("another", with: ["asset-5"])
    #expect(try sample.library.fetchAssets(in: trip).isEmpty)
  }

  @Test func tellsWhichAlbumsAnAssetIsIn() async throws {
    let library = try await library().library
    let asset = try #require(
      try library.fetchAssets(withLocalIdentifiers: ["asset-1"]).firstObject)
    #expect(
      try library.fetchAssetCollectionsContaining(asset).map(\.localIdentifier)
        == ["trip", "inner"])
  }

  @Test func goesThroughListsFromTheTop() async throws {
    let library = try await library().library
    let top = try library.fetchTopLevelUserCollections()
    #expect(top.map(\.localIdentifier) == ["trip", "empty", "years"])
    let list = try #require(top[2] as? CollectionList)
    #expect(try library.fetchCollections(in: list).map(\.localIdentifier) == ["inner"])
  }

  @Test func filtersAlbumsByTheirTitles() async throws {
    let library = try await library().library
    let options = FetchOptions(predicate: try FetchPredicate(format: "title CONTAINS[c] 'TR'"))
    #expect(
      try library.fetchAssetCollections(with: .album, options: options).map(\.localIdentifier)
        == ["trip"])
    let sorted = FetchOptions(
      sortDescriptors: [FetchSortDescriptor(.title, ascending: false)], fetchLimit: 2)
    #expect(
      try library.fetchAssetCollections(with: .album, options: sorted).map(\.localIdentifier)
        == ["trip", "inner"])
  }

  static let smartAlbums: [(AssetCollection.SmartAlbum, FetchPredicate)] = [
    (.userLibrary, .all), (.favorites, .isFavorite == true), (.recentlyAdded, .all),
    (.edited, .hasAdjustments == true), (.allHidden, .isHidden == true),
    (.panoramas, .mediaSubtypes.contains(.photoPanorama)),
    (.screenshots, .mediaSubtypes.contains(.photoScreenshot)),
    (.livePhotos, .mediaSubtypes.contains(.photoLive)),
    (.depthEffect, .mediaSubtypes.contains(.photoDepthEffect)),
    (.portraits, .pixelHeight > .pixelWidth), (.landscapes, .pixelWidth > .pixelHeight),
  ]

  @Test(arguments: smartAlbums)
  func smartAlbumsFillThemselves(
    kind: AssetCollection.SmartAlbum, wanted: FetchPredicate
  ) async throws {
    let library = try await library().library
    let albums = try library.fetchAssetCollections(with: .smartAlbum, subtype: kind)
    let album = try #require(albums.firstObject)
    let assets = try library.fetchAssets(in: album)
    let everything = try library.fetchAssets(with: FetchOptions(includeHiddenAssets: true))
    let expected = everything.filter {
      wanted.condition.holds(for: $0) && (kind == .allHidden || !$0.isHidden)
    }
    #expect(Set(assets) == Set(expected))
    #expect(assets.count == expected.count && !assets.isEmpty)
    #expect(album.estimatedAssetCount == expected.count)
    #expect(assets.count == Array(assets).count)
    #expect(
      try library.fetchAssetCollections(withLocalIdentifiers: [album.localIdentifier])
        .firstObject == album)
  }

  @Test func recentlyAddedShowsTheNewestFirst() async throws {
    let library = try await library().library
    let album = try #require(
      try library.fetchAssetCollections(with: .smartAlbum, subtype: .recentlyAdded).firstObject)
    let dates = try library.fetchAssets(in: album).map(\.addedDate)
    #expect(dates == dates.sorted(by: >))
  }
}
