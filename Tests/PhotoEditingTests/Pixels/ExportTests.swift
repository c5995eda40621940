import Foundation
import Glibc
import PhotoEditing
import SafelightVips
import Testing

@testable import SafelightFiles

@Suite struct ExportTests {
  private let folder = PhotoFolder()
  private let editor = PhotoEditor.test()

  @Test(arguments: [
    ("beach.jpg", 1), ("progressive.jpg", 1), ("gradients/chart.png", 1), ("orientation/6.jpg", 6),
    ("orientation/7.jpg", 7), ("sixteen-bit.png", 1), ("sixteen-bit.tif", 1), ("rgb.tif", 1),
    ("profiles/p3.jpg", 1), ("profiles/adobe.jpg", 1), ("gradients/grey-ramp-16.png", 1),
  ])
  func anIntensityOfZeroGivesTheOriginalsPixels(fixture: String, orientation: Int) async throws {
    let photo = try folder.add(fixture)
    _ = try await editor.apply(.named("dramatic-warm", intensity: 0), to: photo)
    let output = folder.path.appending("out.png")
    _ = try await editor.export(photo, to: output, as: RenderOutput(format: .png))
    let format = try #require(Image.FileFormat(ending: photo.path.extension))
    let original = try Picture(photo.path, as: format, upright: orientation)
    let exported = try Picture(output, as: .png)
    #expect(original.hasShape(of: exported))
    #expect(original.pixels == exported.pixels)
  }

  @Test(arguments: RenderOutput.Format.allCases)
  func everyFormatHoldsTheEditedPicture(format: RenderOutput.Format) async throws {
    let photo = try folder.add("rgb.tif")
    _ = try await editor.apply(.named("noir"), to: photo)
    let before = try folder.traces
    let output = folder.path.appending(FilePath("out.\(format.fileExtension)"))
    let result = try await editor.export(photo, to: output, as: RenderOutput(format: format))
    #expect(result.status == .rendered)
    #expect(result.rendered == output)
    #expect(result.record == nil)
    guard let decoder = Image.FileFormat(ending: format.fileExtension) else {
      // Safelight writes JPEG XL and does not read it.
      #expect(format == .jxl)
      return
    }
    let picture = try Picture(output, as: decoder)
    #expect(picture.width == 240 && picture.height == 160 && picture.bands == 3)
    // Noir has no color, whatever the format.
    let pixel = picture.pixel(120, 80)
    #expect(try #require(pixel.max()) - #require(pixel.min()) <= 2)
    folder.remove(try #require(output.lastComponent))
    try #expect(folder.traces == before)
  }

  @Test func anotherProgramsEditIsTakenFromItsRender() async throws {
    let photo = try folder.add("beach.jpg")
    try await ThirdParty.a.edit(photo, "cards", render: ThirdParty.i1)
    let output = folder.path.appending("out.png")
    _ = try await editor.export(photo, to: output, as: RenderOutput(format: .png))
    try #expect(Picture(output, as: .png) == Picture(Fixtures.path(ThirdParty.i1), as: .jpeg))
  }

  @Test func aFileThatExistsIsOnlyReplacedWhenAskedTo() async throws {
    let photo = try folder.add("rgb.tif")
    folder.put(Array("mine".utf8), as: "out.png")
    let output = folder.path.appending("out.png")
    let before = try folder.traces
    let taken = EditError.destinationTaken(output, .exists)
    await #expect(throws: taken) {
      try await editor.export(photo, to: output, as: RenderOutput(format: .png))
    }
    await #expect(throws: taken) {
      try await editor.export(photo, to: output, as: RenderOutput(format: .png), dryRun: true)
    }
    #expect(taken.code == "destination-taken")
    try #expect(folder.traces == before)
    _ = try await editor.export(
      photo, to: output, as: RenderOutput(format: .png), existing: .replaced)
    try #expect(Picture(output, as: .png).width == 240)
  }

  @Test(arguments: ["beach.jpg", "beach.jpg.aae", "beach_edited.jpg", "beach_base.jpg", "link.jpg"])
  func thePhotosOwnFilesAreNeverReplaced(name: String) async throws {
    let photo = try folder.add("beach.jpg")
    try await ThirdParty.a.edit(photo, "a's", render: ThirdParty.i1)
    try await ThirdParty.b.edit(photo, "b's", render: ThirdParty.i2)
    #expect(symlink("beach.jpg", folder.path.appending("link.jpg").string) == 0)
    let before = try folder.traces
    let output = folder.path.appending(FilePath(name))
    await #expect(throws: EditError.destinationTaken(output, .belongsToThePhoto)) {
      try await editor.export(photo, to: output, as: .standard, existing: .replaced)
    }
    try #expect(folder.traces == before)
  }
}
