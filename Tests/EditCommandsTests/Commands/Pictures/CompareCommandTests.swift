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
    await #expect(
      folder.edit("compare", "@/beach.jpg", "--filter", "noirr", "-o", "@/out.jpg").code == 64)
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

  @Test func theLabelSaysWhatIsApplied() throws {
    var edit = EditStack()
    try edit.adjust(Adjustments.Exposure.self) { $0.amount = 0.5 }
    try edit.setFilter(Filter.named("noir", userFilters: nil).applied(intensity: 0.6))
    try edit.adjust(Adjustments.Crop.self) { $0.width = 0.5 }
    #expect(CompareCommand.caption(of: edit) == "exposure 0.5, noir at 0.6, crop")
  }
}
