/// A kind of asset that the catalog has a counter for; the name of the case is the column in the table
/// `tally`.
///
/// The only list of these kinds. From it come the triggers that count, the smart albums, their conditions, and
/// the partial indexes that find their assets.
package enum AssetKind: String, CaseIterable, Sendable {
  case visible, hidden, favorites, edited, panoramas, screenshots, livePhotos, depthEffect
  case portraits, landscapes

  /// The condition of the kind. Hidden assets do not count, except for the kind ``hidden``.
  package var condition: Condition {
    switch self {
    case .visible: .always
    case .hidden: .truth(.hidden)
    case .favorites: .truth(.favorite)
    case .edited: .truth(.hasAdjustments)
    // The bits of PhotoKit's `PHAssetMediaSubtype`.
    case .panoramas: .bits(1, of: .mediaSubtypes)
    case .screenshots: .bits(4, of: .mediaSubtypes)
    case .livePhotos: .bits(8, of: .mediaSubtypes)
    case .depthEffect: .bits(16, of: .mediaSubtypes)
    case .portraits: .compare(.init(key: .pixelHeight), .greater, .key(.pixelWidth))
    case .landscapes: .compare(.init(key: .pixelWidth), .greater, .key(.pixelHeight))
    }
  }

  /// The index of the kind's assets by the cameras' clocks; `nil` when there is none.
  var index: AssetIndex? {
    let name: String? =
      switch self {
      case .visible, .landscapes: nil
      case .hidden: "assetHidden"
      case .favorites: "assetFavorite"
      case .edited: "assetEdited"
      case .panoramas: "assetPanorama"
      case .screenshots: "assetScreenshot"
      case .livePhotos: "assetLive"
      case .depthEffect: "assetDepth"
      case .portraits: "assetUpright"
      }
    return name.map { AssetIndex(name: $0, order: .localDate, premise: premise) }
  }

  /// The kind that has all assets for which a condition is true; `nil` when there is none.
  static func including(_ condition: Condition) -> AssetKind? {
    switch condition {
    case .not(.isNil(.adjustmentFormatIdentifier)): .edited
    case .compare(let term, .equal, .value(.integer(let bits)))
    where term.key == .mediaSubtypes && term.mask == bits:
      [.panoramas, .screenshots, .livePhotos, .depthEffect].first { kind in
        guard case .compare(let own, _, _) = kind.condition, let mask = own.mask else {
          return false
        }
        return bits & mask != 0
      }
    default: allCases.first { $0 != .visible && $0.condition == condition }
    }
  }

  /// The condition in SQL over the table `asset`, with the same text as in the partial index.
  private var premise: String { condition.sql.text }

  /// The condition for triggers, over a row of the table `asset` that is not in the trash.
  private func condition(of row: String) -> String {
    let own = premise.replacing("asset.", with: row + ".")
    switch self {
    case .visible: return "\(row).hidden = 0"
    case .hidden: return own
    default: return "\(row).hidden = 0 AND \(own)"
    }
  }

  /// The columns in the conditions, and the trash date.
  private static let counted = [
    "trashedDate", "hidden", "favorite", "adjustmentFormat", "mediaSubtypes", "pixelWidth",
    "pixelHeight",
  ].joined(separator: ", ")

  /// Makes the table of counters, and the triggers that count. Rows of assets must not be replaced by `INSERT
  /// OR REPLACE`, because SQLite then calls no trigger for the old row.
  static let schema = """
    CREATE TABLE tally (
      id INTEGER PRIMARY KEY CHECK (id = 1),
      \(allCases.map { "\($0.rawValue) INTEGER NOT NULL" }.joined(separator: ",\n  "))
    ) STRICT;
    INSERT INTO tally SELECT 1,
      \(allCases.map { "count(*) FILTER (WHERE \($0.condition(of: "asset")))" }
        .joined(separator: ",\n  "))
    FROM asset WHERE trashedDate IS NULL;

    CREATE TRIGGER tallyInserted AFTER INSERT ON asset WHEN NEW.trashedDate IS NULL BEGIN
      \(recount("+", of: "NEW"))
    END;
    CREATE TRIGGER tallyDeleted AFTER DELETE ON asset WHEN OLD.trashedDate IS NULL BEGIN
      \(recount("-", of: "OLD"))
    END;
    CREATE TRIGGER tallyLeft AFTER UPDATE OF \(counted) ON asset
      WHEN OLD.trashedDate IS NULL BEGIN
      \(recount("-", of: "OLD"))
    END;
    CREATE TRIGGER tallyCame AFTER UPDATE OF \(counted) ON asset
      WHEN NEW.trashedDate IS NULL BEGIN
      \(recount("+", of: "NEW"))
    END;

    """

  /// Adds a trigger's row to the counters, or subtracts it.
  private static func recount(_ sign: String, of row: String) -> String {
    let changes = allCases.map { kind in
      "\(kind.rawValue) = \(kind.rawValue) \(sign) (\(kind.condition(of: row)))"
    }
    return "UPDATE tally SET \(changes.joined(separator: ",\n    "));"
  }
}
