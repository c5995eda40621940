import FoundationEssentials
import SafelightCatalog
import SafelightFiles

/// A folder in the catalog.
struct KnownFolder: Sendable, Hashable {
  let row: Int64
  let path: FilePath
  /// Whether the folder was added by name.
  let isRoot: Bool
  /// The folder's modification time in nanoseconds when it was last listed.
  let listed: Int64?
  /// What is left out of a folder that was added by name.
  let excluded: FolderRules
  /// The digest of the rules by which the folder was last listed.
  let rules: [UInt8]?
}

/// How a scan listed a folder.
struct FolderListing: Sendable {
  /// The folder's modification time in nanoseconds; `nil` when it does not tell whether the folder changed since.
  let listed: Int64?
  /// The digest of the rules.
  let rules: [UInt8]?
}

extension Catalog {
  /// All folders, in no particular order.
  func folders() throws(PhotoLibraryError) -> [KnownFolder] {
    try read { database in
      try database.rows("SELECT id, path, isRoot, listed, excludes, rules FROM folder") {
        (row: Row) -> KnownFolder in
        let lines: [UInt8]? = row[4]
        return KnownFolder(
          row: row[0], path: FilePath(bytes: row[1] as [UInt8]), isRoot: row[2], listed: row[3],
          excluded: FolderRules(lines: lines ?? []), rules: row[5])
      }
    }
  }

  /// The photos of a folder.
  func files(in folder: Int64) throws(PhotoLibraryError) -> [KnownFile] {
    try read { database in
      try database.rows(
        "SELECT \(KnownFile.columns.sql) FROM asset WHERE folder = ?", [folder],
        element: KnownFile.init)
    }
  }

  /// Adds folders by name.
  func addRoots(_ paths: [FilePath]) throws(PhotoLibraryError) {
    try update { database in
      for root in paths {
        try database.run(
          """
          INSERT INTO folder (path, isRoot) VALUES (?, 1)
          ON CONFLICT (path) DO UPDATE SET isRoot = 1
          """, root.bytes)
      }
    }
  }

  /// Says what is left out of folders that were added by name.
  ///
  /// - Parameter isAddition: Whether the rules come to those that each folder has.
  func exclude(
    _ rules: FolderRules, from roots: [FilePath], isAddition: Bool
  ) throws(PhotoLibraryError) {
    try update { database in
      for root in roots {
        let present =
          try database.rows("SELECT excludes FROM folder WHERE path = ?", [root.bytes]) {
            (row: Row) -> [UInt8]? in row[0]
          }.first ?? nil
        let known = FolderRules(lines: isAddition ? present ?? [] : [])
        let lines = known.adding(rules.placed(at: root)).lines
        let new = lines.isEmpty ? nil : lines
        guard new != present else { continue }
        try database.run(
          "UPDATE folder SET excludes = ? WHERE path = ? AND isRoot = 1", new, root.bytes)
      }
    }
  }

  /// Makes folders that were added by name ordinary folders.
  func forgetRoots(_ paths: [FilePath]) throws(PhotoLibraryError) {
    try update { database in
      for root in paths {
        try database.run(
          "UPDATE folder SET isRoot = 0, listed = NULL, excludes = NULL WHERE path = ?",
          root.bytes)
      }
    }
  }

  /// Stores when folders were listed, and adds new folders. Removes folders that are gone and have no assets.
  func note(
    listed folders: [FilePath: FolderListing], gone: [FilePath] = []
  ) throws(PhotoLibraryError) {
    guard !folders.isEmpty || !gone.isEmpty else { return }
    try update { database in
      for (folder, listing) in folders {
        try database.run(
          """
          INSERT INTO folder (path, listed, rules) VALUES (?, ?, ?)
          ON CONFLICT (path) DO UPDATE SET listed = excluded.listed, rules = excluded.rules
          """, folder.bytes, listing.listed, listing.rules)
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
  /// The row of the asset whose original is at a path; `nil` when there is none.
  func row(of path: FilePath) throws(PhotoLibraryError) -> Int64? {
    try read { database in try database.value(of: .id, at: path) }
  }
}

extension Database {
  /// A column of the asset whose original is at a path; `nil` when there is none, or only in the trash.
  func value<Value: DatabaseConvertible>(
    of column: AssetColumn, at path: FilePath
  ) throws(DatabaseError) -> Value? {
    try value(
      """
      SELECT asset.\(column.name) FROM asset JOIN folder ON folder.id = asset.folder
      WHERE folder.path = ? AND asset.name = ? AND trashedDate IS NULL
      """, path.removingLastComponent().bytes, path.lastComponent?.bytes ?? [])
  }
}

/// The result of writing or removing a batch of photos.
struct IndexedBatch: Sendable {
  /// The change set's token; `nil` when nothing changed.
  var token: Int64?
  var added = 0
  var updated = 0
  var moved = 0
  var removed = 0
  /// New photos that were passed over, because Safelight made them.
  var exports = 0
  /// Photos that were not written, because only the end of the scan shows which assets they are.
  var unsettled: [IndexedPhoto] = []
}

extension Catalog {
  /// Writes a batch of photos that are new, have changed or have moved, in one change set.
  ///
  /// - Parameters:
  ///   - photos: The facts from their files.
  ///   - roots: The folders that were added by name.
  ///   - restoring: In a rebuild, what the export tells of assets; `nil` outside of a rebuild. In a rebuild the date of addition is the date on which the file came to its
  ///     place.
  ///   - settling: Whether to write unsettled photos, too.
  func write(
    _ photos: [IndexedPhoto], roots: [FilePath], restoring: RestoredAssets? = nil,
    settling: Bool = false
  ) throws(PhotoLibraryError) -> IndexedBatch {
    var batch = IndexedBatch()
    let token = try change { database in
      var writer = PhotoWriter(database: database, roots: roots, restoring: restoring)
      try writer.write(photos)
      if settling { try writer.settle() }
      batch = writer.batch
      return writer.changed
    }
    batch.token = token
    return batch
  }

  /// Removes photos whose files are gone. The catalog keeps what only it knew about them, for the day on
  /// which the photos come back.
  ///
  /// - Parameter files: The rows, and the paths at which the files were missing.
  func remove(_ files: [(row: Int64, path: FilePath)]) throws(PhotoLibraryError) -> IndexedBatch {
    var batch = IndexedBatch()
    batch.token = try change { database in
      var changed: [ChangedObject] = []
      for file in files {
        // Meanwhile the photo may have been found at another path.
        let known = try KnownAsset.all(where: "asset.id = ?", file.row, in: database).first
        guard let known, known.path == file.path, try !database.isAwaited(file.path) else {
          continue
        }
        try Tombstone.keep(
          file.row, fingerprint: known.picture ?? known.fingerprint, in: database)
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
  /// Whether a decided change set still has to put a file at a path.
  fileprivate func isAwaited(_ path: FilePath) throws(DatabaseError) -> Bool {
    let moves: Int? = try value("SELECT count(*) FROM fileMove WHERE target = ?", path.bytes)
    return moves ?? 0 > 0
  }
}

/// The identifiers of assets, in PhotoKit's form: a UUID and `/L0/001`.
///
/// The identifier of a photo in an added folder comes from the path at which the photo was first found,
/// relative to that folder. So a rebuild gives the photo the same identifier. The export has the identifiers
/// of photos that were moved later.
enum LocalIdentifier {
  /// The identifier of a photo that was first found at a path: a UUID of version 8 from the first 16 bytes of
  /// the SHA-256 of the path's bytes (RFC 9562, section 5.8).
  static func derived(from relative: FilePath) -> String {
    var bytes = SHA256.digest(of: relative.bytes).bytes
    bytes[6] = bytes[6] & 0x0F | 0x80
    bytes[8] = bytes[8] & 0x3F | 0x80
    var digits = Digest(bytes: bytes).description.uppercased()[...]
    let groups = [8, 4, 4, 4, 12].map { count in
      defer { digits = digits.dropFirst(count) }
      return digits.prefix(count)
    }
    return groups.joined(separator: "-") + "/L0/001"
  }

  /// A new identifier.
  static func random() -> String { UUID().uuidString + "/L0/001" }
}
