import FoundationEssentials
import PhotoEditing

extension ChangeWriter {
  /// Writes down a new asset whose files wait on the stage.
  func create(_ identifier: String) throws(PhotoLibraryError) {
    guard let asset = stage?.assets[identifier] else { throw .missingResource(identifier) }
    // The originals are looked through for changes like any folder that was added.
    try run(
      "INSERT INTO folder (path, isRoot) VALUES (?, 1) ON CONFLICT (path) DO NOTHING",
      originals.bytes)
    try run("INSERT OR IGNORE INTO folder (path) VALUES (?)", asset.folder.bytes)
    let folders = try rows("SELECT id FROM folder WHERE path = ?", asset.folder.bytes) {
      $0[0] as Int64
    }
    guard let folder = folders.first else { throw .catalog(path, detail: "a folder is missing") }
    let seen = asset.seen
    try run(
      """
      INSERT INTO asset (identifier, folder, name, size, modified, inode, format, pixelWidth,
        pixelHeight, orientation, camera, fileCreationDate, fileLatitude, fileLongitude,
        creationDate, modificationDate, addedDate, latitude, longitude, recordModified,
        adjustmentFormat, mediaSubtypes, fingerprint)
      VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)
      """, identifier, folder, asset.name.bytes, seen.size, seen.modified, seen.inode,
      seen.format.rawValue, seen.pixelWidth, seen.pixelHeight, seen.orientation, seen.camera,
      seen.creationDate, seen.location?.latitude, seen.location?.longitude, seen.creationDate,
      seen.modificationDate, date, seen.location?.latitude, seen.location?.longitude,
      seen.recordModified,
      seen.adjustmentFormat, seen.subtypes.rawValue, seen.fingerprint)
    for file in asset.files {
      try run(
        "INSERT INTO fileMove (kind, source, target) VALUES (?, ?, ?)",
        FileMoves.Kind.intoPlace.rawValue, asset.stageFolder.appending(file).bytes,
        asset.folder.appending(file).bytes)
    }
    note(.asset, identifier, .inserted)
  }
}
