import Foundation
import PhotoEditing
import Testing

@testable import SafelightEditCommands

@Suite struct CompareCommandTests {
  private let folder = CommandFolder()

  @Test func anEditedPhotoIsComparedAndStaysAsItIs() async throws {
    try folder.add("beach.jpg")
    _ = await folder.edit("apply", "noir", "@/beach.jpg")
    let before = folder.contents
    await #expect(
      folder.edit("compare", "@/beach.jpg", "-o", "@/out.png")
        == Transcript(results: ["@/beach.jpg: compared in @/out.png"]))
    #expect(folder.contents.filter { $0.key != "out.png" } == before)
    #expect(folder.data("out.png")?.starts(with: [0x89, 0x50, 0x4E, 0x47]) == true)
    await #expect(
      folder.edit("compare", "@/beach.jpg", "-o", "@/out.webp", "--json").results == [
        #"{"photo":"@/beach.jpg","status":"rendered","rendered":"@/out.webp"}"#
      ])
  }

  @Test func aPhotoWithoutAnEditNeedsAFilter() async throws {
    try folder.add("beach.jpg")
    await #expect(
      folder.edit("compare", "@/beach.jpg", "-o", "@/out.jpg")
        == Transcript(results: ["@/beach.jpg: unchanged, it has no edit to compare with"]))
    #expect(folder.names == ["beach.jpg"])
    let transcript = await folder.edit(
      "compare", "@/beach.jpg", "--filter", "noir", "-o", "@/out.jpg")
    #expect(transcript.code == 0)
    #expect(folder.names == ["beach.jpg", "out.jpg"])
  }

  @Test(arguments: [
    ([], (400, 400)), (["--longest-side", "300"], (300, 300)), (["--split"], (400, 400)),
  ])
  func theWholeIsAsLongAsAskedFor(options: [String], limit: (Int, Int)) async throws {
    try folder.add("beach.jpg")
    _ = await folder.edit(
      ["compare", "@/beach.jpg", "--filter", "fade", "-o", "@/out.png", "--longest-side", "400"]
        + options)
    let shown = try #require(await folder.edit("show", "--json", "@/out.png").results.first)
    let original = try #require(try JSONValue(parsing: shown.utf8)["original"])
    let width = try #require(original["pixelWidth"]?.number)
    #expect(width <= Double(limit.0) && width >= Double(limit.0 - 4))
  }

  @Test func severalPhotosGoIntoAFolder() async throws {
    try folder.add("orientation/1.jpg")
    try folder.add("orientation/6.jpg")
    try folder.put("", as: "out/.keep")
    await #expect(
      folder.edit("compare", "@/1.jpg", "@/6.jpg", "--filter", "noir", "-o", "@/out")
        == Transcript(results: [
          "@/1.jpg: compared in @/out/1.jpg", "@/6.jpg: compared in @/out/6.jpg",
        ]))
  }

  @Test func aDryRunWritesNothing() async throws {
    try folder.add("beach.jpg")
    await #expect(
      folder.edit("compare", "@/beach.jpg", "--filter", "noir", "-o", "@/out.jpg", "--dry-run")
        == Transcript(results: ["@/beach.jpg: would be compared in @/out.jpg"]))
    #expect(folder.names == ["beach.jpg"])
  }

  @Test(arguments: [
    (["--at", "0.4"], 64, "Error: --at needs --split."),
    (["--split", "--at", "1.5"], 64, "--at takes a number from 0 to 1, not 1.5."),
    (["--longest-side", "20"], 64, "--longest-side takes a number from 200 to 16383, not 20."),
    (["--filter", "noirr"], 64, "There is no filter called “noirr”. Did you mean “noir”?"),
  ])
  func mistakesAreSaid(options: [String], code: Int32, message: String) async throws {
    try folder.add("beach.jpg")
    let transcript = await folder.edit(["compare", "@/beach.jpg", "-o", "@/out.jpg"] + options)
    #expect(transcript.code == code)
    #expect(transcript.messages.contains { $0.contains(message) })
    #expect(folder.names == ["beach.jpg"])
  }

  @Test func thePhotosOwnFilesAreNeverReplaced() async throws {
    try folder.add("beach.jpg")
    let before = folder.contents
    let transcript = await folder.edit(
      "compare", "@/beach.jpg", "--filter", "noir", "-o", "@/beach.jpg", "--overwrite")
    #expect(transcript.code == 1)
    #expect(folder.contents == before)
  }

  @Test func aPictureThatIsThereIsOnlyReplacedWhenAskedTo() async throws {
    try folder.add("beach.jpg")
    try folder.put("mine", as: "out.jpg")
    let words = ["compare", "@/beach.jpg", "--filter", "noir", "-o", "@/out.jpg"]
    await #expect(folder.edit(words).code == 1)
    #expect(folder.data("out.jpg") == Data("mine".utf8))
    await #expect(folder.edit(words + ["--overwrite"]).code == 0)
    #expect(folder.data("out.jpg")?.starts(with: [0xFF, 0xD8]) == true)
  }

  @Test func theLabelSaysWhatIsApplied() throws {
    var edit = EditStack()
    try edit.adjust(Adjustments.Exposure.self) { $0.amount = 0.5 }
    try edit.setFilter(Filter.named("noir", userFilters: nil).applied(intensity: 0.6))
    try edit.adjust(Adjustments.Crop.self) { $0.width = 0.5 }
    #expect(CompareCommand.caption(of: edit) == "exposure 0.5, noir at 0.6, crop")
  }
}
