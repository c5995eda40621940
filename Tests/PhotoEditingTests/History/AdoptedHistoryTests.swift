import Foundation
import PhotoEditing
import SafelightFiles
import Testing

/// Undo and redo over a picture of Google's that was kept, which is beside the photo still.
@Suite struct AdoptedHistoryTests {
  private let folder = PhotoFolder()

  private func editor() -> PhotoEditor {
    var configuration = PhotoEditor.Configuration()
    configuration.now = { .test }
    return PhotoEditor(configuration)
  }

  private func photo() throws -> Photo {
    folder.put(try Fixtures.bytes("beach.jpg"), as: "a.jpg")
    folder.put(try Fixtures.bytes("progressive.jpg"), as: "a-edited.jpg")
    folder.put(
      Array(#"{"title": "a.jpg", "photoTakenTime": {"timestamp": "1"}}"#.utf8), as: "a.jpg.json")
    return Photo(path: folder.path.appending("a.jpg"))
  }

  private var render: [UInt8]? { folder.bytes("a_edited.jpg") }
  private var picture: [UInt8]? { folder.bytes("a-edited.jpg") }

  @Test func undoShowsTheOriginalAndRedoThePicture() async throws {
    let photo = try photo()
    let before = try folder.traces
    let editor = editor()
    try await editor.perform(.adopt(.render), on: photo)
    #expect(render == picture)
    #expect(try await editor.history(of: photo).steps.map(\.isReachable) == [true, true])
    try await editor.undo(photo)
    #expect(try await !editor.state(of: photo).isEdited && render == nil)
    try await editor.redo(photo)
    #expect(render == picture)
    #expect(try await editor.verify(photo).isSound)
    try await editor.revertAssetContentToOriginal(photo)
    #expect(try folder.traces == before)
  }

  @Test func anEditBeforeThePictureComesBack() async throws {
    let photo = try photo()
    let editor = editor()
    try await editor.apply(.named("noir"), to: photo)
    let noir = render
    try await editor.perform(.adopt(.render), on: photo)
    try await editor.undo(photo)
    #expect(noir != nil && render == noir)
    try await editor.redo(photo)
    #expect(render == picture)
    try await editor.goToStep(0, ofHistoryOf: photo)
    #expect(render == nil)
    try await editor.redo(photo)
    #expect(render == noir)
    #expect(try await editor.verify(photo).isSound)
  }

  @Test func anEditOfThePictureIsUndoneAndRedone() async throws {
    let photo = try photo()
    let editor = editor()
    try await editor.perform(.adopt(.render), on: photo)
    try await editor.apply(.named("noir"), to: photo)
    let noir = render
    #expect(noir != picture && folder.bytes("a_base.jpg") == picture)
    try await editor.undo(photo)
    #expect(render == picture)
    try await editor.redo(photo)
    #expect(render == noir && folder.bytes("a_base.jpg") == picture)
    try await editor.undo(photo, steps: 2)
    #expect(render == nil)
    // The picture has to come back first: what is beside the photo is not what the edit starts from.
    await #expect(throws: EditError.self) { try await editor.redo(photo, steps: 2) }
    try await editor.redo(photo)
    try await editor.redo(photo)
    #expect(render == noir)
    #expect(try await editor.verify(photo).isSound)
  }

  @Test func withoutThePictureNothingGoesPastIt() async throws {
    let photo = try photo()
    let editor = editor()
    try await editor.perform(.adopt(.render), on: photo)
    folder.remove("a-edited.jpg")
    let before = try folder.traces
    let error = await #expect(throws: EditError.self) { try await editor.undo(photo) }
    #expect(error?.code.contains("step-unavailable") == true)
    #expect(try folder.traces == before)
  }

  /// A photo that was edited elsewhere is not edited anew without a word.
  @Test func theFirstEditSaysWhatItLeavesBehind() async throws {
    let photo = try photo()
    let editor = editor()
    let first = try await editor.apply(.named("noir"), to: photo)
    #expect(first.warnings.count { $0.contains("edited in Google Photos") } == 1)
    let second = try await editor.perform(.apply(.named("sepia")), on: photo)
    #expect(!second.warnings.contains { $0.contains("edited in Google Photos") })
  }
}
