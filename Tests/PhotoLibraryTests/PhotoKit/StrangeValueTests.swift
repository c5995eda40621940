import Foundation
import PhotoEditing
import SafelightTestSupport
import Testing

@testable import PhotoLibraryKit
@testable import SafelightFiles

/// Values that views and users come to have: none of them ends the process.
@Suite struct StrangeValueTests {
  private let test: TestLibrary

  init() throws { test = try TestLibrary() }

  @Test(arguments: [(0, 0), (0, 10), (10, 0), (-5, 10), (10, .min), (.min, .max)])
  func aSizeThatNoPictureHasIsAnError(width: Int, height: Int) async throws {
    let asset = try await test.create()
    let manager = test.manager()
    let size = PixelSize(width: width, height: height)
    for contentMode in ImageContentMode.allCases {
      let error = await #expect(throws: PhotoLibraryError.self) {
        _ = try await manager.requestImage(for: asset, targetSize: size, contentMode: contentMode)
      }
      #expect(error?.code == "invalid-value")
    }
    await #expect(throws: PhotoLibraryError.self) {
      for try await _ in manager.images(for: asset, targetSize: size) {}
    }
    let info = await withCheckedContinuation { done in
      manager.requestImage(for: asset, targetSize: size, contentMode: .aspectFit) { image, info in
        #expect(image == nil)
        done.resume(returning: info.error)
      }
    }
    #expect(info?.code == "invalid-value")
    await #expect(throws: SelectionError.self) {
      _ = try await test.library.loadImages(for: [asset], targetSize: size)
    }
    let caching = CachingImageManager(test.library)
    caching.startCachingImages(for: [asset], targetSize: size)
    caching.stopCachingImages(for: [asset], targetSize: size)
  }

  @Test(arguments: [(Int.max, 5), (5, Int.max), (1 << 40, 1 << 40)])
  func aHugeSizeIsAPictureOrAnError(width: Int, height: Int) async throws {
    let asset = try await test.create()
    for mode in ImageRequestOptions.ResizeMode.allCases {
      for contentMode in ImageContentMode.allCases {
        let options = ImageRequestOptions.with { $0.resizeMode = mode }
        _ = try? await test.manager().requestImage(
          for: asset, targetSize: PixelSize(width: width, height: height),
          contentMode: contentMode, options: options)
      }
    }
  }

  @Test(arguments: [
    [0, 0, 0, 0], [2, 0, 1, 1], [-3, 0, 1, 1], [Double.nan, 0, 1, 1], [0, 0, .infinity, .nan],
  ])
  func aCropThatKeepsNothingIsAnError(numbers: [Double]) async throws {
    let asset = try await test.create()
    let options = ImageRequestOptions.with {
      $0.resizeMode = .exact
      $0.normalizedCropRect = NormalizedRect(
        x: numbers[0], y: numbers[1], width: numbers[2], height: numbers[3])
    }
    await #expect(throws: PhotoLibraryError.self) {
      _ = try await test.manager().requestImage(
        for: asset, targetSize: .square(20), options: options)
    }
  }

  @Test func numbersOutsideOfAResultDoNotEndTheProcess() async throws {
    _ = try await test.library.addRows(3)
    let photos = try test.library.fetchAssets()
    for range in [-5..<0, -5..<100, 2..<2, 3..<Int.max, Int.min..<Int.max] {
      try photos.preload(range)
    }
    let options = FetchOptions()
    options.fetchLimit = -1
    let error = #expect(throws: PhotoLibraryError.self) {
      _ = try test.library.fetchAssets(with: options)
    }
    #expect(error?.code == "invalid-value")
    #expect(throws: PhotoLibraryError.self) {
      _ = try test.library.fetchAssetCollections(with: .album, options: options)
    }
    let impossible = FetchOptions(
      predicate: .aperture > .nan && .creationDate < Date(timeIntervalSince1970: .nan))
    _ = try test.library.fetchAssets(with: impossible).count
    let asset = photos[0]
    let details = FetchResultChangeDetails<[Asset]>.diff(
      from: [asset, asset], to: [asset], changed: [asset])
    #expect(!details.hasIncrementalChanges)
    let album = try test.album("A", of: Array(photos))
    let library = test.library
    for indexes in [[-1], [3], [.max], [.min], [1, 1], []] {
      for target in [-1, 0, 99, .max] {
        try? await library.performChanges {
          AssetCollectionChangeRequest(for: album).moveAssets(at: indexes, to: target)
        }
      }
      try? await library.performChanges {
        AssetCollectionChangeRequest(for: album).removeAssets(at: indexes)
      }
      try? await library.performChanges {
        AssetCollectionChangeRequest(for: album).insertAssets([asset], at: indexes)
      }
    }
  }

  @Test func theTopLevelHasNoTitle() async throws {
    await #expect(throws: PhotoLibraryError.self) {
      try await test.library.performChanges {
        let top = CollectionListChangeRequest.forTopLevelCollectionListUserCollections()
        top.title = "A"
        _ = top.placeholderForCreatedCollectionList
      }
    }
  }

  @Test(arguments: [0, -1, Int.min, Int.max])
  func strangeNumbersOfStepsAndPixels(number: Int) async throws {
    let asset = try await test.create()
    try await test.edit(asset)
    let editor = PhotoEditor()
    try await editor.redo(asset.photo, steps: number)
    if number < 1 {
      #expect(try await editor.undo(asset.photo, steps: number).status == .unchanged)
    }
    let input = try await editor.contentEditingInput(for: asset.photo)
    #expect(try await !input.displaySizeImage(longestSide: number).isEmpty)
  }

  @Test func aFolderIsNoEmptyFile() async throws {
    let error = await #expect(throws: SelectionError.self) {
      try await test.library.loadImages(for: [SelectionItem.file(test.folder)])
    }
    #expect(error?.reason == .fetch(.editing(.storage(.originalNotAFile(test.folder)))))
    #expect(error?.localizedDescription.contains("is no file but a folder") == true)
  }

  @Test func aURLOfTheNetIsAnError() async throws {
    let url = try #require(URL(string: "https://example.org/beach.jpg"))
    await #expect(throws: SelectionError.self) { try await test.library.loadImages(for: [url]) }
  }

  @Test(arguments: [(100, 100, 133, 100), (100, 30, 100, 75), (1, 1, 1, 1), (333, 250, 333, 250)])
  func aFastPictureThatFillsHasTheSizeAlongOneSide(
    width: Int, height: Int, wide: Int, high: Int
  ) {
    var fit = PictureFit()
    (fit.target, fit.fills) = (PixelSize(width: width, height: height), true)
    let layout = fit.layout(of: PixelSize(width: 1600, height: 1200))
    let side = Double(layout.longestSide ?? 1600)
    let made = layout.size ?? PixelSize(width: Int(side), height: Int((side * 0.75).rounded()))
    #expect(made == PixelSize(width: wide, height: high))
  }

  @Test func errorsSayWhatHappenedToFoundation() throws {
    let errors: [any Error] = [
      PhotoLibraryError.identifierNotFound("x"), PhotoLibraryError.invalidValue("No."),
      PhotoLibraryError.editing(.inputOutdated("a.jpg")), EditError.unknownFilter("sepia"),
      EditError.render(path: "a.jpg", .notAPicture), RenderError.empty,
      StorageError.originalMissing("a"),
      LibraryProblem(.countsWrong, "a"),
      SelectionError(index: 0, item: .file("a"), reason: .cancelled),
      try #require(throws: PredicateFormatError.self) { try FetchPredicate(format: "colour = 1") },
      RelinkError.originalNotFound(record: "a"), AdjustmentError.newerVersion(id: "x", version: 9),
      ParameterProblem.outOfRange(7),
    ]
    for error in errors {
      #expect(!error.localizedDescription.contains("could not be completed"), "\(error)")
      let explained = try #require(error as? any LocalizedError, "\(error)")
      #expect(explained.failureReason?.isEmpty == false)
      if case SelectionError.Reason.cancelled? = (error as? SelectionError)?.reason { continue }
      #expect(explained.recoverySuggestion?.isEmpty == false, "\(error)")
    }
  }
}
