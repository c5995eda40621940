import FoundationEssentials
import PhotoLibraryKit

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
    ]
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
