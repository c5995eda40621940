import PhotoEditing
import Testing

@Suite struct SyncCommandTests {
  private let folder = CommandFolder()

  private func shown(_ photo: String) async -> String? {
    await folder.edit("show", photo).results.dropFirst().first
  }

  @Test func copiesTheEditAndSkipsItsSource() async throws {
    try folder.add("orientation/1.jpg", as: "a.jpg")
    try folder.add("gradients/chart.png", as: "b.png")
    _ = await folder.edit("adjust", "@/a.jpg", "--saturation", "0.5")
    _ = await folder.edit("apply", "noir", "--intensity", "0.6", "@/a.jpg")
    _ = await folder.edit("adjust", "@/b.png", "--vibrance", "0.5")
    await #expect(
      folder.edit("sync", "--from", "@/a.jpg", "@/a.jpg", "@/b.png", "@/c.png")
        == Transcript(
          results: [
            "@/a.jpg: skipped: It is the photo that the others get their edit from.",
            "@/b.png: edited as @/a.jpg, rendered to @/b_edited.jpg",
            "@/c.png: failed",
          ],
          messages: [
            "edit: @/c.png does not exist. Check the name, and that the disk is mounted."
          ], code: 1))
    await #expect(shown("@/b.png") == "  edit      saturation 0.5, noir at 0.6")
    await #expect(
      folder.edit("sync", "--from", "@/a.jpg", "@/b.png", "--json").results == [
        #"{"photo":"@/b.png","status":"unchanged","rendered":"@/b_edited.jpg","#
          + #""record":"@/b.png.aae"}"#
      ])
  }

  @Test func onlyWhatIsNamedIsCopied() async throws {
    try folder.add("orientation/1.jpg", as: "a.jpg")
    try folder.add("orientation/6.jpg", as: "b.jpg")
    _ = await folder.edit("adjust", "@/a.jpg", "--saturation", "0.5", "--vibrance", "0.25")
    _ = await folder.edit("adjust", "@/b.jpg", "--saturation", "0.1")
    _ = await folder.edit("apply", "noir", "@/b.jpg")
    _ = await folder.edit("sync", "--from", "@/a.jpg", "--only", "vibrance, filter", "@/b.jpg")
    await #expect(shown("@/b.jpg") == "  edit      vibrance 0.25, saturation 0.1")
  }

  @Test func aPhotoWithoutAnEditIsNoSource() async throws {
    try folder.add("orientation/1.jpg", as: "a.jpg")
    try folder.add("orientation/6.jpg", as: "b.jpg")
    await #expect(
      folder.edit("sync", "--from", "@/a.jpg", "@/b.jpg")
        == Transcript(
          results: ["@/b.jpg: failed"],
          messages: [
            "edit: @/a.jpg has no edit. "
              + "Name a photo that “edit apply” or “edit adjust” has edited."
          ], code: 1))
    try folder.add("bad/apple.aae", as: "a.jpg.aae")
    let foreign = await folder.edit("sync", "--from", "@/a.jpg", "@/b.jpg", "--json")
    #expect(
      foreign.results == [
        #"{"photo":"@/b.jpg","status":"failed","error":{"code":"nothing-to-copy","#
          + #""message":"@/a.jpg has another program's edit.","#
          + #""hint":"Only edits made with Safelight can be copied."}}"#
      ])
    #expect(folder.names == ["a.jpg", "a.jpg.aae", "b.jpg"])
  }
}
