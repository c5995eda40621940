/// A kind of asset that the catalog has a counter for; the name of the case is the column in the table
/// `tally`.
///
/// The only list of these kinds. From it come the triggers that count, the smart albums, their conditions, and
/// the partial indexes that find their assets (``AssetIndex/ofKinds``).
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
  var index: AssetIndex? { AssetIndex.ofKinds[self] }

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

  /// The condition for triggers, over a row of the table `asset` that is not in the trash.
  func condition(of row: String) -> String {
    let own = condition.sql.text.replacing("asset.", with: row + ".")
    switch self {
    case .visible: return "\(row).hidden = 0"
    case .hidden: return own
    default: return "\(row).hidden = 0 AND \(own)"
    }
  }
}
