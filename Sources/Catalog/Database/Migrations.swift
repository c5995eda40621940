/// Named changes of a database's tables, in their order, each in a transaction of its own.
///
/// A released migration never changes. The table `migration` has the names of the migrations that are done; an
/// unknown name there comes from a newer program.
package struct Migrations {
  package let list: [Migration]

  /// Makes the table of finished migrations.
  static let table = "CREATE TABLE IF NOT EXISTS migration (name TEXT PRIMARY KEY) STRICT"

  /// Throws when a newer program changed the tables; writes nothing.
  package func check(_ database: Database) throws(CatalogError) {
    let known = Set(list.map(\.name))
    let unknown = try finished(in: database).filter { !known.contains($0) }
    guard unknown.isEmpty else { throw .newer(unknown) }
  }

  /// The names of the migrations that the database does not have yet.
  package func missing(in database: Database) throws(CatalogError) -> [String] {
    try check(database)
    let done = try finished(in: database)
    return list.map(\.name).filter { !done.contains($0) }
  }

  /// Does the missing migrations. A database of a newer program is not touched.
  package func run(on database: Database) throws(CatalogError) {
    try check(database)
    let done = try finished(in: database)
    for migration in list where !done.contains(migration.name) {
      try database.transaction { () throws(CatalogError) in
        do throws(DatabaseError) {
          // Another process may have done this migration while this one waited.
          try database.run(script: Self.table)
          let count: Int =
            try database.value("SELECT count(*) FROM migration WHERE name = ?", migration.name) ?? 0
          guard count == 0 else { return }
          try database.run(script: migration.script)
          try database.run("INSERT INTO migration (name) VALUES (?)", migration.name)
          let broken = try database.rows("PRAGMA foreign_key_check") { $0.value(0) }
          guard broken.isEmpty else {
            throw DatabaseError.damaged("after \(migration.name) some keys refer to no row")
          }
        } catch {
          throw .database(error)
        }
      } failing: { error in
        .database(error)
      }
    }
  }

  private func finished(in database: Database) throws(CatalogError) -> [String] {
    do { return try done(in: database) } catch { throw .database(error) }
  }

  /// The names of the finished migrations, sorted.
  func done(in database: Database) throws(DatabaseError) -> [String] {
    let table: Int? = try database.value(
      "SELECT count(*) FROM sqlite_schema WHERE type = 'table' AND name = 'migration'")
    guard table == 1 else { return [] }
    return try database.rows("SELECT name FROM migration ORDER BY name") { $0[0] }
  }
}

/// One change of the tables.
package struct Migration {
  package let name: String
  package let script: String
}
