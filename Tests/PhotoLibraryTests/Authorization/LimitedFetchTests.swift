import Foundation
import SafelightTestSupport
import Testing

@testable import PhotoLibraryKit
@testable import SafelightFiles

/// A client with limited access finds the same as the owner, without the assets that were not selected.
@Suite struct LimitedFetchTests {
  private static let orders: [[FetchSortDescriptor]] = [
    [], [FetchSortDescriptor(.creationDate, ascending: false)], [FetchSortDescriptor(.filename)],
    [FetchSortDescriptor(.camera), FetchSortDescriptor(.addedDate, ascending: false)],
  ]

  private func limited(
    _ sample: SampleLibrary, to identifiers: [String]
  ) async throws -> PhotoLibrary {
    try await sample.library.limitAccess(of: Client.name, to: identifiers)
    return try PhotoLibrary(at: sample.path, client: .frames)
  }

  private func agrees(
    _ limited: PhotoLibrary, with sample: SampleLibrary, selected: Set<String>,
    options: FetchOptions, _ fetch: (PhotoLibrary) throws -> FetchResult<Asset>
  ) throws {
    let found = try fetch(limited)
    let all = try fetch(sample.library)
    let expected = all.filter { selected.contains($0.localIdentifier) }
    #expect(Array(found) == expected)
    #expect(try fetch(limited).count == expected.count)
    for index in stride(from: 0, to: expected.count, by: 89) {
      #expect(found.index(of: expected[index]) == index)
    }
    if let other = all.first(where: { !selected.contains($0.localIdentifier) }) {
      #expect(found.index(of: other) == nil)
    }
    for subtype in [AssetMediaSubtype.photoPanorama, .photoLive] {
      let count = expected.count { $0.mediaSubtypes.isSuperset(of: subtype) }
      #expect(found.countOfAssets(with: subtype) == count)
    }
  }

  // The larger selection is too large to be sorted, so all assets are read in order.
  @Test(arguments: [(300, 40), (2000, 1500)])
  func findsWhatWasSelected(count: Int, selection: Int) async throws {
    let sample = try await SampleLibrary(random: count)
    var generator = SeededGenerator(seed: 7)
    let all = try sample.library.fetchAssets(with: FetchOptions(includeHiddenAssets: true))
    let selected = Array(all.identifiers.shuffled(using: &generator).prefix(selection))
    let library = try await limited(sample, to: selected)
    let middle = SampleLibrary.start.addingTimeInterval(100)
    let predicates: [FetchPredicate?] = [
      nil, .isFavorite == true, .creationDate > middle, .hasAdjustments == true,
      .camera == "Pixel 8" || .pixelHeight > .pixelWidth,
      .localIdentifier.isIn(Array(all.identifiers.prefix(20))),
    ]
    for (predicate, sort) in predicates.flatMap({ one in Self.orders.map { (one, $0) } }) {
      for hidden in [true, false] {
        let options = FetchOptions(
          predicate: predicate, sortDescriptors: sort, includeHiddenAssets: hidden)
        try agrees(library, with: sample, selected: Set(selected), options: options) {
          try $0.fetchAssets(with: options)
        }
      }
    }
    let some = Array(all.identifiers.prefix(50))
    try agrees(library, with: sample, selected: Set(selected), options: FetchOptions()) {
      try $0.fetchAssets(withLocalIdentifiers: some)
    }
  }

  @Test(arguments: AssetCollection.SmartAlbum.allCases)
  func albumsThatFillThemselvesShowTheSelection(album: AssetCollection.SmartAlbum) async throws {
    let sample = try await SampleLibrary(random: 400)
    let all = try sample.library.fetchAssets(with: FetchOptions(includeHiddenAssets: true))
    let selected = Array(all.identifiers.prefix(150))
    let library = try await limited(sample, to: selected)
    let fetched = try library.fetchAssetCollections(with: .smartAlbum, subtype: album)
    let collection = try #require(fetched.first)
    // The catalog's counter counts all assets.
    #expect(collection.estimatedAssetCount == nil)
    try agrees(library, with: sample, selected: Set(selected), options: FetchOptions()) {
      try $0.fetchAssets(in: collection)
    }
  }

  @Test func aLimitCountsWhatIsSeen() async throws {
    let sample = try await SampleLibrary(random: 100)
    let selected = Array(try sample.library.fetchAssets().identifiers.suffix(10))
    let library = try await limited(sample, to: selected)
    let found = try library.fetchAssets(with: FetchOptions(fetchLimit: 4))
    #expect(found.identifiers == Array(selected.prefix(4)) && found.count == 4)
  }

  @Test func albumsOfTheUserAreNotThere() async throws {
    let sample = try await SampleLibrary(random: 20)
    let selected = try sample.library.fetchAssets().identifiers
    try await sample.fill("one", with: selected)
    let album = try #require(try sample.library.fetchAssetCollections(with: .album).first)
    let library = try await limited(sample, to: selected)
    let asset = try #require(try library.fetchAssets().first)
    #expect(try library.fetchAssetCollections(with: .album).isEmpty)
    #expect(try library.fetchAssetCollections(withLocalIdentifiers: ["one"]).isEmpty)
    #expect(try library.fetchAssetCollectionsContaining(asset).isEmpty)
    #expect(try library.fetchTopLevelUserCollections().isEmpty)
    #expect(try library.fetchAssets(in: album).isEmpty)
  }
}
