import Foundation
import PhotoEditing
import PhotoLibraryKit
import SafelightTestSupport
import Testing

/// Options and outputs are references, as in PhotoKit: what one holder changes, all see.
@Suite struct ReferenceTypeTests {
  private let test: TestLibrary

  init() throws { test = try TestLibrary() }

  @Test func allWhoHoldOptionsSeeAChange() {
    let fetch = FetchOptions(fetchLimit: 3)
    let sameFetch = fetch
    (sameFetch.fetchLimit, sameFetch.includeHiddenAssets) = (5, true)
    sameFetch.predicate = .isFavorite == true
    sameFetch.sortDescriptors = [FetchSortDescriptor(.rating)]
    sameFetch.wantsIncrementalChangeDetails = false
    #expect(fetch.fetchLimit == 5 && fetch.includeHiddenAssets)
    #expect(fetch.predicate == (AssetKey.isFavorite == true))
    #expect(fetch.sortDescriptors == [FetchSortDescriptor(.rating)])
    #expect(!fetch.wantsIncrementalChangeDetails)

    let image = ImageRequestOptions()
    let sameImage = image
    (sameImage.version, sameImage.deliveryMode) = (.original, .fastFormat)
    (sameImage.resizeMode, sameImage.isSynchronous) = (.exact, true)
    sameImage.normalizedCropRect = .whole
    #expect((image.version, image.deliveryMode) == (.original, .fastFormat))
    #expect((image.resizeMode, image.isSynchronous) == (.exact, true))
    #expect(image.normalizedCropRect == .whole)

    let resource = AssetResourceCreationOptions()
    let sameResource = resource
    (sameResource.originalFilename, sameResource.shouldMoveFile) = ("a.jpg", true)
    #expect(resource.originalFilename == "a.jpg" && resource.shouldMoveFile)

    let editing = ContentEditingInputRequestOptions()
    let sameEditing = editing
    sameEditing.canHandleAdjustmentData = { $0.formatIdentifier == "a" }
    let data = AdjustmentData(formatIdentifier: "a", formatVersion: "1", data: Data("x".utf8))
    #expect(editing.canHandleAdjustmentData?(data) == true)
  }

  @Test func aCopyOfOptionsIsOnItsOwn() {
    let fetch = FetchOptions(predicate: .isHidden == true, fetchLimit: 3)
    let copy = fetch.copy()
    copy.fetchLimit = 4
    #expect(fetch.fetchLimit == 3)
    #expect(copy.fetchLimit == 4 && copy.predicate == fetch.predicate)
    let image = ImageRequestOptions()
    image.resizeMode = .fast
    let other = image.copy()
    other.version = .original
    #expect(other.resizeMode == .fast && image.version == .current)
    let resource = AssetResourceCreationOptions()
    resource.copy().shouldMoveFile = true
    #expect(!resource.shouldMoveFile)
  }

  /// A fetch result is made again when the library changes, with the options of the fetch.
  @Test func optionsThatChangeLaterDoNotChangeAFetch() async throws {
    let asset = try await test.create()
    let options = FetchOptions(predicate: .isFavorite == true)
    let favorites = try test.library.fetchAssets(with: options)
    #expect(favorites.isEmpty)
    options.predicate = .isFavorite == false
    var changes = test.library.changes.makeAsyncIterator()
    try await test.library.performChanges { AssetChangeRequest(for: asset).isFavorite = true }
    let details = await changes.next()?.changeDetails(for: favorites)
    #expect(details?.fetchResultAfterChanges.map(\.localIdentifier) == [asset.localIdentifier])
  }

  @Test func resourceOptionsCountAtTheCall() async throws {
    let path = try test.file("beach.jpg")
    try await test.library.performChanges {
      let options = AssetResourceCreationOptions()
      options.originalFilename = "first.jpg"
      AssetCreationRequest.forAsset().addResource(with: .photo, path: path, options: options)
      options.originalFilename = "second.jpg"
      options.shouldMoveFile = true
    }
    let asset = try #require(try test.library.fetchAssets().firstObject)
    #expect(asset.path.lastComponent == "first.jpg")
    #expect(FileManager.default.fileExists(atPath: path.string))
  }

  /// The idiom of every editor: the output is a constant, and whoever else holds it sees the data.
  @Test func anOutputIsFilledThroughAConstant() async throws {
    let asset = try await test.create()
    let input = try await PhotoEditor().contentEditingInput(for: asset.photo)
    let output = ContentEditingOutput(contentEditingInput: input)
    let held = output
    output.adjustmentData = AdjustmentData(
      formatIdentifier: "com.example.editor", formatVersion: "1.0", data: Data("edit".utf8))
    output.editorBundleIdentifier = "com.example.app"
    #expect(held.adjustmentData?.formatIdentifier == "com.example.editor")
    #expect(held.renderedContentURL == output.renderedContentURL)
    try Data(contentsOf: Fixture.url("orientation/1.jpg")).write(to: output.renderedContentURL)
    try await test.library.performChanges {
      AssetChangeRequest(for: asset).contentEditingOutput = held
    }
    let state = try await PhotoEditor().state(of: asset.photo)
    #expect(state.edit?.editor == "com.example.app")
  }

  @Test func aRenderIsAJPEG() async throws {
    let asset = try await test.create()
    let input = try await PhotoEditor().contentEditingInput(for: asset.photo)
    let output = ContentEditingOutput(contentEditingInput: input)
    #expect(output.defaultRenderedContentType == "public.jpeg")
    #expect(output.supportedRenderedContentTypes == ["public.jpeg"])
    #expect(try output.renderedContentURL(for: "public.jpeg") == output.renderedContentURL)
    #expect(
      throws: EditError.outputRefused(path: asset.path, problem: .unsupportedType("public.heic"))
    ) { try output.renderedContentURL(for: "public.heic") }
  }

  @Test func anOutputWithoutATemporaryFolderIsRefusedAtTheCommit() async throws {
    let asset = try await test.create()
    let path = asset.path.string
    await #expect(processExitsWith: .success) { [path = path as String] in
      let editor = PhotoEditor()
      let input = try await editor.contentEditingInput(for: Photo(path: FilePath(path)))
      setenv("TMPDIR", "/nonexistent", 1)
      let output = ContentEditingOutput(contentEditingInput: input)
      output.adjustmentData = AdjustmentData(
        formatIdentifier: "a", formatVersion: "1", data: Data("x".utf8))
      await #expect(
        throws: EditError.outputRefused(path: FilePath(path), problem: .noTemporaryFolder)
      ) { try await editor.commit(output) }
    }
  }
}
