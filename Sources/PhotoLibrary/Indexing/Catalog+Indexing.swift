import FoundationEssentials
import PhotoEditing
import SafelightCatalog
import SafelightFiles

/// A folder as the catalog knows it.
struct KnownFolder: Sendable, Hashable {
  let row: Int64
  let path: FilePath
  let isRoot: Bool
  let listed: Int64?
}

extension Catalog {
  /// All folders, in no particular order.
  func folders() throws(PhotoLibraryError) -> [KnownFolder] {
    try read { (database) throws(DatabaseError) in
      try database.rows("SELECT id, path, isRoot, listed FROM folder") { row in
        KnownFolder(
          row: row[0], path: FilePath(bytes: row[1] as [UInt8]), isRoot: row[2], listed: row[3])
      }
    }
  }

  /// The photos of a folder.
  func files(in folder: Int64) throws(PhotoLibraryError) -> [KnownFile] {
    try read { (database) throws(DatabaseError) in
      try database.rows(
        "SELECT \(KnownFile.columns.sql) FROM asset WHERE folder = ?", [folder], KnownFile.init)
    }
  }

  /// Adds folders that somebody named.
  func addRoots(_ paths: [FilePath]) throws(PhotoLibraryError) {
    try update { (database) throws(DatabaseError) in
      for root in paths {
        try database.run(
          """
          INSERT INTO folder (path, isRoot) VALUES (?, 1)
          ON CONFLICT (path) DO UPDATE SET isRoot = 1
          """, root.bytes)
      }
    }
  }

  /// Removes folders from those that somebody named.
  func forgetRoots(_ paths: [FilePath]) throws(PhotoLibraryError) {
    try update { (database) throws(DatabaseError) in
      for root in paths {
        try database.run(
          "UPDATE folder SET isRoot = 0, listed = NULL WHERE path = ?", root.bytes)
      }
    }
  }

  /// Writes down when folders were listed, and adds new ones. Forgets folders that are gone, unless an
  /// asset is in them.
  func note(
    listed folders: [FilePath: Int64?], gone: [FilePath] = []
  ) throws(PhotoLibraryError) {
    guard !folders.isEmpty || !gone.isEmpty else { return }
    try update { (database) throws(DatabaseError) in
      for (folder, listed) in folders {
        try database.run(
          """
          INSERT INTO folder (path, listed) VALUES (?, ?)
          ON CONFLICT (path) DO UPDATE SET listed = excluded.listed
          """, folder.bytes, listed)
      }
      for folder in gone {
        try database.run(
          """
          DELETE FROM folder WHERE path = ? AND isRoot = 0
          AND NOT EXISTS (SELECT 1 FROM asset WHERE asset.folder = folder.id)
          """, folder.bytes)
      }
    }
  }
}

extension Catalog {
  /// The row of the asset whose original stands at a path; `nil` when there is none.
  func row(of path: FilePath) throws(PhotoLibraryError) -> Int64? {
    try read { (database) throws(DatabaseError) in
      try database.value(
        """
        SELECT asset.id FROM asset JOIN folder ON folder.id = asset.folder
        WHERE folder.path = ? AND asset.name = ? AND trashedDate IS NULL
        """, path.removingLastComponent().bytes, path.lastComponent?.bytes ?? [])
    }
  }
}

/// What a batch of files changed in the catalog.
struct IndexedBatch: Sendable {
  /// The change set's token; `nil` when nothing changed.
  var token: Int64?
  var added = 0
  var updated = 0
  var moved = 0
  var removed = 0
}

extension Catalog {
  /// Adds a batch of photos: new ones, changed ones, and photos that were found at another place.
  ///
  /// - Parameters:
  ///   - photos: What was read of their files.
  ///   - roots: The folders that were added by name.
  ///   - restoring: In a rebuild, the identifiers of photos that their paths do not give, by path. A
  ///     rebuild takes the date on which the file came to its place for the date of addition. `nil` outside
  ///     of a rebuild.
  func take(
    _ photos: [IndexedPhoto], roots: [FilePath], restoring: [FilePath: String]? = nil
  ) throws(PhotoLibraryError) -> IndexedBatch {
    var batch = IndexedBatch()
    batch.token = try write { (database) throws(DatabaseError) -> [ChangedObject] in
      var intake = Intake(database: database, roots: roots, restoring: restoring)
      var changed: [ChangedObject] = []
      for photo in photos {
        if let object = try intake.take(photo, &batch) { changed.append(object) }
      }
      return changed
    }
    return batch
  }

  /// Removes photos whose files are gone. What only the catalog knew of them is kept for when they come
  /// back.
  ///
  /// - Parameter files: Their rows, and the paths at which the files were missing.
  func remove(_ files: [(row: Int64, path: FilePath)]) throws(PhotoLibraryError) -> IndexedBatch {
    var batch = IndexedBatch()
    batch.token = try write { (database) throws(DatabaseError) -> [ChangedObject] in
      var changed: [ChangedObject] = []
      for file in files {
        // Somebody may have found the photo elsewhere meanwhile.
        guard let known = try Departure.Candidate(row: file.row, in: database),
          known.path == file.path,
          try !database.isAwaited(file.path)
        else { continue }
        try Departure.remember(known, in: database)
        try database.run("DELETE FROM asset WHERE id = ?", file.row)
        changed.append(ChangedObject(kind: .asset, identifier: known.identifier, how: .deleted))
      }
      batch.removed = changed.count
      return changed
    }
    return batch
  }
}

extension Database {
  /// Whether a change set that is decided will put a file at a path.
  fileprivate func isAwaited(_ path: FilePath) throws(DatabaseError) -> Bool {
    let moves: Int? = try value("SELECT count(*) FROM fileMove WHERE target = ?", path.bytes)
    return moves ?? 0 > 0
  }
}

/// Adds photos to the catalog, inside a transaction.
private struct Intake {
  let database: Database
  let roots: [FilePath]
  let restoring: [FilePath: String]?
  private var folders: [FilePath: Int64] = [:]

  init(database: Database, roots: [FilePath], restoring: [FilePath: String]?) {
    (self.database, self.roots, self.restoring) = (database, roots, restoring)
  }

  mutating func take(
    _ photo: IndexedPhoto, _ batch: inout IndexedBatch
  ) throws(DatabaseError) -> Catalog.ChangedObject? {
    let folder = try row(of: photo.folder)
    if let known = try asset(in: folder, photo.name) {
      batch.updated += 1
      let changed = try update(known.row, with: photo)
      return .init(
        kind: .asset, identifier: known.identifier, how: .updated, contentChanged: changed)
    }
    if let known = try moved(photo) {
      batch.moved += 1
      let isDerived = known.identifier == derivedIdentifier(of: photo) && isInRoot(photo)
      try database.run(
        "UPDATE asset SET folder = ?, name = ?, isDerived = ? WHERE id = ?", folder,
        photo.name.bytes, isDerived, known.row)
      let changed = try update(known.row, with: photo)
      return .init(
        kind: .asset, identifier: known.identifier, how: .updated, contentChanged: changed)
    }
    batch.added += 1
    return .init(kind: .asset, identifier: try insert(photo, in: folder), how: .inserted)
  }

  private mutating func row(of folder: FilePath) throws(DatabaseError) -> Int64 {
    if let row = folders[folder] { return row }
    try database.run("INSERT OR IGNORE INTO folder (path) VALUES (?)", folder.bytes)
    let row: Int64 =
      try database.value("SELECT id FROM folder WHERE path = ?", folder.bytes) ?? 0
    folders[folder] = row
    return row
  }

  private func asset(
    in folder: Int64, _ name: FilePath
  ) throws(DatabaseError) -> (row: Int64, identifier: String)? {
    let found = try database.rows(
      "SELECT id, identifier FROM asset WHERE folder = ? AND name = ?", [folder, name.bytes]
    ) { (row: Row) -> (row: Int64, identifier: String) in (row[0], row[1]) }
    return found.first
  }

  /// The asset whose original this file is, when the original left its place: the same file by inode, size
  /// and time, or else the same content.
  private func moved(
    _ photo: IndexedPhoto
  ) throws(DatabaseError) -> (row: Int64, identifier: String)? {
    let source = """
      SELECT asset.id, asset.identifier, folder.path, asset.name, asset.modified FROM asset
      JOIN folder ON folder.id = asset.folder WHERE asset.trashedDate IS NULL AND
      """
    func candidates(
      _ condition: String, _ values: [any DatabaseConvertible]
    ) throws(DatabaseError) -> [(row: Int64, identifier: String, path: FilePath, modified: Int64)] {
      try database.rows("\(source) \(condition)", values) {
        (row: Row) -> (row: Int64, identifier: String, path: FilePath, modified: Int64) in
        let folder = FilePath(bytes: row[2] as [UInt8])
        return (row[0], row[1], folder.appending(FilePath(bytes: row[3] as [UInt8])), row[4])
      }
    }
    let trace = photo.trace
    for one in try candidates("asset.inode = ? AND asset.size = ?", [trace.inode, trace.size])
    where one.modified == trace.modified && FileTrace(one.path)?.inode != trace.inode {
      return (one.row, one.identifier)
    }
    for one in try candidates(
      "asset.fingerprint = ? AND asset.size = ?", [photo.fingerprint, trace.size])
    where FileTrace(one.path) == nil {
      return (one.row, one.identifier)
    }
    return nil
  }

  /// - Returns: Whether the pixels that are shown changed.
  private func update(_ row: Int64, with photo: IndexedPhoto) throws(DatabaseError) -> Bool {
    let same: Int? = try database.value(
      """
      SELECT fingerprint IS ? AND adjustmentFormat IS ? AND recordModified IS ?
      FROM asset WHERE id = ?
      """, photo.fingerprint, photo.sidecar?.adjustmentFormat, photo.sidecar?.modified, row)
    try photo.facts.update(row, in: database)
    return same != 1
  }

  private func insert(
    _ photo: IndexedPhoto, in folder: Int64
  ) throws(DatabaseError) -> String {
    let derived = derivedIdentifier(of: photo)
    let departed =
      restoring == nil
      ? try Departure.match(
        fingerprint: photo.fingerprint, derived: derived, in: database)
      : nil
    let wanted = departed ?? restoring?[photo.path] ?? derived
    let taken: Int =
      try database.value("SELECT count(*) FROM asset WHERE identifier = ?", wanted) ?? 0
    let identifier = taken == 0 ? wanted : LocalIdentifier.random()
    let added = restoring == nil ? Date().timeIntervalSince1970 : Double(photo.trace.changed) / 1e9
    try photo.facts.insert(
      identifier, at: (folder, photo.name.bytes),
      isDerived: identifier == derived && isInRoot(photo), addedDate: added, into: database)
    if departed != nil, taken == 0 {
      try Departure.restore(identifier, to: database.lastInsertedRow, in: database)
    }
    return identifier
  }

  /// Whether a rebuild finds the photo by its folder. It finds single photos by the export.
  private func isInRoot(_ photo: IndexedPhoto) -> Bool {
    roots.contains { photo.folder == $0 || photo.folder.isInside($0) }
  }

  private func derivedIdentifier(of photo: IndexedPhoto) -> String {
    let path = photo.path
    let root = roots.filter { path.isInside($0) }.max { $0.bytes.count < $1.bytes.count }
    return LocalIdentifier.derived(from: root.map { path.relative(to: $0) } ?? path)
  }
}
