import Foundation
import PhotoEditing
import Synchronization
import Testing

@testable import SafelightFiles
@testable import SafelightStorage

@Suite struct PictureExportTests {
  private let folder = PhotoFolder()
  private let editor = PhotoEditor.test()

  private var output: FilePath { folder.path.appending("out.png") }

  private static let png = RenderOutput(format: .png, longestSide: 600)

  @Test func theOriginalIsWrittenWhateverItsEdit() async throws {
    let photo = try folder.add("orientation/6.jpg")
    try await editor.apply(.named("noir"), to: photo)
    try await editor.adjust(photo) { edit throws(AdjustmentError) in
      try edit.adjust(Adjustments.Crop.self) { $0.width = 0.5 }
    }
    let before = try folder.traces
    try await editor.export(
      photo, to: output, as: RenderOutput(format: .png), showingEdit: false)
    try #expect(Picture(output, as: .png) == Picture(photo.path, as: .jpeg, upright: 6))
    folder.remove("out.png")
    try #expect(folder.traces == before)
  }

  @Test func theCaptionIsMadeOfTheEditThatIsShown() async throws {
    let photo = try folder.add("beach.jpg")
    try await editor.apply(.named("noir"), to: photo)
    try await editor.adjust(photo) { edit throws(AdjustmentError) in
      try edit.adjust(Adjustments.Exposure.self) { $0.amount = 0.3 }
    }
    let seen = Mutex<[[String]]>([])
    for filter in [nil, try AppliedFilter.named("fade")] {
      try await editor.exportComparison(
        of: photo,
        PhotoComparison(filter: filter) { edit in
          seen.withLock { $0.append(edit.inPipelineOrder.map(\.id) + edit.filters.map(\.name)) }
          return "edited"
        }, to: output, as: Self.png, replacing: true)
    }
    #expect(
      seen.withLock { $0 } == [["exposure", "filter", "noir"], ["exposure", "filter", "fade"]])
  }

  @Test func anotherProgramsEditIsComparedByItsRender() async throws {
    let photo = try folder.add("beach.jpg")
    try await ThirdParty.a.edit(photo, "a's", render: ThirdParty.i2)
    let result = try await editor.exportComparison(of: photo, to: output, as: Self.png)
    #expect(result.ownWarnings.isEmpty)
    let split = try await editor.exportComparison(
      of: photo, PhotoComparison(.split(at: 0.5)), to: output, as: Self.png, replacing: true)
    #expect(split.ownWarnings.contains { $0.contains("another shape") })
  }

  @Test func aSheetShowsTheCroppedPhoto() async throws {
    let photo = try folder.add("beach.jpg")
    try await editor.adjust(photo) { edit throws(AdjustmentError) in
      try edit.adjust(Adjustments.Crop.self) { $0.width = 0.25 }
    }
    let before = try folder.traces
    try await editor.exportContactSheet(
      of: photo, with: Filter.shipped, columns: 17, to: output,
      as: RenderOutput(format: .png, longestSide: 200))
    let sheet = try Picture(output, as: .png)
    // Upright thumbnails, 75 by 200, in cells as wide as their labels.
    #expect(sheet.width < 17 * 120 && sheet.height > 200 && sheet.height < 240)
    folder.remove("out.png")
    try #expect(folder.traces == before)
  }

  @Test func histogramsAreOfThePhotoNowAndBefore() async throws {
    let photo = try folder.add("beach.jpg")
    let plain = try await editor.histograms(of: photo)
    #expect(plain.before == nil)
    try await editor.apply(.named("noir"), to: photo)
    let edited = try await editor.histograms(of: photo)
    #expect(edited.before == plain.now)
    #expect(edited.now.counts(.red) == edited.now.counts(.blue))
    #expect(edited.now.pixelCount == 1200 * 800)
  }

  @Test func aPictureMayNotTakeThePlaceOfThePhotosFiles() async throws {
    let photo = try folder.add("beach.jpg")
    try await editor.apply(.named("noir"), to: photo)
    for path in [photo.path, folder.path.appending("beach_edited.jpg")] {
      await #expect(throws: EditError.destinationTaken(path, .belongsToThePhoto)) {
        try await editor.exportComparison(of: photo, to: path, as: Self.png, replacing: true)
      }
    }
  }

  @Test func aCancelledPictureLeavesNothingBehind() async throws {
    let photo = try folder.add("beach.jpg")
    let (editor, output) = (editor, output)
    let work = Task {
      withUnsafeCurrentTask { $0?.cancel() }
      try await editor.exportContactSheet(
        of: photo, with: Filter.shipped, to: output, as: RenderOutput(format: .png))
    }
    await #expect(throws: EditError.cancelled(path: photo.path)) { try await work.value }
    #expect(folder.names == ["beach.jpg"])
  }
}
