import PhotoEditing
import Testing

@Suite struct UndoCommandTests {
  private let folder = CommandFolder()

  @Test func goesBackAndForthAndSaysSo() async throws {
    try folder.add("orientation/1.jpg")
    _ = await folder.edit("apply", "noir", "@/1.jpg")
    let noir = folder.data("1_edited.jpg")
    _ = await folder.edit("apply", "mono", "@/1.jpg")
    let mono = folder.data("1_edited.jpg")
    await #expect(
      folder.edit("undo", "@/1.jpg")
        == Transcript(results: ["@/1.jpg: undone, rendered to @/1_edited.jpg"]))
    #expect(folder.data("1_edited.jpg") == noir)
    await #expect(
      folder.edit("undo", "@/1.jpg")
        == Transcript(results: [
          "@/1.jpg: undone, back at the original"
        ]))
    await #expect(
      folder.edit("undo", "@/1.jpg")
        == Transcript(results: ["@/1.jpg: unchanged, there is nothing to undo"]))
    await #expect(
      folder.edit("redo", "--steps", "2", "@/1.jpg")
        == Transcript(results: ["@/1.jpg: redone, rendered to @/1_edited.jpg"]))
    #expect(folder.data("1_edited.jpg") == mono)
    await #expect(
      folder.edit("redo", "@/1.jpg")
        == Transcript(results: ["@/1.jpg: unchanged, there is nothing to redo"]))
  }

  @Test func printsOneObjectForEachPhoto() async throws {
    try folder.add("orientation/1.jpg")
    try folder.add("orientation/2.jpg")
    _ = await folder.edit("apply", "noir", "@/1.jpg")
    await #expect(
      folder.edit("undo", "--json", "@/1.jpg", "@/2.jpg").results == [
        #"{"photo":"@/1.jpg","status":"edited","record":"@/1.jpg.aae","step":0}"#,
        #"{"photo":"@/2.jpg","status":"unchanged","step":0}"#,
      ])
    await #expect(
      folder.edit("redo", "--json", "--dry-run", "@/1.jpg").results == [
        #"{"photo":"@/1.jpg","status":"edited","rendered":"@/1_edited.jpg","#
          + #""record":"@/1.jpg.aae","step":1,"dryRun":true}"#
      ])
  }

  @Test func aDryRunWritesNothing() async throws {
    try folder.add("orientation/1.jpg")
    _ = await folder.edit("apply", "noir", "@/1.jpg")
    _ = await folder.edit("apply", "mono", "@/1.jpg")
    let before = folder.contents
    await #expect(
      folder.edit("undo", "--dry-run", "@/1.jpg")
        == Transcript(results: ["@/1.jpg: would be undone, rendered to @/1_edited.jpg"]))
    await #expect(
      folder.edit("undo", "--dry-run", "--steps", "2", "@/1.jpg")
        == Transcript(results: [
          "@/1.jpg: would be undone, back at the original"
        ]))
    #expect(folder.contents == before)
  }

  @Test(arguments: ["undo", "redo"])
  func stepsAndQualityHaveLimits(command: String) async throws {
    let steps = await folder.edit(command, "--steps", "0", "@/1.jpg")
    #expect(steps.code == 64)
    #expect(steps.messages.first?.contains("--steps takes a number from 1 to") == true)
    let quality = await folder.edit(command, "--quality", "101", "@/1.jpg")
    #expect(quality.messages.first?.contains("--quality takes a number from 1 to 100") == true)
  }

  @Test func showCountsWhatCanBeUndoneAndRedone() async throws {
    try folder.add("gradients/chart.png")
    for filter in ["noir", "mono", "sepia"] {
      _ = await folder.edit("apply", filter, "@/chart.png")
    }
    _ = await folder.edit("undo", "@/chart.png")
    let shown = await folder.edit("show", "@/chart.png").results
    #expect(shown.last == "  history   1 earlier edit, 1 undone")
    _ = await folder.edit("undo", "@/chart.png")
    #expect(await folder.edit("show", "@/chart.png").results.last == "  history   2 undone")
  }
}
