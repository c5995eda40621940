import Foundation
import PhotoEditing
import Testing

@testable import SafelightFiles

/// Editors that cannot read each other's edits, one on top of the other.
@Suite struct ForeignEditTests {
  private let folder = PhotoFolder()
  private let editor = PhotoEditor.test()

  @Test func placesInARenderOfAnotherProgramAreUnknownAlsoWithoutIt() async throws {
    let photo = try folder.add("beach.jpg")
    try await ThirdParty.a.edit(photo, "a's", render: ThirdParty.i1)
    try await editor.apply(.named("noir"), to: photo)
    for name: FilePath in ["", "beach_base.jpg"] {
      if !name.isEmpty { folder.remove(name) }
      try await #expect(editor.state(of: photo).placeMapping == nil)
    }
  }

  @Test func anEditorFindsItsOwnEditOnTheRenderItStartedFrom() async throws {
    let photo = try folder.add("beach.jpg")
    let before = try folder.traces
    try await ThirdParty.a.edit(photo, "a's", render: ThirdParty.i1)

    let second = try await ThirdParty.b.input(photo)
    #expect(second.adjustmentData == nil)
    #expect(second.fullSizeImagePath.lastComponent == "beach_edited.jpg")
    _ = try await editor.commit(
      ThirdParty.b.output(for: second, ThirdParty.b.data("b's"), render: ThirdParty.i2))
    try #expect(folder.bytes("beach_edited.jpg") == Fixtures.bytes(ThirdParty.i2))

    let again = try await ThirdParty.b.input(photo)
    #expect(again.adjustmentData == ThirdParty.b.data("b's"))
    #expect(again.fullSizeImagePath.lastComponent == "beach_base.jpg")
    try #expect(folder.bytes("beach_base.jpg") == Fixtures.bytes(ThirdParty.i1))

    let sidecar = try Sidecar(folder, "beach.jpg.aae")
    #expect(sidecar.identifier == "com.example.b")
    #expect(sidecar.text == "b's")
    #expect(sidecar.history.map(\.identifier) == ["com.example.a"])
    #expect(sidecar.history.first?.text == "a's")
    #expect(sidecar.history.first?.editor == "com.example.a.app")

    let result = try await editor.revertAssetContentToOriginal(photo)
    #expect(result.status == .reverted)
    try #expect(folder.traces == before)
  }

  @Test func anEditorThatGoesOnFromItsOwnEditKeepsTheBase() async throws {
    let photo = try folder.add("beach.jpg")
    try await ThirdParty.a.edit(photo, "a's", render: ThirdParty.i1)
    try await ThirdParty.b.edit(photo, "b's", render: ThirdParty.i2)
    try await ThirdParty.b.edit(photo, "b's second thoughts", render: ThirdParty.i3)

    let input = try await ThirdParty.b.input(photo)
    #expect(input.adjustmentData == ThirdParty.b.data("b's second thoughts"))
    try #expect(folder.bytes("beach_base.jpg") == Fixtures.bytes(ThirdParty.i1))
    try #expect(Sidecar(folder, "beach.jpg.aae").history.map(\.text) == ["a's", "b's"])
  }

  @Test func threeEditorsStackOnEachOther() async throws {
    let photo = try folder.add("beach.jpg")
    let before = try folder.traces
    try await ThirdParty.a.edit(photo, "a's", render: ThirdParty.i1)
    try await ThirdParty.b.edit(photo, "b's", render: ThirdParty.i2)
    try await ThirdParty.c.edit(photo, "c's", render: ThirdParty.i3)

    let own = try await ThirdParty.c.input(photo)
    #expect(own.adjustmentData == ThirdParty.c.data("c's"))
    #expect(own.fullSizeImagePath.lastComponent == "beach_base.jpg")
    try #expect(folder.bytes("beach_base.jpg") == Fixtures.bytes(ThirdParty.i2))

    // Who is below cannot read what is on top: not even its own edit's base comes back.
    let below = try await ThirdParty.b.input(photo)
    #expect(below.adjustmentData == nil)
    #expect(below.fullSizeImagePath.lastComponent == "beach_edited.jpg")
    try #expect(
      Sidecar(folder, "beach.jpg.aae").history.map(\.identifier)
        == ["com.example.a", "com.example.b"])

    _ = try await editor.revertAssetContentToOriginal(photo)
    try #expect(folder.traces == before)
  }

  @Test func aFilterGoesOnTopOfAForeignEdit() async throws {
    let photo = try folder.add("beach.jpg")
    let before = try folder.traces
    try await ThirdParty.a.edit(photo, "cards", render: ThirdParty.i1)

    let result = try await editor.apply(.named("noir"), to: photo)
    #expect(result.status == .edited)
    try #expect(folder.bytes("beach_base.jpg") == Fixtures.bytes(ThirdParty.i1))
    let rendered = try Picture(folder.path.appending("beach_edited.jpg"), as: .jpeg)
    #expect(rendered.width == 96 && rendered.height == 64, "It starts from the card.")
    try #expect(Sidecar(folder, "beach.jpg.aae").history.map(\.text) == ["cards"])

    let applied = try folder.traces
    try await #expect(editor.apply(.named("noir"), to: photo).status == .unchanged)
    try #expect(folder.traces == applied)

    _ = try await editor.apply(.named("mono"), to: photo)
    try #expect(folder.bytes("beach_base.jpg") == Fixtures.bytes(ThirdParty.i1))

    _ = try await editor.revertAssetContentToOriginal(photo)
    try #expect(folder.traces == before)
  }

  @Test(arguments: [("2.0", true), ("1.7", false)])
  func aNewerMajorVersionOfOurOwnFormatIsAnothersEdit(
    version: String, isForeign: Bool
  ) async throws {
    let photo = try folder.add("beach.jpg")
    let newer = ThirdParty(identifier: EditStack.formatIdentifier)
    let input = try await newer.input(photo)
    _ = try await editor.commit(
      newer.output(
        for: input, newer.data(#"{"adjustments":[]}"#, version: version), render: ThirdParty.i1))

    _ = try await editor.apply(.named("noir"), to: photo)
    #expect((folder.bytes("beach_base.jpg") != nil) == isForeign)
    let sidecar = try Sidecar(folder, "beach.jpg.aae")
    #expect(sidecar.version == (isForeign ? "1.0" : version))
    #expect(sidecar.history.map(\.version) == [version])
  }

  @Test func applesSidecarGoesIntoTheHistory() async throws {
    let photo = try folder.add("beach.jpg")
    try folder.add("bad/apple.aae", as: "beach.jpg.aae")
    let apples = try Sidecar(folder, "beach.jpg.aae")
    let state = try await editor.state(of: photo)
    #expect(state.edit?.adjustmentData.formatIdentifier == "com.apple.photo")
    #expect(state.edit?.stack == nil)

    _ = try await editor.apply(.named("noir"), to: photo)
    let kept = try #require(try Sidecar(folder, "beach.jpg.aae").history.first)
    #expect(kept.identifier == "com.apple.photo")
    #expect(kept.version == "1.4")
    #expect(kept.data == apples.data)
    #expect(kept.date == apples.date)
  }

  @Test func theSidecarIsAnAppleRecordOfTheEdit() async throws {
    let photo = try folder.add("beach.jpg")
    let result = try await ThirdParty.a.edit(photo, "a's", render: ThirdParty.i1)
    #expect(result.status == .edited)
    #expect(result.rendered == folder.path.appending("beach_edited.jpg"))
    #expect(result.record == folder.path.appending("beach.jpg.aae"))

    let sidecar = try Sidecar(folder, "beach.jpg.aae")
    #expect(sidecar.identifier == "com.example.a")
    #expect(sidecar.version == "1.0")
    #expect(sidecar.text == "a's")
    #expect(sidecar.editor == "com.example.a.app")
    #expect(sidecar.date == .test)
    #expect(sidecar.render?["name"] as? String == "beach_edited.jpg")
    #expect(sidecar.render?["pixelWidth"] as? Int == 96)
    #expect(sidecar.render?["pixelHeight"] as? Int == 64)
    #expect(folder.names == ["beach.jpg", "beach.jpg.aae", "beach_edited.jpg"])
  }
}
