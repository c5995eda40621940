import Testing

@testable import PhotoLibraryKit
@testable import SafelightCatalog
@testable import SafelightFiles

@Suite struct TextMatchTests {
  static let matches: [(TextMatch.Place, String, Bool, Bool, String, Bool)] = [
    (.whole, "NIKON", true, false, "nikon", true),
    (.whole, "NIKON", false, false, "nikon", false),
    (.beginning, "été", false, true, "ETE", false),
    (.beginning, "été", true, true, "ETE_1.jpg", true),
    (.end, ".JPG", true, false, "a.jpg", true),
    (.anywhere, "strasse", true, true, "Straße", false),
    (.anywhere, "łódź", true, true, "LODZ 2024", true),
    (.anywhere, "viet", true, true, "Việt Nam", true),
    (.anywhere, "e\u{301}t", false, true, "été", true),
    (.anywhere, "ёлка", true, true, "ЕЛКА", true),
    (.anywhere, "", false, false, "", true),
    (.like, "IMG_??.*", false, false, "IMG_12.jpg", true),
    (.like, "IMG_??.*", false, false, "IMG_123.jpg", false),
    (.like, "*a*b*c*", false, false, "xxaxxbxxbcx", true),
    (.like, "\\*", false, false, "*", true),
    (.like, "\\*", false, false, "x", false),
    (.like, "*", false, false, "", true),
    (.like, "?", false, false, "", false),
  ]

  @Test(arguments: matches)
  func findsWhatItPassesOver(
    place: TextMatch.Place, pattern: String, ignoresCase: Bool, ignoresAccents: Bool, text: String,
    found: Bool
  ) {
    let match = TextMatch(
      place, pattern, ignoresCase: ignoresCase, ignoresAccents: ignoresAccents)
    #expect(match.matches(text) == found)
  }

  @Test func takesNoLongerThanTextTimesPattern() {
    let match = TextMatch(.like, String(repeating: "*a", count: 500) + "*b")
    #expect(!match.matches(String(repeating: "a", count: 2000)))
  }
}
