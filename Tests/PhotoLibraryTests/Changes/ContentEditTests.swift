import Foundation
import Glibc
import PhotoEditing
import SafelightTestSupport
import Testing

@testable import PhotoLibraryKit
@testable import SafelightFiles

@Suite struct ContentEditTests {
  private let editor = PhotoEditor()
  private let format = "com.example.editor"
  private let test: TestLibrary

  init() throws { test = try TestLibrary() }

  private func output(for path: FilePath) async throws -> ContentEditingOutput {
    try await .ofAnotherProgram(for: photo(path))
  }

  private func photo(_ path: FilePath) -> Photo { Photo(path: path) }

  private func edit(_ asset: Asset, in test: TestLibrary) async throws -> Asset {
    let output = try await output(for: asset.path)
    try await test.library.performChanges {
      AssetChangeRequest(for: asset).contentEditingOutput = output
    }
    return try test.library.asset(asset.localIdentifier)
  }

  @Test func anEditIsMadeAndShows() async throws {
    let asset = try await test.create()
    let token = try test.library.currentChangeToken
    let edited = try await edit(asset, in: test)
    #expect(edited.adjustmentFormatIdentifier == format && edited.hasAdjustments)
    #expect(edited.modificationDate > asset.modificationDate)
    let state = try await editor.state(of: edited.photo)
    #expect(state.edit?.renderSize?.width == edited.pixelWidth)
    #expect(state.warnings.isEmpty)
    let change = try #require(try test.library.fetchPersistentChanges(since: token).first)
    #expect(
      try change.changeDetails(for: .asset)?.updatedLocalIdentifiers == [asset.localIdentifier])
  }

  /// The output belongs to the photo under whatever path its input was made with.
  @Test func anEditMadeThroughALinkIsNotLost() async throws {
    let asset = try await test.create()
    let folder = TemporaryFolder()
    let link = folder["link.jpg"]
    symlink(asset.path.string, link.string)
    let output = try await output(for: link)
    try await test.library.performChanges {
      AssetChangeRequest(for: asset).contentEditingOutput = output
    }
    #expect(try test.library.asset(asset.localIdentifier).hasAdjustments)
    #expect(try await editor.state(of: asset.photo).edit != nil)
  }

  @Test func anAssetThatIsEditedAndDeletedIsDeleted() async throws {
    let asset = try await test.create()
    let token = try test.library.currentChangeToken
    let output = try await output(for: asset.path)
    try await test.library.performChanges {
      AssetChangeRequest(for: asset).contentEditingOutput = output
      AssetChangeRequest.deleteAssets([asset])
    }
    let change = try #require(try test.library.fetchPersistentChanges(since: token).first)
    let details = try change.changeDetails(for: .asset)
    #expect(details?.deletedLocalIdentifiers == [asset.localIdentifier])
    #expect(details?.updatedLocalIdentifiers == [])
  }

  @Test func revertingGivesTheOriginalBack() async throws {
    let asset = try await test.create()
    _ = try await edit(asset, in: test)
    try await test.library.performChanges {
      let request = AssetChangeRequest(for: asset)
      request.isFavorite = true
      request.revertAssetContentToOriginal()
    }
    let reverted = try test.library.asset(asset.localIdentifier)
    #expect(!reverted.hasAdjustments && reverted.isFavorite)
    #expect(reverted.pixelWidth == asset.pixelWidth)
    #expect(try await editor.state(of: asset.photo).edit == nil)
  }

  @Test func revertingWhatIsNotEditedDoesNothing() async throws {
    let asset = try await test.create()
    let token = try test.library.currentChangeToken
    try await test.library.performChanges {
      AssetChangeRequest(for: asset).revertAssetContentToOriginal()
    }
    #expect(try test.library.currentChangeToken == token)
  }

  @Test func aRefusedEditKeepsAllFromHappening() async throws {
    let asset = try await test.create()
    let refused = try await output(for: asset.path)
    refused.adjustmentData = nil
    let error = await #expect(throws: PhotoLibraryError.self) {
      try await test.library.performChanges {
        let request = AssetChangeRequest(for: asset)
        request.isFavorite = true
        request.contentEditingOutput = refused
      }
    }
    #expect(
      error
        == .editing(.outputRefused(path: asset.path, problem: .noAdjustmentData)))
    #expect(try test.library.asset(asset.localIdentifier) == asset)
  }

  @Test func severalPhotosAreEditedTogetherOrNotAtAll() async throws {
    let assets = [try await test.create(), try await test.create(), try await test.create()]
    let outputs = try await [
      output(for: assets[0].path), output(for: assets[1].path), output(for: assets[2].path),
    ]
    // Meanwhile another program edits the last photo.
    try await editor.commit(try await output(for: assets[2].path))
    let change: @Sendable (Int) -> Void = { count in
      for (asset, output) in zip(assets, outputs).prefix(count) {
        AssetChangeRequest(for: asset).contentEditingOutput = output
      }
    }
    await #expect(throws: PhotoLibraryError.editing(.inputOutdated(assets[2].path))) {
      try await test.library.performChanges { change(3) }
    }
    #expect(try await editor.state(of: assets[0].photo).edit == nil)
    #expect(try test.library.assets() == assets)
    try await test.library.performChanges { change(2) }
    #expect(try test.library.assets().map(\.hasAdjustments) == [true, true, false])
  }

  @Test func anEditOfAnotherPhotoIsRefused() async throws {
    let (one, other) = (try await test.create(), try await test.create())
    let output = try await output(for: other.path)
    let error = await #expect(throws: PhotoLibraryError.self) {
      try await test.library.performChanges {
        AssetChangeRequest(for: one).contentEditingOutput = output
      }
    }
    #expect(error?.errorCode == 3300)
    #expect(try await editor.state(of: one.photo).edit == nil)
    #expect(try await editor.state(of: other.photo).edit == nil)
  }

  @Test func editsCanBeMadeAgainAfterAFailure() async throws {
    let asset = try await test.create()
    let output = try await output(for: asset.path)
    await #expect(throws: PhotoLibraryError.self) {
      try await test.library.performChanges {
        AssetChangeRequest(for: asset).contentEditingOutput = output
        AssetChangeRequest.restoreAssets([asset])
      }
    }
    #expect(try await editor.state(of: asset.photo).edit == nil)
    try await test.library.performChanges {
      AssetChangeRequest(for: asset).contentEditingOutput = output
    }
    #expect(try test.library.asset(asset.localIdentifier).hasAdjustments)
  }

  @Test func anAssetIsEditedOnceInAChangeSet() async throws {
    let asset = try await test.create()
    let output = try await output(for: asset.path)
    let error = await #expect(throws: PhotoLibraryError.self) {
      try await test.library.performChanges {
        let request = AssetChangeRequest(for: asset)
        request.contentEditingOutput = output
        request.revertAssetContentToOriginal()
      }
    }
    #expect(error?.errorCode == 3301)
  }

  @Test func aPhotoIsMadeAndEditedInOneChangeSet() async throws {
    let path = try test.file("beach.jpg")
    let output = try await output(for: path)
    try await test.library.performChanges {
      let request = AssetCreationRequest.creationRequestForAsset(fromImageAt: path)
      request.contentEditingOutput = output
    }
    let asset = try #require(try test.library.assets().first)
    #expect(asset.adjustmentFormatIdentifier == format)
    let state = try await editor.state(of: asset.photo)
    #expect(state.edit?.editor == "com.example.app")
    #expect(state.warnings.isEmpty)
    #expect(state.edit?.renderSize?.width == asset.pixelWidth)
    #expect(try await editor.state(of: photo(path)).edit == nil)
    #expect(test.stagedFiles.isEmpty)
  }

  @Test func emptyingTheTrashKeepsEveryFileTogetherOnTheDisk() async throws {
    let asset = try await edit(try await test.create(), in: test)
    let files = try await editor.state(of: asset.photo).resources
    #expect(files.count == 3)
    let bytes = try files.map { try Data(contentsOf: $0.fileURL) }
    try await test.library.performChanges {
      AssetChangeRequest.deleteAssets([asset])
      AssetChangeRequest.emptyTrash()
    }
    #expect(try test.library.trashedAssets().isEmpty)
    let trash = asset.path.removingLastComponent().appending(".safelight-trash")
    let folder = trash.appending(
      try #require(FileManager.default.contentsOfDirectory(atPath: trash.string).first))
    for (file, bytes) in zip(files, bytes) {
      #expect(!file.path.leadsSomewhere)
      #expect(
        try Data(contentsOf: folder.appending(file.originalFilename).fileURL) == bytes)
    }
  }
}
