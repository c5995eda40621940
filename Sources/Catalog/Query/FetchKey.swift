/// What fetches filter and sort by; the raw value is the name that people write.
package enum FetchKey: String, Sendable, CaseIterable {
  case localIdentifier, title, creationDate, localDate
  // Of assets.
  case modificationDate, addedDate, mediaType, mediaSubtypes, duration, pixelWidth, pixelHeight
  case favorite, hidden, hasAdjustments, adjustmentFormatIdentifier
  case latitude, longitude, filename, path
  case caption, keywords, rating, camera, lens, iso, exposureTime, aperture, focalLength
  case timeZoneOffset
  // Of albums and lists of albums.
  case estimatedAssetCount

  /// What kind of values a key has.
  package enum Kind: String, Sendable {
    case truth = "true or false"
    case integer = "a whole number"
    case real = "a number"
    case date = "a date"
    case text = "text"
    /// In the column they are one text; see ``KeywordText``.
    case keywords = "a list of texts"
  }

  /// Which objects have a key.
  package enum Owner: String, Sendable {
    case asset = "assets"
    case collection = "albums"
  }

  /// The column whose values the key has; `nil` when the value is computed.
  private var column: AssetColumn? {
    switch self {
    case .localIdentifier: .identifier
    case .adjustmentFormatIdentifier: .adjustmentFormat
    default: AssetColumn(name: rawValue)
    }
  }

  /// What kind of values the key has.
  package var kind: Kind {
    switch self {
    case .hasAdjustments: return .truth
    case .mediaType, .estimatedAssetCount: return .integer
    case .duration: return .real
    case .localDate: return .date
    case .filename, .path: return .text
    default:
      guard let definition = column?.definition else { return .text }
      if let kind = definition.kind { return kind }
      switch definition.type {
      case .integer: return .integer
      case .real: return .real
      case .text, .blob: return .text
      }
    }
  }

  /// Whether an object may have no value for the key.
  package var isOptional: Bool {
    self == .estimatedAssetCount || self == .localDate || column?.definition.isOptional ?? false
  }

  /// Whether objects of a kind have the key.
  package func belongs(to owner: Owner) -> Bool {
    switch self {
    case .localIdentifier, .title, .creationDate, .localDate: true
    case .estimatedAssetCount: owner == .collection
    default: owner == .asset
    }
  }

  /// Other names of keys, in small letters. PhotoKit takes `favorite` and `isFavorite`, and `SELF` is the
  /// object itself, for which its identifier stands.
  private static let otherNames: [String: FetchKey] = [
    "isfavorite": .favorite, "ishidden": .hidden, "self": .localIdentifier,
    "localizedtitle": .title, "startdate": .creationDate,
    "adjustmentformat": .adjustmentFormatIdentifier,
  ]

  private static let names = Dictionary(
    uniqueKeysWithValues: allCases.map { ($0.rawValue.lowercased(), $0) }
  ).merging(otherNames) { key, _ in key }

  /// The key of a name, in capital or small letters.
  package init?(name: String) {
    guard let key = Self.names[name.lowercased()] else { return nil }
    self = key
  }

  /// The name that is most like another; `nil` when no name is.
  package static func nearest(to name: String) -> String? {
    let name = Array(name.lowercased().utf8.prefix(64))
    let ranked = allCases.map { key in
      (key.rawValue, distance(name, Array(key.rawValue.lowercased().utf8)))
    }
    guard let best = ranked.min(by: { $0.1 < $1.1 }), best.1 <= max(2, name.count / 4) else {
      return nil
    }
    return best.0
  }

  /// Levenshtein's distance: how many letters must be added, removed or replaced.
  private static func distance(_ first: [UInt8], _ second: [UInt8]) -> Int {
    var row = Array(0...second.count)
    for (index, letter) in first.enumerated() {
      var diagonal = row[0]
      row[0] = index + 1
      for (column, other) in second.enumerated() {
        let exchanged = diagonal + (letter == other ? 0 : 1)
        diagonal = row[column + 1]
        row[column + 1] = min(exchanged, row[column] + 1, diagonal + 1)
      }
    }
    return row[second.count]
  }
}

extension FetchKey {
  /// SQL for the key's value, of the type of its kind, over the table `asset`.
  var sql: String {
    switch self {
    // The number of photos in PhotoKit's `PHAssetMediaType`.
    case .mediaType: "1"
    case .duration: "0.0"
    case .localDate: "(asset.creationDate + coalesce(asset.timeZoneOffset, 0))"
    case .hasAdjustments: "(asset.adjustmentFormat IS NOT NULL)"
    case .filename, .path: "CAST(\(bytes) AS TEXT)"
    default: column.map { "asset.\($0.name)" } ?? "NULL"
    }
  }

  /// SQL for the key's value as text or bytes, whichever costs less.
  var bytes: String {
    switch self {
    case .filename: "asset.name"
    case .path:
      """
      ((SELECT rtrim(CAST(folder.path AS TEXT), '/') FROM folder WHERE folder.id = asset.folder) \
      || '/' || CAST(asset.name AS TEXT))
      """
    default: sql
    }
  }

  /// SQL for what assets are sorted by.
  var order: String { self == .filename ? "asset.name" : sql }

  /// The value that all assets have for the key; `nil` when they differ.
  var constant: Double? {
    switch self {
    case .mediaType: 1
    case .duration: 0
    default: nil
    }
  }
}
