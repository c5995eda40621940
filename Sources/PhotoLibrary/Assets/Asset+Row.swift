import FoundationEssentials
import PhotoEditing

extension Asset {
  /// The columns that ``init(row:)`` reads, from `asset` joined with its `folder`.
  static let columns = """
    asset.id, asset.identifier, folder.path, asset.name, asset.format, asset.creationDate, \
    asset.modificationDate, asset.addedDate, asset.pixelWidth, asset.pixelHeight, \
    asset.mediaSubtypes, asset.latitude, asset.longitude, asset.favorite, asset.hidden, \
    asset.adjustmentFormat, asset.camera
    """

  /// What ``columns`` are read from.
  static let source = "asset JOIN folder ON folder.id = asset.folder"

  init(row: Row) {
    self.row = row[0]
    localIdentifier = row[1]
    path = FilePath(bytes: row[2] as [UInt8]).appending(FilePath(bytes: row[3] as [UInt8]))
    // A format that a newer program knew still is a photo's; its bytes tell when it is opened.
    format = PhotoFormat(rawValue: row[4]) ?? .jpeg
    creationDate = row[5]
    modificationDate = row[6]
    addedDate = row[7]
    pixelWidth = row[8]
    pixelHeight = row[9]
    mediaSubtypes = AssetMediaSubtype(rawValue: row[10])
    let (latitude, longitude): (Double?, Double?) = (row[11], row[12])
    if let latitude, let longitude {
      location = Location(latitude: latitude, longitude: longitude)
    } else {
      location = nil
    }
    isFavorite = row[13]
    isHidden = row[14]
    adjustmentFormatIdentifier = row[15]
    camera = row[16]
  }
}
