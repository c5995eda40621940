import Glibc
import SafelightArguments
import Testing

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

  @Test func nothingHasNoLook() {
    #expect(Emphasis.colored.bold("") == "")
    #expect(Emphasis.plain.bold("a") == "a")
  }
}
