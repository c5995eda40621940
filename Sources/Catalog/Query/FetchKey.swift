/// A value that fetches filter and sort by: a column of the assets, or a value that is computed.
package enum FetchKey: Sendable, Hashable {
  /// A column whose definition says that it is a key. Albums have some of these keys, too.
  case column(AssetColumn)
  // Computed for assets.
  case localDate, mediaType, duration, hasAdjustments, filename, path, burstIdentifier
  // Of albums alone.
  case estimatedAssetCount

  /// The kind of a key's values; the raw value is for messages.
  package enum Kind: String, Sendable {
    case truth = "true or false"
    case integer = "a whole number"
    case real = "a number"
    case date = "a date"
    case text = "text"
    /// One text in the column; see ``KeywordText``.
    case keywords = "a list of texts"
  }

  /// The kind of objects that have a key.
  package enum Owner: String, Sendable {
    case asset = "assets"
    case collection = "albums"
  }

  /// All keys.
  package static let allCases: [FetchKey] =
    AssetColumn.allCases.filter(\.definition.isKey).map { .column($0) } + [
      .localDate, .mediaType, .duration, .hasAdjustments, .filename, .path, .burstIdentifier,
      .estimatedAssetCount,
    ]

  /// The name that people write.
  package var name: String {
    switch self {
    case .column(.identifier): "localIdentifier"
    case .column(.adjustmentFormat): "adjustmentFormatIdentifier"
    case .column(let column): column.name
    default: "\(self)"
    }
  }

  /// The kind of the key's values.
  package var kind: Kind {
    switch self {
    case .column(let column):
      switch (column.definition.kind, column.definition.type) {
      case (let kind?, _): kind
      case (nil, .integer): .integer
      case (nil, .real): .real
      case (nil, .text), (nil, .blob): .text
      }
    case .hasAdjustments: .truth
    case .mediaType, .estimatedAssetCount: .integer
    case .duration: .real
    case .localDate: .date
    case .filename, .path, .burstIdentifier: .text
    }
  }

  /// Whether an object may have no value for the key.
  package var isOptional: Bool {
    switch self {
    case .column(let column): column.definition.isOptional
    case .localDate, .estimatedAssetCount, .burstIdentifier: true
    case .mediaType, .duration, .hasAdjustments, .filename, .path: false
    }
  }

  /// Whether objects of a kind have the key.
  package func belongs(to owner: Owner) -> Bool {
    switch self {
    case .localIdentifier, .title, .creationDate, .localDate: true
    case .estimatedAssetCount: owner == .collection
    default: owner == .asset
    }
  }
}

// The keys of columns that Swift code names.
extension FetchKey {
  package static let localIdentifier = column(.identifier)
  package static let title = column(.title)
  package static let creationDate = column(.creationDate)
  package static let modificationDate = column(.modificationDate)
  package static let addedDate = column(.addedDate)
  package static let mediaSubtypes = column(.mediaSubtypes)
  package static let pixelWidth = column(.pixelWidth)
  package static let pixelHeight = column(.pixelHeight)
  package static let favorite = column(.favorite)
  package static let hidden = column(.hidden)
  package static let adjustmentFormatIdentifier = column(.adjustmentFormat)
  package static let latitude = column(.latitude)
  package static let longitude = column(.longitude)
  package static let keywords = column(.keywords)
  package static let rating = column(.rating)
  package static let camera = column(.camera)
}

extension FetchKey {
  /// Other names of keys, in small letters. PhotoKit takes `favorite` and `isFavorite`; `SELF` is the object
  /// itself, and its identifier stands for it.
  private static let otherNames: [String: FetchKey] = [
    "isfavorite": .favorite, "ishidden": .hidden, "self": .localIdentifier,
    "localizedtitle": .title, "startdate": .creationDate,
    "adjustmentformat": .adjustmentFormatIdentifier, "mediasubtype": .mediaSubtypes,
  ]

  private static let names = Dictionary(
    uniqueKeysWithValues: allCases.map { ($0.name.lowercased(), $0) }
  ).merging(otherNames) { key, _ in key }

  /// The key of a name, in capital or small letters.
  package init?(name: String) {
    guard let key = Self.names[name.lowercased()] else { return nil }
    self = key
  }

  /// The key's name that is most like a text; `nil` when no name is.
  package static func nearest(to text: String) -> String? {
    let text = Array(text.lowercased().utf8.prefix(64))
    let ranked = allCases.map { key in
      (key.name, distance(text, Array(key.name.lowercased().utf8)))
    }
    guard let best = ranked.min(by: { $0.1 < $1.1 }), best.1 <= max(2, text.count / 4) else {
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
    case .column(let column): "asset.\(column.name)"
    // The number of photos in PhotoKit's `PHAssetMediaType`.
    case .mediaType: "1"
    case .duration: "0.0"
    case .localDate: "(asset.creationDate + coalesce(asset.timeZoneOffset, 0))"
    case .hasAdjustments: "(asset.adjustmentFormat IS NOT NULL)"
    case .filename, .path: "CAST(\(bytes) AS TEXT)"
    case .estimatedAssetCount, .burstIdentifier: "NULL"
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

  /// SQL for `ORDER BY`.
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
