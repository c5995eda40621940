import Foundation
import PhotoEditing
import Testing

@testable import SafelightEditCommands

@Suite struct HelpTopicTests {
  private let folder = CommandFolder()

  @Test(arguments: HelpTopic.all.map(\.name))
  func aTopicIsExplainedInLinesThatFit(name: String) async throws {
    let transcript = await folder.edit("help", name)
    #expect(transcript.code == 0)
    #expect(transcript.messages.isEmpty)
    let text = try #require(transcript.results.first)
    #expect(text.split(separator: "\n").allSatisfy { $0.count <= 80 })
    #expect(text.count > 200)
  }

  @Test func noTopicIsCalledLikeACommand() {
    let commands = Set(EditCommand.commandDescription.subcommands.map(\.name))
    #expect(commands.isDisjoint(with: HelpTopic.all.map(\.name)))
  }

  @Test func theHelpOfACommandIsThatOfItsOption() async {
    await #expect(
      folder.edit("help", "filters", "save") == folder.edit("filters", "save", "--help"))
    await #expect(folder.edit("help") == folder.edit("--help"))
  }

  @Test(arguments: [
    (["aply"], "Unknown subcommand 'aply'. Did you mean 'apply'?"),
    (["erors"], "Unknown subcommand 'erors'. Did you mean 'errors'?"),
    (["filters", "sav"], "Unknown subcommand 'sav'. Did you mean 'save'?"),
    (["filters", "errors"], "Unknown subcommand 'errors'."),
    (["files", "x"], "Unexpected argument 'x'. Names with spaces in them need quotes."),
    (
      ["errors", "bussy"], "There is no error code “bussy”. Did you mean “busy”?"
    ),
    (
      ["errors", "xyzzy"], "There is no error code “xyzzy”. “edit help errors” lists them."
    ),
    (
      ["files", "--json"], "--json goes with “edit help errors” and “edit help formats”."
    ),
    (["apply", "--man"], "--man prints all commands; name none."),
  ])
  func whatThereIsNotIsSaid(words: [String], message: String) async {
    let transcript = await folder.edit(["help"] + words)
    #expect(transcript.code == 64)
    #expect(transcript.messages.first?.split(separator: "\n").first == "Error: \(message)")
  }

  @Test func theJSONTopicNamesEveryMemberAndStatus() async throws {
    try folder.add("orientation/1.jpg")
    let text = try #require(await folder.edit("help", "json").results.first)
    let statuses = [
      "edited", "unchanged", "reverted", "skipped", "rendered", "shown", "verified", "relinked",
      "failed",
    ]
    for status in statuses { #expect(text.contains("“\(status)”")) }
    var lines = await folder.edit("apply", "noir", "@/1.jpg", "--dry-run", "--json").results
    lines += await folder.edit("apply", "noir", "@/1.jpg", "--json").results
    lines += await folder.edit("show", "@/none.jpg", "--json").results
    for line in lines {
      for member in try #require(try JSONValue(parsing: line.utf8).members) {
        #expect(text.contains("\n\(member.key)\n"), "\(member.key) is not explained.")
      }
    }
  }
}
