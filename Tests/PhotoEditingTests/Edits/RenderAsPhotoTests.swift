import PhotoEditing
import Testing

@testable import SafelightFiles

/// `edit apply noir *.jpg` meets the renders of an earlier run too.
@Suite struct RenderAsPhotoTests {
  private let folder = PhotoFolder()
  private let editor = PhotoEditor.test()

  @Test func aRenderIsSkippedWithANote() async throws {
    let photo = try folder.add("rgb.tif")
    _ = try await editor.apply(.named("noir"), to: photo)
    let before = try folder.traces
    let render = Photo(path: folder.path.appending("rgb_edited.jpg"))
    let result = try await editor.apply(.named("mono"), to: render)
    #expect(result.status == .skipped)
    #expect(result.warnings == ["It is a render of rgb.tif; edit that photo instead."])
    try await #expect(editor.state(of: render).warnings == ["It is a render of rgb.tif."])
    try #expect(folder.traces == before)
  }

  @Test func aRenderIsKnownByItsMarkBesideItsOriginal() async throws {
    _ = try await editor.apply(.named("noir"), to: folder.add("rgb.tif"))
    let elsewhere = PhotoFolder()
    elsewhere.put(try #require(folder.bytes("rgb_edited.jpg")), as: "sent.jpg")
    _ = try elsewhere.add("rgb.tif")
    let result = try await editor.apply(
      .named("noir"), to: Photo(path: elsewhere.path.appending("sent.jpg")))
    #expect(result.status == .skipped)
    #expect(elsewhere.names == ["rgb.tif", "sent.jpg"])
  }

  /// An export for the web is a photo where it went, also beside a photo that is only called like the
  /// original.
  @Test(arguments: [nil, "rgb.tif", "rgb.jpg"])
  func aRenderWithoutItsOriginalIsAPhoto(neighbor: String?) async throws {
    let photo = try folder.add("rgb.tif")
    let elsewhere = PhotoFolder()
    let export = elsewhere.path.appending("rgb.tif")
    try await editor.export(photo, to: export, as: RenderOutput(format: .tiff))
    let sent = elsewhere.path.appending("sent.jpg")
    try await editor.export(photo, to: sent, as: .standard)
    if neighbor == nil { elsewhere.remove("rgb.tif") }
    if neighbor == "rgb.jpg" { _ = try elsewhere.add("orientation/1.jpg", as: "rgb.tif") }
    try await #expect(editor.apply(.named("noir"), to: Photo(path: sent)).status == .edited)
    #expect(elsewhere.names.contains("sent_edited.jpg"))
    try await #expect(editor.apply(.named("mono"), to: Photo(path: sent)).status == .edited)
    if neighbor == "rgb.tif" {
      try await #expect(editor.apply(.named("noir"), to: Photo(path: export)).status == .edited)
    }
  }

  @Test(arguments: ["beach_edited.jpg", "beach_base.jpg"])
  func anotherEditorsRenderIsKnownByTheRecordBesideIt(name: String) async throws {
    let photo = try folder.add("beach.jpg")
    try await ThirdParty.a.edit(photo, "a's", render: ThirdParty.i1)
    try await ThirdParty.b.edit(photo, "b's", render: ThirdParty.i2)
    let before = try folder.traces
    let result = try await editor.apply(
      .named("noir"), to: Photo(path: folder.path.appending(FilePath(name))))
    #expect(result.status == .skipped)
    #expect(result.warnings == ["It is a render of beach.jpg; edit that photo instead."])
    try #expect(folder.traces == before)
  }

  @Test func aPhotoThatIsOnlyCalledLikeARenderIsEdited() async throws {
    let photo = try folder.add("orientation/1.jpg", as: "beach_edited.jpg")
    // Neither record names it: one is of another photo, the other cannot be read.
    _ = try await editor.apply(.named("mono"), to: folder.add("beach.jpg"))
    try folder.add("bad/sidecar-not-xml.aae", as: "beach.tif.aae")
    try await #expect(editor.apply(.named("noir"), to: photo).status == .edited)
    #expect(folder.names.contains("beach.jpg_edited.jpg"))
    #expect(folder.names.contains("beach_edited_edited.jpg"))
  }
}
