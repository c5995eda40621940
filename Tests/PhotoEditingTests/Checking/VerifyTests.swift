import Foundation
import Glibc
import PhotoEditing
import Testing

@testable import SafelightFiles
@testable import SafelightStorage

/// Every kind of problem, made on disk and found again.
@Suite struct VerifyTests {
  private let folder = PhotoFolder()
  private let editor = PhotoEditor.test()

  private func edited() async throws -> Photo {
    let photo = try folder.add("orientation/1.jpg", as: "beach.jpg")
    _ = try await editor.apply(.named("noir"), to: photo)
    return photo
  }

  private func path(_ name: FilePath) -> FilePath { folder.path.appending(name) }

  /// Checks the photo, which changes nothing, and expects one problem.
  private func expectProblem(
    _ kind: PhotoProblem.Kind, _ file: FilePath, of photo: Photo, text: String, code: String
  ) async throws {
    let before = try folder.traces
    let check = try await editor.verify(photo)
    #expect(check.problems + check.notes == [PhotoProblem(kind, path(file))])
    let problem = try #require((check.problems + check.notes).first)
    #expect(check.isSound == problem.isNote)
    #expect(problem.description == "\(path(file))" + text)
    #expect(problem.code == code)
    try #expect(folder.traces == before)
  }

  @Test(
    arguments: [
      (
        .originalChanged, "beach.jpg", " is not the photo that was edited: it has changed.",
        "original-changed"
      ),
      (.originalMissing, "beach.jpg", " is gone, and its edit is still there.", "original-missing"),
      (
        .renderChanged, "beach_edited.jpg",
        " was changed by another program since it was rendered.", "render-changed"
      ),
      (.renderMissing, "beach_edited.jpg", ", the render, is missing.", "render-missing"),
      (
        .baseChanged, "beach_base.jpg", " was changed by another program since it was kept.",
        "base-changed"
      ),
      (
        .baseMissing, "beach_base.jpg", ", which the edit starts from, is missing.", "base-missing"
      ),
    ] as [(PhotoProblem.Kind, FilePath, String, String)])
  func aFileThatIsChangedOrMissing(
    kind: PhotoProblem.Kind, file: FilePath, text: String, code: String
  ) async throws {
    let photo = try folder.add("orientation/1.jpg", as: "beach.jpg")
    try await ThirdParty.a.edit(photo, "A", render: ThirdParty.i1)
    _ = try await editor.apply(.named("noir"), to: photo)
    folder.remove(file)
    if code.hasSuffix("changed") { try folder.add("orientation/2.jpg", as: file) }
    try await expectProblem(kind, file, of: photo, text: text, code: code)
  }

  @Test func aRecordOfAnotherPhoto() async throws {
    let photo = try folder.add("gradients/chart.png")
    folder.put(try Fixtures.bytes("bad/sidecar-another-photo.aae"), as: "chart.png.aae")
    let check = try await editor.verify(photo)
    #expect(check.problems.map(\.code) == ["record-of-another-photo", "render-missing"])
    #expect(check.problems.first?.file == path("chart.png.aae"))
    #expect(check.problems.first?.description.contains("belongs to another photo") == true)
  }

  @Test(arguments: ["empty", "not-xml", "binary"])
  func anUnreadableRecord(fixture: String) async throws {
    let photo = try folder.add("orientation/1.jpg", as: "beach.jpg")
    let bytes = try Fixtures.bytes(FilePath("bad/sidecar-\(fixture).aae").string)
    folder.put(bytes, as: "beach.jpg.aae")
    let check = try await editor.verify(photo)
    #expect(check.problems.map(\.code) == ["record-unreadable"])
    #expect(check.problems.first?.file == path("beach.jpg.aae"))
  }

  @Test func aNewerRecordIsNoted() async throws {
    let photo = try await edited()
    let text = try folder.text("beach.jpg.aae").replacing(
      #/(recordVersion</key>\s*<integer>)1/#, with: { "\($0.1)7" })
    folder.put(Array(text.utf8), as: "beach.jpg.aae")
    try await expectProblem(
      .recordNewer(version: 7), "beach.jpg.aae", of: photo,
      text: " is a record of version 7, which is newer, and was not checked.",
      code: "record-newer")
  }

  @Test(arguments: ["beach.jpg", "beach_edited.jpg"])
  func aRenderThatNoRecordNames(kept: String) async throws {
    _ = try await edited()
    folder.remove("beach.jpg.aae")
    if kept != "beach.jpg" { folder.remove("beach.jpg") }
    try await expectProblem(
      .orphanRender(original: "beach.jpg"), "beach_edited.jpg",
      of: Photo(path: path("beach_edited.jpg")),
      text: " was rendered from beach.jpg, and no record names it.",
      code: "orphan-render")
  }

  @Test func aRenderIsComparedWithTheRecordThatNamesIt() async throws {
    _ = try await edited()
    let render = Photo(path: path("beach_edited.jpg"))
    try await #expect(editor.verify(render).isSound)
    folder.put(try Fixtures.bytes("orientation/2.jpg"), as: "beach_edited.jpg")
    try await #expect(editor.verify(render).problems.map(\.kind) == [.renderChanged])
  }

  @Test func aPictureOfSomebodyElseWithSuchANameIsAPhoto() async throws {
    let photo = try folder.add("orientation/1.jpg", as: "mine_edited.jpg")
    let check = try await editor.verify(photo)
    #expect(check.isSound && !check.isEdited)
  }

  @Test func whatIsNotThereAtAllIsAnError() async throws {
    let photo = Photo(path: path("none.jpg"))
    await #expect(throws: EditError.storage(.originalMissing(photo.path))) {
      try await editor.verify(photo)
    }
  }

  @Test func editsThatCannotBeReadAreNamed() async throws {
    let photo = try folder.add("orientation/1.jpg")
    try await editor.apply(.named("noir"), to: photo)
    try await editor.saveVersion(named: "dark", of: photo)
    let exposure = #"{"id":"exposure","version":1,"stops":0.1}"#
    let many =
      "{\"adjustments\":[\(Array(repeating: exposure, count: 501).joined(separator: ","))]}"
    let bytes = try folder.text("1.jpg.aae")
    let pattern = try Regex("<data>[^<]*</data>")
    for (text, code) in [(many, "501"), ("not JSON", "cannot be read"), ("{}", "adjustments")] {
      let data = Data(text.utf8).base64EncodedString()
      folder.put(
        Array(bytes.replacing(pattern, with: "<data>\(data)</data>").utf8), as: "1.jpg.aae")
      let problems = try await editor.verify(photo).problems
      #expect(problems.map(\.code) == ["edit-unreadable", "edit-unreadable"])
      #expect(problems.allSatisfy { $0.description.contains(code) }, "\(problems)")
    }
  }
}
