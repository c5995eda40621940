import Testing

@testable import PhotoLibraryKit
@testable import SafelightCatalog
@testable import SafelightFiles

/// Later programs change the tables by migrations; these are made up.
@Suite struct MigrationTests {
  private let tree = PhotoTree()
  private var file: FilePath { tree.library.appending("catalogue.sqlite") }

  private static let later = [
    Migration(names: ["notes"], script: "CREATE TABLE note (text TEXT NOT NULL) STRICT"),
    Migration(names: ["first note"], script: "INSERT INTO note SELECT 'from ' || path FROM folder"),
  ]

  /// A catalog of today with a folder.
  private func catalog() throws -> Database {
    tree.library.makeFolder()
    let database = try Database(file, .create)
    try Catalog.prepare(database)
    try Schema.migrations.run(on: database)
    try database.run("INSERT INTO folder (path) VALUES (?)", Array("/photos".utf8))
    return database
  }

  @Test func laterMigrationsAreDoneOnceAndInTheirOrder() throws {
    let database = try catalog()
    let later = Migrations(list: Schema.migrations.list + Self.later)
    #expect(try later.missing(in: database).map(\.names) == [["notes"], ["first note"]])
    for _ in 0..<2 { try later.run(on: database) }
    #expect(try database.rows("SELECT text FROM note") { $0[0] as String } == ["from /photos"])
    #expect(try later.missing(in: database).isEmpty)
    #expect(throws: CatalogError.newer(["first note", "notes"])) {
      try Schema.migrations.run(on: database)
    }
  }

  @Test(arguments: [
    "CREATE TABLE note (text TEXT); INSERT INTO nothing VALUES (1)",
    "CREATE TABLE note (text TEXT); INSERT INTO selected VALUES ('nobody', 7)",
  ])
  func aMigrationThatFailsChangesNothing(script: String) throws {
    let database = try catalog()
    try database.run(script: "PRAGMA foreign_keys = OFF")
    let failing = Migration(names: ["notes"], script: script)
    let later = Migrations(list: Schema.migrations.list + [failing])
    #expect(throws: CatalogError.self) { try later.run(on: database) }
    #expect(try database.value("SELECT count(*) FROM sqlite_schema WHERE name = 'note'") == 0)
    #expect(try later.missing(in: database).map(\.names) == [["notes"]])
  }

  @Test func aColumnThatIsAddedHasItsDefaultInOldRows() throws {
    let database = try Database(":memory:", .create)
    try database.run(script: "CREATE TABLE asset (id INTEGER PRIMARY KEY) STRICT")
    try database.run("INSERT INTO asset DEFAULT VALUES")
    try database.run(script: AssetColumn.schema(adding: [.title, .headerVersion]))
    let row = try database.rows("SELECT title, headerVersion FROM asset") {
      [$0.value(0), $0.value(1)]
    }
    #expect(row == [[.null, .integer(0)]])
  }

  @Test func aMigrationThatStandsForStepsIsAllOrNothing() throws {
    let steps = Migrations(list: [
      Migration(names: ["one"], script: "CREATE TABLE one (text TEXT)"),
      Migration(names: ["two"], script: "CREATE TABLE two (text TEXT)"),
    ])
    let script = steps.list.map(\.script).joined(separator: ";")
    let joined = Migrations(list: [Migration(names: ["one", "two"], script: script)])
    let done = try Database(":memory:", .create)
    try steps.run(on: done)
    try joined.run(on: done)
    #expect(try joined.done(in: done) == ["one", "two"])
    let anew = try Database(":memory:", .create)
    try joined.run(on: anew)
    #expect(try steps.missing(in: anew).isEmpty)
    let begun = try Database(":memory:", .create)
    try Migrations(list: [steps.list[0]]).run(on: begun)
    #expect {
      try joined.run(on: begun)
    } throws: { error in
      if case CatalogError.database(let error) = error { error.isDamaged } else { false }
    }
  }

  @Test func aCatalogOfAProgramThatWasNeverReleasedIsRefusedAsItIs() throws {
    do { try catalog().run("DELETE FROM migration WHERE name = 'seals'") }
    #expect {
      try PhotoLibrary(at: tree.library)
    } throws: { error in
      guard case PhotoLibraryError.damagedCatalog(_, let detail) = error else { return false }
      return detail == "it is of a Safelight that was never released, without seals"
    }
  }
}
