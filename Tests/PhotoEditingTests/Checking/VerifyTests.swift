import Foundation
import Glibc
import PhotoEditing
import Testing

@testable import SafelightStorage

/// Every kind of problem, made on disk and found again.
@Suite struct VerifyTests {
  private let folder = PhotoFolder()
  private let editor = PhotoEditor.test()

  private func edited() async throws -> Photo {
    let asset = try folder.add("orientation/1.jpg", as: "beach.jpg")
    _ = try await editor.apply(.named("noir"), to: asset)
    return asset
  }

  private func path(_ name: FilePath) -> FilePath { folder.path.appending(name) }

  /// Checks the photo, which changes nothing, and expects one problem.
  private func expectProblem(
    _ kind: PhotoProblem.Kind, _ file: FilePath, of asset: Photo, _ text: String, hint: String?
  ) async throws {
    let before = try folder.traces
    let check = try await editor.verify(asset)
    #expect(check.problems + check.notes == [PhotoProblem(kind, path(file))])
    let problem = try #require((check.problems + check.notes).first)
    #expect(check.isSound == problem.isNote)
    #expect(problem.description == "\(path(file))" + text)
    #expect(problem.hint == hint?.replacing("@", with: folder.path.string))
    try #expect(folder.traces == before)
  }

  @Test func whatIsAsRecordedHasNoProblems() async throws {
    let check = try await editor.verify(edited())
    #expect(check.isEdited)
    #expect(check.isSound)
    #expect(check.notes.isEmpty)
  }

  @Test func aPhotoWithoutAnEditIsFine() async throws {
    let check = try await editor.verify(folder.add("orientation/1.jpg"))
    #expect(!check.isEdited)
    #expect(check.isSound)
  }

  @Test func aChangedOriginal() async throws {
    let asset = try await edited()
    folder.put(try Fixtures.bytes("orientation/2.jpg"), as: "beach.jpg")
    try await expectProblem(
      .originalChanged, "beach.jpg", of: asset,
      " is not the photo that was edited: it has changed.",
      hint: "Put the original back, or revert the photo to drop the edit and start anew.")
  }

  @Test func aMissingOriginal() async throws {
    let asset = try await edited()
    folder.remove("beach.jpg")
    try await expectProblem(
      .originalMissing, "beach.jpg", of: asset, " is gone, and its edit is still there.",
      hint: "Put it back, or let “edit relink” find it under its new name.")
  }

  @Test func aRecordOfAnotherPhoto() async throws {
    let asset = try folder.add("gradients/chart.png")
    folder.put(try Fixtures.bytes("bad/sidecar-another-photo.aae"), as: "chart.png.aae")
    let check = try await editor.verify(asset)
    #expect(check.problems.map(\.code) == ["record-of-another-photo", "render-missing"])
    #expect(check.problems.first?.file == path("chart.png.aae"))
    #expect(check.problems.first?.description.contains("belongs to another photo") == true)
  }

  @Test func aChangedRender() async throws {
    let asset = try await edited()
    folder.put(try Fixtures.bytes("orientation/2.jpg"), as: "beach_edited.jpg")
    try await expectProblem(
      .renderChanged, "beach_edited.jpg", of: asset,
      " was changed by another program since it was rendered.",
      hint: "Move @/beach_edited.jpg away to keep it; the photo can then be edited or reverted.")
  }

  @Test func aMissingRender() async throws {
    let asset = try await edited()
    folder.remove("beach_edited.jpg")
    try await expectProblem(
      .renderMissing, "beach_edited.jpg", of: asset, ", the render, is missing.",
      hint: "“edit render --stale” makes it again.")
  }

  @Test(arguments: [true, false])
  func aBaseThatIsChangedOrMissing(isMissing: Bool) async throws {
    let asset = try folder.add("orientation/1.jpg", as: "beach.jpg")
    try await ThirdParty.a.edit(asset, "A", render: ThirdParty.i1)
    _ = try await editor.apply(.named("noir"), to: asset)
    if isMissing {
      folder.remove("beach_base.jpg")
      try await expectProblem(
        .baseMissing, "beach_base.jpg", of: asset, ", which the edit starts from, is missing.",
        hint: "Restore it from a backup, or revert the photo to drop the edit.")
    } else {
      folder.put(try Fixtures.bytes("orientation/2.jpg"), as: "beach_base.jpg")
      try await expectProblem(
        .baseChanged, "beach_base.jpg", of: asset,
        " was changed by another program since it was kept.",
        hint: "Restore @/beach_base.jpg from a backup, or move it away.")
    }
  }

  @Test(arguments: ["empty", "not-xml", "binary"])
  func anUnreadableRecord(fixture: String) async throws {
    let asset = try folder.add("orientation/1.jpg", as: "beach.jpg")
    let bytes = try Fixtures.bytes(FilePath("bad/sidecar-\(fixture).aae").string)
    folder.put(bytes, as: "beach.jpg.aae")
    let check = try await editor.verify(asset)
    #expect(check.problems.map(\.code) == ["record-unreadable"])
    #expect(check.problems.first?.file == path("beach.jpg.aae"))
    #expect(check.problems.first?.hint != nil)
  }

  @Test func aNewerRecordIsNoted() async throws {
    let asset = try await edited()
    let text = try folder.text("beach.jpg.aae").replacing(
      #/(recordVersion</key>\s*<integer>)1/#, with: { "\($0.1)7" })
    folder.put(Array(text.utf8), as: "beach.jpg.aae")
    try await expectProblem(
      .recordNewer(version: 7), "beach.jpg.aae", of: asset,
      " is a record of version 7, which is newer, and was not checked.",
      hint: "Use a newer Safelight.")
  }

  @Test func anotherProgramsSidecarIsNoted() async throws {
    let asset = try folder.add("orientation/1.jpg", as: "beach.jpg")
    folder.put(try Fixtures.bytes("bad/apple.aae"), as: "beach.jpg.aae")
    try await expectProblem(
      .foreignSidecar, "beach.jpg.aae", of: asset, " is another program's edit.", hint: nil)
  }

  @Test(arguments: ["beach.jpg", "beach_edited.jpg"])
  func aRenderThatNoRecordNames(kept: String) async throws {
    _ = try await edited()
    folder.remove("beach.jpg.aae")
    if kept != "beach.jpg" { folder.remove("beach.jpg") }
    try await expectProblem(
      .orphanRender(original: "beach.jpg"), "beach_edited.jpg",
      of: Photo(path: path("beach_edited.jpg")),
      " was rendered from beach.jpg, and no record names it.",
      hint: "Put its record back, remove it, or give it a name of its own to keep it as a photo.")
  }

  @Test func aRenderIsComparedWithTheRecordThatNamesIt() async throws {
    _ = try await edited()
    let render = Photo(path: path("beach_edited.jpg"))
    try await #expect(editor.verify(render).isSound)
    folder.put(try Fixtures.bytes("orientation/2.jpg"), as: "beach_edited.jpg")
    try await #expect(editor.verify(render).problems.map(\.kind) == [.renderChanged])
  }

  @Test func aPictureOfSomebodyElseWithSuchANameIsAPhoto() async throws {
    let asset = try folder.add("orientation/1.jpg", as: "mine_edited.jpg")
    let check = try await editor.verify(asset)
    #expect(check.isSound && !check.isEdited)
  }

  @Test func whatIsNotThereAtAllIsAnError() async throws {
    let asset = Photo(path: path("none.jpg"))
    await #expect(throws: EditError.storage(.originalMissing(asset.path))) {
      try await editor.verify(asset)
    }
  }
}
