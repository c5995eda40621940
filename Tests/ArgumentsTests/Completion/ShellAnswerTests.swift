import Testing

@testable import SafelightArguments

private struct Print: ParsableCommand {
  static let configuration = CommandConfiguration(commandName: "print")
  @Option(completion: .list(["a b", "c:d", "tab\tbed"])) var name: String?
  @Option(completion: .file(extensions: ["jpg", "png"], ignoring: ["_edited.jpg"])) var file:
    String?
  @Option(completion: .directory) var folder: String?
  @Option(help: "How many.") var copies: Int?
}

@Suite struct ShellAnswerTests {
  private func rows(_ shell: CompletionShell, _ question: String...) async -> [String] {
    let text = await Print.completionAnswer(to: question, for: shell) {
      ["HOME": "/home/ada"][$0]
    }
    return text.split(separator: "\0").map(String.init)
  }

  @Test(arguments: [CompletionShell.zsh, .fish])
  func wordsComeWithTheirExplanations(shell: CompletionShell) async {
    await #expect(
      rows(shell, "--c") == [
        "section:options", "word:--name\t", "word:--file\t", "word:--folder\t",
        "word:--copies\tHow many", "word:--help\tShow help information",
      ])
  }

  @Test func wordsThatWouldBreakARowAreLeftOut() async {
    await #expect(rows(.fish, "--name", "") == ["word:a b\t", "word:c:d\t"])
  }

  @Test func filesAreFoundByTheShell() async {
    await #expect(
      rows(.zsh, "--file=x") == ["prefix:--file=", "files:jpg|png", "ignored:_edited.jpg"])
    await #expect(rows(.zsh, "--folder", "") == ["folders:"])
    await #expect(rows(.zsh, "--copies", "") == ["message:How many"])
  }

  // Bash takes what follows the last space, = or : that has no quotes for the word.
  @Test(arguments: [
    ("print --name a", "a", ["word:a\\ b", "typed:a", "kept:"]),
    ("print --name 'a", "a", ["word:a b", "typed:a", "kept:"]),
    ("print --name \"a", "a", ["word:a b", "typed:a", "kept:"]),
    ("print --name=a", "a", ["word:a\\ b", "typed:a", "kept:--name=", "prefix:--name="]),
    ("print --name c:", "", ["word:d", "typed:c:", "kept:c:"]),
    ("print --name c\\:", "c\\:", ["word:c:d", "typed:c:", "kept:"]),
    ("print --fi", "--fi", ["word:--file", "typed:--fi", "kept:"]),
    ("print --name z", "z", ["typed:z", "kept:"]),
    (
      "print --file $HOME/x", "$HOME/x",
      ["typed:/home/ada/x", "kept:", "files:jpg|png", "ignored:_edited.jpg"]
    ),
  ])
  func bashGetsWordsReadyToBePutInPlace(line: String, replaced: String, answer: [String]) async {
    await #expect(rows(.bash, line, replaced) == answer)
  }

  @Test(arguments: CompletionShell.allCases)
  func aScriptNamesTheProgramAndItsQuestion(shell: CompletionShell) {
    let script = Print.completionScript(for: shell, request: "completions x --answer")
    #expect(script.contains("print"))
    #expect(script.contains(" completions x --answer -- "))
    #expect(!script.contains("PROGRAM") && !script.contains("REQUEST"))
  }
}

@Suite struct BashLineTests {
  @Test(arguments: [
    ("", [""]), ("edit", ["edit"]), ("edit ", ["edit", ""]), ("edit  a\tb", ["edit", "a", "b"]),
    (#"a\ b c"#, ["a b", "c"]), (#"'a b' "c d""#, ["a b", "c d"]), (#"a'b c'd"e f""#, ["ab cde f"]),
    (#"'it'\''s'"#, ["it's"]), (#""a\"b\$c\d""#, [#"a"b$c\d"#]), (#"'a\b'"#, [#"a\b"#]),
    (#"$'a\nb\'c'"#, ["a\nb'c"]), (#"'open quote"#, ["open quote"]),
    (#""open quote"#, ["open quote"]),
    (#"trailing\"#, ["trailing"]), ("a\\\nb", ["ab"]), ("''", [""]), ("'' x", ["", "x"]),
    ("$HOME/x", ["/home/ada/x"]), ("${HOME}x", ["/home/adax"]), (#""$HOME"/x"#, ["/home/ada/x"]),
    ("'$HOME'", ["$HOME"]), (#"\$HOME"#, ["$HOME"]), ("$NONE/x", ["$NONE/x"]), ("$", ["$"]),
    ("${HOME", ["${HOME"]), ("a > out b", ["a", "b"]), ("a <in b", ["a", "b"]), ("~/x", ["~/x"]),
    ("a --b=c:d", ["a", "--b=c:d"]), ("übung 🏖", ["übung", "🏖"]),
  ])
  func wordsAreThoseThatBashWouldMake(line: String, words: [String]) {
    #expect(BashLine(line) { ["HOME": "/home/ada"][$0] }.words == words)
  }
}
