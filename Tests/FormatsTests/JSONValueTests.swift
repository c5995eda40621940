import Foundation
import Testing

@testable import SafelightFormats

@Suite struct JSONValueTests {
  private func parse(_ text: String) throws -> JSONValue { try JSONValue(parsing: text.utf8) }

  @Test(arguments: [
    "{\"a\" : 1.10 ,\n \"b\":[ true,null ] }", "-0", "1e5", "\"\\u00e9\\ud83d\\ude00\"", "[]",
    "{}", "[[[]]]", "0.1000",
  ])
  func keepsTheTextItWasReadFrom(text: String) throws {
    #expect(try parse(text).text == text)
  }

  @Test func whatATerminalWouldObeyIsEscaped() throws {
    let text = "a\u{1B}[31m\u{7F}\u{9B}2J\u{202E}gpj\u{2066}\u{61C}\u{2028}ä“é”"
    let written = JSONValue.string(text).text
    #expect(
      written
        == #""a\u001b[31m\u007f\u009b2J\u202egpj\u2066\u061c\u2028ä“é”""#)
    #expect(try parse(written).string == text)
  }

  @Test func readsEscapesAndSurrogatePairs() throws {
    #expect(try parse("\"a\\n\\u00e9\\ud83d\\ude00\\/\"").string == "a\né😀/")
  }

  @Test(arguments: [
    "", "{", "[1,]", "{\"a\":1,}", "01", "1.", ".5", "+1", "nul", "\"\\x\"", "\"\\ud83d\"",
    "\"a\nb\"", "[1] 2", "{\"a\":1,\"a\":2}", "1e999", "\u{FEFF}", "NaN",
    String(repeating: "[", count: 100) + String(repeating: "]", count: 100),
  ])
  func refusesWhatIsNotJSON(text: String) {
    #expect(throws: JSONError.self) { try parse(text) }
  }

  @Test func namesTheLine() {
    #expect(throws: JSONError(line: 3, reason: "a value was expected")) {
      try parse("{\n\"a\":\n?}")
    }
  }

  @Test func refusesBytesThatAreNotUTF8() {
    #expect(throws: JSONError.self) { try JSONValue(parsing: [0x22, 0xFF, 0x22]) }
  }

  @Test(arguments: [0, 1, -1, 0.1, 1.0 / 3, 1e-9, 123_456.789, 1e20, -0.0])
  func writesNumbersThatReadBackTheSame(value: Double) throws {
    #expect(try parse(JSONValue.number(value).text).number == value)
  }

  @Test(arguments: ["plain", "\"quoted\"", "back\\slash", "tab\tline\n", "\u{1}", "é😀"])
  func writesTextsThatReadBackTheSame(text: String) throws {
    #expect(try parse(JSONValue.string(text).text).string == text)
  }
}
