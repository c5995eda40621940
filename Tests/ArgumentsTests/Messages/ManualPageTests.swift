import SafelightArguments
import Testing

@Suite struct ManualPageTests {
  private struct Develop: ParsableCommand {
    static let configuration = CommandConfiguration(
      commandName: "develop", abstract: "Develops films.",
      discussion: """
        Uses “fresh” baths.

        Example:
          develop -q film.jpg
        .dots and 'quotes' are text, and so is a \\ backslash.
        """, version: { "1" })
    @Argument(help: "The film.") var film: String
    @Option(name: .shortAndLong, help: "Which bath.") var bath = "stop"
    @Flag(help: .hidden) var debug = false
  }

  private var page: String {
    Develop.commandDescription.manualPage(
      date: "2026-01-31", source: "Darkroom 1",
      sections: [
        ManualSection(
          "FILES", [.text("These:"), .entry("film.jpg", "A film."), .text("No more.")])
      ])
  }

  @Test func itBeginsAsManualsDo() {
    #expect(
      page.hasPrefix(
        """
        .TH DEVELOP 1 "2026-01-31" "Darkroom 1" "User Commands"
        .SH NAME
        develop \\- develops films
        .SH SYNOPSIS
        develop <film> [\\-\\-bath <bath>]
        .SH DESCRIPTION
        Uses \\(lqfresh\\(rq baths.
        .PP
        Example:
        .RS 2
        .nf
        develop \\-q film.jpg
        .fi
        .RE
        \\&.dots and \\(aqquotes\\(aq are text, and so is a \\e backslash.
        .SH COMMANDS
        """))
  }

  @Test func ownSectionsFollow() {
    #expect(
      page.hasSuffix(
        """
        .SH FILES
        These:
        .TP
        \\fBfilm.jpg\\fR
        A film.
        .PP
        No more.
        """))
  }

  @Test func subcommandsAndTheirOptionsAreDescribedAndHiddenOnesAreNot() {
    struct Darkroom: ParsableCommand {
      static let configuration = CommandConfiguration(
        commandName: "darkroom", abstract: "A darkroom.", subcommands: [Develop.self])
    }
    let page = Darkroom.commandDescription.manualPage(date: "2026-01-31", source: "Darkroom 1")
    #expect(page.contains("\n.SS \"darkroom develop\"\nDevelops films.\n"))
    #expect(page.contains("\n.TP\n\\fB<film>\\fR\nThe film.\n"))
    #expect(
      page.contains("\n.TP\n\\fB\\-b, \\-\\-bath <bath>\\fR\nWhich bath. (default: stop)"))
    #expect(!page.contains("debug") && !page.contains("\\-\\-version"))
  }

  @Test func itsLinesAreASCIIAndShort() {
    for line in page.split(separator: "\n") {
      #expect(line.utf8.count <= 80 && line.utf8.allSatisfy { $0 < 0x80 })
    }
  }
}
