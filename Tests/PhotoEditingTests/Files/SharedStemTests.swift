import PhotoEditing
import Testing

@testable import SafelightFiles
@testable import SafelightStorage

/// Photos whose renders might get the same name, as those of `beach.jpg` and `beach.png`.
@Suite struct SharedStemTests {
  private let folder = PhotoFolder()
  private let editor = PhotoEditor.test()

  private func path(_ name: FilePath) -> FilePath { folder.path.appending(name) }

  /// The first has the short names, the second the long ones.
  private func edited() async throws -> (png: Photo, jpeg: Photo) {
    let png = try folder.add("sixteen-bit.png", as: "beach.png")
    let jpeg = try folder.add("orientation/1.jpg", as: "beach.jpg")
    for photo in [png, jpeg] {
      try await editor.apply(.named("noir"), to: photo)
      try await editor.saveVersion(named: "kept", of: photo)
    }
    return (png, jpeg)
  }

  private let renders: [FilePath] = [
    "beach.jpg_edited-kept.jpg", "beach.jpg_edited.jpg", "beach_edited-kept.jpg",
    "beach_edited.jpg",
  ]

  @Test func rendersThatAreMissingGetTheirOwnNamesInAnyOrder() async throws {
    let (png, jpeg) = try await edited()
    let names = folder.names
    #expect(Set(renders).isSubset(of: names))
    renders.forEach(folder.remove)
    try await editor.apply(.named("fade"), to: jpeg)
    #expect(folder.names.contains("beach.jpg_edited.jpg"))
    #expect(!folder.names.contains("beach_edited.jpg"))
    for photo in [jpeg, png] { try await editor.renderAgain(photo) }
    #expect(folder.names == names)
    for photo in [png, jpeg] { try await #expect(editor.verify(photo).isSound) }
  }

  @Test func aFirstEditLeavesTheNameToThePhotoWhoseRenderIsStillToCome() async throws {
    let png = try folder.add("sixteen-bit.png", as: "beach.png")
    try await editor.apply(.named("noir"), to: png)
    let render = try #require(folder.bytes("beach_edited.jpg"))
    folder.remove("beach_edited.jpg")
    let jpeg = try folder.add("orientation/1.jpg", as: "beach.jpg")
    let planned = try await editor.apply(.named("fade"), to: jpeg, dryRun: true)
    #expect(planned.rendered == path("beach.jpg_edited.jpg"))
    try await #expect(editor.apply(.named("fade"), to: jpeg).rendered == planned.rendered)
    folder.put(render, as: "beach_edited.jpg")
    for photo in [png, jpeg] { try await #expect(editor.verify(photo).isSound) }
  }

  @Test func anEditThatFollowsItsPhotoLeavesTheNameTooAndKeepsItsOwn() async throws {
    let png = try folder.add("sixteen-bit.png", as: "beach.png")
    try await editor.apply(.named("noir"), to: png)
    let jpeg = try folder.add("orientation/1.jpg", as: "shore.jpg")
    try await editor.apply(.named("noir"), to: jpeg)
    folder.remove("beach_edited.jpg")
    folder.put(try #require(folder.bytes("shore.jpg")), as: "beach.jpg")
    folder.remove("shore.jpg")
    let relinking = try #require(try await editor.relinkings([folder.path]).first).get()
    #expect(relinking.result.rendered == path("beach.jpg_edited.jpg"))
  }
}
