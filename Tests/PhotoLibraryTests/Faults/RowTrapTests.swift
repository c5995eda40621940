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

  @Test func numbersThatNoProgramWritesEndNoProcess() async throws {
    let sample = try await SampleLibrary(random: 20)
    try await sample.fill("sea", with: ["asset-1"])
    try await sample.run("UPDATE collection SET creationDate = 1e308")
    try await sample.run(
      "UPDATE asset SET timeZoneOffset = -9223372036854775808, pixelWidth = 9223372036854775807")
    try await sample.run(
      "INSERT INTO change (token, date, origin) VALUES (-9223372036854775808, 0, 'x')")
    let library = sample.library
    let options = FetchOptions(predicate: AssetKey.localDate > SampleLibrary.start)
    _ = try library.fetchAssetCollections(with: .album, options: options)
    _ = try library.fetchAssets(with: options).allObjects()
    #expect(try library.earliestChangeToken.number == 0)
    _ = try library.fetchPersistentChanges(since: library.earliestChangeToken).count
  }
}
