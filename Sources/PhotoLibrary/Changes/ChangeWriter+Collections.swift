import FoundationEssentials
import SafelightFiles

extension ChangeWriter {
  func createCollection(
    _ identifier: String, title: String, isList: Bool
  ) throws(PhotoLibraryError) {
    try checkTitle(title, of: identifier)
    try run(
      """
      INSERT INTO collection (identifier, isList, title, position, creationDate)
      VALUES (?, ?, ?, (SELECT coalesce(max(position), 0) + 65536 FROM collection
        WHERE list IS NULL), ?)
      """, identifier, isList, title, date)
    note(isList ? .list : .album, identifier, was: .inserted)
  }

  func rename(
    _ identifier: String, title: String, isList: Bool
  ) throws(PhotoLibraryError) {
    try checkTitle(title, of: identifier)
    let row = try collectionRow(identifier, isList: isList)
    try run("UPDATE collection SET title = ? WHERE id = ?", title, row)
    note(isList ? .list : .album, identifier, was: .updated)
  }

  private func checkTitle(
    _ title: String, of identifier: String
  ) throws(PhotoLibraryError) {
    if title.allSatisfy(\.isWhitespace) || title.utf8.contains(0) {
      throw .changeNotSupported("The title of \(identifier) is empty or has a NUL in it.")
    }
  }

  func deleteCollections(_ identifiers: [String], isList: Bool) throws(PhotoLibraryError) {
    for identifier in identifiers {
      let row = try collectionRow(identifier, isList: isList)
      let gone = try descendants(of: row)
      for (_, identifier, isList) in gone {
        note(isList ? .list : .album, identifier, was: .deleted)
      }
      let parents = try rows(
        "SELECT identifier FROM collection WHERE id = (SELECT list FROM collection WHERE id = ?)",
        row
      ) { $0[0] as String }
      for parent in parents { note(.list, parent, was: .updated) }
      // Members first: a list cannot be deleted while other rows refer to it.
      for (row, _, _) in gone.reversed() { try run("DELETE FROM collection WHERE id = ?", row) }
    }
  }

  /// A collection and everything in it, each after the list that it is in.
  func descendants(
    of row: Int64
  ) throws(PhotoLibraryError) -> [(row: Int64, identifier: String, isList: Bool)] {
    try rows(
      """
      WITH RECURSIVE inside (id, depth) AS (
        VALUES (?, 0)
        UNION ALL
        SELECT collection.id, depth + 1 FROM collection JOIN inside ON collection.list = inside.id
        -- In a damaged catalog a list may be inside itself.
        WHERE depth < 1000
      )
      SELECT collection.id, identifier, isList FROM inside JOIN collection USING (id)
      ORDER BY depth
      """, row
    ) { ($0[0], $0[1], $0[2]) }
  }

  /// Changes the order of a list's albums and lists, or of the top level.
  func arrangeList(_ request: ContainerArrangement) throws(PhotoLibraryError) {
    var list: Int64?
    if let container = request.container { list = try collectionRow(container, isList: true) }
    let before = try children(of: list)
    let arrangement = try request.arrangement.map {
      (identifier) throws(PhotoLibraryError) in try anyCollectionRow(identifier)
    }
    let view = before.map(\.row)
    let after = try applied(arrangement, to: view, in: "collection")
    let gone = Set(view).subtracting(after)
    guard gone.isEmpty || list != nil else {
      throw .changeNotSupported(
        "Albums and lists at the top level can be deleted, but not removed.")
    }
    let new = Set(after).subtracting(view)
    if let list {
      let above = try rows(
        """
        WITH RECURSIVE above (id) AS (
          VALUES (?) UNION SELECT list FROM collection JOIN above USING (id)
          WHERE list IS NOT NULL
        ) SELECT id FROM above
        """, list
      ) { $0[0] as Int64 }
      guard new.isDisjoint(with: above) else {
        throw .changeNotSupported("A list cannot be put into itself.")
      }
    }
    for row in new { try noteMove(of: row) }
    let old = Dictionary(before.map { ($0.row, $0.position) }) { first, _ in first }
    for (row, position) in zip(after, spaced(after, keeping: old)) where old[row] != position {
      try run("UPDATE collection SET list = ?, position = ? WHERE id = ?", list, position, row)
    }
    for row in view where gone.contains(row) {
      try run(
        """
        UPDATE collection SET list = NULL, position = (
          SELECT coalesce(max(position), 0) + 65536 FROM collection WHERE list IS NULL)
        WHERE id = ?
        """, row)
      try noteMove(of: row)
    }
    if let container = request.container { note(.list, container, was: .updated) }
  }

  /// Notes that a collection moved, and that the list which it is in now changed.
  private func noteMove(of row: Int64) throws(PhotoLibraryError) {
    let moved = try rows(
      """
      SELECT child.identifier, child.isList, parent.identifier FROM collection AS child
      LEFT JOIN collection AS parent ON parent.id = child.list WHERE child.id = ?
      """, row
    ) { (identifier: $0[0] as String, isList: $0[1] as Bool, parent: $0[2] as String?) }
    for collection in moved {
      note(collection.isList ? .list : .album, collection.identifier, was: .updated)
      if let parent = collection.parent { note(.list, parent, was: .updated) }
    }
  }

  private func children(
    of list: Int64?
  ) throws(PhotoLibraryError) -> [(row: Int64, position: Int64)] {
    try rows("SELECT id, position FROM collection WHERE list IS ? ORDER BY position, id", list) {
      ($0[0], $0[1])
    }
  }

  private func anyCollectionRow(_ identifier: String) throws(PhotoLibraryError) -> Int64 {
    let found = try rows("SELECT id FROM collection WHERE identifier = ?", identifier) {
      $0[0] as Int64
    }
    guard let row = found.first else { throw .identifierNotFound(identifier) }
    return row
  }
}
