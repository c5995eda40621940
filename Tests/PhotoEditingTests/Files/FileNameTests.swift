import Foundation
import Glibc
import PhotoEditing
import Testing

@testable import SafelightFiles

@Suite struct FileNameTests {
  private let folder = PhotoFolder()
  private let editor = PhotoEditor.test()

  @Test(arguments: [
    FilePath("two words .jpg"), FilePath("line\nbreak.jpg"), FilePath("🏖️ Strand.jpg"),
    FilePath("-dash.jpg"), FilePath(".hidden.jpg"), FilePath("no ending"), FilePath("a.b.c.jpg"),
    FilePath("100%.jpg"), FilePath("e\u{301}te.jpg"), FilePath("quote\"<&>'.jpg"),
    FilePath(bytes: [0x66, 0xFC, 0x6E, 0x66, 0xFF, 0x2E, 0x6A, 0x70, 0x67]),
    FilePath(bytes: [0x01, 0x1B, 0x5B, 0x2E, 0x6A, 0x70, 0x67]),
  ])
  func anyNameThatLinuxAllowsIsEdited(name: FilePath) async throws {
    let photo = try folder.add("orientation/1.jpg", as: name)
    let before = try folder.traces
    let result = try await editor.apply(.named("noir"), to: photo)
    let stem = try #require(photo.path.stem)
    let render = FilePath(bytes: stem.bytes + Array("_edited.jpg".utf8))
    let sidecar = FilePath(bytes: name.bytes + Array(".aae".utf8))
    #expect(result.rendered == folder.path.appending(render))
    #expect(result.record == folder.path.appending(sidecar))
    #expect(Set(folder.names) == [name, render, sidecar])

    let state = try await editor.state(of: photo)
    #expect(state.warnings.isEmpty)
    #expect(state.resources.map(\.type) == [.photo, .adjustmentData, .fullSizePhoto])
    try await #expect(editor.apply(.named("noir"), to: photo).status == .unchanged)
    try await #expect(
      editor.apply(.named("mono"), to: Photo(path: folder.path.appending(render))).status
        == .skipped)

    // The URL names the same bytes.
    let byURL = try #require(Photo(fileURL: photo.path.fileURL))
    #expect(byURL == photo)
    try await #expect(editor.revertAssetContentToOriginal(byURL).status == .reverted)
    try #expect(folder.traces == before)
  }
}
