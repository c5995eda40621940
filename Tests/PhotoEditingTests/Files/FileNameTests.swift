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

  /// 255 bytes: no sidecar fits. 251 bytes: the sidecar fits, the render does not.
  @Test(arguments: [255, 252, 251, 249])
  func aNameTooLongForItsFilesIsAClearError(length: Int) async throws {
    let name = FilePath(String(repeating: "n", count: length - 4) + ".jpg")
    let photo = try folder.add("orientation/1.jpg", as: name)
    let before = try folder.traces
    let error = await #expect(throws: EditError.self) {
      try await editor.apply(.named("noir"), to: photo)
    }
    guard case .storage(.nameTooLong(let path, 255)) = error else {
      Issue.record("\(error.map { "\($0)" } ?? "no error")")
      return
    }
    #expect(error?.description == "The name of \(path) would be longer than 255 bytes.")
    #expect(error?.code == "name-too-long")
    let planned = await #expect(throws: EditError.self) {
      try await editor.apply(.named("noir"), to: photo, dryRun: true)
    }
    #expect(planned == error)
    try #expect(folder.traces == before)
  }

  @Test func theLongestNameThatFitsIsEdited() async throws {
    let name = FilePath(String(repeating: "n", count: 244) + ".jpg")
    let photo = try folder.add("orientation/1.jpg", as: name)
    try await #expect(editor.apply(.named("noir"), to: photo).status == .edited)
    #expect(folder.names.map { $0.bytes.count }.max() == 255)
  }

  @Test func aSymbolicLinkStandsForItsTarget() async throws {
    let other = PhotoFolder()
    let photo = try folder.add("orientation/1.jpg")
    let link = other.path.appending("link.jpg")
    #expect(symlink(photo.path.string, link.string) == 0)
    let result = try await editor.apply(.named("noir"), to: Photo(path: link))
    #expect(result.rendered == folder.path.appending("1_edited.jpg"))
    #expect(other.names == ["link.jpg"])
    #expect(link.leadsToSameFile(as: photo.path))
    try await #expect(editor.apply(.named("noir"), to: photo).status == .unchanged)
    try await #expect(
      editor.revertAssetContentToOriginal(Photo(path: link)).status == .reverted)
    #expect(folder.names == ["1.jpg"])
  }

  @Test func aLinkThatLeadsNowhereIsAMissingPhoto() async throws {
    let link = folder.path.appending("link.jpg")
    #expect(symlink("nowhere.jpg", link.string) == 0)
    await #expect(throws: EditError.storage(.originalMissing(link))) {
      try await editor.apply(.named("noir"), to: Photo(path: link))
    }
  }

  @Test func photosOfOneStemKeepApart() async throws {
    let first = try folder.add("gradients/chart.png", as: "a.png")
    let second = try folder.add("orientation/1.jpg", as: "a.jpg")
    _ = try await editor.apply(.named("noir"), to: first)
    _ = try await editor.apply(.named("noir"), to: second)
    #expect(
      folder.names == [
        "a.jpg", "a.jpg.aae", "a.jpg_edited.jpg", "a.png", "a.png.aae", "a_edited.jpg",
      ])
    _ = try await editor.revertAssetContentToOriginal(first)
    #expect(folder.names == ["a.jpg", "a.jpg.aae", "a.jpg_edited.jpg", "a.png"])
    try await #expect(editor.state(of: second).warnings.isEmpty)
  }
}
