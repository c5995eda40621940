import PhotoEditing
import SafelightFormats
import Testing

@Suite struct HistoryCommandTests {
  private let folder = CommandFolder()

  /// A photo with three edits, the last of them undone.
  private func edited() async throws {
    try folder.add("gradients/chart.png")
    _ = await folder.edit("adjust", "@/chart.png", "--exposure", "0.5", "--vibrance", "0.2")
    _ = await folder.edit("apply", "noir", "@/chart.png")
    _ = await folder.edit("adjust", "@/chart.png", "--exposure", "0.8", "--vibrance", "0")
    _ = await folder.edit("apply", "noir", "--intensity", "0.5", "@/chart.png")
    _ = await folder.edit("undo", "@/chart.png")
  }

  @Test func saysWhatEachEditChangedAndWhichIsThePresentOne() async throws {
    try await edited()
    let before = folder.contents
    await #expect(
      folder.edit("history", "@/chart.png")
        == Transcript(results: [
          "@/chart.png: 4 edits, 1 of them undone",
          "    0                           the original",
          "    1  NOW  + exposure 0.5, + vibrance 0.2",
          "    2  NOW  + noir",
          "  * 3  NOW  exposure 0.5 → 0.8, − vibrance",
          "    4  NOW  noir → noir at 0.5 (undone)",
        ]))
    #expect(folder.contents == before)
  }

  @Test func saysTheSameAsData() async throws {
    try folder.add("gradients/chart.png")
    _ = await folder.edit("adjust", "@/chart.png", "--exposure", "0.5")
    _ = await folder.edit("undo", "@/chart.png")
    let line = try #require(await folder.edit("history", "--json", "@/chart.png").results.first)
    let json = try JSONValue(parsing: line.utf8)
    #expect(json["status"]?.string == "shown")
    #expect(json["present"]?.integer == 0)
    let steps = try #require(json["steps"]?.elements)
    #expect(steps[0].text == #"{"number":0,"reachable":true}"#)
    #expect(
      steps[1].text
        == #"{"number":1,"date":"NOW","editor":"org.safelight.edit","#
        + #""formatIdentifier":"org.safelight.edit","formatVersion":"1.0","#
        + #""adjustments":[{"id":"exposure","version":1,"amount":0.5}],"#
        + #""changes":[{"change":"added","id":"exposure","text":"+ exposure 0.5"}],"#
        + #""undone":true,"reachable":true}"#)
  }

  @Test func goesToAStep() async throws {
    try await edited()
    await #expect(
      folder.edit("history", "--to", "1", "--dry-run", "@/chart.png")
        == Transcript(results: [
          "@/chart.png: would be taken to step 1, rendered to @/chart_edited.jpg"
        ]))
    await #expect(
      folder.edit("history", "--to", "4", "@/chart.png")
        == Transcript(results: [
          "@/chart.png: taken to step 4, rendered to @/chart_edited.jpg"
        ]))
    #expect(
      await folder.edit("show", "@/chart.png").results[1]
        == "  edit      exposure 0.8, noir at 0.5")
    await #expect(
      folder.edit("history", "--to", "4", "@/chart.png")
        == Transcript(results: ["@/chart.png: unchanged, it is at step 4"]))
    await #expect(
      folder.edit("history", "--to", "5", "@/chart.png")
        == Transcript(
          results: ["@/chart.png: failed"],
          messages: [
            "edit: @/chart.png has no step 5 in its history, which ends with 4. “edit history” "
              + "lists the steps."
          ], code: 1))
  }

  @Test func whoMadeAnEditIsSaidWhenItWasAnotherProgram() async throws {
    try folder.add("gradients/chart.png")
    try folder.add("bad/apple.aae", as: "chart.png.aae")
    _ = await folder.edit("apply", "noir", "@/chart.png")
    #expect(
      await folder.edit("history", "@/chart.png").results.suffix(2) == [
        "    1  NOW  com.apple.photo 1.4, which Safelight cannot read, by com.apple.Photos",
        "  * 2  NOW  noir",
      ])
    await #expect(
      folder.edit("undo", "@/chart.png")
        == Transcript(
          results: ["@/chart.png: failed"],
          messages: [
            "edit: @/chart.png has another program's edit on the way there, com.apple.photo, "
              + "which only that program can render. “edit revert” gives the original back, and "
              + "another program's sidecar that was there first."
          ], code: 1))
  }

  @Test func aPhotoWithoutEditsHasNoSteps() async throws {
    try folder.add("orientation/1.jpg")
    await #expect(
      folder.edit("history", "@/1.jpg", "@/2.jpg")
        == Transcript(
          results: ["@/1.jpg: no edits", "@/2.jpg: failed"],
          messages: ["edit: @/2.jpg does not exist. Check the name, and that the disk is mounted."],
          code: 1))
  }
}
