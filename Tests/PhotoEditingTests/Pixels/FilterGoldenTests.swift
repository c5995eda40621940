import PhotoEditing
import Testing

@testable import SafelightFiles

/// What every shipped filter makes of the beach, 160 pixels wide.
@Suite struct FilterGoldenTests {
  private let folder = PhotoFolder()

  @Test(arguments: Filter.shipped.map(\.name))
  func everyFilterLooksAsItDidWhenItWasPublished(name: String) async throws {
    let photo = try folder.add("goldens/beach.png")
    let editor = PhotoEditor.test()
    try await #expect(editor.apply(.named(name), to: photo).status == .edited)
    let output = folder.path.appending("out.png")
    _ = try await editor.export(photo, to: output, as: RenderOutput(format: .png))
    try expectGolden(output, "goldens/\(name).png")
  }
}
