import Foundation
import PhotoLibraryKit
import SafelightCSQLite
import SafelightTestSupport
import Testing

@testable import SafelightEditServer

/// A catalog's file as somebody opens it who tampers with it: nothing is checked, and no trigger acts.
private final class TamperedCatalog {
  private let connection: OpaquePointer?

  init(_ path: String) {
    var opened: OpaquePointer?
    sqlite3_open(path, &opened)
    connection = opened
    safelight_set(opened, SQLITE_DBCONFIG_ENABLE_TRIGGER, 0)
    run("PRAGMA writable_schema = ON")
  }

  deinit { sqlite3_close(connection) }

  func run(_ script: String) { sqlite3_exec(connection, script, nil, nil, nil) }

  /// The first column of a query.
  func texts(_ query: String) -> [String] {
    var statement: OpaquePointer?
    defer { sqlite3_finalize(statement) }
    guard sqlite3_prepare_v2(connection, query, -1, &statement, nil) == SQLITE_OK else { return [] }
    var texts: [String] = []
    while sqlite3_step(statement) == SQLITE_ROW {
      texts.append(sqlite3_column_text(statement, 0).map { String(cString: $0) } ?? "")
    }
    return texts
  }
}

/// Commands on catalogs that somebody tampered with: they work or fail, and never end the process or go on for
/// ever.
@Suite(.timeLimit(.minutes(10))) struct TamperedCatalogTests {
  private let folder = CommandFolder()
  private var file: String { folder.libraryFolder.string + "/catalogue.sqlite" }

  private func makeLibrary() async throws {
    try await folder.makeLibrary(of: "a.jpg", "b.jpg", "c.jpg")
    for words in [
      ["favorite", "@/photos/a.jpg"], ["album", "create", "Sea"],
      ["album", "add", "Sea", "@/photos/a.jpg", "@/photos/b.jpg"],
      ["album", "create", "--folder", "Trips"], ["album", "create", "Alps", "--in", "Trips"],
      ["album", "add", "Alps", "@/photos/b.jpg"], ["trash", "@/photos/c.jpg"],
      ["access", "grant", "org.example"],
    ] {
      _ = await folder.edit(["library"] + words)
    }
    TamperedCatalog(file).run("PRAGMA wal_checkpoint(TRUNCATE)")
  }

  /// Runs every command that reads a library, and some that write.
  private func expectNoHarm(_ comment: String) async throws {
    for words in [
      ["list"], ["list", "--json", "--sort", "creationDate"], ["list", "--where", "title = 'x'"],
      ["show", "@/photos/a.jpg"], ["show", "--json", "@/photos/b.jpg"], ["album", "list"],
      ["album", "list", "--json"], ["album", "show", "Sea"], ["album", "show", "Favorites"],
      ["changes"], ["changes", "--json"], ["access", "list"], ["trash", "list"],
      ["favorite", "@/photos/b.jpg"], ["album", "delete", "-r", "Trips"], ["scan"], ["verify"],
      ["verify", "--fix"], ["rebuild"], ["verify"],
    ] {
      let result = await folder.edit(["library"] + words)
      #expect([0, 1].contains(result.code), "\(comment): \(words)")
      #expect(
        result.code == 0 || !(result.messages + result.results).isEmpty, "\(comment): \(words)")
    }
  }

  /// What SQLite may find in a column, in SQL.
  private static let values = [
    "NULL", "''", "'text'", "x''", "x'FF00FE'", "-1", "0", "9223372036854775807",
    "-9223372036854775808", "4294967296", "1e308", "9e999", "-9e999", "253402300800000.0",
    "-62135596801000.5", "1e-310", "'/etc/passwd'", "'\u{1B}[31m'", "printf('%.900c', '9')",
  ]

  @Test(arguments: 0..<UInt64(Rounds.count(5, long: 24)))
  func valuesThatNoColumnAllows(seed: UInt64) async throws {
    try await makeLibrary()
    var generator = SeededGenerator(seed: seed)
    // Without these words any column takes any value. Afterwards the tables look as before.
    let catalog = TamperedCatalog(file)
    let restoring = catalog.texts(
      """
      SELECT 'UPDATE sqlite_schema SET sql = ' || quote(sql) || ' WHERE name = ' || quote(name)
      FROM sqlite_schema WHERE type = 'table' AND sql LIKE '%STRICT%'
      """)
    for (old, new) in [("STRICT, WITHOUT", "WITHOUT"), (") STRICT", ")"), (" NOT NULL", "")] {
      catalog.run("UPDATE sqlite_schema SET sql = replace(sql, '\(old)', '\(new)')")
    }
    let loose = TamperedCatalog(file)
    let columns = loose.texts(
      """
      SELECT '"' || t.name || '" SET "' || c.name || '"' FROM sqlite_schema AS t,
        pragma_table_info(t.name) AS c WHERE t.type = 'table' AND t.sql LIKE '%CREATE TABLE%'
      """)
    try #require(columns.count > 80)
    var changes: [String] = []
    for _ in 0..<(1 << (seed % 5)) {
      let (column, value) = (
        columns.randomElement(using: &generator)!, Self.values.randomElement(using: &generator)!
      )
      changes.append("UPDATE OR IGNORE \(column) = \(value)")
    }
    for script in changes + restoring { loose.run(script) }
    try await expectNoHarm("\(seed) \(changes)")
  }

  @Test(arguments: 0..<UInt64(Rounds.count(5, long: 10)))
  func bytesThatAreCutOffOrOthers(seed: UInt64) async throws {
    try await makeLibrary()
    var generator = SeededGenerator(seed: seed)
    var bytes = [UInt8](try Data(contentsOf: URL(fileURLWithPath: file)))
    if seed % 5 == 0 {
      bytes.removeLast(Int.random(in: 1..<bytes.count, using: &generator))
    } else {
      for _ in 0..<(4 << (seed % 5 * 2)) {
        bytes[.random(in: 0..<bytes.count, using: &generator)] = .random(
          in: 0...255, using: &generator)
      }
    }
    try Data(bytes).write(to: URL(fileURLWithPath: file))
    try await expectNoHarm("\(seed)")
  }

  @Test(arguments: [
    "UPDATE collection SET list = id WHERE isList",
    "UPDATE collection SET isList = 1, list = (SELECT max(id) FROM collection)",
    "UPDATE tally SET visible = -5, favorites = 9e18; UPDATE dayTally SET visible = -1",
    "UPDATE asset SET pixelWidth = -1, pixelHeight = 9e18, size = -1, orientation = 99",
    "UPDATE member SET position = 9223372036854775807 WHERE position = (SELECT max(position) FROM member)",
    "UPDATE sqlite_sequence SET seq = 9223372036854775807",
    "UPDATE sqlite_sequence SET seq = -1",
    "UPDATE sqlite_schema SET rootpage = 3 WHERE name = 'member'",
    "INSERT INTO fileMove VALUES (1, 0, '/etc/passwd', '/tmp/x', NULL), (2, 9, x'2F', x'2F', x'00')",
  ])
  func rowsThatNoProgramWrites(script: String) async throws {
    try await makeLibrary()
    TamperedCatalog(file).run(script)
    try await expectNoHarm(script)
  }

  @Test func aPlantedMoveIsNeitherMadeNorHidden() async throws {
    try await makeLibrary()
    let photo = folder.path + "/photos/a.jpg"
    let target = folder.path + "/photos/.safelight-trash/01234567-89AB-CDEF-0123-456789ABCDEF"
    TamperedCatalog(file).run(
      """
      INSERT INTO fileMove (kind, source, target)
        VALUES (1, CAST('\(photo)' AS BLOB), CAST('\(target)' AS BLOB))
      """)
    for words in [
      ["list"], ["album", "list"], ["changes"], ["verify"], ["favorite", "@/photos/b.jpg"],
      ["scan"], ["verify", "--fix"],
    ] {
      let result = await folder.edit(["library"] + words)
      #expect(result.messages.contains { $0.contains("nothing was done") }, "\(words)")
      #expect(result.code == (words[0] == "verify" ? 1 : 0), "\(words)")
      #expect(FileManager.default.fileExists(atPath: photo), "\(words)")
    }
    // Nobody can be asked here.
    for words in [["--dry-run"], ["--dry-run", "--yes", "--fix"], []] {
      let result = await folder.edit(["library", "verify", "--finish-changes"] + words)
      #expect(
        result.code == 1 && result.messages.contains { $0.contains("@/photos/a.jpg") }, "\(words)")
      #expect(FileManager.default.fileExists(atPath: photo), "\(words)")
    }
    let (_, asked) = await folder.edit(answering: ["n"], "library", "verify", "--finish-changes")
    #expect(asked.count == 1 && asked[0].contains("@/photos/a.jpg"))
    #expect(FileManager.default.fileExists(atPath: photo))
    _ = await folder.edit("library", "verify", "--finish-changes", "--yes")
    #expect(!FileManager.default.fileExists(atPath: photo))
    #expect(FileManager.default.fileExists(atPath: target + "/a.jpg"))
  }

  @Test func aListThatTheCountersCutShortIsAnError() async throws {
    try await makeLibrary()
    TamperedCatalog(file).run("UPDATE tally SET visible = 1")
    let library = try PhotoLibrary(at: folder.libraryFolder, readOnly: true)
    for offset in [0, 1, 7] {
      let lists = PhotoLists(library)
      #expect(throws: PhotoLibraryError.self) {
        try lists.page(ListQuery(), from: offset, atMost: 1000)
      }
    }
    TamperedCatalog(file).run("UPDATE tally SET visible = 0")
    let lists = PhotoLists(try PhotoLibrary(at: folder.libraryFolder, readOnly: true))
    #expect(try lists.page(ListQuery(), from: 0, atMost: 1000).total == 2)
  }

  @Test func aDamagedCatalogDoesNotLookEmpty() async throws {
    try await makeLibrary()
    let root = try #require(
      TamperedCatalog(file).texts(
        "SELECT rootpage FROM sqlite_schema WHERE name = 'assetByClock'"
      ).first.flatMap { Int($0) })
    var bytes = [UInt8](try Data(contentsOf: URL(fileURLWithPath: file)))
    for place in (root - 1) * 4096..<root * 4096 { bytes[place] = 0 }
    try Data(bytes).write(to: URL(fileURLWithPath: file))
    for words in [
      ["library", "list"], ["library", "list", "--where", "creationDate > '2000-01-01'"],
      ["library", "list", "--json"], ["apply", "noir", "--where", "creationDate > '2000-01-01'"],
      ["show", "--where", "creationDate > '2000-01-01'"],
    ] {
      let result = await folder.edit(words)
      #expect(result.code == 1, "\(words)")
      #expect(
        (result.messages + result.results).contains {
          $0.contains("library rebuild") || $0.contains("library-damaged")
        }, "\(words)")
      #expect(!result.messages.contains { $0.contains("no photos") })
    }
  }

  @Test(arguments: [
    "CREATE TRIGGER evil AFTER INSERT ON change BEGIN DELETE FROM asset; END",
    "DROP TRIGGER exportAsset",
    "CREATE TABLE more (a)", "CREATE INDEX more ON asset (size)", "CREATE VIEW more AS SELECT 1",
    "DROP TABLE tally; CREATE VIEW tally AS SELECT * FROM asset",
    "DROP TABLE migration; CREATE VIEW migration AS SELECT 'assets' AS name",
    "ALTER TABLE folder ADD COLUMN more AS (abs(-9223372036854775808))",
    "UPDATE sqlite_schema SET sql = replace(sql, 'DELETE', 'SELECT') WHERE name = 'historyEnds'",
    "UPDATE sqlite_schema SET sql = replace(sql, 'REAL', 'TEXT') WHERE name = 'asset'",
    "UPDATE sqlite_schema SET sql = 'CREATE TABLE x (' WHERE name = 'member'",
  ])
  func tablesThatAreNotOurs(script: String) async throws {
    try await makeLibrary()
    TamperedCatalog(file).run(script)
    let before = try Data(contentsOf: URL(fileURLWithPath: file))
    #expect(await folder.edit("library", "list").code == 1)
    #expect(await folder.edit("library", "favorite", "@/photos/b.jpg").code == 1)
    #expect(try Data(contentsOf: URL(fileURLWithPath: file)) == before)
    // A rebuild makes tables of our own, with everything in the export.
    #expect(await folder.edit("library", "rebuild").code == 0)
    #expect(try await folder.listed("--where", "favorite = 1") == ["a.jpg"])
    #expect(await folder.edit("library", "verify").code == 0)
  }
}
