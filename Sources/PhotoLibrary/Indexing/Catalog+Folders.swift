import FoundationEssentials
import PhotoEditing

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

  /// The files of a folder.
  func files(in folder: Int64) throws(PhotoLibraryError) -> [KnownFile] {
    try read { (database) throws(DatabaseError) in
      try database.rows(
        """
        SELECT id, name, size, modified, inode, recordModified, trashedDate IS NOT NULL
        FROM asset WHERE folder = ?
        """, [folder]
      ) { row in
        KnownFile(
          row: row[0], name: FilePath(bytes: row[1] as [UInt8]), size: row[2], modified: row[3],
          inode: row[4], recordModified: row[5], isTrashed: row[6])
      }
    }
  }

  /// Notes folders that were added by name.
  func addRoots(_ paths: [FilePath]) throws(PhotoLibraryError) {
    let path = path
    try change { (database) throws(PhotoLibraryError) -> [ChangedObject] in
      do throws(DatabaseError) {
        for root in paths {
          try database.run(
            """
            INSERT INTO folder (path, isRoot) VALUES (?, 1)
            ON CONFLICT (path) DO UPDATE SET isRoot = 1
            """, root.bytes)
        }
        return []
      } catch {
        throw PhotoLibraryError(error, path)
      }
    }
  }

  /// Notes that folders that were added by name do not count any more.
  func forgetRoots(_ paths: [FilePath]) throws(PhotoLibraryError) {
    let path = path
    try change { (database) throws(PhotoLibraryError) -> [ChangedObject] in
      do throws(DatabaseError) {
        for root in paths {
          try database.run(
            "UPDATE folder SET isRoot = 0, listed = NULL WHERE path = ?", root.bytes)
        }
        return []
      } catch {
        throw PhotoLibraryError(error, path)
      }
    }
  }

  /// Notes when folders were listed, and makes those that are new; and forgets those that are gone
  /// and that no asset refers to.
  func note(
    listed folders: [FilePath: Int64?], gone: [FilePath] = []
  ) throws(PhotoLibraryError) {
    guard !folders.isEmpty || !gone.isEmpty else { return }
    let path = path
    try change { (database) throws(PhotoLibraryError) -> [ChangedObject] in
      do throws(DatabaseError) {
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
        return []
      } catch {
        throw PhotoLibraryError(error, path)
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
