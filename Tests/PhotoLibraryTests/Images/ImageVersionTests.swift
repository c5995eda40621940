import Foundation
import PhotoEditing
import SafelightTestSupport
import Testing

@testable import PhotoLibraryKit
@testable import SafelightFiles

@Suite struct ImageVersionTests {
  private let size = PixelSize.square(120)
  private let test: TestLibrary

  init() throws { test = try TestLibrary() }

  private func image(
    of asset: Asset, in test: TestLibrary, _ version: ImageRequestOptions.Version = .current
  ) async throws -> DisplayImage {
    let options = ImageRequestOptions.good.copy()
    options.version = version
    return try await test.manager().requestImage(for: asset, targetSize: size, options: options)
  }

  @Test func theEditShowsInTheCurrentVersionAlone() async throws {
    let asset = try await test.create()
    let before = try await image(of: asset, in: test)
    try await test.edit(asset)
    #expect(!before.isGray)
    #expect(try await image(of: asset, in: test).isGray)
    // Some pictures come from the disk and are JPEGs.
    for version in [ImageRequestOptions.Version.unadjusted, .original] {
      #expect(try await image(of: asset, in: test, version).difference(from: before) < 4)
    }
  }

  @Test func aRevertShowsAtOnce() async throws {
    let asset = try await test.create()
    let before = try await image(of: asset, in: test)
    try await test.edit(asset)
    #expect(try await image(of: asset, in: test).isGray)
    try await PhotoEditor().revertAssetContentToOriginal(asset.photo)
    #expect(try await image(of: asset, in: test).difference(from: before) < 4)
  }

  @Test(arguments: [false, true])
  func withoutItsRenderAnEditIsMadeAnew(isCut: Bool) async throws {
    let asset = try await test.create()
    try await test.edit(asset) { edit throws(AdjustmentError) in
      try edit.adjust(Adjustments.Saturation.self) { $0.amount = -100 }
      try edit.adjust(Adjustments.Crop.self) { ($0.width, $0.height) = (0.5, 1) }
    }
    let rendered = try await image(of: asset, in: test)
    #expect(rendered.size == PixelSize(width: 90, height: 120))
    let state = try await PhotoEditor().state(of: asset.photo)
    let render = try #require(state.resources.first { $0.type == .fullSizePhoto })
    if isCut {
      try Data(contentsOf: render.fileURL).dropLast(100).write(to: render.fileURL)
    } else {
      try FileManager.default.removeItem(at: render.fileURL)
    }
    test.library.removeCachedImages()
    let made = try await image(of: asset, in: test)
    #expect(made.isGray && made.difference(from: rendered) < 4)
  }

  @Test func aReplacedOriginalIsNotShownWithTheOldEdit() async throws {
    let asset = try await test.create()
    try await test.edit(asset)
    try Data(contentsOf: Fixture.url("progressive.jpg")).write(to: asset.path.fileURL)
    let error = await #expect(throws: PhotoLibraryError.self) {
      _ = try await image(of: asset, in: test)
    }
    #expect(error == .editing(.storage(.originalChanged(asset.path))))
    #expect(try await !image(of: asset, in: test, .unadjusted).isGray)
  }

  @Test func theFileOfTheCurrentVersionIsTheRender() async throws {
    let asset = try await test.create("orientation/6.jpg")
    let manager = test.manager()
    let original = try Data(contentsOf: asset.path.fileURL)
    let plain = try await manager.requestImageData(for: asset)
    #expect(plain.data == original && plain.orientation == 6)
    #expect(plain.contentType == "public.jpeg")
    try await test.edit(asset)
    let state = try await PhotoEditor().state(of: asset.photo)
    let render = try #require(state.resources.first { $0.type == .fullSizePhoto })
    let current = try await manager.requestImageData(for: asset)
    #expect(try current.data == Data(contentsOf: render.fileURL) && current.orientation == 1)
    let unadjusted = try await manager.requestImageData(
      for: asset, options: .with { $0.version = .unadjusted })
    #expect(unadjusted == plain)
  }

  @Test func theFileOfAnEditWithoutItsRenderIsMade() async throws {
    let asset = try await test.create("orientation/6.jpg")
    try await test.edit(asset)
    let state = try await PhotoEditor().state(of: asset.photo)
    let render = try #require(state.resources.first { $0.type == .fullSizePhoto })
    try FileManager.default.removeItem(at: render.fileURL)
    let made = try await test.manager().requestImageData(for: asset)
    #expect(made.contentType == "public.jpeg" && made.orientation == 1)
    let image = try #require(Array(made.data).withUnsafeBytes(DisplayImage.init(jpegBytes:)))
    #expect(image.isGray && image.size == PixelSize(width: 96, height: 64))
  }

  @Test func thePhotoIsFoundWhereItWasMovedTo() async throws {
    let tree = PhotoTree()
    try tree.fixture("beach.jpg", as: "a/beach.jpg")
    let library = try tree.open()
    try await library.add([tree.photos])
    let asset = try #require(try library.fetchAssets().firstObject)
    tree.move("a/beach.jpg", to: "b/other.jpg")
    try await library.scan()
    let image = try await ImageManager(library).requestImage(
      for: asset, targetSize: size, options: .good)
    #expect(image.size == PixelSize(width: 120, height: 80))
  }
}
