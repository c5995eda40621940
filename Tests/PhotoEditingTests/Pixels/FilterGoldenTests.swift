import PhotoEditing
import Testing

/// What every shipped filter makes of the beach, 160 pixels wide.
@Suite struct FilterGoldenTests {
  private let folder = PhotoFolder()

  @Test(arguments: Filter.shipped.map(\.name))
  func everyFilterLooksAsItDidWhenItWasPublished(name: String) async throws {
    let asset = try folder.add("goldens/beach.png")
    let editor = PhotoEditor.test()
    try await #expect(editor.apply(.named(name), to: asset).status == .edited)
    let output = folder.path.appending("out.png")
    _ = try await editor.export(asset, to: output, as: RenderOutput(format: .png))
    try expectGolden(output, "goldens/\(name).png")
  }
}
