extension Schema {
  /// An index of all three-letter pieces of the originals' names, without case and accents, so that a
  /// name is found by any part of it. It only says which photos may be meant: whether one is, its name
  /// tells. Written by the function `foldedText`, which every connection that writes has.
  ///
  /// What it does not keep are the names themselves, and where in a name a piece stands: it takes 16
  /// bytes for a photo.
  static let names = """
    CREATE VIRTUAL TABLE nameIndex USING fts5 (
      name, content = '', columnsize = 0, detail = none, tokenize = 'trigram case_sensitive 1'
    );
    INSERT INTO nameIndex (rowid, name) SELECT id, foldedText(name) FROM asset;

    CREATE TRIGGER nameInserted AFTER INSERT ON asset BEGIN
      INSERT INTO nameIndex (rowid, name) VALUES (NEW.id, foldedText(NEW.name));
    END;
    CREATE TRIGGER nameDeleted AFTER DELETE ON asset BEGIN
      INSERT INTO nameIndex (nameIndex, rowid, name)
        VALUES ('delete', OLD.id, foldedText(OLD.name));
    END;
    CREATE TRIGGER nameChanged AFTER UPDATE OF name ON asset WHEN NEW.name <> OLD.name BEGIN
      INSERT INTO nameIndex (nameIndex, rowid, name)
        VALUES ('delete', OLD.id, foldedText(OLD.name));
      INSERT INTO nameIndex (rowid, name) VALUES (NEW.id, foldedText(NEW.name));
    END;
    """
}
