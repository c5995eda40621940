import Foundation
import Testing

@testable import PhotoLibraryKit
@testable import SafelightFiles

/// What a client with limited access does not find; `RandomFetchTests` tries what it finds.
@Suite struct LimitedFetchTests {
  @Test func albumsOfTheUserAndCountsOfAllPhotosAreNotThere() async throws {
    let sample = try await SampleLibrary(random: 20)
    let selected = try sample.library.fetchAssets().identifiers
    try await sample.fill("one", with: selected)
    let album = try #require(try sample.library.fetchAssetCollections(with: .album).first)
    try await sample.library.limitAccess(of: Client.name, to: selected)
    let library = try PhotoLibrary(at: sample.path, client: .frames)
    let asset = try #require(try library.fetchAssets().first)
    #expect(try library.fetchAssetCollections(with: .album).isEmpty)
    #expect(try library.fetchAssetCollections(withLocalIdentifiers: ["one"]).isEmpty)
    #expect(try library.fetchAssetCollectionsContaining(asset).isEmpty)
    #expect(try library.fetchTopLevelUserCollections().isEmpty)
    #expect(try library.fetchAssets(in: album).isEmpty)
    let smart = try library.fetchAssetCollections(with: .smartAlbum)
    #expect(!smart.isEmpty && smart.allSatisfy { $0.estimatedAssetCount == nil })
  }
}
