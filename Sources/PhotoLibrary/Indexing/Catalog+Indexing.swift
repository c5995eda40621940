import FoundationEssentials
import PhotoEditing

/// What a batch of files did to the catalog.
struct IndexedBatch: Sendable {
  /// The change set's token; `nil` when nothing changed.
  var token: Int64?
  var added = 0
  var updated = 0
  var moved = 0
  var removed = 0
}

extension Catalog {
  /// Takes in a batch of photos: new ones, changed ones, and those that were found elsewhere.
  ///
  /// - Parameters:
  ///   - photos: What was read of their files.
  ///   - roots: The folders that were added by name.
  ///   - restoring: Identifiers by path, for photos whose own cannot be derived; `nil` outside of a
  ///     rebuild, which also takes for the date of addition when the file came to its place.
  func take(
    _ photos: [IndexedPhoto], roots: [FilePath], restoring: [FilePath: String]? = nil
  ) throws(PhotoLibraryError) -> IndexedBatch {
    var batch = IndexedBatch()
    let path = path
    batch.token = try change { (database) throws(PhotoLibraryError) -> [ChangedObject] in
      do throws(DatabaseError) {
        var intake = Intake(database: database, roots: roots, restoring: restoring)
        var changed: [ChangedObject] = []
        for photo in photos {
          if let object = try intake.take(photo, &batch) { changed.append(object) }
        }
        return changed
      } catch {
        throw PhotoLibraryError(error, path)
      }
    }
    return batch
  }

  /// Takes out photos whose files are gone; what only the catalog knew of them is kept for when
  /// they come back.
  ///
  /// - Parameter files: Their rows, and the paths under which they were missed.
  func remove(_ files: [(row: Int64, path: FilePath)]) throws(PhotoLibraryError) -> IndexedBatch {
    var batch = IndexedBatch()
    let path = path
    batch.token = try change { (database) throws(PhotoLibraryError) -> [ChangedObject] in
      do throws(DatabaseError) {
        var changed: [ChangedObject] = []
        for file in files {
          // It may have been found elsewhere meanwhile.
          guard let known = try Departure.Candidate(file.row, database), known.path == file.path,
            try !database.isAwaited(file.path)
          else { continue }
          try Departure.remember(known, database)
          try database.run("DELETE FROM asset WHERE id = ?", file.row)
          changed.append(ChangedObject(kind: .asset, identifier: known.identifier, how: .deleted))
        }
        batch.removed = changed.count
        return changed
      } catch {
        throw PhotoLibraryError(error, path)
      }
    }
    return batch
  }
}

extension Database {
  /// Whether a change set that is decided is still to put a file there.
  fileprivate func isAwaited(_ path: FilePath) throws(DatabaseError) -> Bool {
    let moves: Int? = try value("SELECT count(*) FROM fileMove WHERE target = ?", path.bytes)
    return moves ?? 0 > 0
  }
}

/// Brings photos into the catalog, inside of a transaction.
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

  /// The asset whose file this is, if it stood elsewhere and does not any more: the same file by
  /// inode, size and time, or else the same content.
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
    let values = Self.columns(of: photo)
    // What somebody set stays; on the right stand the values from before.
    try database.run(
      """
      UPDATE asset SET
        creationDate = iif(creationDate IS fileCreationDate, ?14, creationDate),
        latitude = iif(latitude IS fileLatitude AND longitude IS fileLongitude, ?15, latitude),
        longitude = iif(latitude IS fileLatitude AND longitude IS fileLongitude, ?16, longitude),
        size = ?1, modified = ?2, inode = ?3, fingerprint = ?4, format = ?5, pixelWidth = ?6,
        pixelHeight = ?7, orientation = ?8, mediaSubtypes = ?9, camera = ?10,
        modificationDate = ?11, recordModified = ?12, adjustmentFormat = ?13,
        fileCreationDate = ?14, fileLatitude = ?15, fileLongitude = ?16
      WHERE id = ?17
      """, values: values + [row])
    return same != 1
  }

  private func insert(
    _ photo: IndexedPhoto, in folder: Int64
  ) throws(DatabaseError) -> String {
    let derived = derivedIdentifier(of: photo)
    let departed = restoring == nil ? try Departure.match(photo, derived, database) : nil
    let wanted = departed ?? restoring?[photo.path] ?? derived
    let taken: Int =
      try database.value("SELECT count(*) FROM asset WHERE identifier = ?", wanted) ?? 0
    let identifier = taken == 0 ? wanted : LocalIdentifier.random()
    let added = restoring == nil ? Date().timeIntervalSince1970 : Double(photo.trace.changed) / 1e9
    try database.run(
      """
      INSERT INTO asset (size, modified, inode, fingerprint, format, pixelWidth, pixelHeight,
        orientation, mediaSubtypes, camera, modificationDate, recordModified, adjustmentFormat,
        fileCreationDate, fileLatitude, fileLongitude, creationDate, latitude, longitude,
        identifier, isDerived, folder, name, addedDate)
      VALUES (?1, ?2, ?3, ?4, ?5, ?6, ?7, ?8, ?9, ?10, ?11, ?12, ?13, ?14, ?15, ?16, ?14, ?15,
        ?16, ?17, ?18, ?19, ?20, ?21)
      """,
      values: Self.columns(of: photo)
        + [identifier, identifier == derived && isInRoot(photo), folder, photo.name.bytes, added])
    if departed != nil, taken == 0 {
      try Departure.restore(identifier, database.lastInsertedRow, database)
    }
    return identifier
  }

  /// Whether a rebuild finds the photo by itself; single photos it finds by the export.
  private func isInRoot(_ photo: IndexedPhoto) -> Bool {
    roots.contains { photo.folder == $0 || photo.folder.isInside($0) }
  }

  private func derivedIdentifier(of photo: IndexedPhoto) -> String {
    let path = photo.path
    let root = roots.filter { path.isInside($0) }.max { $0.bytes.count < $1.bytes.count }
    return LocalIdentifier.derived(from: root.map { path.relative(to: $0) } ?? path)
  }

  private static func columns(of photo: IndexedPhoto) -> [any DatabaseConvertible] {
    [
      photo.trace.size, photo.trace.modified, photo.trace.inode, photo.fingerprint,
      photo.format.rawValue, photo.pixelWidth, photo.pixelHeight, photo.orientation,
      photo.subtypes.rawValue, photo.camera, photo.modificationDate, photo.sidecar?.modified,
      photo.sidecar?.adjustmentFormat, photo.creationDate, photo.latitude, photo.longitude,
    ]
  }
}
