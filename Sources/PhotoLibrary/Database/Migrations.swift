/// Named steps from one form of a database to the next, each in a transaction of its own.
///
/// A step is never changed once it was released. The names of those that were done stand in the
/// table `migration`; a name that this program does not know means that a newer one was here.
struct Migrations {
  struct Step {
    let name: String
    let script: String
  }

  let steps: [Step]

  /// What keeps a database from being used.
  enum Failure: Error {
    /// It has steps of a newer program; they are named.
    case newer([String])
    case database(DatabaseError)
  }

  /// Throws when a database is of a newer form; writes nothing.
  func check(_ database: Database) throws(Failure) {
    let known = Set(steps.map(\.name))
    let unknown = try done(in: database).filter { !known.contains($0) }
    guard unknown.isEmpty else { throw .newer(unknown) }
  }

  /// Brings a database to the newest form; one that is newer is not touched.
  func run(on database: Database) throws(Failure) {
    try check(database)
    let done = try done(in: database)
    for step in steps where !done.contains(step.name) {
      try database.transaction { () throws(Failure) in
        do throws(DatabaseError) {
          // Another process may have done it while this one waited for its turn.
          try database.run(
            script: "CREATE TABLE IF NOT EXISTS migration (name TEXT PRIMARY KEY) STRICT")
          let count: Int =
            try database.value("SELECT count(*) FROM migration WHERE name = ?", step.name) ?? 0
          guard count == 0 else { return }
          try database.run(script: step.script)
          try database.run("INSERT INTO migration (name) VALUES (?)", step.name)
          let broken = try database.rows("PRAGMA foreign_key_check") { $0.value(0) }
          precondition(broken.isEmpty, "\(step.name) leaves keys that lead nowhere")
        } catch {
          throw .database(error)
        }
      } failing: { error in
        .database(error)
      }
    }
  }

  private func done(in database: Database) throws(Failure) -> [String] {
    do {
      let table: Int? = try database.value(
        "SELECT count(*) FROM sqlite_schema WHERE type = 'table' AND name = 'migration'")
      guard table == 1 else { return [] }
      return try database.rows("SELECT name FROM migration") { $0[0] }
    } catch {
      throw .database(error)
    }
  }
}
