import Foundation
import Testing

@testable import SafelightArguments
@testable import SafelightEditCommands

/// Names, options and metadata may hold anything; none of it speaks to the terminal.
@Suite struct EscapingTests {
  private let folder = CommandFolder()

  /// Escape, C1's CSI, and controls of direction.
  private static let controls =
    ([0x1B, 0x7F, 0x80, 0x9B, 0x9F, 0x61C, 0x200E, 0x200F, 0x2028] + Array(0x202A...0x202E)
    + Array(0x2066...0x2069)).map { String(Unicode.Scalar($0)!) }

  @Test(arguments: controls)
  func controlsAreSpelledOut(control: String) {
    let scalar = control.unicodeScalars.first!
    #expect("a\(control)b".onOneLine == "a" + scalar.escaped(asASCII: true) + "b")
    let html = HTMLText.escaped("a\(control)".onOneLine)
    #expect(html.unicodeScalars.allSatisfy { $0.isASCII && $0.value >= 0x20 })
  }

  @Test func writingOfAllKindsStays() {
    for text in ["é🏖️👩‍👩‍👧", "שלום", "صور", "日本語", "\u{E000}"] {
      #expect(text.onOneLine == text)
    }
  }

  @Test func bytesThatAreNotUTF8AreSpelledOutInArguments() {
    #expect("a\u{10FF9B}31m".onOneLine == "a\\x9B31m")
  }

  @Test(arguments: [
    ["apply", "@@", "@/1.jpg"], ["apply", "noir", "@/1.jpg", "--@@"],
    ["apply", "noir", "@/1.jpg", "--intensity", "@@"], ["apply", "noir", "@@", "@@"],
    ["@@"], ["adjust", "@/1.jpg", "--tone-curve", "@@"], ["render", "@/1.jpg", "-o", "@@.@@"],
    ["apply", "noir", "--files-from", "@@"], ["apply", "noir", "@/1.jpg", "--report", "@/@@/x"],
    ["apply", "noir", "@/1.jpg", "--html", "@/@@/x"], ["sync", "--from", "@@", "@/1.jpg"],
    ["sync", "--from", "@/1.jpg", "--only", "@@", "@/1.jpg"], ["version", "use", "@@", "@/1.jpg"],
    ["version", "save", "@@", "@/1.jpg"], ["filters", "@@"], ["filters", "remove", "@@"],
    ["adjustments", "@@"], ["help", "@@"], ["library", "list", "--sort", "@@"],
    ["apply", "noir", "--where", "@@"], ["library", "init", "--library", "@/@@/x"],
    ["completions", "@@"], ["verify", "@/@@"], ["relink", "@/@@"],
  ])
  func noMessageCarriesThem(words: [String]) async throws {
    try folder.add("orientation/1.jpg")
    _ = await folder.edit("apply", "noir", "@/1.jpg")
    let controls = Self.controls.joined() + "\u{10FF9B}"
    let said = await folder.edit(words.map { $0.replacing("@@", with: controls) })
    let text = (said.results + said.messages).joined()
    #expect(!text.isEmpty)
    let scalars = Set(text.unicodeScalars)
    for control in Self.controls { #expect(scalars.isDisjoint(with: control.unicodeScalars)) }
    #expect(!text.unicodeScalars.contains("\u{10FF9B}"))
  }

  @Test func jsonOfANameThatIsNotUTF8IsValid() throws {
    try folder.add("orientation/1.jpg")
    let edit = try EditProcess(
      shell: """
        name=$(printf 'f\\374n\\377\\233.jpg') && mv 1.jpg "$name" && "$EDIT" apply noir --json \
          --report log "$name" none && "$EDIT" revert --json "$name"
        mv "$name" 2.jpg
        """, in: folder)
    let lines = (edit.output + String(decoding: folder.data("log") ?? Data(), as: UTF8.self))
      .split(separator: "\n")
    #expect(lines.count >= 4)
    for line in lines {
      #expect(throws: Never.self) { try JSONSerialization.jsonObject(with: Data(line.utf8)) }
    }
    #expect(!edit.errors.utf8.contains(0x9B))
  }
}
