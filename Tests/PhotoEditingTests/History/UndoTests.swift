import PhotoEditing
import Testing

@testable import SafelightFiles

@Suite struct UndoTests {
  private let folder = PhotoFolder()
  private let editor = PhotoEditor.test()

  private func filters(_ photo: Photo) async throws -> [String]? {
    try await editor.state(of: photo).edit?.stack?.filters.map(\.name)
  }

  @Test(arguments: [80, 95])
  func whatIsUndoneAndRedoneHasTheSameBytes(quality: Int) async throws {
    let photo = try folder.add("exif-gps-makernote.jpg", as: "beach.jpg")
    try await editor.apply(.named("noir"), to: photo, quality: quality)
    let first = try #require(folder.bytes("beach_edited.jpg"))
    try await editor.apply(.named("sepia"), to: photo, quality: 70)
    let second = try #require(folder.bytes("beach_edited.jpg"))

    let undone = try await editor.undo(photo)
    #expect(undone.status == .edited && undone.step == 1)
    #expect(undone.rendered == folder.path.appending("beach_edited.jpg"))
    #expect(folder.bytes("beach_edited.jpg") == first)
    try await #expect(filters(photo) == ["noir"])
    let redone = try await editor.redo(photo)
    #expect(redone.status == .edited && redone.step == 2)
    #expect(folder.bytes("beach_edited.jpg") == second)
    #expect(folder.names == ["beach.jpg", "beach.jpg.aae", "beach_edited.jpg"])
  }

  @Test func theFirstEditIsUndoneToAnEditOfNothingAndRedone() async throws {
    let photo = try folder.add("gradients/chart.png")
    try await editor.apply(.named("noir"), to: photo)
    let edited = try #require(folder.bytes("chart_edited.jpg"))
    let undone = try await editor.undo(photo)
    #expect(undone.status == .edited && undone.step == 0)
    #expect(undone.rendered == nil && folder.names == ["chart.png", "chart.png.aae"])
    let state = try await editor.state(of: photo)
    #expect(state.edit?.stack?.holdsNothing == true && !state.isEdited && state.warnings.isEmpty)
    try await #expect(editor.verify(photo).isSound)
    // A program that cannot read the empty edit starts from the original.
    let options = ContentEditingInputRequestOptions()
    options.canHandleAdjustmentData = { _ in false }
    let input = try await editor.contentEditingInput(for: photo, options: options)
    #expect(input.fullSizeImagePath == photo.path)

    let nothing = try await editor.undo(photo)
    #expect(nothing.status == .unchanged && nothing.step == 0)
    try await editor.redo(photo)
    #expect(folder.bytes("chart_edited.jpg") == edited)
    try await #expect(editor.history(of: photo).steps.count == 2)
    try await #expect(editor.redo(photo).status == .unchanged)
  }

  @Test func anUndoneEditKeepsItsDateAndItsEditor() async throws {
    let photo = try folder.add("gradients/chart.png")
    var configuration = PhotoEditor.Configuration()
    configuration.now = { .test.addingTimeInterval(-5000) }
    configuration.editorBundleIdentifier = "com.example.early"
    try await PhotoEditor(configuration).apply(.named("noir"), to: photo)
    try await editor.apply(.named("mono"), to: photo)
    try await editor.undo(photo)
    let edit = try #require(try await editor.state(of: photo).edit)
    #expect(edit.date == .test.addingTimeInterval(-5000))
    #expect(edit.editor == "com.example.early")
  }

  @Test func aPhotoWithoutAnEditHasNothingToUndoOrRedo() async throws {
    let photo = try folder.add("gradients/chart.png")
    let before = try folder.traces
    try await #expect(editor.undo(photo).status == .unchanged)
    try await #expect(editor.redo(photo).status == .unchanged)
    try await #expect(editor.goToStep(0, ofHistoryOf: photo).status == .unchanged)
    try #expect(folder.traces == before)
  }

  @Test func whatASyncOrAResetCannotCopyStaysAnEditOfNothing() async throws {
    let photo = try folder.add("gradients/chart.png")
    try await editor.apply(.named("noir"), to: photo)
    try await editor.undo(photo, quality: 50)
    await #expect(throws: EditError.nothingToCopy(path: photo.path, reason: .noEdit)) {
      try await editor.edit(of: photo)
    }
    // Not reverted: it could not be redone.
    let reset = try await editor.adjust(photo, quality: 95) { $0.removeAdjustments() }
    #expect(reset.status == .unchanged)
    try await #expect(editor.redo(photo).step == 1)
  }

  @Test func aChangedOriginalIsNotRendered() async throws {
    let photo = try folder.add("gradients/chart.png")
    try await editor.apply(.named("noir"), to: photo)
    try folder.add("rgb.tif", as: "chart.png")
    let before = try folder.traces
    await #expect(throws: EditError.storage(.originalChanged(photo.path))) {
      try await editor.undo(photo)
    }
    try #expect(folder.traces == before)
  }
}
