import Foundation
import Glibc
import PhotoEditing
import SafelightTestSupport
import Testing

@testable import PhotoLibraryKit

/// Editing through an asset, as PhotoKit's programs do.
@Suite struct AssetEditingTests {
  private let format = "com.example.editor"
  private let test: TestLibrary

  init() throws { test = try TestLibrary() }

  private func data(_ text: String = "edit") -> AdjustmentData {
    AdjustmentData(formatIdentifier: format, formatVersion: "1", data: Data(text.utf8))
  }

  /// The answer to a request with a handler.
  private func input(
    of asset: Asset, _ options: ContentEditingInputRequestOptions? = nil
  ) async -> (ContentEditingInput?, ContentEditingInputRequestInfo) {
    await withCheckedContinuation { done in
      asset.requestContentEditingInput(with: options) { done.resume(returning: ($0, $1)) }
    }
  }

  private func edit(_ asset: Asset, in test: TestLibrary) async throws {
    let found = await input(of: asset).0
    let output = ContentEditingOutput(contentEditingInput: try #require(found))
    output.adjustmentData = data()
    try Data(contentsOf: Fixture.url("orientation/1.jpg")).write(to: output.renderedContentURL)
    try await test.library.performChanges {
      AssetChangeRequest(for: asset).contentEditingOutput = output
    }
  }

  @Test func anInputComesFromTheAsset() async throws {
    let asset = try await test.create()
    let (first, info) = await input(of: asset)
    #expect(first?.fullSizeImageURL == asset.path.fileURL)
    #expect(info.error == nil && !info.isCancelled)
    try await edit(asset, in: test)

    let render = try await asset.contentEditingInput()
    #expect(render.adjustmentData == nil && render.fullSizeImagePath != asset.path)
    let options = ContentEditingInputRequestOptions()
    let asked = Box(0)
    options.canHandleAdjustmentData = {
      asked.value += 1
      return $0.formatIdentifier == "com.example.editor"
    }
    options.isNetworkAccessAllowed = true
    let revised = await input(of: asset, options).0
    #expect(asked.value == 1)
    #expect(revised?.adjustmentData == data() && revised?.fullSizeImagePath == asset.path)
  }

  @Test func thereIsAReasonWhenThereIsNoInput() async throws {
    let asset = try await test.create()
    try FileManager.default.removeItem(at: asset.path.fileURL)
    let missing = PhotoLibraryError.editing(.storage(.originalMissing(asset.path)))
    let (none, info) = await input(of: asset)
    #expect(none == nil && info.error == missing && !info.isCancelled)
    await #expect(throws: missing) { _ = try await asset.contentEditingInput() }
  }

  @Test func aCancelledRequestSaysSo() async throws {
    let asset = try await test.create()
    let task = Task {
      while !Task.isCancelled { await Task.yield() }
      do {
        _ = try await asset.contentEditingInput()
        return false
      } catch {
        return (error as? PhotoLibraryError) == .userCancelled
      }
    }
    task.cancel()
    #expect(await task.value)
    // The request waits for the lock on the photo, so that it is cancelled before its end.
    let lock = open(asset.path.string, O_RDONLY)
    defer { close(lock) }
    try #require(flock(lock, LOCK_EX) == 0)
    let (infos, ended) = AsyncStream.makeStream(of: ContentEditingInputRequestInfo.self)
    let id = asset.requestContentEditingInput(with: nil) { _, info in ended.yield(info) }
    asset.cancelContentEditingInputRequest(id)
    var iterator = infos.makeAsyncIterator()
    let info = await iterator.next()
    #expect(info?.isCancelled == true && info?.requestID == id)
  }

  @Test func whatTheDiskForbidsCannotBePerformed() async throws {
    let asset = try await test.create()
    for operation in AssetEditOperation.allCases { #expect(asset.canPerform(operation)) }
    #expect(AssetEditOperation.allCases.map(\.rawValue) == [1, 2, 3])
    // The superuser may write everywhere, except where nothing is.
    try FileManager.default.removeItem(at: test.library.path.fileURL)
    for operation in AssetEditOperation.allCases { #expect(!asset.canPerform(operation)) }
  }

  /// What the user may have decided since the asset was fetched.
  @Test func whatTheUserDoesNotAllowCannotBePerformed() async throws {
    let asset = try await test.create()
    let other = try await test.create("alpha.png")
    func allowed(_ asset: Asset) -> [AssetEditOperation] {
      AssetEditOperation.allCases.filter { asset.canPerform($0) }
    }
    var library: PhotoLibrary? = try await test.opened(.authorized, for: .readWrite)
    let own = try #require(try library?.fetchAssets().first { $0.path == asset.path })
    #expect(own == asset && allowed(own) == AssetEditOperation.allCases)
    try await test.library.limitAccess(of: Client.name, to: [other.localIdentifier])
    #expect(allowed(own).isEmpty)
    try await test.library.limitAccess(of: Client.name, to: [asset.localIdentifier])
    #expect(allowed(own) == AssetEditOperation.allCases)
    for status in [AuthorizationStatus.denied, .restricted, .notDetermined] {
      try await test.library.setAccess(status, level: .readWrite, for: Client.name)
      #expect(allowed(own).isEmpty)
      let (input, info) = await input(of: own)
      #expect(input == nil && info.error?.errorCode == (status == .restricted ? 3310 : 3311))
    }
    #expect(await input(of: asset).0 != nil)
    // The owner's assets are the owner's, whatever another client may do.
    #expect(allowed(asset) == AssetEditOperation.allCases)
    try await test.library.setAccess(.authorized, level: .readWrite, for: Client.name)
    #expect(allowed(own) == AssetEditOperation.allCases)
    library = nil
    #expect(allowed(own).isEmpty)
  }

  @Test func aPhotoIsMadeAndEditedThroughItsPlaceholder() async throws {
    let path = try test.file("beach.jpg")
    let render = try Data(contentsOf: Fixture.url("orientation/1.jpg"))
    let data = data()
    try await test.library.performChanges {
      let request = AssetCreationRequest.creationRequestForAsset(fromImageAt: path)
      let output = ContentEditingOutput(
        placeholderForCreatedAsset: request.placeholderForCreatedAsset,
        editorBundleIdentifier: "com.example.app")
      output.adjustmentData = data
      try render.write(to: output.renderedContentURL)
      request.contentEditingOutput = output
    }
    let asset = try #require(try test.library.assets().first)
    #expect(asset.adjustmentFormatIdentifier == format)
    let state = try await PhotoEditor().state(of: asset.photo)
    #expect(state.edit?.editor == "com.example.app" && state.warnings.isEmpty)
    let files = AssetResource.assetResources(for: asset)
    #expect(try Data(contentsOf: files[2].fileURL) == render)
  }

  @Test func theEditOfANewPhotoIsForThatPhotoAlone() async throws {
    let asset = try await test.create()
    let path = try test.file("alpha.png")
    let data = data()
    let render = try Data(contentsOf: Fixture.url("orientation/1.jpg"))
    for isOther in [false, true] {
      let error = await #expect(throws: PhotoLibraryError.self) {
        try await test.library.performChanges {
          let first = AssetCreationRequest.creationRequestForAsset(fromImageAt: path)
          let second = AssetCreationRequest.creationRequestForAsset(fromImageAt: path)
          let output = ContentEditingOutput(
            placeholderForCreatedAsset: first.placeholderForCreatedAsset)
          output.adjustmentData = data
          try render.write(to: output.renderedContentURL)
          let request = isOther ? second : AssetChangeRequest(for: asset)
          request.contentEditingOutput = output
        }
      }
      #expect(error?.errorCode == 3300)
    }
    #expect(try test.library.assets() == [asset])
    let output = ContentEditingOutput(createdPhoto: "nothing")
    await #expect(
      throws: EditError.outputRefused(path: output.renderedContentPath, problem: .noInput)
    ) { try await PhotoEditor().commit(output) }
  }

  @Test func aPictureInMemoryBecomesAnAsset() async throws {
    let image = DisplayImage(
      width: 40, height: 30, pixels: [UInt8](repeating: 128, count: 40 * 30 * 3))
    let url = Fixture.url("alpha.png")
    try await test.library.performChanges {
      AssetChangeRequest.creationRequestForAsset(from: image).isFavorite = true
      AssetChangeRequest.creationRequestForAssetFromImage(atFileURL: url)?.isHidden = true
    }
    let assets = try test.library.assets()
    #expect(assets.map(\.isFavorite) == [true, false] && assets.map(\.isHidden) == [false, true])
    #expect((assets[0].pixelWidth, assets[0].pixelHeight) == (40, 30))
  }

  @Test func requestsTakeAFetchResult() async throws {
    try await test.create()
    try await test.create("alpha.png")
    let photos = try test.library.fetchAssets()
    let album = try test.album("A")
    try await test.library.performChanges {
      AssetCollectionChangeRequest(for: album).addAssets(photos)
    }
    #expect(try test.library.members(of: album).count == 2)
    try await test.library.performChanges {
      AssetCollectionChangeRequest(for: album).removeAssets(photos)
    }
    #expect(try test.library.members(of: album).isEmpty)
    try await test.library.performChanges { AssetChangeRequest.deleteAssets(photos) }
    #expect(try test.library.fetchAssets().isEmpty)
  }
}
