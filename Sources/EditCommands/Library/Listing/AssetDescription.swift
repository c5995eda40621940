import PhotoLibraryKit

/// What `edit library show` says of a photo.
struct AssetDescription {
  private let asset: Asset
  private let albums: [String]

  init(_ asset: Asset, in library: PhotoLibrary) throws(PhotoLibraryError) {
    self.asset = asset
    albums = try library.fetchAssetCollectionsContaining(asset).map(\.localizedTitle)
  }

  var result: PhotoResult {
    PhotoResult(
      status: "shown", text: text,
      rows: rows.map { label, text in label.filled(to: 12) + text }, details: details)
  }

  private var text: String {
    var facts = [asset.format.title, "\(asset.pixelWidth) × \(asset.pixelHeight)"]
    if let date = asset.creationDate { facts.append("taken \(StateDescription.date(date))") }
    if let camera = asset.camera { facts.append(camera) }
    return facts.joined(separator: ", ")
  }

  private var rows: [(String, String)] {
    var rows = [("identifier", asset.localIdentifier), ("file", asset.path.string)]
    let marks = [(asset.isFavorite, "favorite"), (asset.isHidden, "hidden")]
    let marked = marks.filter(\.0).map(\.1)
    if !marked.isEmpty { rows.append(("marks", marked.joined(separator: ", "))) }
    if let edit = asset.adjustmentFormatIdentifier {
      rows.append(("edit", edit.isEmpty ? "a sidecar that cannot be read" : edit))
    }
    if !asset.mediaSubtypes.names.isEmpty {
      rows.append(("kinds", asset.mediaSubtypes.names.joined(separator: ", ")))
    }
    if let place = asset.location {
      rows.append(("place", "\(place.latitude), \(place.longitude)"))
    }
    if !albums.isEmpty { rows.append(("albums", albums.joined(separator: ", "))) }
    rows.append(("changed", StateDescription.date(asset.modificationDate)))
    rows.append(("added", StateDescription.date(asset.addedDate)))
    return rows
  }

  private var details: [JSONValue.Member] {
    func texts(_ texts: [String]) -> JSONValue { .array(texts.map { .string($0) }) }
    return asset.members + [
      .init("addedDate", .string(StateDescription.timestamp(asset.addedDate))),
      .init("format", .string(asset.format.rawValue)),
      .init("camera", asset.camera.map { .string($0) } ?? .null),
      .init("mediaSubtypes", texts(asset.mediaSubtypes.names)),
      .init(
        "adjustmentFormatIdentifier",
        asset.adjustmentFormatIdentifier.map { .string($0) } ?? .null),
      .init("albums", texts(albums)),
    ]
  }
}
