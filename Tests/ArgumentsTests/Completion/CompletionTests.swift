import Testing

@testable import SafelightArguments

/// A program with every kind of completion.
private struct Darkroom: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "darkroom", version: { "1.0" },
    subcommands: [Develop.self, Looks.self, Secret.self],
    groupedSubcommands: [CommandGroup(name: "Paper", subcommands: [Enlarge.self])])
}

private struct Develop: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "develop", abstract: "Develop a film.")

  enum Bath: String, CaseIterable, ExpressibleByArgument { case developer, stop, fixer }

  @Argument(
    help: "The look.", completion: .anyOf([.list(["soft", "hard"]), .file(extensions: ["cube"])]))
  var look: String
  @Argument(
    help: "The films.", completion: .file(extensions: ["jpg", "png"], ignoring: ["_edited.jpg"]))
  var films: [String]
  @Option(name: .shortAndLong, help: "Which bath.") var bath: Bath?
  @Option(help: "How warm it is.") var degrees = 20.0
  @Option(
    help: "A note.",
    completion: .custom { words, index, typed in
      [CompletionCandidate("\(words.count)/\(index)/\(typed)", "Told.")]
    })
  var note: [String] = []
  @Option(completion: .directory) var shelf: String?
  @OptionTable([
    .init("red", valueName: "light", help: "Safe light.", section: "Light", choices: ["on", "off"])
  ]) var lights
  @Flag(name: .shortAndLong, help: "Say nothing.") var quiet = false
  @Flag(help: .hidden) var debug = false
}

private struct Enlarge: ParsableCommand {
  static let configuration = CommandConfiguration(commandName: "enlarge", abstract: "Enlarge.")
}

private struct Secret: ParsableCommand {
  static let configuration = CommandConfiguration(commandName: "secret", shouldDisplay: false)
}

private struct Looks: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "looks", subcommands: [ListLooks.self, SaveLook.self],
    defaultSubcommand: ListLooks.self)
}

private struct ListLooks: ParsableCommand {
  static let configuration = CommandConfiguration(commandName: "list")
  @Argument(completion: .list(["soft", "hard"])) var look: String?
  @Flag var json = false
}

private struct SaveLook: ParsableCommand {
  static let configuration = CommandConfiguration(commandName: "save")
  @Option var from: String
}

@Suite struct CompletionTests {
  private func words(_ line: String...) async -> [String] {
    await Darkroom.completions(for: line).candidates.map(\.word)
  }

  @Test func commandsAreOfferedWithWhatTheyDo() async {
    let answer = await Darkroom.completions(for: [""])
    #expect(answer.candidates.map(\.word) == ["develop", "looks", "enlarge"])
    #expect(answer.candidates[0].explanation == "Develop a film.")
    #expect(answer.candidates.map(\.section) == ["subcommands", "subcommands", "Paper"])
  }

  @Test func anArgumentsWordsAndFilesAreOfferedTogether() async {
    let answer = await Darkroom.completions(for: ["develop", ""])
    #expect(answer.candidates.map(\.word) == ["soft", "hard"])
    #expect(answer.files?.extensions == ["cube"])
  }

  @Test(arguments: [
    ["develop", "soft", ""], ["develop", "soft", "a.jpg", ""], ["develop", "-q", "soft", "x"],
    ["develop", "--bath", "stop", "soft", ""], ["develop", "-bstop", "soft", ""],
    ["develop", "--bath=stop", "soft", ""], ["develop", "-qb", "stop", "soft", ""],
    ["develop", "--", "soft", "-"], ["develop", "--unheard-of", "soft", ""],
    ["develop", "--degrees", "-3", "soft", ""], ["develop", "-3", ""],
  ])
  func optionsAndTheirValuesTakeNoPlaceOfAnArgument(line: [String]) async {
    let answer = await Darkroom.completions(for: line)
    #expect(answer.files?.extensions == ["jpg", "png"])
    #expect(answer.files?.ignoring == ["_edited.jpg"])
    #expect(answer.candidates.isEmpty)
  }

  @Test(arguments: [["--bath", ""], ["-b", "st"], ["-qb", ""]])
  func anOptionsValuesAreThoseOfItsType(line: [String]) async {
    let answer = await Darkroom.completions(for: ["develop"] + line)
    #expect(answer.candidates.map(\.word) == ["developer", "stop", "fixer"])
    #expect(answer.prefix == "")
  }

  @Test func aValueInTheSameWordKeepsTheName() async {
    let answer = await Darkroom.completions(for: ["develop", "--bath=f"])
    #expect(answer.prefix == "--bath=")
    #expect(answer.candidates.map(\.word) == ["developer", "stop", "fixer"])
  }

  @Test func aTablesOptionsHaveTheirChoices() async {
    await #expect(words("develop", "--red", "") == ["on", "off"])
  }

  @Test func foldersAreAskedFor() async {
    let answer = await Darkroom.completions(for: ["develop", "--shelf", ""])
    #expect(answer.files?.isFoldersOnly == true)
  }

  @Test func aFunctionSeesTheWholeLine() async {
    await #expect(words("develop", "-q", "--note", "ab") == ["5/4/ab"])
    await #expect(words("develop", "--note=ab") == ["3/2/ab"])
  }

  @Test func whatCannotBeListedIsSaid() async {
    let answer = await Darkroom.completions(for: ["develop", "--degrees", ""])
    #expect(answer.candidates.isEmpty && answer.files == nil)
    #expect(answer.hint == "How warm it is")
  }

  @Test func optionsThatAreGivenAreLeftOutUnlessTheyMayBeRepeated() async {
    await #expect(
      words("develop", "-") == [
        "--bath", "--degrees", "--note", "--shelf", "--quiet", "--version", "--help", "--red",
      ])
    await #expect(
      words("develop", "-q", "--note", "x", "--bath=stop", "--") == [
        "--degrees", "--note", "--shelf", "--version", "--help", "--red",
      ])
  }

  @Test func optionsStandUnderTheirTitles() async {
    let answer = await Darkroom.completions(for: ["develop", "--"])
    #expect(answer.candidates.first { $0.word == "--red" }?.section == "Light")
    #expect(answer.candidates.first { $0.word == "--bath" }?.section == "options")
  }

  @Test func optionsAreOfferedWhereNothingElseMayStand() async {
    await #expect(words("enlarge", "") == ["--version", "--help"])
    await #expect(words("enlarge", "--", "").isEmpty)
    await #expect(words("unheard-of", "") == ["--version", "--help"])
  }

  @Test func theDefaultSubcommandsArgumentStandsBesideTheSubcommands() async {
    await #expect(words("looks", "") == ["list", "save", "soft", "hard"])
    await #expect(words("looks", "list", "") == ["soft", "hard"])
    await #expect(words("looks", "save", "-") == ["--from", "--version", "--help"])
    await #expect(words("looks", "soft", "--") == ["--json", "--version", "--help"])
    await #expect(words("looks", "--json", "") == ["soft", "hard"])
  }

  @Test func aFlagHasNoValue() async {
    let answer = await Darkroom.completions(for: ["develop", "--quiet="])
    #expect(answer.isEmpty)
  }
}
