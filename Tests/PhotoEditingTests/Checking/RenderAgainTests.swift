import Foundation
import PhotoEditing
import Testing

@testable import SafelightFiles
@testable import SafelightStorage

@Suite struct RenderAgainTests {
  private let folder = PhotoFolder()
  private let editor = PhotoEditor.test()

  /// A photo with two edits, the render of quality 71.
  private func edited() async throws -> Photo {
    let photo = try folder.add("orientation/1.jpg", as: "beach.jpg")
    _ = try await editor.apply(.named("mono"), to: photo)
    _ = try await editor.apply(.named("noir"), to: photo, quality: 71)
    return photo
  }

  /// Makes the record say that another renderer made the render.
  private func age(to renderer: String) throws {
    let text = try folder.text("beach.jpg.aae").replacing(
      #/(?s)(.*<key>renderer</key>\s*<string>)safelight-\d+( with jpeg quality 71)/#,
      with: { "\($0.1)\(renderer)\($0.2)" })
    folder.put(Array(text.utf8), as: "beach.jpg.aae")
  }

  /// The record without what is about its render and the file that it replaced.
  private func edit() throws -> [String] {
    let sidecar = try Sidecar(folder, "beach.jpg.aae")
    return [sidecar.text, sidecar.editor, sidecar.date?.description, sidecar.history.first?.text]
      .map { $0 ?? "" } + ["\(sidecar.history.count)"]
  }

  @Test func anOlderRenderersWorkIsRenewedAndItsQualityKept() async throws {
    let photo = try await edited()
    let (edit, current) = (try edit(), try Sidecar(folder, "beach.jpg.aae").render)
    try age(to: "safelight-0")
    try #expect(
      Sidecar(folder, "beach.jpg.aae").render?["renderer"] as? String
        == "safelight-0 with jpeg quality 71")
    try await #expect(editor.renderAgain(photo).status == .rendered)
    try #expect(
      Sidecar(folder, "beach.jpg.aae").render?["renderer"] as? String
        == current?["renderer"] as? String)
    try #expect(self.edit() == edit)
    try await #expect(editor.renderAgain(photo).status == .unchanged)
  }

  @Test func missingRendersOfVersionsAreMadeAgain() async throws {
    let photo = try folder.add("orientation/1.jpg", as: "beach.jpg")
    _ = try await editor.apply(.named("mono"), to: photo)
    _ = try await editor.saveVersion(named: "gray", of: photo)
    _ = try await editor.apply(.named("noir"), to: photo, quality: 71)
    _ = try await editor.saveVersion(named: "dark", of: photo)
    let names: [FilePath] = ["beach_edited.jpg", "beach_edited-gray.jpg", "beach_edited-dark.jpg"]
    let before = names.map { folder.bytes($0) }
    for lost in [names[1...], names[...]] {
      for name in lost { folder.remove(name) }
      try await #expect(editor.renderAgain(photo, dryRun: true).status == .rendered)
      try await #expect(editor.renderAgain(photo).status == .rendered)
      #expect(names.map { folder.bytes($0) } == before)
      try await #expect(editor.verify(photo).isSound)
      try await #expect(editor.renderAgain(photo).status == .unchanged)
    }
  }

  @Test(arguments: [false, true])
  func aRetouchedRenderIsRefused(dryRun: Bool) async throws {
    let photo = try await edited()
    try age(to: "safelight-0")
    folder.put(try Fixtures.bytes("orientation/2.jpg"), as: "beach_edited.jpg")
    let before = try folder.traces
    let changed = StorageError.renderChanged(folder.path.appending("beach_edited.jpg"))
    await #expect(throws: EditError.storage(changed)) {
      try await editor.renderAgain(photo, dryRun: dryRun)
    }
    try #expect(folder.traces == before)
  }

  @Test func anotherProgramsRenderStays() async throws {
    let photo = try folder.add("orientation/1.jpg", as: "beach.jpg")
    try await ThirdParty.a.edit(photo, "A", render: ThirdParty.i1)
    try await #expect(editor.renderAgain(photo).status == .unchanged)
    folder.remove("beach_edited.jpg")
    let before = try folder.traces
    await #expect(throws: EditError.renderMissing(photo.path)) {
      try await editor.renderAgain(photo)
    }
    try #expect(folder.traces == before)
  }

  @Test func anEditOnTopOfAnotherProgramsIsRenderedFromItsBase() async throws {
    let photo = try folder.add("orientation/1.jpg", as: "beach.jpg")
    try await ThirdParty.a.edit(photo, "A", render: ThirdParty.i2)
    _ = try await editor.apply(.named("noir"), to: photo)
    let render = folder.bytes("beach_edited.jpg")
    folder.remove("beach_edited.jpg")
    try await #expect(editor.renderAgain(photo).status == .rendered)
    #expect(folder.bytes("beach_edited.jpg") == render)
    try await #expect(editor.verify(photo).isSound)
  }
}
