import FoundationEssentials
import PhotoEditing

/// An asset that a change set makes, as its requests describe it.
struct NewAsset: Sendable {
  let identifier: String
  var resources: [AssetResource.ResourceType: NewResource] = [:]
  var edit: ContentEditingOutput?

  /// The new assets of a change set, in their order.
  ///
  /// - Throws: ``PhotoLibraryError`` for those that cannot be made of what they bring; no file was
  ///   looked at then.
  static func all(in steps: [ChangeStep]) throws(PhotoLibraryError) -> [NewAsset] {
    var assets: [NewAsset] = []
    var types: [String: [AssetResource.ResourceType]] = [:]
    for step in steps {
      if case .createAsset(let identifier) = step {
        assets.append(NewAsset(identifier: identifier))
      }
    }
    let places = Dictionary(
      uniqueKeysWithValues: assets.indices.map { (assets[$0].identifier, $0) })
    for step in steps {
      switch step {
      case .addResource(let identifier, let resource):
        types[identifier, default: []].append(resource.type)
        if let place = places[identifier] { assets[place].resources[resource.type] = resource }
      case .asset(let identifier, .edit(let output)):
        if let place = places[identifier] { assets[place].edit = output }
      default: break
      }
    }
    for asset in assets { try asset.check(types[asset.identifier] ?? []) }
    return assets
  }

  private func check(_ types: [AssetResource.ResourceType]) throws(PhotoLibraryError) {
    guard types.contains(.photo) else { throw .missingResource(identifier) }
    guard AssetCreationRequest.supportsAssetResourceTypes(types) else {
      let names = types.map(\.rawValue).joined(separator: ", ")
      throw .changeNotSupported("\(identifier) cannot be made of these files: \(names).")
    }
    if edit != nil, types.count > 1 {
      throw .changeNotSupported("\(identifier) cannot have both a sidecar and a new edit.")
    }
  }
}
