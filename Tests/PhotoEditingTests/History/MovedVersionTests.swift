import PhotoEditing
import Testing

@testable import SafelightFiles

/// Named versions where photos are checked, moved and rendered again.
@Suite struct MovedVersionTests {
  private let folder = PhotoFolder()
  private let editor = PhotoEditor.test()

  /// A photo with two versions, the second of them its present edit.
  private func edited() async throws -> Photo {
    let photo = try folder.add("gradients/chart.png")
    try await editor.apply(.named("noir"), to: photo)
    try await editor.saveVersion(named: "dark", of: photo)
    try await editor.apply(.named("sepia"), to: photo)
    try await editor.saveVersion(named: "brown", of: photo)
    return photo
  }

  @Test func versionsMoveAlongWithARenamedPhoto() async throws {
    let photo = try await edited()
    let dark = folder.bytes("chart_edited-dark.jpg")
    folder.put(try #require(folder.bytes("chart.png")), as: "shore.png")
    folder.remove(photo.name)
    try await editor.relink([folder.path]) { _, _ in }
    #expect(
      folder.names == [
        "shore.png", "shore.png.aae", "shore_edited-brown.jpg", "shore_edited-dark.jpg",
        "shore_edited.jpg",
      ])
    let shore = Photo(path: folder.path.appending("shore.png"))
    try await #expect(editor.state(of: shore).warnings == [])
    try await #expect(editor.versions(of: shore).map(\.isPresent) == [false, true])
    try await editor.useVersion(named: "dark", of: shore)
    #expect(folder.bytes("shore_edited.jpg") == dark)
    try await editor.undo(shore, steps: 3)
    try await editor.revertAssetContentToOriginal(shore, droppingVersions: true)
    #expect(folder.names == ["shore.png"])
  }

  @Test func aMissingVersionIsAProblemAndARetouchedOneToo() async throws {
    let photo = try await edited()
    try await #expect(editor.verify(photo).isSound)
    let dark = folder.path.appending("chart_edited-dark.jpg")
    let brown = folder.path.appending("chart_edited-brown.jpg")
    try await #expect(editor.verify(Photo(path: brown)).isSound)
    folder.remove("chart_edited-dark.jpg")
    folder.put([1], as: "chart_edited-brown.jpg")
    let problems = [
      PhotoProblem(.versionMissing("dark"), dark), PhotoProblem(.renderChanged, brown),
    ]
    try await #expect(editor.verify(photo).problems == problems)
    #expect(problems[0].code == "version-missing")
    #expect(problems[0].description.contains("version dark"))
  }

  @Test func aRenderMadeAgainLeavesHistoryAndVersions() async throws {
    let photo = try await edited()
    try await editor.undo(photo)
    let history = try await editor.history(of: photo)
    let render = folder.bytes("chart_edited.jpg")
    folder.remove("chart_edited.jpg")
    try await #expect(editor.renderAgain(photo).status == .rendered)
    #expect(folder.bytes("chart_edited.jpg") == render)
    try await #expect(editor.history(of: photo).steps.count == history.steps.count)
    try await #expect(editor.versions(of: photo).map(\.isPresent) == [true, false])
  }
}
