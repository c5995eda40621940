import Arguments
import Testing

@testable import EditCommands

@Suite struct HelpTests {
  private let folder = CommandFolder()
  private static let commands = [EditCommand.self] + EditCommand.configuration.subcommands
  private static let names = commands.map { $0.commandDescription.name }

  /// The command lines below “Example:” in a command's help.
  static func examples(of command: any ParsableCommand.Type) -> [String] {
    let lines = EditCommand.helpMessage(for: command).split(
      separator: "\n", omittingEmptySubsequences: false)
    return lines.drop { $0 != "Example:" }.dropFirst().prefix { !$0.isEmpty }.map(String.init)
  }

  @Test(arguments: names)
  func everyHelpHasExamplesThatParse(name: String) throws {
    let command = try #require(Self.commands.first { $0.commandDescription.name == name })
    let examples = Self.examples(of: command)
    #expect(!examples.isEmpty)
    for example in examples {
      #expect(example.hasPrefix("  edit "), "Only lines that start with a space are never wrapped.")
      // What follows > is the shell's.
      let words = example.split(separator: " ").prefix { $0 != ">" }.dropFirst().map(String.init)
      let parsed = try EditCommand.parseAsRoot(words)
      if command != EditCommand.self { #expect(type(of: parsed) == command) }
    }
  }

  @Test(arguments: names)
  func helpIsNoFailure(name: String) async {
    let words = name == "edit" ? ["--help"] : [name, "--help"]
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

  @Test func theVersionNamesLibvips() async {
    let transcript = await folder.edit("--version")
    #expect(transcript.results == [Version.text])
    #expect(transcript.results.first?.wholeMatch(of: /edit \d+\.\d+\.\d+ \(libvips 8\..+\)/) != nil)
    #expect(transcript.code == 0)
  }

  @Test(arguments: [
    (["aply", "noir", "a.jpg"], "Unknown subcommand 'aply'. Did you mean 'apply'?"),
    (["revret"], "Unknown subcommand 'revret'. Did you mean 'revert'?"),
    (
      ["apply", "noir", "a.jpg", "--intensty", "1"],
      "Unknown option '--intensty'. Did you mean '--intensity'?"
    ),
    (["render", "a.jpg", "--ouput", "b"], "Unknown option '--ouput'. Did you mean '--output'?"),
    (["apply", "noir"], "Missing required argument '<photos>'."),
    (["render", "a.jpg"], "Missing required option '--output <path>'."),
    (
      ["apply", "noir", "a.jpg", "--intensity", "much"],
      "The value 'much' is invalid for '--intensity <intensity>'. Expected a number, such as 0.5."
    ),
    (["show", "a.jpg", "--json=yes"], "The flag '--json' takes no value, but was given 'yes'."),
  ])
  func aMistakeGetsAnAnswerAndTheUsage(words: [String], message: String) async {
    let transcript = await folder.edit(words)
    #expect(transcript.code == 64)
    #expect(transcript.results.isEmpty)
    let lines = transcript.messages.first?.split(separator: "\n").map(String.init) ?? []
    #expect(lines.first == "Error: " + message)
    #expect(lines.dropFirst().first?.hasPrefix("Usage: edit") == true)
    #expect(lines.last?.hasSuffix("--help' for more information.") == true)
  }
}
