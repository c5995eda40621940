import Foundation
import Testing

/// The article that tells how code for PhotoKit is ported.
@Suite struct ComingFromPhotoKitTests {
  private static let folder = URL(fileURLWithPath: #filePath).deletingLastPathComponent()
  private static let article =
    "../../../Sources/PhotoLibrary/PhotoLibrary.docc/ComingFromPhotoKit.md"

  private static func text(_ path: String) throws -> String {
    try String(contentsOf: folder.appendingPathComponent(path).standardized, encoding: .utf8)
  }

  /// The code in the second column of the tables with three columns.
  private static func code() throws -> [String] {
    var code: [String] = []
    for line in try text(article).split(separator: "\n") where line.hasPrefix("|") {
      let cells = line.split(separator: "|").map { $0.trimmingCharacters(in: .whitespaces) }
      guard cells.count == 3, cells[1].hasPrefix("`"), cells[1].hasSuffix("`") else { continue }
      code.append(String(cells[1].dropFirst().dropLast()))
    }
    return code
  }

  /// Each line of the table is in a file that is compiled with these tests, which sees no internals.
  @Test func eachLineOfTheTableCompiles() throws {
    let compiled = try Self.text("ComingFromPhotoKit.swift")
    #expect(!compiled.contains("@testable"))
    let code = try Self.code()
    #expect(code.count >= 20)
    for line in code { #expect(compiled.contains(line), "\(line)") }
  }
}
