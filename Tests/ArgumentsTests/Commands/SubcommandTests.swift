import SafelightArguments
import Testing

@Suite struct SubcommandTests {
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
  }
}

@Suite struct CommandGroupTests {
  private struct Darkroom: ParsableCommand {
    static let configuration = CommandConfiguration(
      commandName: "darkroom", subcommands: [Rotate.self],
      groupedSubcommands: [
        CommandGroup(name: "Paper", subcommands: [Render.self, Worker.self]),
        CommandGroup(name: "Shelves", subcommands: [Library.self]),
      ])
  }

  @Test func groupsStandUnderTheirTitles() {
    #expect(
      Darkroom.helpMessage().contains(
        """

        SUBCOMMANDS:
          rotate                  Turn a photo.

        PAPER:
          render                  Write rendered photos.

        SHELVES:
          library                 Look after a library.

        """))
  }

  @Test func aGroupsCommandsAreCalledLikeOthers() throws {
    #expect(try Darkroom.parseAsRoot(["library", "albums"]) is Albums)
    #expect(try Darkroom.parseAsRoot(["rotate", "90"]) is Rotate)
  }

  @Test func groupsAreDataToo() {
    let commands = Darkroom.commandDescription.subcommands
    #expect(commands.map(\.section) == ["", "Paper", "Paper", "Shelves"])
  }
}
