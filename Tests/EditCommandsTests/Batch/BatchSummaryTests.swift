import Foundation
import PhotoEditing
import Testing

@testable import SafelightEditCommands

/// What a batch says at its end.
@Suite struct BatchSummaryTests {
  private let folder = CommandFolder()

  private func messages(_ words: String...) async -> [String] {
    await folder.edit(words, keepingSummary: true).messages
  }

  @Test func itCountsAndNamesFailuresAgain() async throws {
    try folder.add("orientation/1.jpg")
    try folder.add("orientation/2.jpg")
    try folder.put("no picture", as: "bad.jpg")
    _ = await folder.edit("apply", "noir", "@/1.jpg")
    let said = await messages("apply", "noir", "@/1.jpg", "@/2.jpg", "@/none.jpg", "@/bad.jpg")
    #expect(
      said.suffix(3) == [
        "edit: 4 photos: 1 edited, 1 unchanged, 2 failed.", "  @/none.jpg does not exist.",
        "  @/bad.jpg: The file is not a picture.",
      ])
  }

  @Test func aDryRunSaysThatItIsOne() async throws {
    try folder.add("orientation/1.jpg")
    try folder.add("orientation/2.jpg")
    await #expect(
      messages("apply", "noir", "@/1.jpg", "@/2.jpg", "--dry-run")
        == ["edit: 2 photos in a dry run: 2 edited."])
  }

  @Test func nothingIsSaidOfOnePhotoInJSONAndQuietly() async throws {
    try folder.add("orientation/1.jpg")
    try folder.add("orientation/2.jpg")
    await #expect(messages("apply", "noir", "@/1.jpg").isEmpty)
    await #expect(messages("apply", "noir", "@/1.jpg", "@/2.jpg", "--json").isEmpty)
    await #expect(messages("apply", "noir", "@/1.jpg", "@/2.jpg", "--quiet").isEmpty)
    await #expect(messages("show", "@/1.jpg", "@/2.jpg").isEmpty)
  }

  @Test func twentyFailuresAreNamed() throws {
    var summary = BatchSummary(isDryRun: false)
    for number in 1...23 {
      summary.add(
        .failed(
          FilePath("\(number)\u{1B}.jpg"), PhotoFailure(code: "x", message: "Bad.", hint: nil)))
    }
    #expect(summary.lines.count == 22)
    #expect(summary.lines[0] == "edit: 23 photos: 23 failed.")
    #expect(summary.lines[1] == "  1\\u{1B}.jpg: Bad.")
    #expect(summary.lines.last == "  and 3 more")
  }

  @Test func rendersAmongPhotosAreCounted() async throws {
    try folder.add("orientation/1.jpg")
    try folder.add("orientation/2.jpg")
    _ = await folder.edit("apply", "noir", "@/1.jpg")
    let words = ["apply", "sepia", "@/1.jpg", "@/1.jpg.aae", "@/1_edited.jpg", "@/2.jpg"]
    await #expect(
      folder.edit(words, keepingSummary: true)
        == Transcript(
          results: [
            "@/1.jpg: sepia, rendered to @/1_edited.jpg",
            "@/2.jpg: sepia, rendered to @/2_edited.jpg",
          ],
          messages: [
            "edit: 2 photos: 2 edited.", "edit: 2 renders and sidecars were passed over.",
          ]))
    await #expect(folder.edit(words + ["--json"]).results.count == 4)
    // Somebody who names nothing else wants to know why.
    await #expect(
      folder.edit("apply", "noir", "@/1_edited.jpg").results
        == ["@/1_edited.jpg: skipped: It is a render of 1.jpg; edit that photo instead."])
  }

  @Test func picturesThatAreNotEditedAreCounted() async throws {
    try folder.add("orientation/1.jpg", as: "in/1.jpg")
    for name in ["a.jxl", "b.jxl"] { try folder.put(Data([0xFF, 0x0A]), as: "in/" + name) }
    try folder.put("FUJIFILMCCD-RAW 0201", as: "in/c.raf")
    try folder.put("words", as: "in/notes.txt")
    let said = await messages("apply", "noir", "--recursive", "@/in")
    #expect(
      said == [
        "edit: 3 files are of a kind that Safelight does not edit (JPEG XL: 2, camera raw file: 1)."
      ])
  }

  @Test func filesWithAPhotosEndingThatAreNoneAreCounted() async throws {
    try folder.add("orientation/1.jpg", as: "in/1.jpg")
    for name in ["a.jpg", "b.HEIC"] { try folder.put("", as: "in/" + name) }
    try folder.put("words", as: "in/c.png")
    let said = await messages("apply", "noir", "--recursive", "@/in")
    #expect(
      said == [
        "edit: 3 files are of a kind that Safelight does not edit (empty: 2, no picture: 1)."
      ])
  }
}
