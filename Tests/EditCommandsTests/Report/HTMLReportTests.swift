import Foundation
import Glibc
import PhotoEditing
import SafelightTestSupport
import Testing

@testable import SafelightEditCommands

@Suite struct HTMLReportTests {
  private let folder = CommandFolder()

  private var path: FilePath { FilePath(folder.path).appending("report") }

  private func page() throws -> String {
    String(decoding: try #require(folder.data("report/index.html")), as: UTF8.self)
  }

  @Test func thePageHasEveryEntryAndNoEmptyFolder() throws {
    _ = try SampleReport.write(to: path)
    let page = try page()
    #expect(page.ranges(of: "<article ").count == SampleReport.entries.count)
    #expect(page.hasSuffix("</body></html>\n"))
    #expect(!FileManager.default.fileExists(atPath: "\(path)/pictures"))
  }

  @Test(arguments: SampleReport.hostileNames)
  func namesAreText(name: String) throws {
    var entry = ReportEntry(FilePath(name), status: name)
    (entry.filter, entry.text, entry.warnings) = (name, name, [name])
    entry.failure = .init(code: name, message: name, hint: Advice(stringLiteral: name))
    (entry.before, entry.after) = (name, name)
    // What stays when everything that the page writes itself is taken out.
    let tag = /<\/?(article|div|img|input|h2|bdi|p|ul|li)( [a-z-]+="[^"<>]*")*>/
    #expect(!entry.html.replacing(tag, with: "").contains { "<>\"\n\u{1B}".contains($0) })
  }

  @Test(arguments: [
    ("pictures/000001-before.jpg", "pictures/000001-before.jpg"), ("a b#?.jpg", "a%20b%23%3F.jpg"),
    ("javascript:alert(1)", "javascript%3Aalert%281%29"), ("é%", "%C3%A9%25"),
  ])
  func picturesAreRelative(path: String, url: String) {
    #expect(HTMLText.url(path) == url)
  }

  @Test(arguments: [(nil, nil, 0, 0), ("b", nil, 1, 0), (nil, "a", 1, 0), ("b", "a", 2, 1)])
  func aSliderNeedsTwoPictures(before: String?, after: String?, images: Int, sliders: Int) {
    var entry = ReportEntry("a.jpg", status: "edited")
    (entry.before, entry.after) = (before, after)
    #expect(entry.html.ranges(of: "<img ").count == images)
    #expect(entry.html.ranges(of: "type=\"range\"").count == sliders)
  }

  @Test func anEntryIsOnDiskAtOnce() throws {
    let report = try HTMLReport(in: path, title: "test")
    try report.add(ReportEntry("first.jpg", status: "edited"))
    #expect(try page().contains("first.jpg"))
    #expect(try !page().contains("id=\"end\" hidden"))
    try report.finish()
    #expect(try page().contains("id=\"end\" hidden"))
  }

  @Test func anEarlierReportIsReplacedAndNothingElse() throws {
    _ = try SampleReport.write(to: path)
    try folder.put("kept", as: "report/pictures/000001-after.jpg")
    let report = try HTMLReport(in: path, title: "again")
    try report.finish()
    #expect(try !page().contains("<article"))
    #expect(folder.data("report/pictures/000001-after.jpg") == Data("kept".utf8))
    try folder.put("<!doctype html>mine", as: "report/index.html")
    #expect(throws: HTMLReportError.taken(path: report.page)) {
      try HTMLReport(in: path, title: "third")
    }
    #expect(try page() == "<!doctype html>mine")
  }

  @Test func aFileInPlaceOfTheFolderIsAnError() throws {
    try folder.put("", as: "report")
    #expect(throws: HTMLReportError.file(path: path, code: EEXIST)) {
      try HTMLReport(in: path, title: "test")
    }
  }

  @Test func aFullDiskIsAnError() throws {
    let report = try HTMLReport(in: path, title: "test")
    // The page's descriptor is made to lead to a device that is always full.
    let descriptors = try FileManager.default.contentsOfDirectory(atPath: "/proc/self/fd")
    let own = descriptors.compactMap { Int32($0) }.first { descriptor in
      let link = try? FileManager.default.destinationOfSymbolicLink(
        atPath: "/proc/self/fd/\(descriptor)")
      return link == "\(report.page)"
    }
    let full = open("/dev/full", O_WRONLY)
    dup2(full, try #require(own))
    close(full)
    #expect(throws: HTMLReportError.file(path: report.page, code: ENOSPC)) {
      try report.add(ReportEntry("a.jpg", status: "edited"))
    }
  }

  @Test func thePolicyAllowsTheScriptAndNoOther() throws {
    let script = folder.path + "/script.js"
    try Data(ReportScript.text.utf8).write(to: URL(fileURLWithPath: script))
    let hex = Array(try FinishedProcess(["sha256sum", script]).text.prefix(64))
    let digest = stride(from: 0, to: hex.count, by: 2).compactMap {
      UInt8(String(hex[$0...($0 + 1)]), radix: 16)
    }
    #expect("sha256-" + Data(digest).base64EncodedString() == ReportScript.hash)
    #expect(ReportPage.head(title: "").contains("script-src '\(ReportScript.hash)'"))
  }

  @Test(
    .enabled(if: hasBrowser, "There is no Chromium, or no python3 to drive it."),
    .timeLimit(.minutes(15)))
  func aBrowserShowsIt() throws {
    let picture = Fixture.url("beach.jpg")
    let report = try SampleReport.write(to: path) { path in
      try FileManager.default.copyItem(at: picture, to: URL(fileURLWithPath: "\(path)"))
    }
    let driver = Fixture.folder.deletingLastPathComponent()
      .appendingPathComponent("Tests/Report/drive.py")
    let words = ["python3", driver.path, "\(report.folder)"]
    let process = try FinishedProcess(words, includesErrors: true)
    #expect(process.status == 0, "\(process.text)")
  }

  private static let hasBrowser = ["chromium", "chromium-browser", "google-chrome"].contains {
    (try? FinishedProcess(["sh", "-c", "command -v python3 && command -v \($0)"]).status) == 0
  }
}
