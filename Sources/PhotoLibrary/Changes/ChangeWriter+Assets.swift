import FoundationEssentials
import Glibc
import PhotoEditing

extension ChangeWriter {
  func change(_ identifier: String, _ step: AssetStep) throws(PhotoLibraryError) {
    let row = try assetRow(identifier)
    switch step {
    case .favorite(let isFavorite):
      try run("UPDATE asset SET favorite = ? WHERE id = ?", isFavorite, row)
    case .hidden(let isHidden):
      try run("UPDATE asset SET hidden = ? WHERE id = ?", isHidden, row)
    case .creationDate(let date):
      if let date { try Self.check(date, of: identifier) }
      try run(
        "UPDATE asset SET creationDate = coalesce(?, fileCreationDate) WHERE id = ?", date, row)
    case .location(let location):
      if let location { try Self.check(location, of: identifier) }
      try run(
        """
        UPDATE asset SET latitude = coalesce(?, fileLatitude),
          longitude = coalesce(?, fileLongitude) WHERE id = ?
        """, location?.latitude, location?.longitude, row)
    case .edit, .revert:
      // Written down once it is made, or was with its files.
      return
    }
    note(.asset, identifier, .updated)
  }

  /// Takes an edit that was made into the catalog.
  func note(_ edit: ContentEdits.Made) throws(PhotoLibraryError) {
    let seen = edit.seen
    try run(
      """
      UPDATE asset SET adjustmentFormat = ?, recordModified = ?, pixelWidth = ?, pixelHeight = ?,
        modificationDate = ? WHERE identifier = ?
      """, seen.adjustmentFormat, seen.recordModified, seen.pixelWidth, seen.pixelHeight,
      // Of a reverted edit no file tells.
      seen.adjustmentFormat == nil ? date : seen.modificationDate, edit.identifier)
    note(.asset, edit.identifier, .updated, contentChanged: true)
  }

  func trash(_ identifiers: [String]) throws(PhotoLibraryError) {
    for identifier in identifiers {
      try run(
        "UPDATE asset SET trashedDate = ? WHERE id = ?", date, try assetRow(identifier))
      note(.asset, identifier, .deleted)
    }
  }

  func restore(_ identifiers: [String]) throws(PhotoLibraryError) {
    for identifier in identifiers {
      try run(
        "UPDATE asset SET trashedDate = NULL WHERE identifier = ? AND trashedDate IS NOT NULL",
        identifier)
      guard database.changedRows == 1 else { throw .identifierNotFound(identifier) }
      note(.asset, identifier, .inserted)
    }
  }

  func emptyTrash() throws(PhotoLibraryError) {
    let trashed = try rows(
      "SELECT \(Asset.columns) FROM \(Asset.source) WHERE trashedDate IS NOT NULL"
    ) { Asset(row: $0) }
    for asset in trashed {
      let folder = asset.path.removingLastComponent()
      if asset.path.leadsSomewhere, access(folder.string, W_OK) != 0 {
        throw .changeNotSupported("\(asset.path) cannot be moved: its folder may not be written.")
      }
      try run("DELETE FROM asset WHERE id = ?", asset.row)
      let target = folder.appending(FileMoves.trashFolder).appending(UUID().uuidString)
      try run(
        "INSERT INTO fileMove (kind, source, target) VALUES (?, ?, ?)",
        FileMoves.Kind.intoTrash.rawValue, asset.path.bytes, target.bytes)
      note(.asset, asset.localIdentifier, .deleted)
    }
  }

  private static func check(_ date: Date, of identifier: String) throws(PhotoLibraryError) {
    // The years 1 to 9999, which everything that shows dates can show.
    guard (-62_135_596_800..<253_402_300_800).contains(date.timeIntervalSince1970) else {
      throw .changeNotSupported("The creation date of \(identifier) is not in the years 1 to 9999.")
    }
  }

  private static func check(
    _ location: Asset.Location, of identifier: String
  ) throws(PhotoLibraryError) {
    guard (-90...90).contains(location.latitude), (-180...180).contains(location.longitude) else {
      throw .changeNotSupported("The location of \(identifier) is not on earth.")
    }
  }
}
