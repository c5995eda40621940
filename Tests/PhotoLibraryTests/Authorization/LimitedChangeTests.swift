import Foundation
import Testing

@testable import PhotoLibraryKit
@testable import SafelightFiles

@Suite(.timeLimit(.minutes(10))) struct LimitedChangeTests {
  private let test: TestLibrary
  private var owner: PhotoLibrary { test.library }

  init() throws { test = try TestLibrary() }

  @Test func whatIsSelectedMayBeChanged() async throws {
    let assets = try await owner.addRows(2)
    let library = try await test.opened(seeing: ["asset-1"])
    try await library.performChanges { AssetChangeRequest(for: assets[1]).isFavorite = true }
    #expect(try owner.asset("asset-1").isFavorite)
    try await library.performChanges { AssetChangeRequest.deleteAssets([assets[1]]) }
    try await owner.performChanges { AssetChangeRequest.deleteAssets([assets[0]]) }
    #expect(try library.trashedAssets().map(\.localIdentifier) == ["asset-1"])
    try await library.performChanges { AssetChangeRequest.restoreAssets([assets[1]]) }
    #expect(try library.fetchAssets().identifiers == ["asset-1"])
  }

  @Test func whatIsNotSelectedIsNotThere() async throws {
    let assets = try await owner.addRows(2)
    let library = try await test.opened(seeing: ["asset-1"])
    let token = try owner.currentChangeToken
    let blocks: [@Sendable () -> Void] = [
      { AssetChangeRequest(for: assets[0]).isFavorite = true },
      { AssetChangeRequest(for: assets[0]).revertAssetContentToOriginal() },
      { AssetChangeRequest.deleteAssets(assets) },
    ]
    for block in blocks {
      await #expect(throws: PhotoLibraryError.identifierNotFound("asset-0")) {
        try await library.performChanges(block)
      }
    }
    #expect(try owner.currentChangeToken == token)
  }

  @Test func whatWasFetchedOnceMayBeOutOfSightSince() async throws {
    try await owner.addRows(2)
    let library = try await test.opened(seeing: ["asset-0"])
    try library.checkVisibility(of: "asset-0")
    #expect(throws: PhotoLibraryError.identifierNotFound("asset-1")) {
      try library.checkVisibility(of: "asset-1")
    }
    try await owner.revokeAccess(of: Client.name)
    #expect(throws: PhotoLibraryError.accessUserDenied) {
      try library.checkVisibility(of: "asset-0")
    }
    try owner.checkVisibility(of: "asset-1")
  }

  @Test func albumsAndTheWholeTrashAreOutOfReach() async throws {
    let assets = try await owner.addRows(2)
    let album = try test.album("A", of: [assets[0]])
    try await owner.performChanges { AssetChangeRequest.deleteAssets([assets[0]]) }
    let library = try await test.opened(seeing: ["asset-1"])
    let blocks: [@Sendable () -> Void] = [
      {
        _ = AssetCollectionChangeRequest.creationRequestForAssetCollection(withTitle: "B")
      },
      { AssetCollectionChangeRequest(for: album).addAssets([assets[1]]) },
      { AssetCollectionChangeRequest(for: album).title = "C" },
      { AssetCollectionChangeRequest.deleteAssetCollections([album]) },
      { AssetChangeRequest.emptyTrash() },
    ]
    for block in blocks {
      await #expect(throws: PhotoLibraryError.accessUserDenied) {
        try await library.performChanges(block)
      }
    }
    #expect(try owner.members(of: album) == ["asset-0"])
    #expect(try owner.trashedAssets().count == 1)
  }

  @Test func whatAClientMakesJoinsItsSelection() async throws {
    try await owner.addRows(1)
    let photo = try test.file("beach.jpg")
    let library = try await test.opened(seeing: [])
    var changes = library.changes.makeAsyncIterator()
    let before = try library.fetchAssets()
    let identifier = Box("")
    try await library.performChanges {
      let request = AssetCreationRequest.creationRequestForAsset(fromImageAt: photo)
      identifier.value = request.placeholderForCreatedAsset.localIdentifier
    }
    #expect(try library.fetchAssets().identifiers == [identifier.value])
    #expect(try owner.limitedSelection(of: Client.name) == [identifier.value])
    // In the same change set, so that the client never sees one without the other.
    let details = try #require(await changes.next()?.changeDetails(for: before))
    #expect(details.insertedIndexes == [0])
  }

  @Test func whatAClientMakesIsForOthersToBeAllowed() async throws {
    let photo = try test.file("beach.jpg")
    try await owner.limitAccess(of: "other", to: [])
    let library = try await test.opened(seeing: [])
    try await library.performChanges {
      _ = AssetCreationRequest.creationRequestForAsset(fromImageAt: photo)
    }
    #expect(try owner.limitedSelection(of: "other").isEmpty)
  }

  @Test func theUserChoosesAnewWhatIsSeen() async throws {
    try await owner.addRows(4)
    let user = AskedUser(.limit(to: ["asset-3", "asset-0", "asset-1", "asset-3"]), .deny)
    try await owner.limitAccess(of: Client.name, to: ["asset-0", "asset-2"])
    let library = try test.opened(user)
    #expect(try await library.requestLimitedSelection() == ["asset-3", "asset-1"])
    #expect(user.questions.value.map(\.selection) == [["asset-0", "asset-2"]])
    #expect(try library.fetchAssets().identifiers == ["asset-0", "asset-1", "asset-3"])
    #expect(try await library.requestLimitedSelection().isEmpty)
    #expect(try library.fetchAssets().count == 3)
    #expect(library.authorizationStatus(for: .readWrite) == .limited)
  }

  @Test func theUserMayAllowEverythingInPlaceOfChoosing() async throws {
    try await owner.addRows(2)
    try await owner.limitAccess(of: Client.name, to: ["asset-0"])
    let library = try test.opened(AskedUser(.allow))
    #expect(try await library.requestLimitedSelection().isEmpty)
    #expect(library.authorizationStatus(for: .readWrite) == .authorized)
    #expect(try library.fetchAssets().count == 2)
  }

  @Test func choosingDoesNotGiveBackWhatWasRevokedMeanwhile() async throws {
    try await owner.addRows(1)
    try await owner.limitAccess(of: Client.name, to: [])
    let user = AskedUser(.limit(to: ["asset-0"])) { [owner] in
      try? await owner.revokeAccess(of: Client.name)
    }
    let library = try test.opened(user)
    #expect(try await library.requestLimitedSelection().isEmpty)
    #expect(library.authorizationStatus(for: .readWrite) == .denied)
  }

  @Test(arguments: [AuthorizationStatus.notDetermined, .denied, .authorized])
  func withoutLimitedAccessThereIsNothingToChoose(status: AuthorizationStatus) async throws {
    let user = AskedUser(.limit(to: []))
    try await owner.setAccess(status, level: .readWrite, for: Client.name)
    #expect(try await test.opened(user).requestLimitedSelection().isEmpty)
    #expect(user.questions.value.isEmpty)
  }

  @Test func choosingWithoutAPromptFails() async throws {
    let library = try await test.opened(seeing: [])
    await #expect(throws: PhotoLibraryError.cannotAsk(client: Client.name)) {
      try await library.requestLimitedSelection()
    }
  }
}
