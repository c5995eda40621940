extension Schema {
  /// The indexes of favorites and of edited photos, with what is asked of them besides: then no row
  /// is looked at for it.
  static let coverage = """
    DROP INDEX assetFavorite;
    CREATE INDEX assetFavorite ON asset (
      creationDate, id, hidden, adjustmentFormat, mediaSubtypes, pixelWidth, pixelHeight, camera
    ) WHERE trashedDate IS NULL AND favorite = 1;
    DROP INDEX assetEdited;
    CREATE INDEX assetEdited ON asset (
      creationDate, id, hidden, favorite, mediaSubtypes, pixelWidth, pixelHeight, camera,
      adjustmentFormat
    ) WHERE trashedDate IS NULL AND adjustmentFormat IS NOT NULL;
    """
}
