import Foundation
import PhotoEditing
import Testing

@testable import SafelightFiles

/// Somebody touched the files of an edited photo.
@Suite struct ChangedFilesTests {
  private let folder = PhotoFolder()
  private let editor = PhotoEditor.test()

  @Test func aRetouchedRenderIsNeverLost() async throws {
    let photo = try folder.add("beach.jpg")
    _ = try await editor.apply(.named("noir"), to: photo)
    folder.put(try Fixtures.bytes(ThirdParty.i1), as: "beach_edited.jpg")
    let render = folder.path.appending("beach_edited.jpg")
    let before = try folder.traces

    let changed = EditError.storage(.renderChanged(render))
    await #expect(throws: changed) { try await editor.apply(.named("noir"), to: photo) }
    await #expect(throws: changed) { try await editor.apply(.named("mono"), to: photo) }
    await #expect(throws: changed) {
      try await editor.apply(.named("mono"), to: photo, dryRun: true)
    }
    await #expect(throws: changed) { try await editor.contentEditingInput(for: photo) }
    await #expect(throws: changed) { try await editor.revertAssetContentToOriginal(photo) }
    await #expect(throws: changed) {
      try await editor.revertAssetContentToOriginal(photo, dryRun: true)
    }
    #expect(changed.code == "render-changed")
    try await #expect(editor.state(of: photo).warnings == [changed.description])
    try #expect(folder.traces == before)
  }

  @Test func aReplacedOriginalIsNoticed() async throws {
    let photo = try folder.add("beach.jpg")
    _ = try await editor.apply(.named("noir"), to: photo)
    try folder.add("progressive.jpg", as: "beach.jpg")
    let before = try folder.traces
    let changed = EditError.storage(.originalChanged(photo.path))
    await #expect(throws: changed) { try await editor.apply(.named("noir"), to: photo) }
    await #expect(throws: changed) {
      try await editor.apply(.named("noir"), to: photo, dryRun: true)
    }
    await #expect(throws: changed) { try await editor.contentEditingInput(for: photo) }
    await #expect(throws: changed) {
      try await editor.export(
        photo, to: folder.path.appending("x.png"), as: RenderOutput(format: .png))
    }
    try await #expect(editor.state(of: photo).warnings == [changed.description])
    try #expect(folder.traces == before)

    // Reverting is the way out that the hint names, and the new original stays.
    try await #expect(editor.revertAssetContentToOriginal(photo).status == .reverted)
    #expect(folder.names == ["beach.jpg"])
    try #expect(folder.traces["beach.jpg"] == before["beach.jpg"])
  }

  @Test func aChangedBaseIsNoticed() async throws {
    let photo = try folder.add("beach.jpg")
    try await ThirdParty.a.edit(photo, "a's", render: ThirdParty.i1)
    _ = try await editor.apply(.named("noir"), to: photo)
    folder.put(try Fixtures.bytes(ThirdParty.i2), as: "beach_base.jpg")
    let before = try folder.traces
    let changed = EditError.storage(.baseChanged(folder.path.appending("beach_base.jpg")))
    await #expect(throws: changed) { try await editor.apply(.named("mono"), to: photo) }
    await #expect(throws: changed) { try await editor.revertAssetContentToOriginal(photo) }
    await #expect(throws: changed) {
      try await editor.revertAssetContentToOriginal(photo, dryRun: true)
    }
    try #expect(folder.traces == before)
  }

  @Test func aMissingBaseIsSaidAndKeepsTheEdit() async throws {
    let photo = try folder.add("beach.jpg")
    try await ThirdParty.a.edit(photo, "a's", render: ThirdParty.i1)
    _ = try await editor.apply(.named("noir"), to: photo)
    folder.remove("beach_base.jpg")
    let before = try folder.traces
    let missing = EditError.baseMissing(
      photo.path, base: folder.path.appending("beach_base.jpg"))
    await #expect(throws: missing) { try await editor.apply(.named("mono"), to: photo) }
    // Only edits wait for it; what is there is read.
    let state = try await editor.state(of: photo)
    #expect(state.warnings.count == 1 && state.warnings[0].contains("edits wait for it"))
    try await #expect(editor.renderAgain(photo).status == .unchanged)
    try #expect(folder.traces == before)
    try await #expect(editor.revertAssetContentToOriginal(photo).status == .reverted)
    #expect(folder.names == ["beach.jpg"])
  }

  @Test func aForeignEditWithoutItsRenderIsNotBuiltOn() async throws {
    let photo = try folder.add("beach.jpg")
    try await ThirdParty.a.edit(photo, "a's", render: ThirdParty.i1)
    folder.remove("beach_edited.jpg")
    let before = try folder.traces
    await #expect(throws: EditError.renderMissing(photo.path)) {
      try await editor.apply(.named("noir"), to: photo)
    }
    try #expect(folder.traces == before)
    // The editor itself can still go on from its data.
    try await #expect(ThirdParty.a.input(photo).adjustmentData == ThirdParty.a.data("a's"))
  }

  @Test func aPhotoRenamedWithItsSidecarKeepsItsEdit() async throws {
    let photo = try folder.add("beach.jpg")
    _ = try await editor.apply(.named("noir"), to: photo)
    folder.put(try #require(folder.bytes("beach.jpg")), as: "sea.jpg")
    folder.put(try #require(folder.bytes("beach.jpg.aae")), as: "sea.jpg.aae")
    folder.remove("beach.jpg")
    folder.remove("beach.jpg.aae")
    let renamed = Photo(path: folder.path.appending("sea.jpg"))
    try await #expect(editor.apply(.named("noir"), to: renamed).status == .unchanged)
    let result = try await editor.revertAssetContentToOriginal(renamed)
    #expect(result.status == .reverted)
    #expect(
      result.warnings == [
        "Files with names made from beach.jpg, the photo's former name, stay where they are."
      ])
    #expect(folder.names == ["beach_edited.jpg", "sea.jpg"])
  }
}
