import PhotoEditing

extension PhotoLibrary {
  /// Fetches the assets whose originals stand at some paths; hidden ones too, those in the trash not.
  ///
  /// - Parameter paths: The files; relative ones too, and symbolic links are followed.
  /// - Returns: What was found for each path, in their order; `nil` where no asset is.
  /// - Throws: ``PhotoLibraryError``.
  public func fetchAssets(at paths: [FilePath]) throws(PhotoLibraryError) -> [Asset?] {
    let snapshot = try snapshots.now()
    let identifiers = try snapshot.read { (database) throws(DatabaseError) -> [String?] in
      try paths.map { (path) throws(DatabaseError) -> String? in
        let path = path.resolved ?? path
        return try database.value(
          """
          SELECT asset.identifier FROM asset JOIN folder ON folder.id = asset.folder
          WHERE folder.path = ? AND asset.name = ? AND trashedDate IS NULL
          """, path.removingLastComponent().bytes, path.lastComponent?.bytes ?? [])
      }
    }
    // What may be seen is decided where everything else is fetched.
    var found: [String: Asset] = [:]
    for asset in try fetchAssets(withLocalIdentifiers: identifiers.compactMap(\.self)) {
      found[asset.localIdentifier] = asset
    }
    return identifiers.map { identifier in identifier.flatMap { found[$0] } }
  }
}
