import Foundation
import PhotoLibraryKit
import Synchronization
import Testing

/// Idioms of programs that were written for PhotoKit. That they compile is half of the test, so this file sees
/// no more than such programs do.
@MainActor @Suite struct PortedCodeTests {
  private let test: TestLibrary
  private var library: PhotoLibrary { test.library }

  init() throws { test = try TestLibrary() }

  private struct Refusal: Error {}

  @Test func aBlockChangesTheCallersVariables() async throws {
    var placeholder: ObjectPlaceholder?
    var titles: [String] = []
    try await library.performChanges {
      let request = AssetCollectionChangeRequest.creationRequestForAssetCollection(withTitle: "A")
      placeholder = request.placeholderForCreatedAssetCollection
      titles.append(request.title)
    }
    let identifier = try #require(placeholder?.localIdentifier)
    #expect(titles == ["A"])
    #expect(
      try library.fetchAssetCollections(withLocalIdentifiers: [identifier]).first?.localizedTitle
        == "A")
  }

  @Test func aBlockReturnsItsValue() async throws {
    let created = try await library.performChanges {
      AssetCollectionChangeRequest.creationRequestForAssetCollection(withTitle: "A")
        .placeholderForCreatedAssetCollection!
    }
    let waited = try library.performChangesAndWait {
      AssetCollectionChangeRequest.creationRequestForAssetCollection(withTitle: "B")
        .placeholderForCreatedAssetCollection!
    }
    let identifiers = [created.localIdentifier, waited.localIdentifier]
    #expect(try library.fetchAssetCollections(withLocalIdentifiers: identifiers).count == 2)
  }

  @Test func aBlockThatThrowsChangesNothing() async throws {
    let library = library
    func create(_ isRefused: Bool) throws {
      _ = AssetCollectionChangeRequest.creationRequestForAssetCollection(withTitle: "A")
      if isRefused { throw Refusal() }
    }
    await #expect(throws: Refusal.self) { try await library.performChanges { try create(true) } }
    #expect(throws: Refusal.self) { try library.performChangesAndWait { try create(true) } }
    let result = await withCheckedContinuation { done in
      library.performChanges({ try create(true) }) { isDone, error in
        done.resume(returning: (isDone, error is Refusal))
      }
    }
    #expect(result == (false, true))
    #expect(try library.fetchAssetCollections(with: .album).isEmpty)
    try await library.performChanges { try create(false) }
    #expect(try library.fetchAssetCollections(with: .album).count == 1)
  }

  @Test func aHandlerHearsTheEnd() async throws {
    var placeholder: ObjectPlaceholder?
    let isDone = await withCheckedContinuation { done in
      library.performChanges {
        let request = AssetCollectionChangeRequest.creationRequestForAssetCollection(
          withTitle: "A")
        placeholder = request.placeholderForCreatedAssetCollection
      } completionHandler: { isDone, error in
        done.resume(returning: isDone && error == nil)
      }
    }
    #expect(isDone)
    let identifier = try #require(placeholder?.localIdentifier)
    #expect(try library.fetchAssetCollections(withLocalIdentifiers: [identifier]).count == 1)
    let failure = await withCheckedContinuation { done in
      library.performChanges({
        _ = AssetCollectionChangeRequest.creationRequestForAssetCollection(withTitle: "")
      }) { done.resume(returning: ($0, $1 is PhotoLibraryError)) }
    }
    #expect(failure == (false, true))
  }

  @Test func keysOfPhotoKitAreKnown() throws {
    for format in ["(mediaSubtype & 4) != 0", "burstIdentifier = nil", "mediaSubtypes = 0"] {
      let options = FetchOptions()
      options.predicate = try FetchPredicate(format: format)
      #expect(try library.fetchAssets(with: options).isEmpty)
    }
  }

  @Test func anEmptyResultIsAStart() {
    var photos = FetchResult<Asset>()
    #expect(photos.isEmpty && photos.firstObject == nil && photos.lastObject == nil)
    photos = (try? library.fetchAssets(with: nil)) ?? photos
    #expect(photos.count == 0)
  }

  @Test func theSharedLibraryIsBelowTheFolderOfTheUsersData() async throws {
    let path = test.folder.string
    await #expect(processExitsWith: .success) { [path = path as String] in
      setenv("XDG_DATA_HOME", path + "/data", 1)
      let library = PhotoLibrary.shared()
      #expect(library === PhotoLibrary.shared())
      #expect(library.path.string == path + "/data/safelight/library")
      #expect(PhotoLibrary.authorizationStatus(for: .readWrite) == .authorized)
      #expect(await PhotoLibrary.requestAuthorization(for: .readWrite) == .authorized)
      let status = await withCheckedContinuation { done in
        PhotoLibrary.requestAuthorization { done.resume(returning: $0) }
      }
      #expect(status == .authorized && PhotoLibrary.authorizationStatus() == .authorized)
      let photos = try Asset.fetchAssets(with: .image, options: nil)
      #expect(try photos.isEmpty && Asset.fetchAssets(with: nil).isEmpty)
      let favorites = try AssetCollection.fetchAssetCollections(
        with: .smartAlbum, subtype: .favorites, options: nil)
      #expect(try Asset.fetchAssets(in: #require(favorites.firstObject), options: nil).isEmpty)
      #expect(try CollectionList.fetchTopLevelUserCollections(with: nil).isEmpty)
      #expect(ImageManager.default() === ImageManager.default())
      #expect(ImageManager.default().library === library)
      CachingImageManager().startCachingImages(
        for: Array(photos), targetSize: imageManagerMaximumSize, contentMode: .aspectFill,
        options: nil)
    }
  }

  @Test func aSharedLibraryThatCannotBeOpenedSaysWhy() async throws {
    let path = test.folder.string
    await #expect(processExitsWith: .success) { [path = path as String] in
      try Data("x".utf8).write(to: URL(fileURLWithPath: path + "/file"))
      setenv("XDG_DATA_HOME", path + "/file", 1)
      let library = PhotoLibrary.shared()
      #expect(library.unavailabilityReason != nil)
      #expect(throws: PhotoLibraryError.self) { try Asset.fetchAssets() }
      await #expect(throws: PhotoLibraryError.self) {
        try await library.performChanges {
          _ = AssetCollectionChangeRequest.creationRequestForAssetCollection(withTitle: "A")
        }
      }
      // The next call tries again.
      setenv("XDG_DATA_HOME", path + "/data", 1)
      #expect(try PhotoLibrary.shared().fetchAssets().isEmpty)
    }
  }
}
