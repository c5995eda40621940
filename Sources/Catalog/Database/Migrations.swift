/// Named changes of a database's tables, in their order, each in a transaction of its own.
///
/// A released migration never changes. The table `migration` has the names of the migrations that are done; an
/// unknown name there comes from a newer program, and a migration of which it has only some of the names stands for
/// steps of programs that were never released.
package struct Migrations {
  package let list: [Migration]

  /// Makes the table of finished migrations.
  static let table = "CREATE TABLE IF NOT EXISTS migration (name TEXT PRIMARY KEY) STRICT"

  /// The migrations that the database does not have yet. Writes nothing.
  ///
  /// - Throws: ``CatalogError`` when a newer program changed the tables, or one that was never released made them.
  package func missing(in database: Database) throws(CatalogError) -> [Migration] {
    try withCatalogErrors {
      let done = Set(try self.done(in: database))
      let unknown = done.subtracting(list.flatMap(\.names))
      guard unknown.isEmpty else { throw CatalogError.newer(unknown.sorted()) }
      let missing = list.filter { !done.isSuperset(of: $0.names) }
      if let begun = missing.first(where: { !done.isDisjoint(with: $0.names) }) {
        let names = begun.names.filter { !done.contains($0) }.joined(separator: ", ")
        throw DatabaseError.damaged(
          "it is of a Safelight that was never released, without \(names)")
      }
      return missing
    }
  }

  /// Does the missing migrations. A database of a newer program is not touched.
  package func run(on database: Database) throws(CatalogError) {
    for migration in try missing(in: database) {
      try withCatalogErrors { try run(migration, on: database) }
    }
  }

  private func run(_ migration: Migration, on database: Database) throws {
    try database.transaction {
      // Another process may have done this migration while this one waited.
      guard try missing(in: database).contains(where: { $0.names == migration.names }) else {
        return
      }
      try database.run(script: Self.table)
      try database.run(script: migration.script)
      for name in migration.names {
        try database.run("INSERT INTO migration (name) VALUES (?)", name)
      }
      let broken = try database.rows("PRAGMA foreign_key_check") { $0.value(0) }
      guard broken.isEmpty else {
        throw DatabaseError.damaged("after \(migration.names[0]) some keys refer to no row")
      }
    }
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
  /// The names under which the change is noted: more than one when it stands for earlier steps.
  package let names: [String]
  package let script: String
}
