extension Schema {
  /// How many photos each camera took, and how many of them are favorites and edited, kept by triggers.
  /// There are few cameras, so that a part of a name is looked for among them and not among the photos.
  static let cameras = """
    CREATE TABLE cameraTally (
      camera TEXT PRIMARY KEY,
      visible INTEGER NOT NULL,
      hidden INTEGER NOT NULL,
      favorites INTEGER NOT NULL,
      edited INTEGER NOT NULL
    ) STRICT, WITHOUT ROWID;
    INSERT INTO cameraTally SELECT camera,
      count(*) FILTER (WHERE asset.hidden = 0),
      count(*) FILTER (WHERE asset.hidden = 1),
      count(*) FILTER (WHERE asset.hidden = 0 AND asset.favorite = 1),
      count(*) FILTER (WHERE asset.hidden = 0 AND asset.adjustmentFormat IS NOT NULL)
      FROM asset WHERE trashedDate IS NULL AND camera IS NOT NULL GROUP BY camera;

    CREATE TRIGGER cameraInserted AFTER INSERT ON asset
      \(counting)
    CREATE TRIGGER cameraDeleted AFTER DELETE ON asset
      \(discounting)
    CREATE TRIGGER cameraLeft AFTER UPDATE OF trashedDate, hidden, camera, favorite,
      adjustmentFormat ON asset
      \(discounting)
    CREATE TRIGGER cameraCame AFTER UPDATE OF trashedDate, hidden, camera, favorite,
      adjustmentFormat ON asset
      \(counting)
    """

  /// What a trigger does that adds a photo to its camera's numbers.
  private static let counting = """
    WHEN NEW.trashedDate IS NULL AND NEW.camera IS NOT NULL BEGIN
      INSERT INTO cameraTally VALUES (NEW.camera, NEW.hidden = 0, NEW.hidden = 1,
        NEW.hidden = 0 AND NEW.favorite = 1,
        NEW.hidden = 0 AND NEW.adjustmentFormat IS NOT NULL)
        ON CONFLICT (camera) DO UPDATE SET
          visible = visible + excluded.visible, hidden = hidden + excluded.hidden,
          favorites = favorites + excluded.favorites, edited = edited + excluded.edited;
    END;
    """

  /// What a trigger does that takes a photo from its camera's numbers.
  private static let discounting = """
    WHEN OLD.trashedDate IS NULL AND OLD.camera IS NOT NULL BEGIN
      UPDATE cameraTally SET
        visible = visible - (OLD.hidden = 0), hidden = hidden - (OLD.hidden = 1),
        favorites = favorites - (OLD.hidden = 0 AND OLD.favorite = 1),
        edited = edited - (OLD.hidden = 0 AND OLD.adjustmentFormat IS NOT NULL)
        WHERE camera = OLD.camera;
    END;
    """
}
