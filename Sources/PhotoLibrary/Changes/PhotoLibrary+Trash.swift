extension PhotoLibrary {
  /// The assets in the trash, those that were put there last standing first.
  ///
  /// - Throws: ``PhotoLibraryError`` when the catalogue cannot be read.
  public func trashedAssets() throws(PhotoLibraryError) -> [Asset] {
    try snapshots.now().read { (database) throws(DatabaseError) in
      try database.rows(
        """
        SELECT \(Asset.columns) FROM \(Asset.source) WHERE trashedDate IS NOT NULL
        ORDER BY trashedDate DESC, asset.id
        """
      ) { Asset(row: $0) }
    }
  }
}
