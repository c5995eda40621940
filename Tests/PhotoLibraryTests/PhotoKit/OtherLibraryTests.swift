import Foundation
import Glibc
import SafelightTestSupport
import Testing

@testable import PhotoLibraryKit
@testable import SafelightCatalog
@testable import SafelightFiles

/// Two libraries of a program, in which the same identifiers stand for different photos.
@Suite struct OtherLibraryTests {
  private let own: TestLibrary
  private let other: TestLibrary

  init() throws { (own, other) = (try TestLibrary(), try TestLibrary()) }

  /// An asset of each library, with the same identifier.
  private func assets() async throws -> (own: Asset, other: Asset) {
    let pair = (try await own.library.addRows(1)[0], try await other.library.addRows(1)[0])
    try #require(pair.0.localIdentifier == pair.1.localIdentifier)
    return pair
  }

  private func refused(_ work: () async throws -> Void) async {
    await #expect(throws: PhotoLibraryError.self) {
      do { try await work() } catch PhotoLibraryError.objectOfAnotherLibrary(let identifier) {
        throw PhotoLibraryError.objectOfAnotherLibrary(identifier)
      } catch {
        Issue.record("another error: \(error)")
        throw error
      }
    }
  }

  @Test func changesOfForeignAssetsAreRefused() async throws {
    let foreign = try await assets().other
    let library = own.library
    await refused {
      try await library.performChanges { AssetChangeRequest(for: foreign).isFavorite = true }
    }
    await refused {
      try await library.performChanges { AssetChangeRequest.deleteAssets([foreign]) }
    }
    await refused {
      try await library.performChanges { AssetChangeRequest.restoreAssets([foreign]) }
    }
    await refused {
      try await library.performChanges {
        AssetCollectionChangeRequest.creationRequestForAssetCollection(withTitle: "A")
          .addAssets([foreign])
      }
    }
    #expect(try library.asset("asset-0").isFavorite == false)
    #expect(try library.fetchAssetCollections(with: .album).isEmpty)
  }

  @Test func changesOfForeignAlbumsAreRefused() async throws {
    let assets = try await assets()
    _ = try other.album("Wall", of: [assets.other])
    let library = own.library
    let foreign = try #require(other.library.fetchAssetCollections(with: .album).firstObject)
    let members = try other.library.fetchAssets(in: foreign)
    await refused {
      try await library.performChanges { AssetCollectionChangeRequest(for: foreign).title = "B" }
    }
    await refused {
      try await library.performChanges {
        AssetCollectionChangeRequest.deleteAssetCollections([foreign])
      }
    }
    let album = try own.album("Mine", of: [assets.own])
    await refused {
      try await library.performChanges {
        _ = AssetCollectionChangeRequest(for: album, assets: members)
      }
    }
  }

  @Test func fetchesInForeignAlbumsAreRefused() async throws {
    _ = try await assets()
    let smart = try #require(
      other.library.fetchAssetCollections(with: .smartAlbum, subtype: .favorites).first)
    await refused { _ = try own.library.fetchAssets(in: smart) }
    let foreign = try #require(other.library.fetchAssets().first)
    await refused { _ = try own.library.fetchAssetCollectionsContaining(foreign) }
    #expect(try own.library.fetchAssets().contains(foreign) == false)
    #expect(try other.library.fetchAssets().contains(foreign))
  }

  @Test func picturesOfForeignAssetsAreRefused() async throws {
    let foreign = try await other.create()
    let size = PixelSize.square(50)
    await refused {
      _ = try await ImageManager(own.library).requestImage(for: foreign, targetSize: size)
    }
    await refused { _ = try await ImageManager(own.library).requestImageData(for: foreign) }
    let error = await #expect(throws: SelectionError.self) {
      try await own.library.loadImages(for: [foreign], targetSize: size)
    }
    #expect(error?.reason == .fetch(.objectOfAnotherLibrary(foreign.localIdentifier)))
    let manager = CachingImageManager(own.library)
    manager.startCachingImages(for: [foreign], targetSize: size)
    #expect(manager.waitingCount == 0)
  }

  @Test func changesHaveNoDetailsForForeignObjects() async throws {
    let assets = try await assets()
    let photos = try other.library.fetchAssets()
    var changes = own.library.changes.makeAsyncIterator()
    try await own.library.performChanges { AssetChangeRequest(for: assets.own).isFavorite = true }
    let change = try #require(await changes.next())
    #expect(change.changeDetails(for: assets.own) != nil)
    #expect(change.changeDetails(for: assets.other) == nil)
    #expect(change.changeDetails(for: photos) == nil)
  }

  @Test func theSameLibraryOpenedTwiceIsNoOtherLibrary() async throws {
    let asset = try await assets().own
    let link = own.folder.appending("link")
    symlink(own.library.path.string, link.string)
    for path in [own.library.path, link] {
      let again = try PhotoLibrary(at: path)
      try await again.performChanges { AssetChangeRequest(for: asset).isFavorite.toggle() }
    }
    #expect(try own.library.fetchAssets().first?.library == own.library.snapshots.path)
  }

  @Test func aRelativePathIsTheOneAtTheTimeOfOpening() async throws {
    let path = own.folder.string
    _ = try PhotoLibrary(at: own.folder.appending("elsewhere/library"))
    await #expect(processExitsWith: .success) { [path = path as String] in
      chdir(path)
      let library = try PhotoLibrary(at: "library")
      let output = try #require(FilePath("picture.jpg").absolute.string as String?)
      chdir(path + "/elsewhere")
      #expect(library.path == FilePath(path).appending("library"))
      #expect(output == path + "/picture.jpg")
      try library.performChangesAndWait {
        _ = AssetCollectionChangeRequest.creationRequestForAssetCollection(withTitle: "A")
      }
      #expect(try library.fetchAssetCollections(with: .album).count == 1)
      let elsewhere = try PhotoLibrary(at: "library")
      #expect(try elsewhere.fetchAssetCollections(with: .album).isEmpty)
    }
  }
}
