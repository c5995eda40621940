import SafelightAdjustments
import Testing

@Suite struct FormatVersionTests {
  @Test(arguments: [("1.10", "1.9"), ("2", "1.99"), ("1.0.1", "1"), ("10.0", "9.9")])
  func comparesAsDottedIntegers(newer: String, older: String) throws {
    #expect(try #require(FormatVersion(newer)) > #require(FormatVersion(older)))
  }

  @Test func missingPartsCountAsZero() {
    #expect(FormatVersion("1") == FormatVersion("1.0.0"))
    #expect(FormatVersion("1")?.description == "1.0")
  }

  @Test(arguments: ["", "1.", "a", "1.-2", "+1", " 1", "99999999999999999999"])
  func refusesWhatIsNotNumbersBetweenDots(text: String) {
    #expect(FormatVersion(text) == nil)
  }
}
