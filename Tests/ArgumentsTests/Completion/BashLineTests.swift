import Testing

@testable import SafelightArguments

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
