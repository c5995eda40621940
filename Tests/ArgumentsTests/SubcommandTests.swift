import SafelightArguments
import Testing

@Suite struct SubcommandTests {
  @Test func anAliasNamesItsCommand() throws {
    #expect(try parse(Render.self, "export", "a.jpg", "-o", "b") != nil)
  }

  @Test func aHiddenCommandCanBeCalled() throws {
    #expect(try parse(Worker.self, "worker") != nil)
  }

  @Test func aCommandsNameMayBeAnArgumentOfAnother() throws {
    #expect(try parse(Apply.self, "apply", "render", "library")?.filter == "render")
  }

  @Test(
    arguments: [
      (["library"], nil, ["everything", "new"]),
      (["library", "--limit", "5"], 5, ["everything", "new"]),
      (["library", "sea", "--limit=5"], 5, ["sea"]),
      (["library", "fetch-assets", "albums"], nil, ["albums"]),
    ] as [([String], Int?, [String])])
  func theDefaultSubcommandNeedsNoName(words: [String], limit: Int?, found: [String]) throws {
    let fetch = try #require(try Edit.parseAsRoot(words) as? FetchAssets)
    #expect(fetch.limit == limit)
    #expect(fetch.words == found)
  }

  @Test func aNamedSubcommandWinsOverTheDefault() throws {
    #expect(try parse(Albums.self, "library", "albums") != nil)
  }

  @Test func aCommandWithNothingToDoShowsItsHelp() async throws {
    var command = try #require(try parse(Edit.self))
    let error = await #expect(throws: CleanExit.self) { try await command.run() }
    #expect(Edit.fullMessage(for: try #require(error)) == Edit.helpMessage())
    var albums = try #require(try parse(Albums.self, "library", "albums"))
    let other = #expect(throws: CleanExit.self) { try albums.run() }
    #expect(
      Edit.fullMessage(for: try #require(other)).hasPrefix(
        "OVERVIEW: List albums.\n\nUSAGE: edit library albums\n"))
  }
}
