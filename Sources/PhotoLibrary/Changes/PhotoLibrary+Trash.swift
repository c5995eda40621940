extension PhotoLibrary {
  /// The assets in the trash, those that were put there last standing first; of those only that
  /// this client may see.
  ///
  /// - Throws: ``PhotoLibraryError`` when the catalog cannot be read.
  public func trashedAssets() throws(PhotoLibraryError) -> [Asset] {
    let snapshot = try snapshots.now()
    let visible = snapshot.access.visibleAssets
    return try snapshot.read { (database) throws(DatabaseError) in
      try database.rows(
        """
        SELECT \(Asset.columns) FROM \(Asset.source)
        WHERE trashedDate IS NOT NULL AND (\(visible.text))
        ORDER BY trashedDate DESC, asset.id
        """, visible.values
      ) { Asset(row: $0) }
    }
  }
}
