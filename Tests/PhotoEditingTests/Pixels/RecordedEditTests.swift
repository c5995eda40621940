import Foundation
import PhotoEditing
import Testing

@testable import SafelightFiles

/// Sidecars as each version of the format wrote them: they must always give the same pixels.
@Suite struct RecordedEditTests {
  private let folder = PhotoFolder()
  private let editor = PhotoEditor.test()

  @Test(arguments: ["1.0"])
  func aRecordedSidecarStillGivesItsRender(version: String) async throws {
    let photo = try folder.add("recorded/\(version)/chart.png")
    try folder.add("recorded/\(version)/chart.png.aae")
    let state = try await editor.state(of: photo)
    #expect(state.edit?.adjustmentData.formatVersion == version)
    #expect(
      state.edit?.stack?.inPipelineOrder.map(\.id)
        == ["tone-curve", "channel-mixer", "vibrance", "saturation", "filter"])

    let output = folder.path.appending("out.png")
    _ = try await editor.export(photo, to: output, as: RenderOutput(format: .png))
    try expectGolden(output, "recorded/\(version)/render.png")
    try #expect(
      folder.bytes("chart.png.aae") == Fixtures.bytes("recorded/\(version)/chart.png.aae"))
  }

  @Test func thereIsASidecarOfTheFormatThatIsWrittenNow() throws {
    let path = Fixtures.path("recorded/\(EditStack.formatVersion)/chart.png.aae")
    #expect(FileManager.default.fileExists(atPath: path.string))
  }
}
