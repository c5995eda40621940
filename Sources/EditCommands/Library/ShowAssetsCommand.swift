import FoundationEssentials
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

  func run(in library: PhotoLibrary, on console: Console) throws -> ExitCode {
    let named = try NamedAssets(photos, in: library)
    return try report(named.items.map(\.name), on: console) { index in
      let asset = try named.items[index].found.get()
      return try AssetDescription(asset, in: library).result
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
    if let taken { facts.append("taken \(taken)") }
    if let camera = asset.camera { facts.append(camera) }
    return facts.joined(separator: ", ")
  }

  /// What the camera's clock showed, with its offset from UTC when the camera wrote it.
  private var taken: String? {
    guard let date = asset.localDate else { return nil }
    let clock = String(StateDescription.date(date).prefix(19))
    guard let offset = asset.timeZoneOffset else { return clock }
    let minutes = abs(offset) / 60
    func two(_ number: Int) -> String { number < 10 ? "0\(number)" : "\(number)" }
    return "\(clock) \(offset < 0 ? "-" : "+")\(two(minutes / 60)):\(two(minutes % 60))"
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
    var rows = [("identifier", asset.localIdentifier), ("file", asset.path.string)]
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
    rows.append(("changed", StateDescription.date(asset.modificationDate)))
    rows.append(("added", StateDescription.date(asset.addedDate)))
    return rows
  }

  private var details: [JSONValue.Member] {
    func texts(_ texts: [String]) -> JSONValue { .array(texts.map { .string($0) }) }
    return asset.members + [
      .init("addedDate", .string(StateDescription.timestamp(asset.addedDate))),
      .init("format", .string(asset.format.rawValue)),
      .init("mediaSubtypes", texts(asset.mediaSubtypes.names)),
      .init(
        "adjustmentFormatIdentifier",
        asset.adjustmentFormatIdentifier.map { .string($0) } ?? .null),
      .init("albums", texts(albums)),
    ]
  }
}

extension Asset {
  /// The object that programs get.
  var json: JSONValue { .object(members) }

  var members: [JSONValue.Member] {
    [
      .init("localIdentifier", .string(localIdentifier)), .init("path", .string(path.string)),
      .init("creationDate", creationDate.map { .string(StateDescription.timestamp($0)) } ?? .null),
      .init("modificationDate", .string(StateDescription.timestamp(modificationDate))),
      .init("pixelWidth", .number(Double(pixelWidth))),
      .init("pixelHeight", .number(Double(pixelHeight))),
      .init("favorite", .bool(isFavorite)), .init("hidden", .bool(isHidden)),
      .init("hasAdjustments", .bool(hasAdjustments)),
      .init("location", location.map(\.json) ?? .null),
      .init("localDate", localDate.map { .string(Self.clock($0)) } ?? .null),
    ] + Self.details.map { .init($0.name, $0.value(self).json) }
  }

  /// What a clock showed, without a time zone: `2024-05-01T18:30:00`.
  private static func clock(_ date: Date) -> String {
    String(StateDescription.timestamp(date).prefix { $0 != "Z" })
  }
}

extension FetchValue {
  /// The value for programs.
  fileprivate var json: JSONValue {
    switch self {
    case .null: .null
    case .truth(let truth): .bool(truth)
    case .integer(let number): .number(Double(number))
    case .real(let number): .number(number)
    case .text(let text): .string(text)
    case .date(let date): .string(StateDescription.timestamp(date))
    case .list(let values): .array(values.map(\.json))
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
    case .date(let date): return StateDescription.date(date)
    case .list(let values):
      let texts = values.compactMap(\.text)
      return texts.isEmpty ? nil : texts.joined(separator: ", ")
    }
  }
}

extension Asset.Location {
  fileprivate var json: JSONValue {
    .object([
      .init("latitude", .number(latitude)), .init("longitude", .number(longitude)),
    ])
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
