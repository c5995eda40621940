import Foundation
import PhotoEditing
import Testing

@testable import PhotoLibraryKit
@testable import SafelightCatalog
@testable import SafelightFiles

/// Catalogs with the tables of earlier versions are migrated.
@Suite struct OldCatalogTests {
  private let tree = PhotoTree()

  /// A catalog with the first migrations, and a few rows.
  private func make(upTo name: String) throws {
    tree.library.makeFolder()
    let database = try Database(tree.library.appending("catalogue.sqlite"), .create)
    try Catalog.prepare(database)
    let all = Schema.migrations.list
    let last = try #require(all.firstIndex { $0.name == name })
    try Migrations(list: Array(all[...last])).run(on: database)
    try database.run(
      script: """
        INSERT INTO folder (id, path, isRoot) VALUES (1, CAST('/photos' AS BLOB), 1);
        INSERT INTO collection (id, identifier, title, position, creationDate)
          VALUES (1, 'album', 'Album', 0, 0);
        """)
    let cameras: [String?] = ["NIKON D750", "Pixel 8", nil]
    for number in 0..<60 {
      try database.run(
        """
        INSERT INTO asset (identifier, folder, name, size, modified, inode, format, pixelWidth,
          pixelHeight, orientation, modificationDate, addedDate, camera, favorite, hidden,
          adjustmentFormat, trashedDate)
        VALUES (?, 1, ?, 1, 1, ?, 'jpeg', 1, 1, 1, 1, 1, ?, ?, ?, ?, ?)
        """, "asset-\(number)", Array("Süden \(number).jpg".utf8) as [UInt8], number,
        cameras[number % 3], number % 4 == 0, number % 10 == 0,
        number % 6 == 0 ? "org.safelight.edit" : nil as String?,
        number % 15 == 0 ? 5.0 : nil as Double?)
      try database.run(
        "INSERT INTO member (album, position, asset) VALUES (1, ?, ?)", number,
        database.lastInsertedRow)
    }
  }

  @Test(arguments: ["export", "names", "cameras", "coverage", "members"])
  func isBroughtToTheNewestForm(step: String) async throws {
    try make(upTo: step)
    let library = try tree.open()
    let assets = try library.fetchAssets()
    #expect(assets.count == 52)
    func count(_ predicate: FetchPredicate) throws -> Int {
      let counted = try library.fetchAssets(with: FetchOptions(predicate: predicate)).count
      #expect(counted == assets.count { predicate.condition.holds(for: $0) })
      return counted
    }
    #expect(try count(.filename.contains("SÜDEN 5", [.caseInsensitive])) == 10)
    #expect(try count(.camera.contains("D750")) == 16)
    #expect(try count(.camera == "Pixel 8" && .isFavorite == true) > 0)
    #expect(try count(.isFavorite == true || .hasAdjustments == true) > 0)
    #expect(try await library.lines("SELECT count(*) FROM member WHERE visible = 1") == ["52"])
    let album = try library.album("album")
    try await library.performChanges {
      AssetCollectionChangeRequest(for: album).moveAssets(at: [51], to: 0)
    }
    #expect(try library.fetchAssets(in: album).firstObject?.localIdentifier == "asset-59")
    #expect(try await library.lines("PRAGMA integrity_check") == ["ok"])
    #expect(try await library.lines("PRAGMA foreign_key_check").isEmpty)
  }
}
