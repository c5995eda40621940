extension Schema {
  /// Which members of albums show, kept by triggers, so that the place of the n-th that is seen is found
  /// without looking at photos.
  static let members = """
    ALTER TABLE member ADD COLUMN visible INTEGER NOT NULL DEFAULT 1;

    -- What shows is no news for the export.
    DROP TRIGGER exportMemberSet;
    CREATE TRIGGER exportMemberSet AFTER UPDATE OF album, position, asset ON member BEGIN
      INSERT INTO unexported (kind, key, number)
        SELECT 3, identifier, OLD.position FROM collection WHERE id = OLD.album;
      INSERT INTO unexported (kind, key, number)
        SELECT 3, identifier, NEW.position FROM collection WHERE id = NEW.album;
    END;

    UPDATE member SET visible = 0 WHERE asset IN (
      SELECT id FROM asset WHERE asset.hidden = 1 OR trashedDate IS NOT NULL);
    CREATE INDEX memberVisible ON member (album, position) WHERE visible = 1;

    CREATE TRIGGER memberPlaced AFTER INSERT ON member BEGIN
      UPDATE member SET visible = 0 WHERE album = NEW.album AND position = NEW.position AND EXISTS (
        SELECT 1 FROM asset
        WHERE id = NEW.asset AND (asset.hidden = 1 OR trashedDate IS NOT NULL));
    END;
    CREATE TRIGGER memberReplaced AFTER UPDATE OF asset ON member BEGIN
      UPDATE member SET visible = NOT EXISTS (
        SELECT 1 FROM asset WHERE id = NEW.asset AND (asset.hidden = 1 OR trashedDate IS NOT NULL))
        WHERE album = NEW.album AND position = NEW.position;
    END;
    CREATE TRIGGER memberSeen AFTER UPDATE OF trashedDate, hidden ON asset
      WHEN (OLD.trashedDate IS NULL AND OLD.hidden = 0)
        <> (NEW.trashedDate IS NULL AND NEW.hidden = 0) BEGIN
      UPDATE member SET visible = NEW.trashedDate IS NULL AND NEW.hidden = 0
        WHERE asset = NEW.id;
    END;
    """
}
