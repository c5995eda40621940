import Testing

@testable import SafelightEditCommands

@Suite struct StyleTests {
  @Test func wordsThatMatterAreColored() {
    let style = Style(.colored)
    #expect(style.failure("failed") == "\u{1B}[31mfailed\u{1B}[0m")
    #expect(style.warning("skipped") == "\u{1B}[33mskipped\u{1B}[0m")
    #expect(style.success("done") == "\u{1B}[32mdone\u{1B}[0m")
    #expect(style.heading("FILES") == "\u{1B}[1mFILES\u{1B}[0m")
  }

  @Test func aPlainStyleChangesNothing() {
    for text in ["failed", ""] {
      #expect(Style.plain.failure(text) == text)
      #expect(Style.plain.warning(text) == text)
      #expect(Style.plain.success(text) == text)
      #expect(Style.plain.heading(text) == text)
    }
  }

  @Test func nothingHasNoColor() {
    #expect(Style(.colored).failure("") == "")
  }
}
