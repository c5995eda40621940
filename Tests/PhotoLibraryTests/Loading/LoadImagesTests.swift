import Foundation
import SafelightTestSupport
import Testing

@testable import PhotoLibraryKit
@testable import SafelightFiles

@Suite struct LoadImagesTests {
  private let size = PixelSize.square(40)
  private let test: TestLibrary

  init() throws { test = try TestLibrary() }

  /// Pictures with different sizes at 40 pixels.
  private let fixtures = [
    "beach.jpg", "alpha.png", "gradients/grey.jpg", "profiles/p3.jpg", "lossy.webp",
  ]
  private let sizes = [(40, 27), (40, 30), (40, 30), (40, 20), (40, 27)]

  private func assets(_ test: TestLibrary) async throws -> [Asset] {
    var assets: [Asset] = []
    for fixture in fixtures { assets.append(try await test.create(fixture)) }
    return assets
  }

  @Test func progressGoesUpToTheEnd() async throws {
    let asset = try await test.create()
    let heard = Box<[[Int]]>([])
    let images = try await test.library.loadImages(
      for: [asset, asset, asset], targetSize: PixelSize(width: 20, height: 20)
    ) { loaded, total in heard.value.append([loaded, total]) }
    #expect(images.count == 3)
    #expect(heard.value == [[1, 3], [2, 3], [3, 3]])
    heard.value = []
    await #expect(throws: SelectionError.self) {
      _ = try await test.library.loadImages(for: ["nothing"]) { loaded, total in
        heard.value.append([loaded, total])
      }
    }
    #expect(heard.value.isEmpty)
  }

  @Test func picturesComeInTheOrderOfTheChoice() async throws {
    // Pictures from the disk are JPEGs and differ a little.
    test.library.imageCacheLimit = 0
    let assets = try await assets(test)
    let order = [3, 0, 4, 3, 2, 1, 0, 0]
    let images = try await test.library.loadImages(
      for: order.map { assets[$0] }, targetSize: size, options: .good)
    #expect(
      images.map(\.size)
        == order.map {
          assets[$0].pixelWidth < assets[$0].pixelHeight
            ? PixelSize(width: sizes[$0].1, height: 40)
            : PixelSize(width: 40, height: sizes[$0].1)
        })
    #expect(images[0] == images[3] && images[1] == images[6])
  }

  @Test func identifiersAssetsAndFilesAreChosenAlike() async throws {
    test.library.imageCacheLimit = 0
    let asset = try await test.create()
    let file = try test.file("beach.jpg")
    let images = try await test.library.loadImages(
      for: [.asset(asset), .identifier(asset.localIdentifier), .file(file)], targetSize: size,
      options: .good)
    #expect(images.count == 3 && images[0] == images[1] && images[1] == images[2])
    let named = try await test.library.loadImages(
      for: [asset.localIdentifier], targetSize: size, options: .good)
    let located = try await test.library.loadImages(
      for: [file.fileURL], targetSize: size, options: .good)
    #expect(named == located && named[0] == images[0])
  }

  @Test func picturesAreAsLargeAsThePhotosUnlessToldOtherwise() async throws {
    let images = try await test.library.loadImages(for: [try await test.create()])
    #expect(images.map(\.size) == [PixelSize(width: 1200, height: 800)])
  }

  @Test func nothingChosenIsNothing() async throws {
    let none: [SelectionItem] = []
    #expect(try await test.library.loadImages(for: none).isEmpty)
    for try await _ in test.library.selectedImages(for: none) {
      Issue.record("a picture of nothing")
    }
  }

  @Test(arguments: [
    ("bad/text.jpg", RenderError.notAPicture), ("bad/empty.jpg", RenderError.empty),
  ])
  func aFileThatIsNoPhotoIsNamed(fixture: String, reason: RenderError) async throws {
    let good = try test.file("beach.jpg")
    let bad = try test.file(fixture)
    let items = [good, good, bad, good].map(SelectionItem.file)
    let error = await #expect(throws: SelectionError.self) {
      _ = try await test.library.loadImages(for: items, targetSize: size)
    }
    #expect(error == SelectionError(index: 2, item: .file(bad), reason: .type(reason)))
    #expect(error?.description.contains("Item 3") == true)
  }

  @Test func aMissingFileIsNamed() async throws {
    let missing = test.folder.appending("missing.jpg")
    let error = await #expect(throws: SelectionError.self) {
      _ = try await test.library.loadImages(for: [SelectionItem.file(missing)], targetSize: size)
    }
    #expect(
      error
        == SelectionError(
          index: 0, item: .file(missing),
          reason: .fetch(.editing(.storage(.originalMissing(missing))))))
  }

  @Test func aDamagedPhotoIsNotOfTheWrongType() async throws {
    let file = try test.file("bad/truncated.jpg")
    let error = await #expect(throws: SelectionError.self) {
      _ = try await test.library.loadImages(for: [SelectionItem.file(file)])
    }
    guard case .fetch(.editing(.render(_, .damaged))) = error?.reason else {
      Issue.record("\(String(describing: error))")
      return
    }
  }

  @Test func anIdentifierOfNothingIsNamedBeforeAnythingIsLoaded() async throws {
    let asset = try await test.create()
    test.library.imageCache.settlingTime = -3600
    let error = await #expect(throws: SelectionError.self) {
      _ = try await test.library.loadImages(
        for: [.asset(asset), .identifier("nobody")], targetSize: size)
    }
    #expect(
      error
        == SelectionError(
          index: 1, item: .identifier("nobody"), reason: .fetch(.identifierNotFound("nobody"))))
    #expect(test.cachedFiles.isEmpty)
  }

  @Test func theFirstFailureCancelsTheRest() async throws {
    test.library.imageCache.settlingTime = -3600
    let bad = try test.file("bad/text.jpg")
    let files = try (0..<40).map { try test.file("progressive.jpg", as: "\($0).jpg") }
    await #expect(throws: SelectionError.self) {
      _ = try await test.library.loadImages(
        for: ([bad] + files).map(SelectionItem.file), targetSize: size)
    }
    // No more pictures than were begun with the first.
    #expect(test.cachedFiles.count < 2 * ProcessInfo.processInfo.activeProcessorCount + 2)
  }

  @Test func aCancelledTaskLoadsNothing() async throws {
    let asset = try await test.create()
    let task = Task { [size] () throws(SelectionError) -> Int in
      while !Task.isCancelled { await Task.yield() }
      return try await test.library.loadImages(for: [asset], targetSize: size).count
    }
    task.cancel()
    let result = await task.result
    #expect(throws: SelectionError(index: 0, item: .asset(asset), reason: .cancelled)) {
      try result.get()
    }
  }
}

@Suite struct SelectedImagesTests {
  private let size = PixelSize.square(40)

  @Test func picturesAreGivenOneByOneInOrder() async throws {
    let test = try TestLibrary()
    let files = try (0..<30).map { number in
      try test.file(number % 3 == 0 ? "beach.jpg" : "alpha.png", as: "\(number)")
    }
    var heights: [Int] = []
    let images = test.library.selectedImages(
      for: files.map(SelectionItem.file), targetSize: size, options: .good)
    for try await image in images { heights.append(image.height) }
    #expect(heights == (0..<30).map { $0 % 3 == 0 ? 27 : 30 })
    var again = 0
    for try await _ in images { again += 1 }
    #expect(again == 30)
  }

  @Test func picturesBeforeAFailureAreGiven() async throws {
    let test = try TestLibrary()
    let good = try test.file("beach.jpg")
    let bad = try test.file("bad/text.jpg")
    var iterator = test.library.selectedImages(
      for: [good, good, bad, good].map(SelectionItem.file), targetSize: size
    ).makeAsyncIterator()
    #expect(try await iterator.next() != nil)
    #expect(try await iterator.next() != nil)
    let expected = SelectionError(index: 2, item: .file(bad), reason: .type(.notAPicture))
    await #expect(throws: expected) { _ = try await iterator.next() }
    #expect(try await iterator.next() == nil)
  }

  @Test func onlyAFewAreLoadedAhead() async throws {
    let test = try TestLibrary()
    test.library.imageCache.settlingTime = -3600
    let files = try (0..<60).map { try test.file("progressive.jpg", as: "\($0).jpg") }
    do {
      var iterator = test.library.selectedImages(
        for: files.map(SelectionItem.file), targetSize: size
      ).makeAsyncIterator()
      for _ in 0..<5 { #expect(try await iterator.next() != nil) }
    }
    #expect(test.cachedFiles.count <= 5 + 2 * ProcessInfo.processInfo.activeProcessorCount)
  }
}
