import PhotoEditing
import SafelightTestSupport
import Testing

@testable import SafelightEditCommands

@Suite struct PhotoReportTests {
  static let reports = [
    PhotoReport(
      photo: "a.jpg",
      outcome: .success(
        PhotoResult(
          status: "edited", text: "noir, rendered", rows: ["one", "two"], rendered: "a_edited.jpg",
          record: "a.jpg.aae", warnings: ["Something."],
          details: [.init("dryRun", .bool(true)), .init("values", .array([.number(0.5)]))])),
      milliseconds: 12),
    PhotoReport(
      photo: FilePath(bytes: [0xFF, 0x2E, 0x6A]),
      outcome: .success(
        PhotoResult(
          status: "edited", text: "noir, rendered",
          rendered: FilePath(bytes: [0xFF, 0x5F]), record: FilePath(bytes: [0xFE]))),
      milliseconds: 12),
    PhotoReport(
      photo: "b.jpg",
      outcome: .failure(PhotoFailure(code: "damaged", message: "It is damaged.", hint: nil)),
      milliseconds: 3),
  ]

  @Test(arguments: reports)
  func aWorkersAnswerIsTheReportWithItsTextAndTheJobsNumber(report: PhotoReport) throws {
    let answer = try JSONValue(parsing: Array(report.answer(id: .number(4)).text.utf8))
    let result = try? report.outcome.get()
    #expect(answer["id"]?.number == 4 && answer["text"]?.string == result?.text)
    let rows = answer["rows"]?.elements?.compactMap(\.string)
    #expect(rows == result.flatMap { $0.rows.isEmpty ? nil : $0.rows })
    let own = (answer.members ?? []).filter { !["id", "text", "rows"].contains($0.key) }
    #expect(JSONValue.object(own) == report.json)
  }

  @Test func aPathThatIsNotUTF8HasItsBytesBesideIt() {
    let json = Self.reports[1].json
    #expect(json["photo"]?.string == "\u{FFFD}.j" && json["photoBytes"]?.string == "/y5q")
    #expect(Self.reports[0].json["photoBytes"] == nil)
  }

  @Test(arguments: 0..<20)
  func reportsComeOutInTheOrderOfThePhotos(seed: UInt64) {
    var generator = SeededGenerator(seed: seed)
    let count = Int.random(in: 1...40, using: &generator)
    var ordered = OrderedReports()
    var out: [FilePath] = []
    for index in (0..<count).shuffled(using: &generator) {
      let ready = ordered.add(.failed(FilePath("\(index)"), .folder("")), at: index)
      out += ready.map(\.report.photo)
      #expect(ordered.next == out.count)
    }
    #expect(out == (0..<count).map { FilePath("\($0)") })
  }

  @Test func whatIsLeftComesOutInOrderToo() {
    var ordered = OrderedReports()
    for index in [5, 2, 9] {
      #expect(ordered.add(.failed(FilePath("\(index)"), .folder("")), at: index).isEmpty)
    }
    #expect(ordered.drain().map(\.report.photo) == ["2", "5", "9"])
    #expect(ordered.drain().isEmpty)
  }
}
