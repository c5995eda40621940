import Foundation
import PhotoEditing

@testable import SafelightEditCommands

/// A report of many kinds of entries, with names that would break a page that is not careful.
enum SampleReport {
  static let hostileNames = [
    "</script><script>document.title='hacked'</script>.jpg", "\"><img src=x onerror=alert(1)>.jpg",
    "' onmouseover='alert(1).jpg", "a&amp;b.jpg", "line\nbreak\u{1B}[31m.jpg", "\u{202E}gpj.live",
    "<!-- .jpg", String(repeating: "long-name-", count: 20) + ".jpg", "http://example.com/a.jpg",
  ]

  static var entries: [ReportEntry] {
    var entries: [ReportEntry] = []
    for (index, filter) in ["noir", "chrome", "noir", "vivid-warm at 0.6"].enumerated() {
      var entry = ReportEntry(FilePath("holiday/photo \(index).jpg"), status: "edited")
      entry.filter = filter
      entry.text = "\(filter), rendered to holiday/photo \(index)_edited.jpg"
      entry.milliseconds = 120 * (index * 10 + 1)
      entries.append(entry)
    }
    for name in hostileNames {
      var entry = ReportEntry(FilePath(name), status: "failed")
      entry.failure = .init(
        code: "not-a-picture", message: "\(name): The file is not a picture.",
        hint: "Try <another>.")
      entries.append(entry)
    }
    var bytes = ReportEntry(FilePath(bytes: [0x66, 0xFF, 0xFE, 0x2E, 0x6A]), status: "unchanged")
    bytes.warnings = ["It has \"quotes\" & <tags>.", "Another warning."]
    return entries + [bytes]
  }

  /// Writes the report, and pictures for those entries that were edited.
  ///
  /// - Parameter pictures: Copies a picture to a path; `nil` does without pictures.
  static func write(
    to folder: FilePath, pictures: ((FilePath) throws -> Void)? = nil
  ) throws -> HTMLReport {
    let report = try HTMLReport(in: folder, title: "edit apply noir <*.jpg>")
    for (index, entry) in entries.enumerated() {
      var entry = entry
      if let pictures, entry.failure == nil {
        let (before, after) = HTMLReport.pictures(at: index)
        for path in [before, after] { try pictures(folder.appending(FilePath(path))) }
        (entry.before, entry.after) = (before, after)
      }
      try report.add(entry)
    }
    try report.finish()
    return report
  }
}
