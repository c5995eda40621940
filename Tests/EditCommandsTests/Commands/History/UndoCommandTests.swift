import PhotoEditing
import Testing

@Suite struct UndoCommandTests {
  private let folder = CommandFolder()

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

  @Test func showCountsWhatCanBeUndoneAndRedone() async throws {
    try folder.add("gradients/chart.png")
    for filter in ["noir", "mono", "sepia"] {
      _ = await folder.edit("apply", filter, "@/chart.png")
    }
    #expect(await folder.edit("show", "@/chart.png").results.last == "  history   2 earlier edits")
    _ = await folder.edit("undo", "@/chart.png")
    let shown = await folder.edit("show", "@/chart.png").results
    #expect(shown.last == "  history   1 earlier edit, 1 undone")
    _ = await folder.edit("undo", "@/chart.png")
    #expect(await folder.edit("show", "@/chart.png").results.last == "  history   2 undone")
  }
}
