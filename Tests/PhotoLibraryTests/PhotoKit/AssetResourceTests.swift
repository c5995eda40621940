import Foundation
import PhotoEditing
import SafelightTestSupport
import Synchronization
import Testing

@testable import PhotoLibraryKit
@testable import SafelightFiles

/// The bytes of all files of an asset, read and brought into another library.
@Suite struct AssetResourceTests {
  private let editor = PhotoEditor()
  private let manager = AssetResourceManager.default()

  /// An asset with an original, a sidecar with a history and a version, a render, and a base photo.
  private func edited(in test: TestLibrary) async throws -> Asset {
    let asset = try await test.create()
    let output = try await ContentEditingOutput.ofAnotherProgram(for: asset.photo)
    try await test.library.performChanges {
      AssetChangeRequest(for: asset).contentEditingOutput = output
    }
    try await editor.apply(Filter.named("noir").applied(), to: asset.photo)
    try await editor.saveVersion(named: "dark", of: asset.photo)
    try await editor.apply(Filter.named("fade").applied(), to: asset.photo)
    _ = try await test.library.scan()
    return try test.library.asset(asset.localIdentifier)
  }

  @Test func allFilesOfAnAssetAreListed() async throws {
    let test = try TestLibrary()
    let asset = try await test.create()
    let single = AssetResource.assetResources(for: asset)
    #expect(single.map(\.type) == [.photo] && single[0].originalFilename == "beach.jpg")
    #expect(single[0].assetLocalIdentifier == asset.localIdentifier)
    #expect(single[0].uniformTypeIdentifier == "public.jpeg")
    let other = try TestLibrary()
    let edited = try await edited(in: other)
    let types = AssetResource.assetResources(for: edited).map(\.type)
    #expect(
      types == [
        .photo, .adjustmentData, .fullSizePhoto, .adjustmentBasePhoto, .alternatePhoto,
      ])
    try Data("no record".utf8).write(to: edited.path.suffixed(".aae").fileURL)
    #expect(AssetResource.assetResources(for: edited).map(\.type) == [.photo])
    try FileManager.default.removeItem(at: edited.path.fileURL)
    #expect(AssetResource.assetResources(for: edited).isEmpty)
  }

  /// Every byte comes, in order, in pieces: as handlers, as a sequence, and as a file.
  @Test func everyByteOfEveryFileComes() async throws {
    let test = try TestLibrary()
    let asset = try await edited(in: test)
    for resource in AssetResource.assetResources(for: asset) {
      let wanted = try Data(contentsOf: resource.fileURL)
      let received = Box(Data())
      let error = await withCheckedContinuation { done in
        manager.requestData(for: resource, options: nil) {
          received.value.append($0)
        } completionHandler: {
          done.resume(returning: $0 as? PhotoLibraryError)
        }
      }
      #expect(error == nil && received.value == wanted)
      var streamed = Data()
      for try await piece in manager.data(for: resource) { streamed.append(piece) }
      #expect(streamed == wanted)
      let path = test.folder.appending(resource.originalFilename + ".copy")
      try await manager.writeData(for: resource, toFile: path)
      #expect(try Data(contentsOf: path.fileURL) == wanted)
      let other = test.folder.appending(resource.originalFilename + ".other")
      let failure = await withCheckedContinuation { done in
        manager.writeData(for: resource, toFile: other.fileURL, options: nil) {
          done.resume(returning: $0 as? PhotoLibraryError)
        }
      }
      #expect(failure == nil)
      #expect(try Data(contentsOf: other.fileURL) == wanted)
    }
  }

  @Test func longFilesComeInPiecesWithProgress() async throws {
    let test = try TestLibrary()
    let path = test.folder.appending("long")
    let bytes = Data((0..<(5 << 19)).map { UInt8(truncatingIfNeeded: $0 &* 31 &+ $0 >> 9) })
    try bytes.write(to: path.fileURL)
    let resource = AssetResource(type: .photo, path: path, contentType: "public.jpeg")
    let shares = Box<[Double]>([])
    let options = AssetResourceRequestOptions()
    options.progressHandler = { shares.value.append($0) }
    var pieces: [Data] = []
    for try await piece in manager.data(for: resource, options: options) { pieces.append(piece) }
    #expect(pieces.map(\.count) == [1_048_576, 1_048_576, 524_288])
    #expect(pieces.reduce(Data(), +) == bytes)
    #expect(shares.value == [0.4, 0.8, 1])
  }

  @Test func aCancelledRequestSaysSo() async throws {
    let test = try TestLibrary()
    let path = test.folder.appending("long")
    try Data(count: 64 << 20).write(to: path.fileURL)
    let resource = AssetResource(type: .photo, path: path, contentType: "public.jpeg")
    let count = Box(0)
    let (started, start) = AsyncStream.makeStream(of: Void.self)
    let (ended, end) = AsyncStream.makeStream(of: PhotoLibraryError?.self)
    let mayGoOn = DispatchSemaphore(value: 0)
    let id = manager.requestData(for: resource, options: nil) { piece in
      count.value += piece.count
      start.yield()
      mayGoOn.wait()
    } completionHandler: {
      end.yield($0 as? PhotoLibraryError)
    }
    #expect(id != invalidAssetResourceDataRequestID)
    var starts = started.makeAsyncIterator()
    await starts.next()
    manager.cancelDataRequest(id)
    mayGoOn.signal()
    var ends = ended.makeAsyncIterator()
    #expect(await ends.next() == .userCancelled)
    #expect(count.value == 1 << 20)
  }

  @Test func nothingIsWrittenOverAndWhatIsGoneIsSaid() async throws {
    let test = try TestLibrary()
    let asset = try await test.create()
    let resource = try #require(AssetResource.assetResources(for: asset).first)
    let taken = try test.file("alpha.png")
    await #expect(throws: PhotoLibraryError.editing(.destinationTaken(taken, .exists))) {
      try await manager.writeData(for: resource, toFile: taken)
    }
    let names = try FileManager.default.contentsOfDirectory(atPath: test.folder.string)
    #expect(names.sorted() == ["alpha.png", "library"])
    #expect(
      try Data(contentsOf: taken.fileURL) == Data(contentsOf: Fixture.url("alpha.png")))
    try FileManager.default.removeItem(at: asset.path.fileURL)
    let missing = PhotoLibraryError.missingResource("\(asset.localIdentifier): \(asset.path)")
    await #expect(throws: missing) {
      try await manager.writeData(for: resource, toFile: test.folder.appending("copy"))
    }
    await #expect(throws: missing) {
      for try await _ in manager.data(for: resource) {}
    }
    #expect(!test.folder.appending("copy").leadsSomewhere)
  }

  /// What a backup does: the files of an asset come into another library, with history and version.
  @Test(arguments: [false, true])
  func anotherMachinesAssetIsRestoredExactly(asData: Bool) async throws {
    let (home, away) = (try TestLibrary(), try TestLibrary())
    let asset = try await edited(in: home)
    let resources = AssetResource.assetResources(for: asset)
    let bytes = try resources.map { try Data(contentsOf: $0.fileURL) }
    let state = try await editor.state(of: asset.photo)
    try await away.library.performChanges {
      let request = AssetCreationRequest.forAsset()
      for (resource, bytes) in zip(resources, bytes) {
        let options = AssetResourceCreationOptions()
        options.originalFilename = resource.originalFilename
        if asData {
          request.addResource(with: resource.type, data: bytes, options: options)
        } else {
          request.addResource(with: resource.type, fileURL: resource.fileURL)
        }
      }
    }
    let restored = try #require(try away.library.assets().first)
    #expect(restored.hasAdjustments && away.stagedFiles.isEmpty)
    let files = AssetResource.assetResources(for: restored)
    #expect(files.map(\.type) == resources.map(\.type))
    #expect(files.map(\.originalFilename) == resources.map(\.originalFilename))
    #expect(try files.map { try Data(contentsOf: $0.fileURL) } == bytes)
    let copy = try await editor.state(of: restored.photo)
    #expect(copy.warnings.isEmpty && copy.versions.map(\.name) == ["dark"])
    #expect(copy.edit?.historyCount == state.edit?.historyCount)
    #expect((restored.pixelWidth, restored.pixelHeight) == (asset.pixelWidth, asset.pixelHeight))
    // The history is alive.
    try await editor.undo(restored.photo)
    #expect(try await editor.edit(of: restored.photo).filters.map(\.name) == ["noir"])
  }

  /// A library that has a photo of this name gives the new files other names, and the sidecar says so.
  @Test func aRestoredAssetMayHaveAnotherName() async throws {
    let (home, away) = (try TestLibrary(), try TestLibrary())
    let asset = try await edited(in: home)
    let resources = AssetResource.assetResources(for: asset)
    try await away.create()
    try await away.library.performChanges {
      let request = AssetCreationRequest.forAsset()
      for resource in resources {
        request.addResource(with: resource.type, fileURL: resource.fileURL)
      }
    }
    let restored = try #require(try away.library.assets().last)
    #expect(restored.path.lastComponent == "beach-2.jpg")
    let files = AssetResource.assetResources(for: restored)
    #expect(files.map(\.type) == resources.map(\.type))
    for (file, resource) in zip(files, resources) where file.type != .adjustmentData {
      #expect(try Data(contentsOf: file.fileURL) == Data(contentsOf: resource.fileURL))
    }
    let copy = try await editor.state(of: restored.photo)
    #expect(copy.warnings.isEmpty && copy.versions.map(\.name) == ["dark"])
  }

  /// A backup without what can be made again: the renders are made when the asset is, with the same bytes.
  @Test(
    arguments: [[AssetResource.ResourceType.alternatePhoto], [.alternatePhoto, .fullSizePhoto]],
    [false, true])
  func rendersThatDoNotComeAreMade(
    without left: [AssetResource.ResourceType], isNameTaken: Bool
  ) async throws {
    let (home, away) = (try TestLibrary(), try TestLibrary())
    let asset = try await home.create()
    try await editor.apply(Filter.named("noir").applied(), to: asset.photo)
    try await editor.saveVersion(named: "dark", of: asset.photo)
    try await editor.apply(Filter.named("fade").applied(), to: asset.photo)
    let resources = AssetResource.assetResources(for: asset)
    #expect(
      resources.map(\.type) == [.photo, .adjustmentData, .fullSizePhoto, .alternatePhoto])
    if isNameTaken { try await away.create() }
    try await away.library.performChanges {
      let request = AssetCreationRequest.forAsset()
      for resource in resources where !left.contains(resource.type) {
        request.addResource(with: resource.type, fileURL: resource.fileURL)
      }
    }
    let restored = try #require(try away.library.assets().last)
    #expect(restored.hasAdjustments && away.stagedFiles.isEmpty)
    let files = AssetResource.assetResources(for: restored)
    #expect(files.map(\.type) == resources.map(\.type))
    if !isNameTaken {
      for (file, resource) in zip(files, resources) where file.type != .adjustmentData {
        #expect(try Data(contentsOf: file.fileURL) == Data(contentsOf: resource.fileURL))
      }
    }
    let state = try await editor.state(of: restored.photo)
    #expect(state.warnings.isEmpty && state.edit?.historyCount == 1)
    #expect(state.versions.map(\.name) == ["dark"] && state.versions[0].rendered != nil)
    #expect(try await editor.verify(restored.photo).isSound)
    #expect((restored.pixelWidth, restored.pixelHeight) == (asset.pixelWidth, asset.pixelHeight))
  }

  /// Only the program that made a render can make it again; the asset says that it is missing.
  @Test func anotherProgramsRendersAreMissed() async throws {
    let (home, away) = (try TestLibrary(), try TestLibrary())
    let asset = try await home.create()
    try await editor.commit(ContentEditingOutput.ofAnotherProgram(for: asset.photo))
    try await editor.saveVersion(named: "theirs", of: asset.photo)
    let resources = AssetResource.assetResources(for: asset)
    try await away.library.performChanges {
      let request = AssetCreationRequest.forAsset()
      for resource in resources where resource.type != .alternatePhoto {
        request.addResource(with: resource.type, fileURL: resource.fileURL)
      }
    }
    let restored = try #require(try away.library.assets().last)
    let state = try await editor.state(of: restored.photo)
    #expect(state.versions.map(\.name) == ["theirs"] && state.versions[0].rendered == nil)
    let problems = try await editor.verify(restored.photo).problems
    #expect(problems.map(\.code) == ["version-missing"])
  }

  /// A render that is not the recorded one, as after a retouch, still comes with the sidecar's data.
  @Test func anotherRenderBecomesANewEdit() async throws {
    let (home, away) = (try TestLibrary(), try TestLibrary())
    let asset = try await home.create()
    try await editor.apply(Filter.named("noir").applied(), to: asset.photo)
    let resources = AssetResource.assetResources(for: asset)
    let retouched = try Data(contentsOf: Fixture.url("orientation/1.jpg"))
    try await away.library.performChanges {
      let request = AssetCreationRequest.forAsset()
      for resource in resources where resource.type != .fullSizePhoto {
        request.addResource(with: resource.type, fileURL: resource.fileURL)
      }
      request.addResource(with: .fullSizePhoto, data: retouched)
    }
    let restored = try #require(try away.library.assets().first)
    let files = AssetResource.assetResources(for: restored)
    #expect(files.map(\.type) == [.photo, .adjustmentData, .fullSizePhoto])
    #expect(try Data(contentsOf: files[2].fileURL) == retouched)
    #expect(try await editor.state(of: restored.photo).warnings.isEmpty)
    #expect(away.stagedFiles.isEmpty)
  }
}
