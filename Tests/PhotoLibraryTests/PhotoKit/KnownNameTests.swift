import Foundation
import Testing

@testable import PhotoLibraryKit
@testable import SafelightCatalog

/// The names that PhotoKit has for keys and kinds of album.
@Suite struct KnownNameTests {
  private let test: TestLibrary

  init() throws { test = try TestLibrary() }

  /// PhotoKit's numbers, from the public headers.
  @Test(arguments: [
    (AssetCollectionSubtype.albumRegular, 2), (.smartAlbumGeneric, 200),
    (.smartAlbumPanoramas, 201), (.smartAlbumVideos, 202), (.smartAlbumFavorites, 203),
    (.smartAlbumAllHidden, 205), (.smartAlbumRecentlyAdded, 206), (.smartAlbumUserLibrary, 209),
    (.smartAlbumScreenshots, 211), (.smartAlbumDepthEffect, 212), (.smartAlbumLivePhotos, 213),
    (.any, Int.max),
  ])
  func subtypesHaveTheNumbersOfPhotoKit(subtype: AssetCollectionSubtype, number: Int) {
    #expect(subtype.rawValue == number)
  }

  @Test func eachSmartAlbumIsFetchedByItsSubtype() throws {
    let all = AssetCollection.SmartAlbum.allCases
    for album in all where album.subtype != .smartAlbumGeneric {
      let found = try test.library.fetchAssetCollections(
        with: .smartAlbum, subtype: album.subtype, options: nil)
      #expect(found.map(\.kind) == [.smartAlbum(album)])
      #expect(found.first?.assetCollectionSubtype == album.subtype)
      #expect(found.first?.assetCollectionType == .smartAlbum)
    }
    let generic = try test.library.fetchAssetCollections(
      with: .smartAlbum, subtype: .smartAlbumGeneric)
    #expect(
      generic.map(\.kind) == [.edited, .portraits, .landscapes].map { .smartAlbum($0) })
    for subtype in [AssetCollectionSubtype.any, .albumRegular] {
      let found = try test.library.fetchAssetCollections(with: .smartAlbum, subtype: subtype)
      #expect(found.count == all.count)
    }
    #expect(
      try test.library.fetchAssetCollections(with: .smartAlbum, subtype: .smartAlbumVideos).isEmpty)
  }

  @Test func albumsAreRegular() throws {
    let album = try test.album("A")
    for subtype in [AssetCollectionSubtype.any, .albumRegular] {
      let found = try test.library.fetchAssetCollections(with: .album, subtype: subtype)
      #expect(found.map(\.localIdentifier) == [album.localIdentifier])
      #expect(found.first?.assetCollectionType == .album)
      #expect(found.first?.assetCollectionSubtype == .albumRegular)
    }
    for subtype in [AssetCollectionSubtype.albumCloudShared, .smartAlbumFavorites] {
      #expect(try test.library.fetchAssetCollections(with: .album, subtype: subtype).isEmpty)
    }
    #expect(AssetCollection.CollectionType.allCases.map(\.rawValue) == [1, 2])
  }

  /// A descriptor by name never throws, and every key of assets is known by its name and its property.
  @Test func everyKeySortsByNameAndByProperty() throws {
    for key in FetchKey.allCases where key.belongs(to: .asset) {
      let descriptor = FetchSortDescriptor(key: key.name, ascending: false)
      #expect(descriptor == FetchSortDescriptor(AssetKey<Int>(key: key), ascending: false))
      let options = FetchOptions(sortDescriptors: [descriptor])
      #expect(try test.library.fetchAssets(with: options).isEmpty)
    }
    let byProperty: [(FetchSortDescriptor, String)] = [
      (.init(keyPath: \Asset.creationDate), "creationDate"),
      (.init(keyPath: \Asset.modificationDate), "modificationDate"),
      (.init(keyPath: \Asset.pixelWidth), "pixelWidth"),
      (.init(keyPath: \Asset.pixelHeight), "pixelHeight"),
      (.init(keyPath: \Asset.isFavorite), "favorite"),
      (.init(keyPath: \Asset.isHidden), "hidden"),
      (.init(keyPath: \Asset.mediaType), "mediaType"),
      (.init(keyPath: \Asset.mediaSubtypes), "mediaSubtypes"),
      (.init(keyPath: \Asset.duration), "duration"),
      (.init(keyPath: \Asset.burstIdentifier), "burstIdentifier"),
      (.init(keyPath: \Asset.localIdentifier), "localIdentifier"),
      (.init(keyPath: \Asset.adjustmentFormatIdentifier), "adjustmentFormatIdentifier"),
      (.init(keyPath: \Asset.hasAdjustments), "hasAdjustments"),
      (.init(keyPath: \AssetCollection.localizedTitle), "localizedTitle"),
      (.init(keyPath: \AssetCollection.estimatedAssetCount), "estimatedAssetCount"),
    ]
    for (descriptor, name) in byProperty {
      #expect(descriptor == FetchSortDescriptor(key: name), "\(name)")
    }
  }

  @Test func anUnknownKeyIsSaidByTheFetch() throws {
    let unknown = FetchOptions(sortDescriptors: [FetchSortDescriptor(key: "birthday")])
    #expect(throws: PhotoLibraryError.predicateNotSupported(key: "birthday", of: "assets")) {
      try test.library.fetchAssets(with: unknown)
    }
    let other = FetchOptions(sortDescriptors: [FetchSortDescriptor(keyPath: \Asset.format)])
    #expect(throws: PhotoLibraryError.self) { try test.library.fetchAssets(with: other) }
    let albums = FetchOptions(sortDescriptors: [FetchSortDescriptor(keyPath: \Asset.rating)])
    #expect(throws: PhotoLibraryError.predicateNotSupported(key: "rating", of: "albums")) {
      try test.library.fetchAssetCollections(with: .album, options: albums)
    }
  }

  /// A predicate whose text is wrong says so at the fetch, also as a part of another predicate.
  @Test func aMistakeInAPredicateIsSaidByTheFetch() throws {
    let wrong = FetchPredicate(formatCheckedAtFetch: "birthday = %@", arguments: [.integer(1)])
    for predicate in [wrong, !wrong, wrong && .all, .all || wrong] {
      let error = #expect(throws: PhotoLibraryError.self) {
        try test.library.fetchAssets(with: FetchOptions(predicate: predicate))
      }
      #expect(error?.code == "invalid-value" && error?.description.contains("birthday") == true)
    }
    let right = FetchPredicate(formatCheckedAtFetch: "favorite = YES", arguments: [])
    #expect(right == (try FetchPredicate(format: "favorite = YES")))
    #expect(try test.library.fetchAssets(with: FetchOptions(predicate: right)).isEmpty)
  }

  /// What programs put into lists, dictionaries and settings.
  @Test func objectsHaveIdentifiersAndValuesCanBeStored() async throws {
    func identifiers<Object: Identifiable>(_ objects: some Sequence<Object>) -> [Object.ID] {
      objects.map(\.id)
    }
    let asset = try await test.create()
    #expect(identifiers([asset]) == [asset.localIdentifier])
    #expect(identifiers([try test.album("A")]).count == 1)
    func returns<Value: Codable & Equatable>(_ value: Value) throws -> Bool {
      try JSONDecoder().decode([Value].self, from: JSONEncoder().encode([value])) == [value]
    }
    #expect(try returns(AuthorizationStatus.limited) && returns(AccessLevel.addOnly))
    #expect(try returns(Asset.Location(latitude: 1.5, longitude: -2)))
    #expect(try returns(AssetMediaSubtype.photoHDR) && returns(AssetMediaType.image))
    #expect(try returns(AssetCollectionSubtype.any) && returns(AssetCollection.SmartAlbum.edited))
    #expect(try returns(ImageContentMode.aspectFill) && returns(AssetResource.ResourceType.photo))
    #expect(try returns(AssetEditOperation.content))
    #expect(
      try returns(
        AdjustmentData(formatIdentifier: "a.b", formatVersion: "1.10", data: Data([0, 255]))))
    #expect(try returns(NormalizedRect(x: 0.25, y: 0.5, width: 0.5, height: 0.5)))
    // What somebody wrote into a file is cut off as every other rectangle is.
    let wide = Data(#"{"x": 0.5, "y": -1, "width": 2, "height": 1.5}"#.utf8)
    #expect(
      try JSONDecoder().decode(NormalizedRect.self, from: wide)
        == NormalizedRect(x: 0.5, y: 0, width: 0.5, height: 0.5))
    #expect(identifiers([Photo(path: "a.jpg")]) == ["a.jpg"])
  }
}
