import Foundation
import PhotoEditing
import Testing

@testable import PhotoLibraryKit
@testable import SafelightCatalog
@testable import SafelightFiles

extension Catalog {
  /// Writes as a change set of another program would.
  func write(_ script: String) throws(PhotoLibraryError) {
    try change { database in
      try database.run(script: script)
      return [ChangedObject(kind: .asset, identifier: "test", how: .updated)]
    }
  }

  /// The rows of a query as text, sorted.
  func lines(_ query: String) throws(PhotoLibraryError) -> [String] {
    try read { (database) throws(DatabaseError) in
      let count = Int(try database.columnCount(query))
      return try database.rows(query) { row in
        (0..<count).map { Self.text(row.value($0)) }.joined(separator: " | ")
      }.sorted()
    }
  }

  private static func text(_ value: DatabaseValue) -> String {
    switch value {
    case .null: "nil"
    case .integer(let number): "\(number)"
    case .real(let number): "\(number)"
    case .text(let text): text
    case .blob(let bytes): String(validating: bytes, as: UTF8.self) ?? "\(bytes)"
    }
  }
}

extension ExportedAsset {
  /// `nil` for a mark that is not there, as in JSON.
  var favorite: Bool? { values[.favorite] == nil ? nil : true }
  var hidden: Bool? { values[.hidden] == nil ? nil : true }
}

extension Database {
  fileprivate func columnCount(_ query: String) throws(DatabaseError) -> Int32 {
    let names = try rows("SELECT 1") { _ in query.split(separator: "FROM")[0] }
    return Int32(names[0].split(separator: ",").count)
  }
}

extension PhotoLibrary {
  func lines(_ query: String) async throws -> [String] { try await catalog.lines(query) }
  func write(_ script: String) async throws { try await catalog.write(script) }

  /// The photos' names, sorted.
  var names: [String] {
    get async throws { try await lines("SELECT name FROM asset") }
  }

  func identifier(_ name: String) async throws -> String {
    try #require(
      await lines("SELECT identifier FROM asset WHERE name = CAST('\(name)' AS BLOB)").first)
  }

  /// Everything that a rebuild has to bring back.
  var contents: [String] {
    get async throws {
      var lines: [String] = []
      for query in [
        """
        SELECT identifier, path, name, isDerived, size, modified, inode, format, pixelWidth,
          pixelHeight, orientation, mediaSubtypes, camera, fileCreationDate, fileLatitude,
          fileLongitude, creationDate, modificationDate, latitude, longitude, favorite, hidden,
          recordModified, adjustmentFormat, trashedDate
        FROM asset JOIN folder ON folder.id = asset.folder
        """,
        "SELECT path FROM folder WHERE isRoot = 1",
        """
        SELECT one.identifier, one.isList, one.title, list.identifier, one.position,
          one.creationDate FROM collection one LEFT JOIN collection list ON list.id = one.list
        """,
        """
        SELECT collection.identifier, member.position, asset.identifier FROM member
          JOIN collection ON collection.id = member.album JOIN asset ON asset.id = member.asset
        """,
        "SELECT identifier, addOnly, readWrite, usageDescription, answered FROM client",
        "SELECT client, identifier FROM selected JOIN asset ON asset.id = selected.asset",
        "SELECT identifier, fingerprint, date FROM departed",
      ] {
        lines += try await self.lines(query)
      }
      return lines
    }
  }
}

/// Waits until something is true, at most two minutes.
func eventually(_ isSo: () async throws -> Bool) async throws -> Bool {
  let clock = ContinuousClock()
  let end = clock.now + .seconds(120)
  while clock.now < end {
    if try await isSo() { return true }
    try await Task.sleep(for: .milliseconds(20))
  }
  return try await isSo()
}

/// Checks that a catalog is refused as damaged.
func expectDamage(
  sourceLocation: SourceLocation = #_sourceLocation, _ work: () throws -> PhotoLibrary
) {
  let error = #expect(throws: PhotoLibraryError.self, sourceLocation: sourceLocation) {
    try work()
  }
  #expect(error?.code == "library-damaged", sourceLocation: sourceLocation)
}
