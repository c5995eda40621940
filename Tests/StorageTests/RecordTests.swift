import Foundation
import SafelightAdjustments
import SafelightTestSupport
import Testing

@testable import SafelightFiles
@testable import SafelightFormats
@testable import SafelightStorage

@Suite struct RecordTests {
  static let digest = SHA256.digest(of: Array("x".utf8))

  static let first = Record(
    .test("first edit"), editorBundleID: "org.safelight.tests", timestamp: .test,
    original: RecordedFile(name: "beach.jpg", size: 12, sha256: digest),
    members: [
      .render: RecordedMember(
        RecordedRender(
          file: RecordedFile(name: "beach_edited.jpg", size: 34, sha256: digest), pixelWidth: 40,
          pixelHeight: 30, renderer: "tests 1"))
    ], history: [], redo: [], replaces: nil, replacesRecord: nil, replacedSidecar: nil,
    carryingOver: nil)

  static let edited = follow(first, "second edit").encoded()

  static let withVersions: Record = {
    let record = follow(first, "second edit")
    let versions = ["warm", "Cold.2"].map { name in
      RecordedVersion(
        name, keeping: record,
        render: RecordedRender(
          file: RecordedFile(name: FilePath("beach_edited-\(name).jpg"), size: 34, sha256: digest),
          pixelWidth: 40, pixelHeight: 30, renderer: "tests 1"))
    }
    return record.with(versions: versions, newVersions: ["warm"], replacesRecord: digest)
  }()

  static func follow(
    _ record: Record?, _ text: String, by identifier: String = EditStack.formatIdentifier,
    name: FilePath = "beach.jpg", over replacedSidecar: Data? = nil
  ) -> Record {
    Record(
      .test(text, by: identifier), editorBundleID: "org.safelight.tests", timestamp: .test,
      original: RecordedFile(name: name, size: 12, sha256: digest),
      members: first.members.merging(
        [.base: RecordedMember(RecordedFile(name: "beach_base.jpg", size: 1, sha256: digest))],
        uniquingKeysWith: { first, _ in first }),
      history: ((record?.history ?? []) + (record.map { [$0.historyEntry] } ?? [])).withinLimit(),
      redo: [], replaces: digest, replacesRecord: digest,
      replacedSidecar: replacedSidecar ?? record?.replacedSidecar, carryingOver: record)
  }

  /// The bytes of ``edited`` with one text in place of another.
  static func edited(_ text: String, _ replacement: String) -> [UInt8] {
    let whole = String(decoding: edited, as: UTF8.self)
    precondition(whole.contains(text), text)
    return Array(whole.replacingOccurrences(of: text, with: replacement).utf8)
  }

  @Test func aRecordIsReadAsItWasWritten() throws {
    let record = try Record(parsing: Self.edited)
    #expect(record.adjustmentData == .test("second edit"))
    #expect(record.editorBundleID == "org.safelight.tests")
    #expect(record.timestamp == .test)
    #expect(record.original == RecordedFile(name: "beach.jpg", size: 12, sha256: Self.digest))
    #expect(record.render == Self.first.render)
    #expect(record.base?.name == "beach_base.jpg")
    #expect(record.replaces == Self.digest)
    #expect(!record.isForeign)
    #expect(record.encoded() == Self.edited)
    let entry = try #require(record.history.first)
    #expect(entry.adjustmentData == .test("first edit"))
    #expect(entry.timestamp == .test)
    #expect(entry.editorBundleID == "org.safelight.tests")
    #expect(entry.render == Self.first.render)
    #expect(entry.base == nil)
  }

  @Test(arguments: FileNames.hard)
  func everyNameSurvivesInARecord(bytes: [UInt8]) throws {
    let record = Self.follow(nil, "edit", name: FilePath(bytes: bytes))
    #expect(try Record(parsing: record.encoded()).original?.name.bytes == bytes)
  }

  @Test func unknownKeysAreCarriedOverByteForByte() throws {
    let outer =
      "<key>com.example&#46;x</key>  <dict><!-- c -->\r\n<key>n</key><integer>0x0A</integer></dict>"
    let inner = "<key>mood</key><array ><real>1.500</real><string><![CDATA[<&]]></string></array>"
    let text = String(decoding: Self.edited, as: UTF8.self)
      .replacingOccurrences(
        of: "\t<key>safelight</key>\n\t<dict>",
        with: "\(outer)<key>safelight</key>\n\t<dict>\(inner)")
    let record = try Record(parsing: Array(text.utf8))
    let next = String(decoding: Self.follow(record, "third").encoded(), as: UTF8.self)
    #expect(next.ranges(of: outer).count == 2, "at the top level, and in the history")
    #expect(next.ranges(of: inner).count == 2, "in the dictionary, and in the history")
    let later = try Record(parsing: Array(next.utf8))
    let again = String(decoding: Self.follow(later, "fourth").encoded(), as: UTF8.self)
    #expect(again.ranges(of: outer).count == 3)
  }

  @Test(arguments: ForeignSidecar.allCases)
  func anotherProgramsSidecarIsTheLastKeyAndIsNotRepeatedInTheHistory(
    sidecar: ForeignSidecar
  ) throws {
    let bytes = Data(try sidecar.bytes())
    let first = Self.follow(nil, "first edit", over: bytes).encoded()
    let second = Self.follow(try Record(parsing: first), "second edit").encoded()
    let record = try Record(parsing: second)
    #expect(record.replacedSidecar == bytes)
    #expect(record.encoded() == second)
    let text = String(decoding: second, as: UTF8.self)
    #expect(text.ranges(of: "<key>replacedSidecar</key>").count == 1)
    let earlier = try Record(parsing: Self.follow(nil, "first edit").encoded())
    let plain = Self.follow(earlier, "second edit").encoded()
    let start = try #require(text.range(of: "\n\t\t<key>replacedSidecar</key>")).lowerBound
    let end = "\n\t</dict>\n</dict>\n</plist>\n"
    #expect(text.hasSuffix(end))
    #expect(text[..<start] + end == String(decoding: plain, as: UTF8.self))
  }

  @Test(
    arguments: [Data(), Data("hello".utf8), Data("<plist><dict/></plist>".utf8), Data(edited)])
  func onlyAnotherProgramsRecordCanHaveBeenReplaced(bytes: Data) {
    let record = Self.follow(nil, "edit", over: bytes).encoded()
    let reason = RecordError.invalidValue(
      key: "safelight.replacedSidecar", expected: "another program's sidecar")
    #expect(throws: reason) { try Record(parsing: record) }
  }

  @Test func anotherProgramsRecordHasNeitherOriginalNorRender() throws {
    let text = """
      <plist version="1.0"><dict><key>adjustmentFormatIdentifier</key><string>com.apple.photo</string>
      <key>adjustmentData</key><data>aGVsbG8=</data><key>adjustmentTimestamp</key><string>odd</string>
      <key>adjustmentFormatVersion</key><string>1.4</string></dict></plist>
      """
    let record = try Record(parsing: Array(text.utf8))
    #expect(record.isForeign)
    #expect(record.render == nil)
    #expect(record.timestamp == nil)
    #expect(record.adjustmentData.data == Data("hello".utf8))
  }

  @Test(
    arguments: [
      ([], .empty),
      (Array("bplist00x".utf8), .binaryPropertyList),
      (Array("hello".utf8), .malformed(PropertyListError(line: 1, problem: .expected("<")))),
      (Array("<plist><array/></plist>".utf8), .wrongType(key: "plist", expected: "dict")),
      (Array("<plist><dict/></plist>".utf8), .missingKey("adjustmentFormatIdentifier")),
      (
        edited("<string>1.10</string>", "<integer>1</integer>"),
        .wrongType(key: "adjustmentFormatVersion", expected: "string")
      ),
      (
        edited("c2Vjb25kIGVkaXQ=", "c2Vjb25kIGVkaXQ"),
        .wrongType(key: "adjustmentData", expected: "data")
      ),
      (edited("<key>original</key>", "<key>originaI</key>"), .missingKey("safelight.original")),
      (
        edited("<integer>12</integer>", "<integer>-1</integer>"),
        .invalidValue(key: "safelight.original.size", expected: "a size")
      ),
      (
        edited(digest.description, "abc"),
        .invalidValue(key: "safelight.original.sha256", expected: "64 hexadecimal digits")
      ),
      (
        edited(
          "<integer>1</integer>\n\t\t<key>original", "<integer>4</integer>\n\t\t<key>original"),
        .newerVersion(4)
      ),
      (
        edited(
          "<integer>1</integer>\n\t\t<key>original", "<integer>0</integer>\n\t\t<key>original"),
        .invalidValue(key: "safelight.recordVersion", expected: "a version from 1 up")
      ),
      (
        edited("beach_edited.jpg", "../x_edited.jpg"),
        .invalidValue(key: "safelight.render.name", expected: "the name of a file")
      ),
      (
        edited("beach_edited.jpg", "beach.jpg"),
        .invalidValue(key: "safelight.render.name", expected: "a name ending in _edited.jpg")
      ),
      (
        edited("beach_base.jpg", "other.jpg"),
        .invalidValue(key: "safelight.base.name", expected: "a name ending in _base.jpg")
      ),
    ] as [([UInt8], RecordError)])
  func whatIsNotARecordIsRefusedWithItsReason(bytes: [UInt8], reason: RecordError) {
    #expect(throws: reason) { try Record(parsing: bytes) }
    #expect(reason.description.hasSuffix("."))
  }

  @Test func theOldestOwnEditsGiveWayAndOthersStay() throws {
    var record = Self.follow(nil, "0", by: "com.example.other")
    for number in 1...(Record.maximumHistory + 5) { record = Self.follow(record, "\(number)") }
    let read = try Record(parsing: record.encoded())
    let texts = read.history.map { String(decoding: $0.adjustmentData!.data, as: UTF8.self) }
    #expect(texts.count == Record.maximumHistory + 1)
    #expect(texts.first == "0")
    #expect(texts[1] == "5")
    #expect(texts.last == "\(Record.maximumHistory + 4)")
  }
}
