import Foundation
import PhotoEditing
import Testing

@Suite struct FilterSheetTests {
  private let folder = CommandFolder()

  /// Width and height of a picture.
  private func size(_ name: String) async throws -> [Double] {
    let shown = try #require(await folder.edit("show", "--json", name).results.first)
    let original = try #require(try JSONValue(parsing: shown.utf8)["original"])
    return [original["pixelWidth"], original["pixelHeight"]].compactMap { $0?.number }
  }

  @Test func everyFilterIsShown() async throws {
    try folder.add("beach.jpg")
    let before = folder.contents
    await #expect(
      folder.edit("filters", "--sheet", "@/beach.jpg", "-o", "@/out.jpg")
        == Transcript(results: ["@/beach.jpg: 16 filters on @/out.jpg"]))
    #expect(folder.contents.filter { $0.key != "out.jpg" } == before)
    #expect(folder.data("out.jpg")?.starts(with: [0xFF, 0xD8]) == true)
  }

  @Test func filtersOfOnesOwnAreShownToo() async throws {
    try folder.add("beach.jpg")
    _ = await folder.edit("adjust", "@/beach.jpg", "--fade", "20")
    _ = await folder.edit("filters", "save", "sand", "--from", "@/beach.jpg")
    let words = ["filters", "--sheet", "@/beach.jpg", "-o", "@/out.jpg", "--json"]
    let said = try #require(await folder.edit(words).results.first)
    let names = try JSONValue(parsing: said.utf8)["filters"]?.elements?.compactMap(\.string)
    #expect(names == Filter.shipped.map(\.name) + ["sand"])
  }

  @Test(arguments: [
    (["--columns", "3"], [324.0, 97.0]), (["--columns", "1"], [112, 279]),
    (["--columns", "3", "--longest-side", "300"], [928, 235]),
  ])
  func columnsAndSizesCanBeChosen(options: [String], expected: [Double]) async throws {
    try folder.add("beach.jpg")
    await #expect(
      folder.edit(
        [
          "filters", "noir", "fade", "--sheet", "@/beach.jpg", "-o", "@/out.png", "--longest-side",
          "100",
        ] + options
      ).results == ["@/beach.jpg: 2 filters on @/out.png"])
    try await #expect(size("@/out.png") == expected)
  }

  @Test(arguments: [
    (["--sheet", "@/beach.jpg"], 64, "Error: --sheet needs a picture to write: -o FILE."),
    (
      ["-o", "@/out.jpg"], 64,
      "Error: --output, --columns, --longest-side and --overwrite need --sheet."
    ),
    (["--sheet", "@/beach.jpg", "-o", "@/out.gif"], 64, "No format has the ending “.gif”"),
    (
      ["--sheet", "@/beach.jpg", "-o", "@/out.jpg", "--columns", "0"], 1,
      "--columns takes a number from 1 to 1000, not 0."
    ),
    (["--sheet", "@/none.jpg", "-o", "@/out.jpg"], 1, "@/none.jpg"),
    (["sepai", "--sheet", "@/beach.jpg", "-o", "@/out.jpg"], 1, "Did you mean “sepia”?"),
  ])
  func mistakesAreSaid(words: [String], code: Int32, message: String) async throws {
    try folder.add("beach.jpg")
    let transcript = await folder.edit(["filters"] + words)
    #expect(transcript.code == code)
    #expect(transcript.messages.contains { $0.contains(message) })
    #expect(folder.names == ["beach.jpg"])
  }

  @Test func severalFiltersAreDescribedOneAfterTheOther() async {
    let both = await folder.edit("filters", "noir", "sepia").results
    let (one, other) = (
      await folder.edit("filters", "noir").results, await folder.edit("filters", "sepia").results
    )
    #expect(both == one + other)
  }
}
