import Foundation
import PhotoEditing
import SafelightTestSupport
import Testing

@testable import PhotoLibraryKit
@testable import SafelightCatalog
@testable import SafelightFiles

/// Every kind of change that people, programs and scans make: after each the export says what the catalog
/// says, and a rebuild from it gives the same library.
@Suite struct EveryChangeTests {
  private let tree = PhotoTree()

  private func asset(_ name: String, in library: PhotoLibrary) async throws -> Asset {
    try library.asset(try await library.identifier(name))
  }

  private func change(
    _ name: String, in library: PhotoLibrary, _ body: @Sendable (AssetChangeRequest) -> Void
  ) async throws {
    let asset = try await asset(name, in: library)
    try await library.performChanges { body(AssetChangeRequest(for: asset)) }
  }

  private func collection(_ title: String, in library: PhotoLibrary) async throws -> String {
    try #require(
      await library.lines("SELECT identifier FROM collection WHERE title = '\(title)'").first)
  }

  private func album(_ title: String, in library: PhotoLibrary) async throws -> AssetCollection {
    try library.album(try await collection(title, in: library))
  }

  private func list(_ title: String, in library: PhotoLibrary) throws -> CollectionList {
    let collections = try library.fetchTopLevelUserCollections()
    return try #require(
      collections.lazy.compactMap { $0 as? CollectionList }.first { $0.localizedTitle == title })
  }

  /// The changes in their order, with what they do in words.
  private func changes(
    in library: PhotoLibrary
  ) -> [(String, @Sendable () async throws -> Void)] {
    [
      ("add folders", { try await library.add([tree.photos, tree.path.appending("other")]) }),
      ("favorite", { try await change("a.jpg", in: library) { $0.isFavorite = true } }),
      ("no favorite", { try await change("a.jpg", in: library) { $0.isFavorite = false } }),
      ("hide", { try await change("b.jpg", in: library) { $0.isHidden = true } }),
      (
        "date",
        {
          let date = Date(timeIntervalSince1970: 1_000_000_000.5)
          try await change("a.jpg", in: library) { $0.creationDate = date }
        }
      ),
      ("the file's date", { try await change("a.jpg", in: library) { $0.creationDate = nil } }),
      (
        "place",
        {
          try await change("a.jpg", in: library) {
            $0.location = .init(latitude: 47.5, longitude: -8.25)
          }
        }
      ),
      (
        "a set date gets into the file",
        {
          let date = Date(timeIntervalSince1970: 1_577_934_245)
          try await change("c.jpg", in: library) { $0.creationDate = date }
          tree.photo("c.jpg", SmallJPEG(date: "2020:01:02 03:04:05"))
          try await library.scan()
        }
      ),
      (
        "albums and lists",
        {
          let assets = try library.assets()
          try await library.performChanges {
            let album = AssetCollectionChangeRequest.creationRequestForAssetCollection(
              withTitle: "Sea")
            album.addAssets(assets)
            let inner = AssetCollectionChangeRequest.creationRequestForAssetCollection(
              withTitle: "Inner")
            inner.addAssets(assets)
            let list = CollectionListChangeRequest.creationRequestForCollectionList(
              withTitle: "Journeys")
            list.addChildCollections([inner.placeholderForCreatedAssetCollection])
          }
        }
      ),
      (
        "rename",
        {
          let (album, list) = (
            try await album("Sea", in: library), try list("Journeys", in: library)
          )
          try await library.performChanges {
            AssetCollectionChangeRequest(for: album).title = "Sea “2”"
            CollectionListChangeRequest(for: list).title = "Trips"
          }
        }
      ),
      (
        "arrange an album",
        {
          let album = try await album("Sea “2”", in: library)
          let asset = try await asset("d.jpg", in: library)
          try await library.performChanges {
            let request = AssetCollectionChangeRequest(for: album)
            request.moveAssets(at: [2], to: 0)
            request.removeAssets(at: [1])
            request.removeAssets([asset])
            request.insertAssets([asset], at: [0])
          }
        }
      ),
      (
        "arrange lists",
        {
          let (album, list) = (
            try await album("Sea “2”", in: library), try list("Trips", in: library)
          )
          try await library.performChanges {
            CollectionListChangeRequest(for: list).addChildCollections([album])
          }
          try await library.performChanges {
            CollectionListChangeRequest(for: list).moveChildCollections(at: [1], to: 0)
          }
          try await library.performChanges {
            CollectionListChangeRequest(for: list).removeChildCollections([album])
          }
        }
      ),
      (
        "select for a client",
        {
          let all = try library.assets().map(\.localIdentifier)
          try await library.limitAccess(of: "org.one", to: all)
          try await library.limitAccess(of: "org.two", to: all)
          try await library.setAccess(.authorized, level: .addOnly, for: "org.three")
        }
      ),
      (
        "trash",
        {
          let asset = try await asset("d.jpg", in: library)
          try await library.performChanges { AssetChangeRequest.deleteAssets([asset]) }
        }
      ),
      (
        "restore",
        {
          let trashed = try library.trashedAssets()
          try await library.performChanges { AssetChangeRequest.restoreAssets(trashed) }
        }
      ),
      (
        "empty the trash",
        {
          let asset = try await asset("d.jpg", in: library)
          try await library.performChanges { AssetChangeRequest.deleteAssets([asset]) }
          try await library.performChanges { AssetChangeRequest.emptyTrash() }
        }
      ),
      (
        "a photo is moved outside",
        {
          tree.move("a.jpg", to: "deep/moved.jpg")
          try await library.scan()
        }
      ),
      (
        "a photo is gone",
        {
          tree.move("e.jpg", to: "../e.jpg")
          try await library.scan()
        }
      ),
      ("a client loses the selection", { try await library.revokeAccess(of: "org.two") }),
      (
        "the photo is back",
        {
          tree.move("../e.jpg", to: "e.jpg")
          try await library.scan()
        }
      ),
      (
        "create",
        {
          let path = FilePath(Fixture.url("orientation/1.jpg").path)
          try await library.performChanges {
            _ = AssetCreationRequest.creationRequestForAsset(fromImageAt: path)
          }
        }
      ),
      (
        "delete an album",
        {
          let album = try await album("Sea “2”", in: library)
          try await library.performChanges {
            AssetCollectionChangeRequest.deleteAssetCollections([album])
          }
        }
      ),
      (
        "delete a list with an album in it",
        {
          let list = try list("Trips", in: library)
          try await library.performChanges {
            CollectionListChangeRequest.deleteCollectionLists([list])
          }
        }
      ),
      ("forget a folder", { try await library.remove([tree.path.appending("other")]) }),
    ]
  }

  /// - Parameter isFolded: Whether the journal is empty before each change.
  @Test(arguments: [false, true])
  func leavesAnExportThatSaysWhatTheCatalogSays(isFolded: Bool) async throws {
    for name in ["a", "b", "c", "d", "e"] { tree.photo(FilePath("\(name).jpg")) }
    tree.photo("../other/f.jpg")
    let library = try tree.open()
    for (words, change) in changes(in: library) {
      if isFolded { try library.catalog.export?.fold(library.catalog.path) }
      try await change()
      await library.finishExport()
      let problems = try await library.verify().problems
      #expect(problems.isEmpty, "\(words): \(problems)")
    }
    let before = try await library.contents
    let rebuilt = try await PhotoLibrary.rebuild(at: tree.library)
    #expect(try await rebuilt.contents == before)
    #expect(try await rebuilt.verify().problems.isEmpty)
  }
}
