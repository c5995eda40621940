import Foundation
import Testing

@Suite struct RevertCommandTests {
  private let folder = CommandFolder()

  @Test func dropsTheEditAndSaysSo() async throws {
    try folder.add("orientation/1.jpg")
    let before = folder.contents
    _ = await folder.edit("apply", "noir", "@/1.jpg")
    await #expect(
      folder.edit("revert", "@/1.jpg") == Transcript(results: ["@/1.jpg: reverted"]))
    #expect(folder.contents == before)
    await #expect(
      folder.edit("revert", "@/1.jpg")
        == Transcript(results: ["@/1.jpg: unchanged, there is nothing to revert"]))
  }

  @Test func rendersAmongThePhotosGoWithTheirEdits() async throws {
    try folder.add("orientation/1.jpg")
    let before = folder.contents
    _ = await folder.edit("apply", "noir", "@/1.jpg")
    await #expect(
      folder.edit("revert", "@/1.jpg", "@/1_edited.jpg", "@/2.jpg")
        == Transcript(
          results: [
            "@/1.jpg: reverted",
            "@/1_edited.jpg: skipped: It is a render of 1.jpg; edit that photo instead.",
            "@/2.jpg: failed",
          ],
          messages: [
            "edit: @/2.jpg does not exist. Check the name, and that the disk is mounted."
          ], code: 1))
    #expect(folder.contents == before)
  }

  @Test func printsOneObjectForEachPhoto() async throws {
    try folder.add("orientation/1.jpg")
    try folder.add("orientation/2.jpg")
    _ = await folder.edit("apply", "noir", "@/2.jpg")
    await #expect(
      folder.edit("revert", "--json", "@/1.jpg", "@/2.jpg")
        == Transcript(results: [
          #"{"photo":"@/1.jpg","status":"unchanged"}"#, #"{"photo":"@/2.jpg","status":"reverted"}"#,
        ]))
  }

  @Test func aDryRunLeavesTheFolder() async throws {
    try folder.add("orientation/1.jpg")
    _ = await folder.edit("apply", "noir", "@/1.jpg")
    let before = folder.contents
    await #expect(
      folder.edit("revert", "--dry-run", "@/1.jpg")
        == Transcript(results: ["@/1.jpg: would be reverted"]))
    await #expect(
      folder.edit("revert", "--dry-run", "--json", "@/1.jpg").results
        == [#"{"photo":"@/1.jpg","status":"reverted","dryRun":true}"#])
    #expect(folder.contents == before)
  }

  @Test func aRetouchedRenderIsKeptOnlyWhenAskedTo() async throws {
    try folder.add("orientation/1.jpg")
    _ = await folder.edit("apply", "noir", "@/1.jpg")
    try folder.add("orientation/2.jpg", as: "1_edited.jpg")
    let before = folder.contents
    await #expect(
      folder.edit("revert", "@/1.jpg")
        == Transcript(
          results: ["@/1.jpg: failed"],
          messages: [
            "edit: @/1_edited.jpg was changed by another program since it was rendered. Move it "
              + "away to keep it; the photo can then be edited or reverted. “edit revert "
              + "--keep-render” leaves it where it is."
          ], code: 1))
    #expect(folder.contents == before)
    await #expect(
      folder.edit("revert", "--keep-render", "@/1.jpg")
        == Transcript(results: ["@/1.jpg: reverted, @/1_edited.jpg stays"]))
    #expect(folder.names == ["1.jpg", "1_edited.jpg"])
  }

  @Test func quietSaysNothing() async throws {
    try folder.add("orientation/1.jpg")
    await #expect(folder.edit("revert", "-q", "@/1.jpg") == Transcript())
  }

  @Test func aSidecarOfAnotherPhotoStays() async throws {
    try folder.add("gradients/chart.png")
    try folder.add("bad/sidecar-another-photo.aae", as: "chart.png.aae")
    let before = folder.contents
    let transcript = await folder.edit("revert", "--json", "@/chart.png")
    #expect(transcript.code == 1)
    #expect(transcript.results.first?.contains(#""code":"record-of-another-photo""#) == true)
    await #expect(folder.edit("revert", "--dry-run", "@/chart.png").code == 1)
    #expect(folder.contents == before)
  }
}
