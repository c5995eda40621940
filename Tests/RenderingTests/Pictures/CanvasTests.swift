import Testing

@testable import SafelightRendering

@Suite struct CanvasTests {
  private static let proof = Proof(
    width: 2, height: 2, pixels: [1, 1, 1, 2, 2, 2, 3, 3, 3, 4, 4, 4])

  /// The red codes of a canvas of 4 × 3 pixels, row after row.
  private static func codes(_ draw: (inout Canvas) -> Void) -> [UInt8] {
    var canvas = Canvas(width: 4, height: 3, gray: 9)
    draw(&canvas)
    return stride(from: 0, to: canvas.pixels.count, by: 3).map { canvas.pixels[$0] }
  }

  @Test(arguments: [
    (0, 0, [1, 2, 9, 9, 3, 4, 9, 9, 9, 9, 9, 9]), (2, 1, [9, 9, 9, 9, 9, 9, 1, 2, 9, 9, 3, 4]),
    (-1, -1, [4, 9, 9, 9, 9, 9, 9, 9, 9, 9, 9, 9]), (3, 2, [9, 9, 9, 9, 9, 9, 9, 9, 9, 9, 9, 1]),
    (4, 3, [UInt8](repeating: 9, count: 12)), (-2, 0, [UInt8](repeating: 9, count: 12)),
  ])
  func aProofIsCutOffAtTheEdges(left: Int, top: Int, expected: [UInt8]) {
    #expect(Self.codes { $0.draw(Self.proof, left: left, top: top) } == expected)
  }

  @Test func columnsOfAProofAreDrawnWhereTheyAre() {
    #expect(
      Self.codes { $0.draw(Self.proof, left: 1, top: 0, columns: 1..<2) }
        == [9, 9, 2, 9, 9, 9, 4, 9, 9, 9, 9, 9])
  }

  @Test(arguments: [(0, 9), (255, 209), (128, 109)] as [(UInt8, UInt8)])
  func blendingIsAShare(share: UInt8, expected: UInt8) {
    let codes = Self.codes { $0.blend(x: 0, y: 0, with: [209, 209, 209], share: share) }
    #expect(codes[0] == expected)
  }

  @Test func fillingIsCutOffAtTheEdges() {
    let frame = PictureFrame(left: 3, top: -5, width: 10, height: 7)
    #expect(
      Self.codes { $0.fill(frame, with: [7, 7, 7]) } == [9, 9, 9, 7, 9, 9, 9, 7, 9, 9, 9, 9])
  }
}

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
