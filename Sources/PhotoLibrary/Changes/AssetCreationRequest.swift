import FoundationEssentials
import PhotoEditing

/// How a file is taken into the library.
public struct AssetResourceCreationOptions: Sendable, Hashable {
  /// What the file is to be called; `nil` keeps its name, or makes one for data. A number is added
  /// when the name is taken.
  public var originalFilename: String?
  /// Whether the file is taken away from where it was, once it is safe in the library. It stays
  /// there when the change set fails.
  public var shouldMoveFile = false

  /// Copies the file and keeps its name.
  public init() {}
}

/// Asks, inside a `performChanges` block, for a new asset, made from files or data.
///
/// The files go into the library's own folder, `originals/YEAR/MONTH`, by the date when the photo was
/// taken. A creation request may also set what an ``AssetChangeRequest`` sets, and bring an edit.
public final class AssetCreationRequest: AssetChangeRequest {
  /// Begins to make an asset.
  public static func forAsset() -> AssetCreationRequest {
    let changes = ChangeSet.required(by: "AssetCreationRequest.forAsset()")
    let identifier = ChangeSet.newIdentifier()
    changes.append(.createAsset(identifier))
    return AssetCreationRequest(creating: identifier, in: changes)
  }

  /// Begins to make an asset from a photo's file.
  ///
  /// - Parameter path: The photo, which is copied.
  public static func creationRequestForAsset(fromImageAt path: FilePath) -> AssetCreationRequest {
    let request = forAsset()
    request.addResource(with: .photo, path: path)
    return request
  }

  /// Stands for the new asset in other requests of the same block; equals it later.
  public var placeholderForCreatedAsset: ObjectPlaceholder {
    ObjectPlaceholder(localIdentifier: identifier)
  }

  /// Adds a file to the asset. Always succeeds: files are looked at after the block.
  ///
  /// - Parameters:
  ///   - type: What the file is to the asset; ``supportsAssetResourceTypes(_:)`` tells which go
  ///     together.
  ///   - path: The file.
  ///   - options: How it is taken in.
  public func addResource(
    with type: AssetResource.ResourceType, path: FilePath,
    options: AssetResourceCreationOptions = AssetResourceCreationOptions()
  ) {
    add(NewResource(type: type, source: .file(path), options: options))
  }

  /// Adds a file to the asset by its URL; a URL that names no file is reported after the block.
  public func addResource(
    with type: AssetResource.ResourceType, fileURL: URL,
    options: AssetResourceCreationOptions = AssetResourceCreationOptions()
  ) {
    addResource(
      with: type, path: FilePath(fileURL: fileURL) ?? FilePath(fileURL.absoluteString),
      options: options)
  }

  /// Adds bytes to the asset.
  public func addResource(
    with type: AssetResource.ResourceType, data: Data,
    options: AssetResourceCreationOptions = AssetResourceCreationOptions()
  ) {
    add(NewResource(type: type, source: .data(data), options: options))
  }

  /// Whether an asset can be made of these files: one photo; with it, one sidecar, which is kept as
  /// it is; with both, the sidecar's render, which then become the asset's edit.
  public static func supportsAssetResourceTypes(_ types: [AssetResource.ResourceType]) -> Bool {
    let combinations: [Set<AssetResource.ResourceType>] = [
      [.photo], [.photo, .adjustmentData], [.photo, .adjustmentData, .fullSizePhoto],
    ]
    return Set(types).count == types.count && combinations.contains(Set(types))
  }

  private func add(_ resource: NewResource) {
    changes.append(.addResource(identifier, resource))
  }
}
