import Testing

@testable import SafelightArguments

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
