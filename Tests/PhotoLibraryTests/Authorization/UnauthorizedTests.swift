import Foundation
import Testing

@testable import PhotoLibraryKit
@testable import SafelightFiles

@Suite(.timeLimit(.minutes(10))) struct UnauthorizedTests {
  static let refusals: [(AuthorizationStatus, PhotoLibraryError)] = [
    (.notDetermined, .accessNotDetermined(client: Client.name)),
    (.restricted, .accessRestricted), (.denied, .accessUserDenied),
  ]
  private let test: TestLibrary
  private var owner: PhotoLibrary { test.library }

  init() throws { test = try TestLibrary() }

  @Test(arguments: refusals.map(\.0))
  func fetchesFindNothing(status: AuthorizationStatus) async throws {
    let assets = try await owner.addRows(3)
    let album = try test.album("A", of: assets)
    try await owner.performChanges { AssetChangeRequest.deleteAssets([assets[2]]) }
    let library = try await test.opened(status, for: .readWrite)
    let all = try library.fetchAssets()
    #expect(all.isEmpty && all.count == 0 && all.index(of: assets[0]) == nil)
    #expect(all.countOfAssets(with: .image) == 0)
    let named = try library.fetchAssets(withLocalIdentifiers: ["asset-0"])
    #expect(named.isEmpty)
    #expect(try library.fetchAssets(in: album).isEmpty)
    #expect(try library.fetchAssetCollections(with: .album).isEmpty)
    #expect(try library.fetchAssetCollections(with: .smartAlbum).isEmpty)
    #expect(
      try library.fetchAssetCollections(withLocalIdentifiers: [album.localIdentifier]).isEmpty)
    #expect(try library.fetchAssetCollectionsContaining(assets[0]).isEmpty)
    #expect(try library.fetchTopLevelUserCollections().isEmpty)
    #expect(try library.trashedAssets().isEmpty)
  }

  @Test(arguments: refusals)
  func changesFailAndChangeNothing(
    status: AuthorizationStatus, refusal: PhotoLibraryError
  ) async throws {
    let asset = try await owner.addRows(1)[0]
    let photo = try test.file("beach.jpg")
    let library = try await test.opened(status, for: .readWrite)
    try await owner.setAccess(status, level: .addOnly, for: Client.name)
    let token = try owner.currentChangeToken
    let blocks: [@Sendable () -> Void] = [
      { AssetChangeRequest(for: asset).isFavorite = true },
      { AssetChangeRequest.deleteAssets([asset]) },
      { AssetChangeRequest.emptyTrash() },
      {
        _ = AssetCollectionChangeRequest.creationRequestForAssetCollection(withTitle: "A")
      },
      { _ = AssetCreationRequest.creationRequestForAsset(fromImageAt: photo) },
    ]
    for block in blocks {
      await #expect(throws: refusal) { try await library.performChanges(block) }
      #expect(throws: refusal) { try library.performChangesAndWait(block) }
    }
    #expect(refusal.errorCode == (status == .restricted ? 3310 : 3311))
    #expect(try owner.currentChangeToken == token)
    #expect(test.stagedFiles.isEmpty)
  }

  @Test(arguments: refusals)
  func foldersAreNotLookedThrough(
    status: AuthorizationStatus, refusal: PhotoLibraryError
  ) async throws {
    let library = try await test.opened(status, for: .readWrite)
    try await refuses(library, refusal)
    await #expect(throws: refusal) {
      try await PhotoLibrary.rebuild(at: library.path, client: .frames)
    }
  }

  @Test func noPartOfALibraryIsEnoughToLookThroughFolders() async throws {
    try await refuses(try await test.opened(seeing: []), .accessUserDenied)
  }

  private func refuses(_ library: PhotoLibrary, _ refusal: PhotoLibraryError) async throws {
    let folder = test.folder
    await #expect(throws: refusal) { try await library.add([folder]) }
    await #expect(throws: refusal) { try await library.scan() }
    await #expect(throws: refusal) { try await library.startWatching() }
    #expect(try owner.fetchAssets().isEmpty)
  }

  @Test func whoMayChangeEverythingMayLookThroughFoldersAndRebuild() async throws {
    let tree = PhotoTree()
    tree.photo("a.jpg")
    do {
      try await tree.open().setAccess(.authorized, level: .readWrite, for: Client.name)
      let library = try PhotoLibrary(at: tree.library, client: .frames)
      #expect(try await library.add([tree.photos]).added == 1)
    }
    let rebuilt = try await PhotoLibrary.rebuild(at: tree.library, client: .frames)
    #expect(rebuilt.client == .frames)
    #expect(try rebuilt.fetchAssets().count == 1)
  }

  @Test func aWatchEndsWithTheAccessThatItWasBegunWith() async throws {
    let tree = PhotoTree()
    let library = try await test.opened(.authorized, for: .readWrite)
    try await library.add([tree.photos])
    try await library.startWatching()
    try await owner.revokeAccess(of: Client.name)
    tree.photo("a.jpg")
    #expect(try await eventually { library.watch.withLock { $0 == nil } })
    #expect(try owner.fetchAssets().isEmpty)
  }

  @Test(arguments: refusals.map(\.0))
  func theHistoryTellsNothing(status: AuthorizationStatus) async throws {
    let library = try await test.opened(status, for: .readWrite)
    let token = try library.currentChangeToken
    let assets = try await owner.addRows(1)
    _ = try test.album("A", of: assets)
    let changes = try library.fetchPersistentChanges(since: token)
    #expect(changes.count == 2)
    for type in PersistentObjectType.allCases {
      #expect(try changes.allSatisfy { try $0.changeDetails(for: type) == nil })
    }
  }
}

@Suite struct AddOnlyTests {
  private let test: TestLibrary

  init() throws { test = try TestLibrary() }

  @Test func whoMayAddMakesAssetsAndDoesNotSeeThem() async throws {
    let library = try await test.opened(.authorized, for: .addOnly)
    let photo = try test.file("beach.jpg")
    try await library.performChanges {
      let request = AssetCreationRequest.creationRequestForAsset(fromImageAt: photo)
      request.isFavorite = true
    }
    #expect(try test.library.fetchAssets().first?.isFavorite == true)
    #expect(try library.fetchAssets().isEmpty)
    #expect(library.authorizationStatus(for: .readWrite) == .notDetermined)
  }

  @Test(arguments: UnauthorizedTests.refusals)
  func whoMayAddDoesNothingElse(
    status: AuthorizationStatus, refusal: PhotoLibraryError
  ) async throws {
    let asset = try await test.library.addRows(1)[0]
    let album = try test.album("A")
    let photo = try test.file("beach.jpg")
    try await test.library.setAccess(status, level: .readWrite, for: Client.name)
    let library = try await test.opened(.authorized, for: .addOnly)
    let blocks: [@Sendable (AssetCreationRequest) -> Void] = [
      { _ in AssetChangeRequest(for: asset).isFavorite = true },
      { _ in AssetChangeRequest(for: asset).revertAssetContentToOriginal() },
      { AssetChangeRequest.deleteAssets([$0.placeholderForCreatedAsset]) },
      { _ in AssetChangeRequest.restoreAssets([asset]) },
      { _ in AssetChangeRequest.emptyTrash() },
      {
        AssetCollectionChangeRequest(for: album).addAssets([$0.placeholderForCreatedAsset])
      },
    ]
    for block in blocks {
      await #expect(throws: refusal) {
        try await library.performChanges {
          block(AssetCreationRequest.creationRequestForAsset(fromImageAt: photo))
        }
      }
    }
    #expect(try test.library.fetchAssets().count == 1)
    #expect(test.stagedFiles.isEmpty)
  }
}
