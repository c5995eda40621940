/// The indexes of the table of assets, and which questions they answer.
struct AssetIndex: Sendable, Hashable {
  let name: String
  /// What its entries are sorted by; for those that are asked for one value, within that value.
  let order: FetchKey?
  /// What a query must say so that SQLite may use an index of some of the assets.
  var premise = ""

  /// Whether it has only some of the assets.
  var isPartial: Bool { !premise.isEmpty }

  /// Whether it also has what is often asked of its assets besides.
  var isCovering: Bool { name == "assetFavorite" || name == "assetEdited" }

  /// Whether it has everything that some keys ask for, so that no row is looked at.
  func has(_ keys: Set<FetchKey>) -> Bool {
    let own: Set<FetchKey> =
      switch name {
      case "assetFavorite", "assetEdited":
        [
          .favorite, .hasAdjustments, .adjustmentFormatIdentifier, .mediaSubtypes, .pixelWidth,
          .pixelHeight, .camera,
        ]
      case "assetByPlace": [.latitude, .longitude]
      case "assetByCamera": [.camera]
      default: []
      }
    return !own.isEmpty && keys.isSubset(of: own.union([.creationDate, .hidden]))
  }

  /// The index that has all assets in the order of a key; `nil` when they must be sorted.
  static func sorted(by key: FetchKey) -> AssetIndex? {
    switch key {
    case .creationDate: AssetIndex(name: "assetByCreation", order: key)
    case .modificationDate: AssetIndex(name: "assetByModification", order: key)
    case .addedDate: AssetIndex(name: "assetByAddition", order: key)
    case .filename: AssetIndex(name: "assetByName", order: key)
    default: nil
    }
  }

  /// The index that finds the assets for which a condition holds; `nil` when there is none.
  static func finding(_ condition: Condition) -> AssetIndex? {
    switch condition {
    case .compare(let term, .equal, .value(.truth(true))): ofTruth(term.key)
    case .compare(let term, .equal, .value(.integer(let bits))) where term.mask == bits:
      ofSubtype(bits)
    case .not(.isNil(.adjustmentFormatIdentifier)): ofTruth(.hasAdjustments)
    case .compare(let term, .equal, .value) where term.key == .camera:
      AssetIndex(
        name: "assetByCamera", order: .creationDate, premise: "asset.camera IS NOT NULL")
    case .among(.camera, _):
      AssetIndex(name: "assetByCamera", order: nil, premise: "asset.camera IS NOT NULL")
    case Tally.portraits.condition:
      AssetIndex(
        name: "assetUpright", order: .creationDate,
        premise: "asset.pixelHeight > asset.pixelWidth")
    case .compare(let term, _, .value):
      switch term.key {
      case .latitude:
        AssetIndex(name: "assetByPlace", order: nil, premise: "asset.latitude IS NOT NULL")
      case .creationDate, .modificationDate, .addedDate, .filename: sorted(by: term.key)
      default: nil
      }
    case .text(.filename, let match) where match.isPrefix: sorted(by: .filename)
    // These are passed whole, but are much shorter than the table.
    case .text(.filename, _): AssetIndex(name: "assetByName", order: nil)
    case .text(.camera, _):
      AssetIndex(name: "assetByCamera", order: nil, premise: "asset.camera IS NOT NULL")
    default: nil
    }
  }

  private static func ofTruth(_ key: FetchKey) -> AssetIndex? {
    switch key {
    case .favorite:
      AssetIndex(name: "assetFavorite", order: .creationDate, premise: "asset.favorite = 1")
    case .hidden:
      AssetIndex(name: "assetHidden", order: .creationDate, premise: "asset.hidden = 1")
    case .hasAdjustments:
      AssetIndex(
        name: "assetEdited", order: .creationDate, premise: "asset.adjustmentFormat IS NOT NULL")
    default: nil
    }
  }

  private static func ofSubtype(_ bits: Int64) -> AssetIndex? {
    let named: [(AssetMediaSubtype, String)] = [
      (.photoPanorama, "assetPanorama"), (.photoScreenshot, "assetScreenshot"),
      (.photoLive, "assetLive"), (.photoDepthEffect, "assetDepth"),
    ]
    return named.first { bits & Int64($0.0.rawValue) != 0 }.map { subtype, name in
      AssetIndex(
        name: name, order: .creationDate,
        premise: "asset.mediaSubtypes & \(subtype.rawValue) <> 0")
    }
  }
}
