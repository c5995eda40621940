import Glibc
import Testing

@testable import SafelightArguments

@Suite struct HelpTests {
  @Test func theRootListsItsSubcommands() {
    #expect(
      Edit.helpMessage() == """
        OVERVIEW: Edit photos without touching the originals.

        USAGE: edit <subcommand>

        OPTIONS:
          --version               Show the version.
          -h, --help              Show help information.

        SUBCOMMANDS:
          apply                   Put a filter on photos.
          render                  Write rendered photos.
          rotate                  Turn a photo.
          library                 Look after a library.

          See 'edit help <subcommand>' for detailed help.
        """)
  }

  @Test func aCommandShowsItsArgumentsAndExamples() {
    #expect(
      Edit.helpMessage(for: Apply.self) == """
        OVERVIEW: Put a filter on photos.

        The filter replaces the one that a photo has. Its strength goes from nothing at
        all to what its author had in mind.

        EXAMPLES
          edit apply noir harbour.jpg --intensity 0.8 --output a-rather-long-name-of-a-folder/

        USAGE: edit apply <filter> <photo> ... [--intensity <intensity>]
               [--exposure <exposure>] [--json] [--quiet]

        ARGUMENTS:
          <filter>                A filter's name, or the path of a .cube file.
          <photo>                 The photos to edit.

        OPTIONS:
          -i, --intensity <intensity>
                                  How much of the filter to use. (default: 1)
          -x, --exposure <exposure>
                                  Light to add in stops.
          --version               Show the version.
          -h, --help              Show help information.

        COMMON OPTIONS:
          --json                  Print one JSON object for each photo.
          -q, --quiet             Print results only.
        """)
  }

  @Test func valuesAndDefaultsAreShownAndHiddenOptionsAreNot() {
    #expect(
      Edit.helpMessage(for: Render.self, columns: 60) == """
        OVERVIEW: Write rendered photos.

        USAGE: edit render <photo> --output <output>
               [--format <format>] [--longest-side <pixels>]
               [--quality <quality>] [--tag <tag> ...] [-0]
               [--verbose]

        ARGUMENTS:
          <photo>                 The photo to render.

        OPTIONS:
          -o, --output <output>   Where to write.
          --format <format>       How to write. (values: jpeg, png,
                                  tiff; default: jpeg)
          --longest-side <pixels> Limit of the longer side in
                                  pixels.
          --quality <quality>     JPEG quality. (default: 95)
          -t, --tag <tag>         A keyword to add.
          -0                      Names are separated by NUL.
          -v, --verbose           Tell more.
          --version               Show the version.
          -h, --help              Show help information.
        """)
  }

  @Test func aDefaultSubcommandIsMarked() {
    #expect(
      Edit.helpMessage(for: Library.self) == """
        OVERVIEW: Look after a library.

        USAGE: edit library <subcommand>

        OPTIONS:
          --version               Show the version.
          -h, --help              Show help information.

        SUBCOMMANDS:
          albums                  List albums.
          fetch-assets (default)  List photos.

          See 'edit help library <subcommand>' for detailed help.
        """)
    #expect(
      Edit.helpMessage(for: FetchAssets.self).contains(
        "\n  <words>                 What to look for. (default: everything, new)\n"))
  }

  @Test(arguments: [
    (["--help"], Edit.self as any ParsableCommand.Type),
    (["-h"], Edit.self),
    (["help"], Edit.self),
    (["apply", "--help"], Apply.self),
    (["apply", "noir", "-qh"], Apply.self),
    (["apply", "--bogus", "--help"], Apply.self),
    (["apply", "-i", "--help"], Apply.self),
    (["help", "apply"], Apply.self),
    (["help", "render"], Render.self),
    (["help", "library", "albums"], Albums.self),
    (["library", "--help"], Library.self),
    (["library", "albums", "-h"], Albums.self),
    (["--bogus", "-h"], Edit.self),
  ])
  func helpIsGivenForTheCommandAsked(words: [String], type: any ParsableCommand.Type) throws {
    let error = try #require(mistake(in: words))
    #expect(Edit.exitCode(for: error) == .success)
    #expect(Edit.fullMessage(for: error) == Edit.helpMessage(for: type))
  }

  @Test(arguments: [["--version"], ["apply", "--version"], ["library", "albums", "--version"]])
  func theVersionIsGivenAnywhere(words: [String]) throws {
    let error = try #require(mistake(in: words))
    #expect(Edit.exitCode(for: error) == .success)
    #expect(Edit.fullMessage(for: error) == "1.2.0")
  }

  @Test func helpIsAValueWhereOneIsExpected() throws {
    let apply = try #require(try parse(Apply.self, "apply", "noir", "--", "--help"))
    #expect(apply.photos == ["--help"])
    #expect(try #require(try parse(Render.self, "render", "a", "--output=-h")).output == "-h")
  }

  @Test func namesThatACommandTakesAreNotTheHelps() throws {
    struct Resize: ParsableCommand {
      @Option(name: .shortAndLong) var height: Int?
    }
    let resize = try Resize.parse(["-h", "600"])
    #expect(resize.height == 600)
    #expect(Resize.helpMessage().hasSuffix("\n  --help                  Show help information."))
  }

  @Test func manyOptionsAreShortenedInTheUsage() {
    struct Adjust: ParsableCommand {
      struct Light: ParsableArguments {
        @Option var exposure = 0.0
        @Option var contrast = 0.0
        @Option var highlights = 0.0
        @Option var shadows = 0.0
        @Option var whites = 0.0
        @Option var blacks = 0.0
      }
      struct Color: ParsableArguments {
        @Option var temperature = 0.0
        @Option var tint = 0.0
        @Option var saturation = 0.0
        @Option var vibrance = 0.0
      }
      @Argument var photo: String
      @Option var output: String
      @Flag var preview = false
      @OptionGroup(title: "Light") var light: Light
      @OptionGroup(title: "Color") var color: Color
    }
    #expect(Adjust.helpMessage().hasPrefix("USAGE: adjust [<options>] <photo> --output <output>\n"))
    #expect(Adjust.helpMessage().contains("\n\nCOLOR:\n  --temperature <temperature>\n"))
  }

  @Test func theUsageKeepsAnOptionAndItsValueTogether() {
    #expect(
      Edit.helpMessage(for: Apply.self, columns: 47).contains(
        """

        USAGE: edit apply <filter> <photo> ...
               [--intensity <intensity>]
               [--exposure <exposure>] [--json]
               [--quiet]

        """))
  }

  @Test(arguments: [("photo [OPTIONS]", "USAGE: photo [OPTIONS]\n\nOPTIONS"), ("", "OPTIONS")])
  func theUsageCanBeReplacedOrLeftOut(usage: String, start: String) {
    enum Usage { @TaskLocal static var text = "" }
    struct Photo: ParsableCommand {
      static var configuration: CommandConfiguration { CommandConfiguration(usage: Usage.text) }
    }
    let help = Usage.$text.withValue(usage) { Photo.helpMessage() }
    #expect(help.hasPrefix(start))
  }
}

@Suite struct TextWrappingTests {
  @Test(arguments: [20, 33, 60, 80])
  func linesFitAndNoWordIsLost(columns: Int) {
    let text = "A darkroom safelight lets you work without harming the negative; hence the name."
    let lines = wrapped(text, to: columns).split(separator: "\n")
    #expect(lines.allSatisfy { $0.count <= columns })
    #expect(lines.joined(separator: " ") == text)
  }

  @Test func indentedLinesAndParagraphsStay() {
    #expect(
      wrapped("one two three four five six\n\n  kept as it is, however long\nend", to: 20) == """
        one two three four
        five six

          kept as it is, however long
        end
        """)
  }

  @Test func aWordTooLongStandsAlone() {
    #expect(
      wrapped("see averyveryverylongfilename.jpg now", to: 20)
        == "see\naveryveryverylongfilename.jpg\nnow")
  }

  @Test func charactersAreCountedAsReadersDo() {
    #expect(wrapped("caffè è più buono qui", to: 20) == "caffè è più buono\nqui")
  }

  @Test(arguments: [
    ("longestSide", "longest-side"), ("json", "json"), ("exportJPEG", "export-jpeg"),
    ("JPEGQuality", "jpeg-quality"), ("files_from", "files-from"), ("lut3D", "lut3-d"),
    ("ToneCurve", "tone-curve"),
  ])
  func swiftNamesBecomeWordsWithDashes(name: String, words: String) {
    #expect(kebabCased(name) == words)
  }
}

@Suite struct EmphasisTests {
  /// A terminal of its own; what it shows is not read.
  private final class Terminal {
    let descriptor = open("/dev/ptmx", O_RDWR | O_NOCTTY)
    deinit { close(descriptor) }
  }

  @Test(
    arguments: [
      ([:], .colored), (["TERM": "xterm"], .colored), (["TERM": "dumb"], .plain),
      (["NO_COLOR": "1"], .plain), (["NO_COLOR": ""], .colored),
    ] as [([String: String], Emphasis)])
  func aTerminalIsColoredUnlessItsUserAskedForNone(
    environment: [String: String], emphasis: Emphasis
  ) {
    let terminal = Terminal()
    #expect(Emphasis(suiting: terminal.descriptor) { environment[$0] } == emphasis)
  }

  @Test func aFileIsNotColored() {
    let file = open("/dev/null", O_WRONLY)
    defer { close(file) }
    #expect(Emphasis(suiting: file) { _ in nil } == .plain)
  }

  @Test func headingsAreBoldAndNothingElseChanges() {
    let plain = Edit.commandDescription.helpText()
    let bold = Edit.commandDescription.helpText(emphasis: .colored)
    #expect(bold.hasPrefix("\u{1B}[1mOVERVIEW:\u{1B}[0m Edit photos"))
    #expect(bold.contains("\n\n\u{1B}[1mSUBCOMMANDS:\u{1B}[0m\n  apply"))
    #expect(bold.replacing("\u{1B}[1m", with: "").replacing("\u{1B}[0m", with: "") == plain)
    #expect(plain == Edit.helpMessage())
  }

  @Test func wordsThatMatterAreColored() {
    #expect(Emphasis.colored.failure("failed") == "\u{1B}[31mfailed\u{1B}[0m")
    #expect(Emphasis.colored.warning("skipped") == "\u{1B}[33mskipped\u{1B}[0m")
    #expect(Emphasis.colored.success("done") == "\u{1B}[32mdone\u{1B}[0m")
    #expect(Emphasis.colored.bold("FILES") == "\u{1B}[1mFILES\u{1B}[0m")
  }

  @Test func nothingHasNoLook() {
    #expect(Emphasis.colored.bold("") == "")
    for look in [Emphasis.plain.bold, Emphasis.plain.failure, Emphasis.plain.warning] {
      #expect(look("a") == "a")
    }
  }
}
