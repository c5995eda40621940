/// What fetches can filter and sort by; the raw value is the name that is used in messages.
enum FetchKey: String, Sendable, CaseIterable {
  case localIdentifier, creationDate
  // Of assets.
  case modificationDate, addedDate, mediaType, mediaSubtypes, duration, pixelWidth, pixelHeight
  case favorite, hidden, hasAdjustments, adjustmentFormatIdentifier
  case latitude, longitude, filename, path, camera
  // Of albums and lists of albums.
  case title, estimatedAssetCount

  /// What kind of values a key has.
  enum Kind: String, Sendable {
    case truth = "true or false"
    case integer = "a whole number"
    case real = "a number"
    case date = "a date"
    case text = "text"
  }

  /// Which objects have a key.
  enum Owner: String, Sendable {
    case asset = "assets"
    case collection = "albums"
  }

  var kind: Kind {
    switch self {
    case .favorite, .hidden, .hasAdjustments: .truth
    case .mediaType, .mediaSubtypes, .pixelWidth, .pixelHeight, .estimatedAssetCount: .integer
    case .latitude, .longitude, .duration: .real
    case .creationDate, .modificationDate, .addedDate: .date
    case .localIdentifier, .adjustmentFormatIdentifier, .filename, .path, .camera, .title: .text
    }
  }

  /// Whether objects may have no value for it.
  var isOptional: Bool {
    switch self {
    case .creationDate, .adjustmentFormatIdentifier, .latitude, .longitude, .camera,
      .estimatedAssetCount:
      true
    default: false
    }
  }

  func belongs(to owner: Owner) -> Bool {
    switch self {
    case .localIdentifier, .creationDate: true
    case .title, .estimatedAssetCount: owner == .collection
    default: owner == .asset
    }
  }

  /// All spellings, in small letters: PhotoKit takes `favorite` and `isFavorite`, and `SELF` is the
  /// object itself, which its identifier stands for.
  private static let spellings: [String: FetchKey] = {
    var spellings: [String: FetchKey] = [:]
    for key in allCases { spellings[key.rawValue.lowercased()] = key }
    for (name, key) in [
      ("isfavorite", favorite), ("ishidden", hidden), ("self", localIdentifier),
      ("localizedtitle", title), ("startdate", creationDate),
      ("adjustmentformat", adjustmentFormatIdentifier),
    ] {
      spellings[name] = key
    }
    return spellings
  }()

  /// The key of a name, in whatever case.
  init?(name: String) {
    guard let key = Self.spellings[name.lowercased()] else { return nil }
    self = key
  }

  /// The name that is most like another; `nil` when none is.
  static func nearest(to name: String) -> String? {
    let name = Array(name.lowercased().utf8.prefix(64))
    let ranked = allCases.map { key in
      (key.rawValue, distance(name, Array(key.rawValue.lowercased().utf8)))
    }
    guard let best = ranked.min(by: { $0.1 < $1.1 }), best.1 <= max(2, name.count / 4) else {
      return nil
    }
    return best.0
  }

  /// Levenshtein's distance: how many letters must be put in, left out or exchanged.
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
