import Foundation
import Testing

@testable import PhotoLibraryKit
@testable import SafelightFiles

@Suite struct AssetFetchTests {
  private func identifiers(_ result: FetchResult<Asset>) -> [String] {
    result.map(\.localIdentifier)
  }

  private func library() async throws -> SampleLibrary {
    let sample = try SampleLibrary()
    var samples = [Sample("c", seconds: 30), Sample("a", seconds: 10), Sample("b", seconds: 20)]
    var hidden = Sample("hidden", seconds: 15)
    hidden.isHidden = true
    var trashed = Sample("trashed", seconds: 16)
    trashed.isTrashed = true
    samples += [hidden, trashed, Sample("undated", seconds: nil)]
    try await sample.add(samples)
    return sample
  }

  @Test func fetchesWhatIsNotHiddenByDate() async throws {
    let sample = try await library()
    #expect(identifiers(try sample.library.fetchAssets()) == ["undated", "a", "b", "c"])
  }

  @Test func fetchesHiddenAssetsWhenAskedFor() async throws {
    let sample = try await library()
    let options = FetchOptions(includeHiddenAssets: true)
    #expect(
      identifiers(try Asset.fetchAssets(with: options, in: sample.library))
        == ["undated", "a", "hidden", "b", "c"])
  }

  @Test func fetchesManyIdentifiersAtOnce() async throws {
    let sample = try await SampleLibrary(random: 500)
    let wanted = (1...40_000).map { "asset-\($0)" }
    let result = try sample.library.fetchAssets(withLocalIdentifiers: wanted)
    #expect(
      result.count
        == (try sample.library.fetchAssets(with: FetchOptions(includeHiddenAssets: true))).count)
  }

  @Test func fetchesNoMoreThanTheLimit() async throws {
    let sample = try await SampleLibrary(random: 900)
    let all = try sample.library.fetchAssets()
    for limit in [1, 255, 256, 257, 600, 100_000] {
      let result = try sample.library.fetchAssets(with: FetchOptions(fetchLimit: limit))
      #expect(result.count == min(limit, all.count))
      #expect(identifiers(result) == Array(identifiers(all).prefix(limit)))
      #expect(result.lastObject == all[min(limit, all.count) - 1])
    }
  }

  @Test func refusesKeysThatAssetsDoNotHave() async throws {
    let sample = try await library()
    #expect(
      throws: PhotoLibraryError.predicateNotSupported(key: "estimatedAssetCount", of: "assets")
    ) {
      try sample.library.fetchAssets(with: FetchOptions(predicate: .estimatedAssetCount > 1))
    }
    #expect(throws: PhotoLibraryError.predicateNotSupported(key: "filename", of: "albums")) {
      try sample.library.fetchAssetCollections(
        with: .album, options: FetchOptions(sortDescriptors: [FetchSortDescriptor(.filename)]))
    }
  }

  @Test func readsWhatWasWritten() async throws {
    let sample = try SampleLibrary()
    var written = Sample("a", seconds: 5)
    (written.folder, written.name) = ("/photos/Süden", "été.jpg")
    (written.camera, written.format) = ("NIKON D750", "org.safelight.edit")
    written.place = Asset.Location(latitude: 1.5, longitude: -2.5)
    written.subtypes = [.photoLive, AssetMediaSubtype(rawValue: 1 << 20)]
    try await sample.add([written])
    let asset = try #require(try sample.library.fetchAssets().firstObject)
    #expect(asset.path == "/photos/Süden/été.jpg")
    #expect(asset.creationDate == SampleLibrary.start.addingTimeInterval(5))
    #expect(asset.location == written.place)
    #expect(asset.mediaSubtypes == written.subtypes)
    #expect(asset.hasAdjustments && asset.camera == "NIKON D750" && asset.mediaType == .image)
  }
}
