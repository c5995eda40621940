import Foundation
import PhotoEditing
import SafelightArguments
import SafelightTestSupport
import Testing

@testable import SafelightEditCommands

@Suite struct HelpTests {
  private let folder = CommandFolder()
  private static let commands = Self.path(to: EditCommand.self, after: [])
  private static let names = commands.map { $0.words.joined(separator: " ") }

  /// A command and all below it, each with the words that name it.
  private static func path(
    to command: any ParsableCommand.Type, after words: [String]
  ) -> [(words: [String], type: any ParsableCommand.Type)] {
    let words = words + [command.commandDescription.name]
    return [(words, command)]
      + command.configuration.subcommands.flatMap { path(to: $0, after: words) }
  }

  /// The command lines below “Example:” in a command's help.
  static func examples(of command: any ParsableCommand.Type) -> [String] {
    let lines = EditCommand.helpMessage(for: command).split(
      separator: "\n", omittingEmptySubsequences: false)
    return lines.drop { $0 != "Example:" }.dropFirst().prefix { !$0.isEmpty }.map(String.init)
  }

  @Test(arguments: names)
  func everyHelpHasExamplesThatParse(name: String) throws {
    let command = try #require(
      Self.commands.first { $0.words.joined(separator: " ") == name }?.type)
    let examples = Self.examples(of: command)
    #expect(!examples.isEmpty)
    let own = folder.userFilters
    _ = try OutputPresets(beside: own).save(.standard, named: "web")
    for example in examples {
      #expect(example.hasPrefix("  edit "), "Only lines that start with a space are never wrapped.")
      // What follows < and > is the shell's.
      let words = Self.words(of: example).prefix { $0 != ">" && $0 != "<" }.dropFirst()
      let parsed = try CommandSurroundings.$userFilters.withValue(own) {
        try EditCommand.parseAsRoot(Array(words))
      }
      if command.configuration.subcommands.isEmpty { #expect(type(of: parsed) == command) }
    }
  }

  /// The words of a command line as a shell would split it at spaces outside quotes.
  private static func words(of line: String) -> [String] {
    line.split(separator: "\"", omittingEmptySubsequences: false).enumerated()
      .flatMap { index, part in
        index % 2 == 1 ? [String(part)] : part.split(separator: " ").map(String.init)
      }
  }

  @Test(arguments: names)
  func helpIsNoFailure(name: String) async {
    let words = name.split(separator: " ").dropFirst().map(String.init) + ["--help"]
    let transcript = await folder.edit(words)
    #expect(transcript.code == 0)
    #expect(transcript.messages.isEmpty)
    #expect(transcript.results.first?.hasPrefix("OVERVIEW: ") == true)
    #expect(transcript.results.first?.split(separator: "\n").allSatisfy { $0.count <= 80 } == true)
  }

  @Test func nothingToDoShowsTheHelp() async {
    let transcript = await folder.edit()
    await #expect(folder.edit("--help") == transcript)
    #expect(transcript.code == 0)
  }

  @Test func theVersionNamesLibvipsAndTheRenderer() async {
    let transcript = await folder.edit("--version")
    #expect(transcript.results == [Version.text])
    #expect(
      transcript.results.first?.wholeMatch(
        of: /edit \d+\.\d+\.\d+ \(libvips 8\..+\)\nrenderer safelight-\d+/) != nil)
    #expect(transcript.code == 0)
  }
}

@Suite struct EditManualTests {
  private let folder = CommandFolder()

  @Test func theManualHasEveryCommandTopicAndSection() async throws {
    let page = try #require(await folder.edit("help", "--man").results.first)
    for section in [
      "NAME", "SYNOPSIS", "DESCRIPTION", "COMMANDS", "FILES", "EXIT STATUS", "ENVIRONMENT",
      "ERRORS", "EXAMPLES",
    ] {
      #expect(
        page.contains(".SH \(section)\n") || page.contains(".SH \"\(section)\"\n"),
        "\(section) is missing.")
    }
    for command in EditCommand.commandDescription.subcommands {
      #expect(page.contains("\n.SS \"edit \(command.name)\"\n"))
    }
    for error in ErrorExplanation.all {
      #expect(page.contains(error.code.replacing("-", with: "\\-")))
    }
  }

  @Test(
    .enabled("groff is not installed.") { access("/usr/bin/groff", X_OK) == 0 },
    arguments: [["/usr/bin/groff", "-ww", "-z", "-man", "-Tascii"]])
  func groffHasNothingToSay(command: [String]) throws {
    try folder.put(EditCommand.manualPage, as: "edit.1")
    let groff = try FinishedProcess(command + [folder.path + "/edit.1"], includesErrors: true)
    #expect(groff.text == "")
    #expect(groff.status == 0)
  }
}
