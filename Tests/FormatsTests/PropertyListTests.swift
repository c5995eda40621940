import Foundation
import Testing

@testable import SafelightFormats

@Suite struct PropertyListTests {
  static func document(_ content: String) -> [UInt8] {
    Array("<?xml version=\"1.0\"?>\n<plist version=\"1.0\">\(content)</plist>".utf8)
  }

  static func parse(_ content: String) throws -> PropertyList {
    try PropertyList(parsing: document(content))
  }

  @Test func everyElementIsRead() throws {
    let list = try Self.parse(
      """
      <dict><key>s</key><string>a</string><key>i</key><integer> 42 </integer>
      <key>r</key><real>1.50</real><key>t</key><true/><key>f</key><false></false>
      <key>d</key><date>2025-08-01T12:34:56Z</date><key>b</key><data>aGVs
      bG8=</data><key>l</key><array><string/><array/><dict/></array></dict>
      """)
    let entries = try #require(list.entries)
    #expect(entries.map(\.key) == ["s", "i", "r", "t", "f", "d", "b", "l"])
    #expect(entries[0].value.text == "a")
    #expect(entries[1].value.integer == 42)
    #expect(entries[5].value.date == Date(timeIntervalSince1970: 1_754_051_696))
    #expect(entries[6].value.data == Data("hello".utf8))
    #expect(entries[7].value.elements?.count == 3)
  }

  @Test(arguments: [
    ("a &amp; b &lt; c &gt; &quot;&apos;", "a & b < c > \"'"), ("&#65;&#x1F3D6;", "A\u{1F3D6}"),
    ("a<![CDATA[<&amp;]]>b", "a<&amp;b"), ("a<!-- no -->b", "ab"), ("a\r\nb\rc", "a\nb\nc"),
    ("&#13;", "\r"), ("  kept  ", "  kept  "), ("", ""),
  ])
  func textIsDecodedAsXMLSays(source: String, text: String) throws {
    #expect(try Self.parse("<string>\(source)</string>").text == text)
  }

  @Test(arguments: [
    "<?xml version=\"1.0\" encoding=\"UTF-8\"?><plist><true/></plist>",
    "\u{FEFF}<plist version='1.0'><true/></plist>\n",
    "<!-- a --><!DOCTYPE plist SYSTEM \"x\"><!-- b --><plist>\n<true /><!-- c --></plist ><!-- d -->",
  ])
  func everyUsualPrologueIsRead(text: String) throws {
    let list = try PropertyList(parsing: Array(text.utf8))
    guard case .boolean(true) = list.value else {
      Issue.record("no true in \(text)")
      return
    }
  }

  @Test(
    arguments: [
      ("", 1, .unexpectedEnd),
      ("hello", 1, .expected("<")),
      ("<html/>", 1, .unknownElement("html")),
      ("<plist/>", 1, .expected("the content of <plist>")),
      ("<plist>\n<string>a", 2, .unexpectedEnd),
      ("<plist>\n\n<string>a</data>", 3, .expected("</string>")),
      ("<plist><string>a<b/></string></plist>", 1, .expected("</string>")),
      ("<plist><string>&nbsp;</string></plist>", 1, .unknownEntity("nbsp")),
      ("<plist><string>&#0;</string></plist>", 1, .unknownEntity("#0")),
      ("<plist><string>&#xD800;</string></plist>", 1, .unknownEntity("#xD800")),
      ("<plist><string>&</string></plist>", 1, .expected("; after &")),
      ("<plist><dict><string/></dict></plist>", 1, .expected("<key>")),
      ("<plist><dict>\n<key>a</key></dict></plist>", 2, .expected("a value for a")),
      (
        "<plist><dict><key>a</key><true/>\n<key>&#97;</key><true/></dict></plist>", 2,
        .duplicateKey("a")
      ),
      ("<plist><true/></plist>more", 1, .expected("the end of the text")),
      ("<plist><true/><true/></plist>", 1, .expected("</")),
      ("<plist><true a='b'/></plist>", 1, .expected(">")),
      ("<plist><uid>1</uid></plist>", 1, .unknownElement("uid")),
      (
        "<!DOCTYPE plist [<!ENTITY a \"b\">]><plist><true/></plist>", 1,
        .documentTypeWithDefinitions
      ),
      ("<!DOCTYPE html><plist><true/></plist>", 1, .expected("the document type plist")),
      ("<?xml version='1.0' encoding='UTF-16'?><plist><true/></plist>", 1, .notUTF8),
      ("<?php ?><plist><true/></plist>", 1, .expected("the name of an element")),
      ("<plist>\n<string>\u{1}</string></plist>", 2, .forbiddenCharacter),
    ] as [(String, Int, PropertyListError.Problem)])
  func whatIsWrongIsSaidWithItsLine(
    text: String, line: Int, problem: PropertyListError.Problem
  ) {
    #expect(throws: PropertyListError(line: line, problem: problem)) {
      try PropertyList(parsing: Array(text.utf8))
    }
  }

  @Test func bytesThatAreNotUTF8AreRefusedWithTheirLine() {
    #expect(throws: PropertyListError(line: 2, problem: .notUTF8)) {
      try PropertyList(parsing: Array("<plist>\n".utf8) + [0xC3, 0x28])
    }
  }

  @Test func deepNestingIsRefusedAndWhatIsJustNotTooDeepIsRead() throws {
    func nested(_ depth: Int) -> String {
      String(repeating: "<array>", count: depth) + String(repeating: "</array>", count: depth)
    }
    #expect(try Self.parse(nested(PropertyListError.maximumDepth)).elements?.count == 1)
    #expect(throws: PropertyListError.self) {
      try Self.parse(nested(PropertyListError.maximumDepth + 1))
    }
    #expect(throws: PropertyListError.self) {
      try Self.parse(String(repeating: "<array>", count: 1_000_000))
    }
  }

  @Test func whatWasReadIsWrittenInItsOwnBytes() throws {
    let odd =
      "<dict ><key>&#97;</key> <!-- x --><integer>0x1F</integer>\r\n<key>r</key><real>1e0</real></dict>"
    let list = try Self.parse(odd)
    let copy = PropertyList.array([list]).document
    #expect(String(decoding: copy, as: UTF8.self).contains(odd))
  }

  @Test func freshElementsAreLaidOutAsApplesAre() {
    let list = PropertyList.dictionary([
      .init("a<b", .string("x\r&y")), .init("data", .data(Data(repeating: 0, count: 60))),
      .init("list", .array([.integer(-7), .dictionary([])])),
    ])
    let expected = """
      <?xml version="1.0" encoding="UTF-8"?>
      <!DOCTYPE plist PUBLIC "-//Apple//DTD PLIST 1.0//EN" \
      "http://www.apple.com/DTDs/PropertyList-1.0.dtd">
      <plist version="1.0">
      <dict>
      \t<key>a&lt;b</key>
      \t<string>x&#13;&amp;y</string>
      \t<key>data</key>
      \t<data>
      \t\(String(repeating: "A", count: 68))
      \t\(String(repeating: "A", count: 12))
      \t</data>
      \t<key>list</key>
      \t<array>
      \t\t<integer>-7</integer>
      \t\t<dict/>
      \t</array>
      </dict>
      </plist>

      """
    #expect(String(decoding: list.document, as: UTF8.self) == expected)
  }

  @Test func foundationReadsWhatIsWritten() throws {
    let list = PropertyList.dictionary([
      .init("naïve & co", .string("line\nend \u{1F3D6} ]]>")),
      .init("data", .data(Data(0...255))), .init("n", .integer(.max)),
    ])
    let read = try PropertyListSerialization.propertyList(
      from: Data(list.document), format: nil)
    let dictionary = try #require(read as? [String: Any])
    #expect(dictionary["naïve & co"] as? String == "line\nend \u{1F3D6} ]]>")
    #expect(dictionary["data"] as? Data == Data(0...255))
    #expect(dictionary["n"] as? Int == .max)
  }
}
