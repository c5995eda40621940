import Foundation
import Testing

@Suite struct RenderStaleTests {
  private let folder = CommandFolder()

  @Test func makesMissingRendersAgainAndLeavesTheOthers() async throws {
    for name in ["1.jpg", "2.jpg", "3.jpg"] { try folder.add("orientation/\(name)") }
    _ = await folder.edit("apply", "noir", "@/1.jpg", "@/2.jpg")
    let before = folder.contents
    try FileManager.default.removeItem(atPath: folder.path + "/1_edited.jpg")
    let words = ["render", "--stale", "@/1.jpg", "@/2.jpg", "@/3.jpg"]
    await #expect(
      folder.edit(words + ["--dry-run"]).results == [
        "@/1.jpg: would be rendered again to @/1_edited.jpg",
        "@/2.jpg: unchanged, @/2_edited.jpg is up to date", "@/3.jpg: unchanged, it has no edit",
      ])
    #expect(folder.data("1_edited.jpg") == nil)
    await #expect(
      folder.edit(words)
        == Transcript(results: [
          "@/1.jpg: rendered again to @/1_edited.jpg",
          "@/2.jpg: unchanged, @/2_edited.jpg is up to date", "@/3.jpg: unchanged, it has no edit",
        ]))
    #expect(folder.data("1_edited.jpg") == before["1_edited.jpg"])
    await #expect(
      folder.edit("render", "--stale", "--json", "@/1.jpg").results == [
        #"{"photo":"@/1.jpg","status":"unchanged","rendered":"@/1_edited.jpg","#
          + #""record":"@/1.jpg.aae"}"#
      ])
  }

  @Test func rendersAmongThePhotosAreSkipped() async throws {
    try folder.add("orientation/1.jpg")
    _ = await folder.edit("apply", "noir", "@/1.jpg")
    await #expect(
      folder.edit("render", "--stale", "@/1_edited.jpg")
        == Transcript(
          results: [
            "@/1_edited.jpg: skipped: It is a render of 1.jpg; edit that photo instead."
          ]))
  }
}
