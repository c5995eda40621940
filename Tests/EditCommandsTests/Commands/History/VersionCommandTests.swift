import PhotoEditing
import SafelightFormats
import Testing

@Suite struct VersionCommandTests {
  private let folder = CommandFolder()

  @Test func savesListsUsesAndRemoves() async throws {
    try folder.add("orientation/1.jpg")
    _ = await folder.edit("apply", "noir", "--intensity", "0.5", "@/1.jpg")
    await #expect(
      folder.edit("version", "save", "dark", "@/1.jpg")
        == Transcript(results: ["@/1.jpg: saved as @/1_edited-dark.jpg"]))
    await #expect(
      folder.edit("version", "save", "dark", "@/1.jpg")
        == Transcript(results: ["@/1.jpg: unchanged, @/1_edited-dark.jpg is up to date"]))
    _ = await folder.edit("apply", "sepia", "@/1.jpg")
    _ = await folder.edit("version", "save", "old", "@/1.jpg")
    await #expect(
      folder.edit("version", "list", "@/1.jpg")
        == Transcript(results: [
          "@/1.jpg: 2 versions", "    dark  noir at 0.5, @/1_edited-dark.jpg",
          "  * old   sepia, @/1_edited-old.jpg",
        ]))
    await #expect(
      folder.edit("version", "use", "dark", "@/1.jpg")
        == Transcript(results: ["@/1.jpg: dark, rendered to @/1_edited.jpg"]))
    #expect(folder.data("1_edited.jpg") == folder.data("1_edited-dark.jpg"))
    await #expect(
      folder.edit("version", "use", "dark", "@/1.jpg")
        == Transcript(results: ["@/1.jpg: unchanged, @/1_edited.jpg is up to date"]))
    await #expect(
      folder.edit("version", "remove", "dark", "@/1.jpg")
        == Transcript(results: ["@/1.jpg: dark removed"]))
    #expect(folder.names == ["1.jpg", "1.jpg.aae", "1_edited-old.jpg", "1_edited.jpg"])
  }

  @Test func printsOneObjectForEachPhoto() async throws {
    try folder.add("orientation/1.jpg")
    try folder.add("orientation/2.jpg")
    _ = await folder.edit("adjust", "@/1.jpg", "--exposure", "0.5")
    await #expect(
      folder.edit("version", "save", "bright", "--json", "@/1.jpg", "@/2.jpg").results == [
        #"{"photo":"@/1.jpg","status":"edited","rendered":"@/1_edited-bright.jpg","#
          + #""record":"@/1.jpg.aae"}"#,
        #"{"photo":"@/2.jpg","status":"failed","error":{"code":"nothing-to-copy","#
          + #""message":"@/2.jpg has no edit.","hint":"Name a photo that “edit apply” or “edit "#
          + #"adjust” has edited."}}"#,
      ])
    await #expect(
      folder.edit("version", "list", "--json", "@/1.jpg", "@/2.jpg").results == [
        #"{"photo":"@/1.jpg","status":"shown","versions":[{"name":"bright","present":true,"#
          + #""date":"NOW","editor":"org.safelight.edit","formatIdentifier":"#
          + #""org.safelight.edit","formatVersion":"1.0","adjustments":[{"id":"exposure","#
          + #""version":1,"amount":0.5}],"rendered":"@/1_edited-bright.jpg"}]}"#,
        #"{"photo":"@/2.jpg","status":"shown","versions":[]}"#,
      ])
    await #expect(
      folder.edit("version", "remove", "bright", "--json", "--dry-run", "@/1.jpg").results
        == [#"{"photo":"@/1.jpg","status":"edited","record":"@/1.jpg.aae","dryRun":true}"#])
  }

  @Test func mistakesAreExplained() async throws {
    try folder.add("orientation/1.jpg")
    try folder.add("orientation/2.jpg")
    _ = await folder.edit("apply", "noir", "@/1.jpg")
    await #expect(
      folder.edit("version", "save", ".dark", "@/1.jpg", "@/2.jpg")
        == Transcript(
          results: ["@/1.jpg: failed", "@/2.jpg: failed"],
          messages: [
            "edit: “.dark” cannot be a version's name. Use 1 to 64 letters, digits, hyphens, "
              + "underscores and dots, with no dot in front."
          ], code: 64))
    await #expect(folder.edit("version", "use", "a/b", "@/1.jpg").code == 64)
    await #expect(folder.edit("version", "remove", "", "@/1.jpg").code == 64)
    _ = await folder.edit("version", "save", "dark", "@/1.jpg")
    await #expect(
      folder.edit("version", "use", "drak", "@/1.jpg")
        == Transcript(
          results: ["@/1.jpg: failed"],
          messages: ["edit: @/1.jpg has no version “drak”. Did you mean “dark”?"], code: 1))
    _ = await folder.edit("apply", "mono", "@/1.jpg")
    await #expect(
      folder.edit("version", "save", "Dark", "@/1.jpg").messages == [
        "edit: @/1.jpg has a version “dark” already. Choose another name, or allow it with "
          + "--replace."
      ])
    await #expect(
      folder.edit("version", "save", "Dark", "--replace", "@/1.jpg")
        == Transcript(results: ["@/1.jpg: saved as @/1_edited-dark.jpg"]))
  }

  @Test func rendersAmongThePhotosArePassedOver() async throws {
    try folder.add("orientation/1.jpg")
    _ = await folder.edit("apply", "noir", "@/1.jpg")
    let first = await folder.edit("version", "save", "a", "@/1.jpg", "@/1_edited.jpg")
    #expect(first.results == ["@/1.jpg: saved as @/1_edited-a.jpg"])
    #expect(first.messages == ["edit: 1 render or sidecar was passed over."])
    #expect(first.code == 0)
    let photos = ["@/1.jpg", "@/1_edited-a.jpg", "@/1_edited.jpg"]
    for words in [["apply", "mono"], ["undo"], ["version", "use", "a"]] {
      let transcript = await folder.edit(words + photos)
      #expect(transcript.results.count == 1)
      #expect(transcript.messages == ["edit: 2 renders and sidecars were passed over."])
      #expect(transcript.code == 0)
    }
    await #expect(
      folder.edit(["version", "remove", "a"] + photos).results == ["@/1.jpg: a removed"])
    await #expect(
      folder.edit("version", "use", "a", "@/1_edited.jpg").results
        == ["@/1_edited.jpg: skipped: It is a render of 1.jpg; edit that photo instead."])
  }

  @Test func aRevertDropsVersionsOnlyWhenAskedTo() async throws {
    try folder.add("orientation/1.jpg")
    let before = folder.contents
    _ = await folder.edit("apply", "noir", "@/1.jpg")
    _ = await folder.edit("version", "save", "dark", "@/1.jpg")
    _ = await folder.edit("version", "save", "night", "@/1.jpg")
    await #expect(
      folder.edit("revert", "@/1.jpg")
        == Transcript(
          results: ["@/1.jpg: failed"],
          messages: [
            "edit: @/1.jpg has saved versions, dark, night. “edit revert --versions” drops them "
              + "too; “edit history --to 0” shows the original and keeps them."
          ], code: 1))
    let json = await folder.edit("revert", "--json", "@/1.jpg")
    #expect(json.results.first?.contains(#""code":"has-versions""#) == true)
    _ = await folder.edit("history", "--to", "0", "@/1.jpg")
    let photos = ["@/1.jpg", "@/1_edited-dark.jpg"]
    await #expect(
      folder.edit(["revert", "--versions"] + photos).results == ["@/1.jpg: reverted"])
    #expect(folder.contents == before)
  }

  @Test func showNamesTheVersions() async throws {
    try folder.add("gradients/chart.png")
    _ = await folder.edit("apply", "noir", "@/chart.png")
    _ = await folder.edit("version", "save", "dark", "@/chart.png")
    _ = await folder.edit("version", "save", "night", "@/chart.png")
    #expect(await folder.edit("show", "@/chart.png").results.last == "  versions  dark, night")
    let json = try #require(await folder.edit("show", "--json", "@/chart.png").results.first)
    let shown = try JSONValue(parsing: json.utf8)
    #expect(
      shown["versions"]?.elements?.compactMap { $0["rendered"]?.string }
        == ["@/chart_edited-dark.jpg", "@/chart_edited-night.jpg"])
    #expect(
      shown["resources"]?.elements?.compactMap { $0["type"]?.string }
        == ["photo", "adjustmentData", "fullSizePhoto", "alternatePhoto", "alternatePhoto"])
  }
}
