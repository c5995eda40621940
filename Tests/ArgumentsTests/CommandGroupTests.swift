import SafelightArguments
import Testing

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
          render, export          Write rendered photos.

        SHELVES:
          library                 Look after a library.

        """))
  }

  @Test func aGroupsCommandsAreCalledLikeOthers() throws {
    #expect(try Darkroom.parseAsRoot(["library", "albums"]) is Albums)
    #expect(try Darkroom.parseAsRoot(["rotate", "90"]) is Rotate)
  }

  @Test func subcommandsAreAllOfThemAndSettingThemDissolvesGroups() {
    var configuration = Darkroom.configuration
    #expect(configuration.subcommands.count == 4)
    configuration.subcommands = [Rotate.self]
    #expect(configuration.groupedSubcommands.isEmpty)
  }
}
