import Foundation
import PhotoEditing
import SafelightTestSupport
import Testing

@testable import SafelightEditCommands

/// Reports on disks that fail: each operation on files in turn.
@Suite struct ReportFaultTests {
  @Test(arguments: FaultInjection.Kind.allCases)
  func aPageIsAReportAgainOrWhatItWas(kind: FaultInjection.Kind) async throws {
    try await FaultInjection.forEachOperation(failing: kind) { faults in
      let folder = CommandFolder()
      let path = FilePath(folder.path).appending("report")
      try HTMLReport(in: path, title: "first").finish()
      var error: HTMLReportError?
      do throws(HTMLReportError) {
        let report = try HTMLReport(in: path, title: "second", faults.fileSystem)
        try report.add(ReportEntry("a.jpg", status: "edited"))
        try report.finish()
      } catch let failure {
        error = failure
      }
      if let error {
        guard case .file = error else {
          Issue.record("\(error)")
          return
        }
      } else {
        #expect(folder.data("report/index.html")?.isEmpty == false)
      }
      if !faults.wasReached { #expect(error == nil) }
      // Whatever happened, the next report can be written.
      try HTMLReport(in: path, title: "third").finish()
      let page = try #require(folder.data("report/index.html"))
      #expect(String(decoding: page, as: UTF8.self).contains("third"))
    }
  }

  @Test(arguments: FaultInjection.Kind.allCases)
  func linesOfAReportAreWrittenInOrder(kind: FaultInjection.Kind) async throws {
    try await FaultInjection.forEachOperation(failing: kind) { faults in
      let folder = CommandFolder()
      let path = FilePath(folder.path).appending("report.ndjson")
      guard let report = try? ReportFile(path, faults.fileSystem) else { return }
      report.add(.failed("a.jpg", .folder("a.jpg")))
      let text = String(decoding: try #require(folder.data("report.ndjson")), as: UTF8.self)
      let whole = PhotoReport.failed("a.jpg", .folder("a.jpg")).json.text + "\n"
      #expect(whole.hasPrefix(text))
      if !faults.wasReached { #expect(text == whole) }
    }
  }
}
