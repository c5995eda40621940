import PhotoLibraryKit
import SafelightArguments

/// `edit library show`: says everything that a library knows of photos.
struct ShowAssetsCommand: CatalogCommand {
  static let configuration = CommandConfiguration(
    commandName: "show",
    abstract: "Show all that the library knows of photos.",
    discussion: """
      Photos are named by their paths or identifiers. “edit show” tells what their edits do.

      Example:
        edit library show beach.jpg
        edit library show --json beach.jpg
      """)

  @Argument(help: "The photos, by path or identifier.", completion: .photos)
  var photos: [String]

  @OptionGroup var options: LibraryOptions

  var isReading: Bool { true }

  func run(in library: PhotoLibrary, on console: Console) throws -> ExitCode {
    try report(NamedAssets(photos, in: library), on: console) { _, asset in
      try AssetDescription(asset, in: library).result
    }
  }
}

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
      rows: rows.map { label, text in label.filled(to: max(12, label.columns + 1)) + text },
      details: details)
  }

  private var text: String {
    var facts = [asset.format.title, "\(asset.pixelWidth) × \(asset.pixelHeight)"]
    if let taken { facts.append(taken) }
    if let camera = asset.camera { facts.append(camera) }
    return facts.joined(separator: ", ")
  }

  /// What the camera's clock showed, or where else the date is from.
  private var taken: String? {
    guard let date = asset.creationDate else { return nil }
    let clock = "\(ClockText(date, offset: asset.timeZoneOffset))"
    return switch asset.creationDateSource {
    case .metadata, nil: "taken \(clock)"
    case .user: "taken \(clock) as set by you"
    case .file: "file dated \(clock)"
    }
  }

  /// How the photo was taken, on one line.
  private var exposure: String {
    var facts: [String] = []
    if let lens = asset.lens { facts.append(lens) }
    if let length = asset.focalLength { facts.append("\(Self.number(length)) mm") }
    if let aperture = asset.aperture { facts.append("f/\(Self.number(aperture))") }
    if let time = asset.exposureTime {
      facts.append(
        time < 0.3 ? "1/\(Self.number((1 / time).rounded())) s" : "\(Self.number(time)) s")
    }
    if let iso = asset.iso { facts.append("ISO \(iso)") }
    return facts.joined(separator: ", ")
  }

  /// A number without a fraction of zero.
  fileprivate static func number(_ number: Double) -> String {
    let tenths = (number * 10).rounded() / 10
    return tenths == tenths.rounded() && abs(tenths) < 1e9 ? "\(Int(tenths))" : "\(tenths)"
  }

  private var rows: [(String, String)] {
    var rows = [("identifier", asset.localIdentifier), ("file", asset.path.description)]
    let marks = [(asset.isFavorite, "favorite"), (asset.isHidden, "hidden")]
    let marked = marks.filter(\.0).map(\.1)
    for detail in Asset.details where detail.hasOwnLine {
      if let text = detail.value(asset).text { rows.append((detail.name, text.onOneLine)) }
    }
    if let rating = asset.rating {
      rows.append(("rating", rating < 0 ? "rejected" : counted(rating, "star")))
    }
    if !exposure.isEmpty { rows.append(("exposure", exposure.onOneLine)) }
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
    rows.append(("changed", asset.modificationDate.text))
    rows.append(("added", asset.addedDate.text))
    return rows
  }

  private var details: [JSONValue.Member] {
    asset.members
      + JSONValue.members([
        "addedDate": asset.addedDate, "format": asset.format.rawValue,
        "mediaSubtypes": asset.mediaSubtypes.names,
        "adjustmentFormatIdentifier": asset.adjustmentFormatIdentifier?.json ?? .null,
        "albums": albums,
      ])
  }
}

extension Asset {
  /// The object that programs get.
  var json: JSONValue { .object(members) }

  /// What the object has; `null` for what is not known.
  var members: [JSONValue.Member] {
    let place = location.map { place in
      JSONValue.object(["latitude": place.latitude, "longitude": place.longitude])
    }
    let clock = creationDate.map { ClockText($0, offset: timeZoneOffset) }
    let values: KeyValuePairs<String, (any JSONConvertible)?> = [
      "localIdentifier": localIdentifier, "path": path, "creationDate": creationDate,
      "modificationDate": modificationDate, "pixelWidth": pixelWidth, "pixelHeight": pixelHeight,
      "favorite": isFavorite, "hidden": isHidden, "hasAdjustments": hasAdjustments,
      "location": place, "localDate": clock, "creationDateSource": creationDateSource?.rawValue,
    ]
    return values.map { JSONValue.Member($0, $1?.json ?? .null) }
      + Self.details.map { JSONValue.Member($0.name, $0.value(self).json) }
  }
}

extension FetchValue: JSONConvertible {
  var json: JSONValue {
    switch self {
    case .null: .null
    case .truth(let truth): truth.json
    case .integer(let number): number.json
    case .real(let number): number.json
    case .text(let text): text.json
    case .date(let date): date.json
    case .list(let values): values.json
    }
  }

  /// The value for people; `nil` without a value.
  fileprivate var text: String? {
    switch self {
    case .null: return nil
    case .truth(let truth): return truth ? "yes" : "no"
    case .integer(let number): return "\(number)"
    case .real(let number): return AssetDescription.number(number)
    case .text(let text): return text
    case .date(let date): return date.text
    case .list(let values):
      let texts = values.compactMap(\.text)
      return texts.isEmpty ? nil : texts.joined(separator: ", ")
    }
  }
}

extension AssetMediaSubtype {
  /// The names of the kinds, in PhotoKit's spelling.
  var names: [String] {
    let all: [(AssetMediaSubtype, String)] = [
      (.photoPanorama, "photoPanorama"), (.photoHDR, "photoHDR"),
      (.photoScreenshot, "photoScreenshot"), (.photoLive, "photoLive"),
      (.photoDepthEffect, "photoDepthEffect"),
    ]
    return all.filter { contains($0.0) }.map(\.1)
  }
}
