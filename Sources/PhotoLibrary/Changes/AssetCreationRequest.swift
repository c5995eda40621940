import FoundationEssentials
import PhotoEditing
import SafelightFiles

/// How a file is added to the library.
///
/// ```swift
/// var options = AssetResourceCreationOptions()
/// options.shouldMoveFile = true
/// request.addResource(with: .photo, path: "card/IMG_0001.JPG", options: options)
/// ```
public struct AssetResourceCreationOptions: Sendable, Hashable {
  /// The file's name in the library; `nil` keeps the file's name, or makes a name for data. A number is
  /// added when the name is taken.
  public var originalFilename: String?
  /// Whether the file is removed from its old place when it is safe in the library. The file stays in
  /// its old place when the change set fails.
  public var shouldMoveFile = false

  /// Copies the file and keeps its name.
  public init() {}
}

/// Creates an asset from files or data, inside a `performChanges` block.
///
/// ```swift
/// try await library.performChanges {
///   let request = AssetCreationRequest.creationRequestForAsset(fromImageAt: "beach.jpg")
///   request.isFavorite = true
/// }
/// ```
///
/// The files go into the library's own folder, `originals/YEAR/MONTH`, by the date when the photo was
/// taken. A creation request can also set everything that an ``AssetChangeRequest`` sets, an edit
/// included.
public final class AssetCreationRequest: AssetChangeRequest {
  /// Begins to create an asset.
  public static func forAsset() -> AssetCreationRequest {
    let changes = ChangeSet.required(by: "AssetCreationRequest.forAsset()")
    let identifier = LocalIdentifier.random()
    changes.append(.createAsset(identifier))
    return AssetCreationRequest(creating: identifier, in: changes)
  }

  /// Begins to create an asset from a photo's file.
  ///
  /// - Parameter path: The photo, which is copied.
  public static func creationRequestForAsset(fromImageAt path: FilePath) -> AssetCreationRequest {
    let request = forAsset()
    request.addResource(with: .photo, path: path)
    return request
  }

  /// Stands for the new asset in other requests of the same block. It has the new asset's identifier.
  public var placeholderForCreatedAsset: ObjectPlaceholder {
    ObjectPlaceholder(localIdentifier: identifier)
  }

  /// Adds a file to the asset. Always succeeds: files are read after the block.
  ///
  /// - Parameters:
  ///   - type: The file's part in the asset; see ``supportsAssetResourceTypes(_:)``.
  ///   - path: The file.
  ///   - options: How the file is added.
  public func addResource(
    with type: AssetResource.ResourceType, path: FilePath,
    options: AssetResourceCreationOptions = AssetResourceCreationOptions()
  ) {
    add(NewResource(type: type, source: .file(path), options: options))
  }

  /// Adds a file to the asset by its URL. A URL that is no file URL is reported after the block.
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

  /// Whether an asset can be created from files of these types: a photo; a photo and a sidecar, which is
  /// kept as it is; or a photo, a sidecar and its render, which become the asset's edit.
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

/// Stands for an object that a change set creates, in other requests of the same change set.
///
/// ```swift
/// album.addAssets([creation.placeholderForCreatedAsset])
/// ```
public struct ObjectPlaceholder: PhotoLibraryObject {
  /// The identifier that the object will have.
  public let localIdentifier: String

  /// Whether an object is the one that the placeholder stands for.
  public static func == (
    placeholder: ObjectPlaceholder, object: some PhotoLibraryObject
  ) -> Bool {
    placeholder.localIdentifier == object.localIdentifier
  }
}
