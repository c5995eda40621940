import SafelightArguments
import Testing

@Suite struct UsageErrorTests {
  @Test(arguments: [
    (
      ["apply", "noir", "a", "--intesity", "1"],
      UsageError.unknownOption(
        "--intesity", nearest: "--intensity"),
      "Unknown option '--intesity'. Did you mean '--intensity'?"
    ),
    (
      ["apply", "noir", "a", "-intensity"], .unknownOption("-intensity", nearest: "--intensity"),
      "Unknown option '-intensity'. Did you mean '--intensity'?"
    ),
    (
      ["apply", "noir", "a", "-quite"], .unknownOption("-quite", nearest: "--quiet"),
      "Unknown option '-quite'. Did you mean '--quiet'?"
    ),
    (
      ["render", "-tag", "sea"], .unknownOption("-tag", nearest: "--tag"),
      "Unknown option '-tag'. Did you mean '--tag'?"
    ),
    (
      ["render", "a", "-o", "b", "--longest=5"],
      .unknownOption(
        "--longest", nearest: "--longest-side"),
      "Unknown option '--longest'. Did you mean '--longest-side'?"
    ),
    (["render", "--sed"], .unknownOption("--sed", nearest: nil), "Unknown option '--sed'."),
    (["apply", "-qz", "noir"], .unknownOption("-z", nearest: nil), "Unknown option '-z'."),
    (
      ["apply", "--zzzzzz"], .unknownOption("--zzzzzz", nearest: nil), "Unknown option '--zzzzzz'."
    ),
    (["--quite"], .unknownOption("--quite", nearest: nil), "Unknown option '--quite'."),
    (
      ["-q", "apply", "noir"], .misplacedOption("-q", subcommand: "apply"),
      "The option '-q' stands before the subcommand 'apply'. Write it behind 'apply'."
    ),
    (
      ["Aply", "noir"], .unknownSubcommand("Aply", nearest: "apply"),
      "Unknown subcommand 'Aply'. Did you mean 'apply'?"
    ),
    (
      ["help", "libary"], .unknownSubcommand("libary", nearest: "library"),
      "Unknown subcommand 'libary'. Did you mean 'library'?"
    ),
    (["paint"], .unknownSubcommand("paint", nearest: nil), "Unknown subcommand 'paint'."),
    (
      ["apply", "noir", "a", "-i"], .missingValue(option: "-i <intensity>"),
      "Missing value for '-i <intensity>'."
    ),
    (
      ["render", "a", "--longest-side", "--json"],
      .missingValue(
        option: "--longest-side <pixels>"),
      "Missing value for '--longest-side <pixels>'. "
        + "Write it behind the name, as in '--longest-side=<pixels>'."
    ),
    (
      ["apply", "--json=yes"], .unexpectedValue("yes", flag: "--json"),
      "The flag '--json' takes no value, but was given 'yes'. Write '--json' alone."
    ),
    (["apply", "noir"], .missingArgument("<photo>"), "Missing required argument '<photo>'."),
    (["apply"], .missingArgument("<filter>"), "Missing required argument '<filter>'."),
    (
      ["render", "a"], .missingOption("--output <output>"),
      "Missing required option '--output <output>'."
    ),
    (
      ["rotate", "1", "a", "b"], .unexpectedArguments(["b"]),
      "Unexpected argument 'b'. Names with spaces in them need quotes."
    ),
    (
      ["apply", "-a.jpg"], .unknownOption("-a.jpg", nearest: nil),
      "Unknown option '-a.jpg'. Put '--' before names that begin with a dash."
    ),
    (
      ["library", "albms", "--all"], .unknownSubcommand("albms", nearest: "albums"),
      "Unknown subcommand 'albms'. Did you mean 'albums'?"
    ),
    (
      ["library", "sea", "--all"], .unknownOption("--all", nearest: nil), "Unknown option '--all'."
    ),
    (
      ["rotate", "1", "a", "b", "--", "-c"], .unexpectedArguments(["b", "-c"]),
      "2 unexpected arguments: 'b', '-c'. Names with spaces in them need quotes."
    ),
  ])
  func aMistakeIsNamed(words: [String], expected: UsageError, message: String) throws {
    let error = try #require(mistake(in: words))
    #expect(error.underlying as? UsageError == expected)
    #expect(Edit.message(for: error) == message)
    #expect(Edit.exitCode(for: error) == .validationFailure)
  }

  @Test(arguments: [
    (
      ["apply", "noir", "a", "-i", "half"],
      "The value 'half' is invalid for '-i <intensity>'. Expected a number, such as 0.5."
    ),
    (
      ["apply", "noir", "a", "--intensity", "0,5"],
      "The value '0,5' is invalid for '--intensity <intensity>'. Expected a number, such as 0.5."
    ),
    (
      ["render", "a", "-o", "b", "--quality=3.5"],
      "The value '3.5' is invalid for '--quality <quality>'. "
        + "Expected a whole number."
    ),
    (
      ["render", "a", "-o", "b", "--longest-side="],
      "The value '' is invalid for '--longest-side <pixels>'. Expected a whole number."
    ),
    (
      ["render", "a", "-o", "b", "--format", "gif"],
      "The value 'gif' is invalid for '--format <format>'. "
        + "Expected 'jpeg', 'png' or 'tiff'."
    ),
    (
      ["rotate", "left"],
      "The value 'left' is invalid for '<degrees>'. Expected a number, such as 0.5."
    ),
  ])
  func aWrongValueTellsWhatIsExpected(words: [String], message: String) throws {
    #expect(Edit.message(for: try #require(mistake(in: words))) == message)
  }

  @Test func theFullMessageShowsTheUsageOfTheCommand() {
    #expect(
      message(of: ["apply", "noir", "a.jpg", "--intesity", "0.5"]) == """
        Error: Unknown option '--intesity'. Did you mean '--intensity'?
        Usage: edit apply <filter> <photo> ... [--intensity <intensity>]
               [--exposure <exposure>] [--json] [--quiet]
          See 'edit apply --help' for more information.
        """)
    #expect(
      message(of: ["library", "albums", "extra"]) == """
        Error: Unexpected argument 'extra'. Names with spaces in them need quotes.
        Usage: edit library albums
          See 'edit library albums --help' for more information.
        """)
    #expect(
      message(of: ["aply"]) == """
        Error: Unknown subcommand 'aply'. Did you mean 'apply'?
        Usage: edit <subcommand>
          See 'edit --help' for more information.
        """)
  }

  @Test func aCommandsOwnRefusalShowsTheUsageToo() throws {
    let error = try #require(mistake(in: ["apply", "noir", "a.jpg", "-i", "2"]))
    #expect(error.underlying is ValidationError)
    #expect(Edit.exitCode(for: error) == .validationFailure)
    #expect(
      Edit.fullMessage(for: error, columns: 120) == """
        Error: The intensity must be between 0 and 1.
        Usage: edit apply <filter> <photo> ... [--intensity <intensity>] \
        [--exposure <exposure>] [--json] [--quiet]
          See 'edit apply --help' for more information.
        """)
  }

  @Test func aNumberOutsideItsRangeHasNoUsage() throws {
    let error = try #require(mistake(in: ["render", "a", "-o", "b", "--quality", "101"]))
    #expect(
      Edit.fullMessage(for: error) == "Error: --quality takes a number from 1 to 100, not 101.")
    #expect(Edit.exitCode(for: error) == .validationFailure)
    #expect(mistake(in: ["render", "a", "-o", "b", "--quality", "100"]) == nil)
  }

  @Test func otherErrorsHaveNoUsage() {
    #expect(Edit.exitCode(for: FilterFailure()) == .failure)
    #expect(Edit.fullMessage(for: FilterFailure()) == "Error: The filter cannot be read.")
    #expect(Edit.exitCode(for: ExitCode(130)).rawValue == 130)
    #expect(Edit.fullMessage(for: ExitCode(130)) == "")
    #expect(Edit.exitCode(for: CleanExit.message("Done.")).isSuccess)
    #expect(Edit.fullMessage(for: CleanExit.message("Done.")) == "Done.")
  }
}

@Suite struct NearestTests {
  static let filters = [
    "noir", "mono", "tonal", "fade", "chrome", "process", "transfer", "instant",
  ]

  @Test(arguments: [
    ("nior", "noir"), ("noirr", "noir"), ("NOIR", "noir"), ("mono", "mono"), ("chorme", "chrome"),
    ("transfre", "transfer"), ("intsant", "instant"), ("proces", "process"), ("inst", "instant"),
    ("tranfesr", "transfer"), ("tonel", "tonal"),
  ])
  func aSlipFindsTheNameMeant(word: String, name: String) {
    #expect(nearest(to: word, among: Self.filters) == name)
  }

  @Test(arguments: ["", "x", "no-such-filter", "sepia", "t", "ab", "norm"])
  func nothingNearGivesNothing(word: String) {
    #expect(nearest(to: word, among: Self.filters) == nil)
  }

  @Test func theFirstOfEqualsIsTaken() {
    #expect(nearest(to: "fast", among: ["fist", "fest"]) == "fist")
    #expect(nearest(to: "fast", among: ["first", "fist", "fasten"]) == "fist")
  }

  @Test func twoCompletionsAreNoHint() {
    #expect(nearest(to: "tone", among: ["tone-curve", "tone-mapping"]) == nil)
    #expect(nearest(to: "tone", among: ["tone-curve", "crop"]) == "tone-curve")
  }

  @Test(.timeLimit(.minutes(10)))
  func aVeryLongWordIsComparedWithNoName() {
    let word = String(repeating: "ab", count: 1_000_000)
    #expect(nearest(to: word, among: (0..<500).map { "candidate-\($0)" }) == nil)
  }
}
