import Foundation
import Testing

@testable import PhotoLibraryKit

/// A catalog may have any rows, so no code over rows may end the process.
@Suite struct RowTrapTests {
  /// What ends the process when a row is not as expected, and the lines with it that are about no rows.
  private static let traps: [(word: String, allowed: [String])] = [
    ("uniqueKeysWithValues", ["allCases.map", "columns.enumerated()"]),
    ("try!", []), ("as!", []), ("fatalError", []), ("{ $0[0] as Int }[0]", []),
    ("{ $0[0] as Int64 }[0]", []), ("unowned ", []),
  ]

  @Test func noCodeOverRowsEndsTheProcess() throws {
    let top = URL(fileURLWithPath: #filePath).deletingLastPathComponent()
      .deletingLastPathComponent().deletingLastPathComponent().deletingLastPathComponent()
    var files = 0
    for part in ["Catalog", "PhotoLibrary"] {
      let folder = top.appendingPathComponent("Sources/\(part)")
      let names = try #require(FileManager.default.enumerator(atPath: folder.path))
      for case let name as String in names where name.hasSuffix(".swift") {
        files += 1
        let text = try String(contentsOf: folder.appendingPathComponent(name), encoding: .utf8)
        for line in text.split(separator: "\n") where !line.contains("//") {
          for trap in Self.traps where line.contains(trap.word) {
            #expect(trap.allowed.contains { line.contains($0) }, "\(name): \(line)")
          }
        }
      }
    }
    #expect(files > 50)
  }
}
