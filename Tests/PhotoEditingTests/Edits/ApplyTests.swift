import Foundation
import PhotoEditing
import Testing

@testable import SafelightFiles

@Suite struct ApplyTests {
  private let folder = PhotoFolder()
  private let editor = PhotoEditor.test()

  /// A fixture with its upright size and what its render warns of.
  struct Original: Sendable, CustomTestStringConvertible {
    let fixture: String
    let size: PixelSize
    var warnings: [String] = []

    init(_ fixture: String, width: Int, height: Int, _ warnings: String...) {
      self.fixture = fixture
      size = PixelSize(width: width, height: height)
      self.warnings = warnings
    }

    var testDescription: String { fixture }
    static let alpha = "The photo has transparency; the render shows it on white."
    static let all = [
      Original("beach.jpg", width: 1200, height: 800),
      Original("progressive.jpg", width: 240, height: 160),
      Original("exif-gps-makernote.jpg", width: 240, height: 160),
      Original("profiles/p3.jpg", width: 128, height: 64),
      Original(
        "profiles/grey-profile.jpg", width: 128, height: 64,
        "The photo is in a gray profile; the render is in sRGB."),
      Original("gradients/grey.jpg", width: 128, height: 96),
      Original("cmyk.jpg", width: 96, height: 64, "The photo is in CMYK; the render is in sRGB."),
      Original("gradients/chart.png", width: 124, height: 84),
      Original("sixteen-bit.png", width: 160, height: 112),
      Original("gradients/grey-ramp-16.png", width: 1024, height: 4),
      Original("alpha.png", width: 96, height: 72, alpha),
      Original("alpha-16.png", width: 96, height: 72, alpha),
      Original("rgb.tif", width: 240, height: 160),
      Original("sixteen-bit.tif", width: 160, height: 112),
      Original("lossy.webp", width: 240, height: 160),
      Original("lossless-alpha.webp", width: 96, height: 72, alpha),
      Original("photo.heic", width: 240, height: 160),
      Original("photo.avif", width: 240, height: 160),
      Original("orientation/6.jpg", width: 96, height: 64),
    ]
  }

  @Test func anotherQualityRendersTheSameEditAgain() async throws {
    let photo = try folder.add("rgb.tif")
    _ = try await editor.apply(.named("noir"), to: photo, quality: 90)
    let data = try Sidecar(folder, "rgb.tif.aae").data
    let result = try await editor.apply(.named("noir"), to: photo, quality: 40)
    #expect(result.status == .edited)
    let sidecar = try Sidecar(folder, "rgb.tif.aae")
    #expect(sidecar.data == data)
    #expect(sidecar.history.isEmpty, "It is the same edit, not a later one.")
    #expect((sidecar.render?["renderer"] as? String)?.hasSuffix("jpeg quality 40") == true)
    try await #expect(editor.apply(.named("noir"), to: photo, quality: 40).status == .unchanged)
  }

  @Test(arguments: Original.all)
  func everyFormatIsRenderedUprightToAJPEGBesideIt(original: Original) async throws {
    let photo = try folder.add(original.fixture)
    let before = try folder.traces
    let result = try await editor.apply(.named("vivid-warm"), to: photo)

    #expect(result.status == .edited)
    #expect(result.ownWarnings == original.warnings)
    let stem = try #require(photo.path.stem)
    let rendered = folder.path.appending("\(stem)_edited.jpg")
    #expect(result.rendered == rendered)
    #expect(result.record == folder.path.appending("\(photo.name).aae"))
    let picture = try Picture(rendered, as: .jpeg)
    #expect(PixelSize(width: picture.width, height: picture.height) == original.size)

    let state = try await editor.state(of: photo)
    #expect(state.edit?.renderSize == original.size)
    #expect(state.warnings.isEmpty)
    try #expect(folder.traces[photo.name] == before[photo.name])
    #expect(folder.names.count == 3)

    _ = try await editor.revertAssetContentToOriginal(photo)
    try #expect(folder.traces == before)
  }

  @Test func addedFiltersStack() async throws {
    let photo = try folder.add("rgb.tif")
    _ = try await editor.apply(.named("noir"), to: photo)
    let once = folder.bytes("rgb_edited.jpg")
    _ = try await editor.apply(.named("sepia"), .adding, to: photo)
    let stack = try await editor.state(of: photo).edit?.stack
    #expect(stack?.filters.map(\.name) == ["noir", "sepia"])
    #expect(folder.bytes("rgb_edited.jpg") != once)
    // Replacing takes the place of both.
    _ = try await editor.apply(.named("noir"), to: photo)
    #expect(folder.bytes("rgb_edited.jpg") == once)
  }

  @Test(arguments: [-0.01, 1.01, .nan, .infinity])
  func anIntensityOutOfRangeIsRefused(intensity: Double) async throws {
    let photo = try folder.add("rgb.tif")
    let before = try folder.traces
    let error = await #expect(throws: EditError.self) {
      try await editor.apply(.named("noir", intensity: intensity), to: photo)
    }
    guard case .adjustments(photo.path, .parameter("filter", "intensity", 0...1, _)) = error else {
      Issue.record("\(error.map { "\($0)" } ?? "no error")")
      return
    }
    try #expect(folder.traces == before)
  }
}
