import Foundation
import SafelightAdjustments
import Testing

@testable import SafelightFiles
@testable import SafelightStorage

/// What a record says of named versions.
@Suite struct VersionRecordTests {
  private static let record = RecordTests.withVersions

  @Test func versionsAreReadAsTheyWereWritten() throws {
    let record = try Record(parsing: Self.record.encoded())
    #expect(record.encoded() == Self.record.encoded())
    #expect(record.versions.map(\.name) == ["warm", "Cold.2"])
    #expect(record.newVersions == ["warm"])
    let version = try #require(record.version(named: "WARM"))
    #expect(version.adjustmentData == .test("second edit"))
    #expect(version.timestamp == .test && version.editorBundleID == "org.safelight.tests")
    #expect(version.render.file.name == "beach_edited-warm.jpg")
    #expect(version.render.pixelWidth == 40 && version.render.renderer == "tests 1")
    #expect(version.base?.name == "beach_base.jpg")
    #expect(!version.isShared)
    #expect(
      record.files.map(\.role) == [.render, .base, .version("warm"), .version("Cold.2")])
  }

  @Test func onlyARecordWithVersionsHasTheNewerForm() throws {
    let key = "<key>recordVersion</key>\n\t\t<integer>"
    #expect(String(decoding: Self.record.encoded(), as: UTF8.self).contains(key + "2<"))
    let without = Self.record.with(versions: [], replacesRecord: nil)
    let text = String(decoding: without.encoded(), as: UTF8.self)
    #expect(text.contains(key + "1<") && !text.contains("versions"))
  }

  @Test func unknownKeysInsideAVersionAreKeptByteForByte() throws {
    let keys = "<key>mood</key><array ><real>1.500</real></array>"
    let text = String(decoding: Self.record.encoded(), as: UTF8.self)
      .replacingOccurrences(
        of: "<key>warm</key>\n\t\t\t<dict>", with: "<key>warm</key>\n\t\t\t<dict>\(keys)")
    let record = try Record(parsing: Array(text.utf8))
    let next = record.with(versions: record.versions, replacesRecord: nil)
    #expect(String(decoding: next.encoded(), as: UTF8.self).ranges(of: keys).count == 1)
    let shared = next.with(versions: next.versions.map { $0.shared() }, replacesRecord: nil)
    #expect(String(decoding: shared.encoded(), as: UTF8.self).ranges(of: keys).count == 1)
  }

  @Test func versionsAreNotRepeatedInTheHistory() throws {
    let next = RecordTests.follow(Self.record, "third edit")
    let text = String(decoding: next.encoded(), as: UTF8.self)
    #expect(next.history.count == 2)
    #expect(!text.contains("beach_edited-warm.jpg") && !text.contains("newVersions"))
  }

  @Test func aSharedVersionsRenderIsNoFileOfTheRecord() throws {
    let shared = Self.record.with(
      versions: Self.record.versions.map { $0.shared() }, replacesRecord: nil)
    let record = try Record(parsing: shared.encoded())
    #expect(record.versions.map(\.isShared) == [true, true])
    #expect(record.files.map(\.role) == [.render, .base])
    #expect(record.versions.first?.shared().isShared == true)
  }

  @Test(arguments: [
    ("warm", true), ("A-1_b.c", true), ("x", true), (String(repeating: "x", count: 64), true),
    ("..x", false), (".x", false), ("", false), (String(repeating: "x", count: 65), false),
    ("a/b", false), ("a b", false), ("Küste", false), ("a\u{0}", false), ("a\n", false),
  ])
  func namesAreLettersDigitsHyphensUnderscoresAndDots(name: String, isName: Bool) {
    #expect(RecordedVersion.isName(name) == isName)
  }

  @Test(arguments: [
    (
      "<key>warm</key>", "<key>../x</key>", "versions.../x", "a version with a name that is allowed"
    ),
    ("<key>warm</key>", "<key>cold.2</key>", nil, nil),
    (
      "beach_edited-warm.jpg", "beach.jpg", "versions.warm.safelight.render.name",
      "a name ending in _edited-warm.jpg"
    ),
    (
      "beach_edited-warm.jpg", "../beach_edited-warm.jpg", "versions.warm.safelight.render.name",
      "the name of a file"
    ),
    (
      "<array>\n\t\t\t<string>warm", "<array>\n\t\t\t<string>hot", "newVersions",
      "a list of names of versions"
    ),
    (
      "<array>\n\t\t\t<string>warm</string>", "<array><integer>1</integer>", "newVersions",
      "a list of names of versions"
    ),
    (
      "<array>\n\t\t\t<string>warm</string>",
      "<array><string>warm</string><string>warm</string>", "newVersions",
      "a list of names of versions"
    ),
  ])
  func whatMakesNoSenseIsRefused(
    text: String, replacement: String, key: String?, expected: String?
  ) throws {
    let whole = String(decoding: Self.record.encoded(), as: UTF8.self)
    try #require(whole.contains(text))
    let bytes = Array(whole.replacingOccurrences(of: text, with: replacement).utf8)
    let error = #expect(throws: RecordError.self) { try Record(parsing: bytes) }
    if let key, let expected {
      #expect(error == .invalidValue(key: "safelight." + key, expected: expected))
    }
  }

  @Test func twoNamesThatDifferInCaseOnlyAreRefused() throws {
    let text = String(decoding: Self.record.encoded(), as: UTF8.self)
      .replacingOccurrences(of: "warm", with: "COLD.2")
    #expect(
      throws: RecordError.invalidValue(
        key: "safelight.versions.Cold.2", expected: "the only one of its name")
    ) { try Record(parsing: Array(text.utf8)) }
  }

  @Test(arguments: ["<string/>", "<array/>", "<dict><key>warm</key><dict/></dict>"])
  func versionsOfTheWrongKindAreRefused(value: String) throws {
    let text = String(decoding: RecordTests.edited, as: UTF8.self).replacingOccurrences(
      of: "<key>history</key>", with: "<key>versions</key>\(value)<key>history</key>")
    #expect(throws: RecordError.self) { try Record(parsing: Array(text.utf8)) }
  }
}
