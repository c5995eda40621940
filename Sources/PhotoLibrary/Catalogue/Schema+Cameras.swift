extension Schema {
  /// How many photos each camera took, kept by triggers: there are few cameras, so that a part of a
  /// name is looked for among them and not among the photos.
  static let cameras = """
    CREATE TABLE cameraTally (
      camera TEXT PRIMARY KEY,
      visible INTEGER NOT NULL,
      hidden INTEGER NOT NULL
    ) STRICT, WITHOUT ROWID;
    INSERT INTO cameraTally SELECT camera, count(*) FILTER (WHERE asset.hidden = 0),
      count(*) FILTER (WHERE asset.hidden = 1)
      FROM asset WHERE trashedDate IS NULL AND camera IS NOT NULL GROUP BY camera;

    CREATE TRIGGER cameraInserted AFTER INSERT ON asset
      WHEN NEW.trashedDate IS NULL AND NEW.camera IS NOT NULL BEGIN
      INSERT INTO cameraTally VALUES (NEW.camera, NEW.hidden = 0, NEW.hidden = 1)
        ON CONFLICT (camera) DO UPDATE SET
          visible = visible + excluded.visible, hidden = hidden + excluded.hidden;
    END;
    CREATE TRIGGER cameraDeleted AFTER DELETE ON asset
      WHEN OLD.trashedDate IS NULL AND OLD.camera IS NOT NULL BEGIN
      UPDATE cameraTally SET
        visible = visible - (OLD.hidden = 0), hidden = hidden - (OLD.hidden = 1)
        WHERE camera = OLD.camera;
    END;
    CREATE TRIGGER cameraLeft AFTER UPDATE OF trashedDate, hidden, camera ON asset
      WHEN OLD.trashedDate IS NULL AND OLD.camera IS NOT NULL BEGIN
      UPDATE cameraTally SET
        visible = visible - (OLD.hidden = 0), hidden = hidden - (OLD.hidden = 1)
        WHERE camera = OLD.camera;
    END;
    CREATE TRIGGER cameraCame AFTER UPDATE OF trashedDate, hidden, camera ON asset
      WHEN NEW.trashedDate IS NULL AND NEW.camera IS NOT NULL BEGIN
      INSERT INTO cameraTally VALUES (NEW.camera, NEW.hidden = 0, NEW.hidden = 1)
        ON CONFLICT (camera) DO UPDATE SET
          visible = visible + excluded.visible, hidden = hidden + excluded.hidden;
    END;
    """
}
