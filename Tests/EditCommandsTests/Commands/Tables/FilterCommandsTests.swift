import Foundation
import PhotoEditing
import SafelightFormats
import Testing

@Suite struct FiltersCommandTests {
  private let folder = CommandFolder()

  @Test func listsEveryFilterWithItsSentence() async throws {
    let transcript = await folder.edit("filters")
    #expect(transcript.results.count == Filter.shipped.count)
    #expect(
      transcript.results.first
        == "noir           Black and white with deep blacks and strong contrast.")
    for (line, filter) in zip(transcript.results, Filter.shipped) {
      #expect(line.hasPrefix(filter.name + " ") && line.hasSuffix(" " + filter.summary))
    }
  }

  @Test func describesOne() async {
    await #expect(
      folder.edit("filters", "noir")
        == Transcript(results: [
          "noir (Noir, version 1)", "Black and white with deep blacks and strong contrast.",
          "  black-and-white 100",
          "  tone-curve "
            + "\"0,0 0.15,0.068 0.32,0.23 0.5,0.495 0.68,0.755 0.85,0.935 1,1\"",
        ]))
  }

  @Test func theJSONOfAFilterIsAFilter() async throws {
    let lines = await folder.edit("filters", "--json").results
    let filters = try lines.map { try Filter(json: Array($0.utf8)) }
    #expect(filters == Filter.shipped)
    await #expect(folder.edit("filters", "noir", "--json").results == [lines[0]])
  }

  @Test func aMistypedNameGetsTheNearest() async {
    await #expect(
      folder.edit("filters", "sepai")
        == Transcript(
          messages: ["edit: There is no filter called “sepai”. Did you mean “sepia”?"], code: 1))
  }
}

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
    for words in [["--sheet", "@/none.jpg"], ["sepai", "--sheet", "@/beach.jpg"]] {
      await #expect(folder.edit(["filters"] + words + ["-o", "@/other.jpg"]).code == 1)
    }
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

  @Test func severalFiltersAreDescribedOneAfterTheOther() async {
    let both = await folder.edit("filters", "noir", "sepia").results
    let (one, other) = (
      await folder.edit("filters", "noir").results, await folder.edit("filters", "sepia").results
    )
    #expect(both == one + other)
  }
}

@Suite struct SavedFilterTests {
  private let folder = CommandFolder()

  init() async throws {
    try folder.add("orientation/1.jpg", as: "a.jpg")
    _ = await folder.edit("adjust", "@/a.jpg", "--saturation", "0.5")
    _ = await folder.edit("apply", "sepia", "--intensity", "0.6", "@/a.jpg")
  }

  @Test func isUsedByNameLikeAnyOther() async throws {
    await #expect(
      folder.edit("filters", "save", "beach-look", "--from", "@/a.jpg")
        == Transcript(results: ["beach-look: saved to @/data/filters/beach-look.json"]))
    #expect(
      await folder.edit("filters").results.last
        == "beach-look     Saved from a.jpg. (own)")
    await #expect(
      folder.edit("filters", "beach-look").results == [
        "beach-look (Beach Look, version 1)", "Saved from a.jpg.", "  saturation 0.5",
        "  sepia at 0.6",
      ])
    try folder.add("orientation/1.jpg", as: "b.jpg")
    await #expect(
      folder.edit("apply", "beach-look", "@/b.jpg").results
        == ["@/b.jpg: beach-look, rendered to @/b_edited.jpg"])
    let near = await folder.edit("apply", "beach-lok", "@/b.jpg")
    #expect(
      near.messages
        == ["edit: There is no filter called “beach-lok”. Did you mean “beach-look”?"])
  }

  @Test func isReplacedOnlyWhenAskedTo() async throws {
    _ = await folder.edit("filters", "save", "mine", "--from", "@/a.jpg")
    await #expect(
      folder.edit("filters", "save", "mine", "--from", "@/a.jpg")
        == Transcript(
          messages: [
            "edit: There is a filter called “mine” already. Choose another name, or allow it with "
              + "--replace."
          ], code: 1))
    // The same look keeps its version, another gets the next.
    let words = ["filters", "save", "mine", "--from", "@/a.jpg", "--replace", "--json"]
    let same = await folder.edit(words + ["--title", "My Own", "--summary", "Brown."]).results
    #expect(
      same.first?.hasPrefix(
        #"{"name":"mine","version":1,"title":"My Own","summary":"Brown.","steps":["#) == true)
    _ = await folder.edit("adjust", "@/a.jpg", "--saturation", "0.25")
    #expect(await folder.edit(words).results.first?.contains(#""version":2,"#) == true)
  }

  @Test(arguments: [
    ("noir", "The filter “noir” ships with Safelight. Shipped filters stay as they are; choose "),
    (
      "My Look",
      "“My Look” cannot be a filter's name. Use at most 100 lower case letters, digits and "
    ),
    ("../mine", "“../mine” cannot be a filter's name."),
  ])
  func aNameThatCannotBeIsRefused(name: String, message: String) async throws {
    let saved = await folder.edit("filters", "save", name, "--from", "@/a.jpg")
    #expect(saved.messages.first?.hasPrefix("edit: " + message) == true)
    #expect(saved.code == 1)
    #expect(!folder.names.contains("data"))
  }

  @Test func isRemovedAndPhotosKeepIt() async throws {
    _ = await folder.edit("filters", "save", "mine", "--from", "@/a.jpg")
    try folder.add("orientation/1.jpg", as: "b.jpg")
    _ = await folder.edit("apply", "mine", "@/b.jpg")
    let edited = folder.data("b_edited.jpg")
    await #expect(
      folder.edit("filters", "remove", "mine")
        == Transcript(results: ["mine: removed @/data/filters/mine.json"]))
    #expect(await folder.edit("filters", "remove", "mine").code == 1)
    #expect(
      await folder.edit("filters", "remove", "noir").messages.first?
        .hasPrefix("edit: The filter “noir” ships with Safelight.") == true)
    try FileManager.default.removeItem(atPath: folder.path + "/b_edited.jpg")
    _ = await folder.edit("adjust", "@/b.jpg", "--reset")
    #expect(folder.data("b_edited.jpg") == edited)
  }

  @Test(arguments: [
    ("broken.json", "{", "is not a usable filter: It is not JSON, line 1: "),
    (
      "other.json", #"{"name":"mine","version":1,"title":"T","summary":"S.","steps":[]}"#,
      "is not a usable filter: Its name is mine, not other."
    ),
    (
      "noir.json", #"{"name":"noir","version":1,"title":"T","summary":"S.","steps":[]}"#,
      "is not a usable filter: A filter of that name ships with Safelight."
    ),
    (
      "newer.json",
      #"{"name":"newer","version":1,"title":"T","summary":"S.","steps":[{"id":"halo","version":1}]}"#,
      "is not a usable filter: Halo version 1 is not known to this version."
    ),
  ])
  func aFileThatIsNoFilterIsAWarningThatNamesIt(
    file: String, content: String, message: String
  ) async throws {
    _ = await folder.edit("filters", "save", "mine", "--from", "@/a.jpg")
    try folder.put(content, as: "data/filters/" + file)
    let listed = await folder.edit("filters")
    #expect(listed.code == 0)
    #expect(listed.results.last?.hasPrefix("mine ") == true)
    #expect(listed.results.count == Filter.shipped.count + 1)
    #expect(listed.messages.count == 1)
    #expect(
      listed.messages.first?.hasPrefix("edit: @/data/filters/\(file) \(message)") == true)
    #expect(await folder.edit("apply", "noir", "@/a.jpg").code == 0)
  }

  @Test func itsFolderIsWhereXDGSaysOrInTheHome() throws {
    let edit = try EditProcess(
      shell: """
        export HOME="$PWD/home" XDG_DATA_HOME="$PWD/share"
        "$EDIT" filters save mine --from a.jpg && XDG_DATA_HOME=relative "$EDIT" filters save mine \
          --from a.jpg && ls home/.local/share/safelight/filters share/safelight/filters
        """, in: folder)
    #expect(edit.errors == "")
    #expect(edit.output.hasSuffix("filters:\nmine.json\n\nshare/safelight/filters:\nmine.json\n"))
    #expect(!folder.names.contains("relative"))
  }
}
