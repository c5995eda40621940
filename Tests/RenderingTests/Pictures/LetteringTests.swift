import Testing

@testable import SafelightRendering

@Suite struct LetteringTests {
  private let lettering = Lettering(size: 20)

  @Test(arguments: [
    ("noir", "noir"), ("a & b", "a &amp; b"), ("<b>", "&lt;b&gt;"),
    ("tab\there", "tab\u{FFFD}here"),
    ("two\nlines", "two\u{FFFD}lines"), ("\u{2028}", "\u{FFFD}"), ("für", "für"),
  ])
  func markupIsEscapedAndStaysOneLine(text: String, markup: String) {
    #expect(Lettering.markup(text) == markup)
  }

  @Test(
    .enabled(if: Lettering.hasFont, "There is no font."),
    arguments: ["<i>beach</i>", "a & b", "</span>", "\u{1}\u{7}", "&amp;", "é"])
  func anyTextIsDrawn(text: String) throws {
    let line = try #require(try lettering.line(text))
    #expect(line.mask.count == line.width * line.height)
    #expect(line.mask.contains { $0 > 200 })
    #expect(line.top >= 0 && line.top + line.height <= 2 * lettering.lineHeight)
  }

  @Test(arguments: ["", " ", "\u{200B}"])
  func whatHasNoInkIsNoLine(text: String) throws {
    #expect(try lettering.line(text) == nil)
  }

  @Test(.enabled(if: Lettering.hasFont, "There is no font."), arguments: [1, 30, 60, 120, 1000])
  func longLinesAreShortened(width: Int) throws {
    let whole = try #require(try lettering.line("dramatic-warm at 0.6"))
    let line = try lettering.line("dramatic-warm at 0.6", fitting: width)
    #expect((line?.width ?? 0) <= width)
    #expect((line == whole) == (width >= whole.width))
    #expect((line == nil) == (width < 20))
  }

  @Test(.enabled(if: Lettering.hasFont, "There is no font."))
  func linesShareABaseline() throws {
    let (low, high) = (try #require(try lettering.line("x")), try #require(try lettering.line("d")))
    #expect(low.top + low.height == high.top + high.height)
    #expect(low.top > high.top)
  }
}
