import FoundationEssentials
import PhotoEditing
import SafelightCatalog
import SafelightFiles
import Synchronization

/// Changes an asset, inside a `performChanges` block.
///
/// ```swift
/// try await library.performChanges {
///   let request = AssetChangeRequest(for: asset)
///   request.isFavorite = true
/// }
/// ```
///
/// Using a request outside of its block is a programming error that ends the program. Values that are
/// not possible are reported after the block, and then nothing of the change set is done.
public class AssetChangeRequest {
  let changes: ChangeSet
  let identifier: String

  /// Whether the asset is a favorite.
  public var isFavorite: Bool {
    didSet { ask(.favorite(isFavorite)) }
  }
  /// Whether fetches leave the asset out unless they ask for hidden assets.
  public var isHidden: Bool {
    didSet { ask(.hidden(isHidden)) }
  }
  /// When the photo was taken: a date of the years 1 to 9999. `nil` goes back to the file's date. The
  /// file itself does not change.
  public var creationDate: Date? {
    didSet { ask(.creationDate(creationDate)) }
  }
  /// Where the photo was taken, in degrees on earth. `nil` goes back to the file's place. The file
  /// itself does not change.
  public var location: Asset.Location? {
    didSet { ask(.location(location)) }
  }
  /// The asset's new edit: adjustment data and a rendered JPEG, made from this asset's editing input.
  public var contentEditingOutput: ContentEditingOutput? {
    didSet {
      if let contentEditingOutput { ask(.edit(contentEditingOutput)) }
    }
  }

  /// Begins to change an asset.
  ///
  /// - Parameter asset: A fetched asset; it may have changed since.
  public init(for asset: Asset) {
    changes = ChangeSet.required(by: "AssetChangeRequest(for:)")
    identifier = changes.identifier(of: asset)
    isFavorite = asset.isFavorite
    isHidden = asset.isHidden
    creationDate = asset.creationDate
    location = asset.location
  }

  init(creating identifier: String, in changes: ChangeSet) {
    self.changes = changes
    self.identifier = identifier
    isFavorite = false
    isHidden = false
  }

  /// Stands for the asset that the request creates; `nil` for a request that changes an asset.
  ///
  /// Implicitly unwrapped, so that code with and without the optional of PhotoKit compiles.
  public var placeholderForCreatedAsset: ObjectPlaceholder! { nil }

  /// Drops the asset's edit. An asset without an edit does not change.
  public func revertAssetContentToOriginal() {
    ask(.revert)
  }

  private func ask(_ request: RequestedAssetChange) {
    changes.append(.asset(identifier, request))
  }
}

extension AssetChangeRequest {
  /// Puts assets into the trash.
  ///
  /// The library no longer shows the assets. The original, its sidecar, its renders and versions stay
  /// where they are, and ``restoreAssets(_:)`` brings everything back, albums and favorites included.
  public static func deleteAssets(_ assets: FetchResult<Asset>) { deleteAssets(Array(assets)) }

  /// Puts assets into the trash, as the other form does.
  public static func deleteAssets(_ assets: [any PhotoLibraryObject]) {
    let changes = ChangeSet.required(by: "deleteAssets")
    changes.append(.trash(changes.identifiers(of: assets)))
  }

  /// Restores assets from the trash, as they were.
  ///
  /// - Parameter assets: Assets that were fetched before they were deleted, or from
  ///   ``PhotoLibrary/trashedAssets()``.
  public static func restoreAssets(_ assets: [any PhotoLibraryObject]) {
    let changes = ChangeSet.required(by: "restoreAssets")
    changes.append(.restore(changes.identifiers(of: assets)))
  }

  /// Removes all assets in the trash from the library.
  ///
  /// Even this deletes no original: the original and everything that belongs to it are moved to a folder
  /// of their own in `.safelight-trash` beside it, on the same disk. Delete that folder to free space.
  public static func emptyTrash() {
    ChangeSet.required(by: "emptyTrash").append(.emptyTrash)
  }
}

// PhotoKit has these with the requests for changes.
extension AssetChangeRequest {
  /// Begins to create an asset from a picture in memory, as a JPEG of quality 95.
  ///
  /// A picture that no JPEG can have, with more than 65,535 pixels along a side, is reported after the block.
  public static func creationRequestForAsset(from image: DisplayImage) -> AssetCreationRequest {
    let request = AssetCreationRequest.forAsset()
    do throws(RenderError) {
      request.addResource(with: .photo, data: try image.jpegData(quality: 95))
    } catch {
      request.changes.refuse(.changeNotSupported("\(error.description)"))
    }
    return request
  }

  /// Begins to create an asset from a photo's file, by its URL. A file that is no photo is reported after the
  /// block, so the request is never `nil`; see ``AssetChangeRequest/placeholderForCreatedAsset``.
  public static func creationRequestForAssetFromImage(
    atFileURL url: URL
  ) -> AssetCreationRequest! {
    let request = AssetCreationRequest.forAsset()
    request.addResource(with: .photo, fileURL: url)
    return request
  }
}

extension PhotoLibrary {
  /// The assets in the trash that this client may see, the last deleted first.
  ///
  /// - Throws: ``PhotoLibraryError`` when the catalog cannot be read.
  public func trashedAssets() throws(PhotoLibraryError) -> [Asset] {
    let snapshot = try snapshots.now()
    let visible = snapshot.access.visibleAssets
    return try snapshot.read { database in
      try database.rows(
        """
        SELECT \(Asset.columns) FROM \(Asset.source)
        WHERE trashedDate IS NOT NULL AND (\(visible.text))
        ORDER BY trashedDate DESC, asset.id
        """, visible.values
      ) { Asset(row: $0) }
    }
  }
}

/// How a file is added to the library.
///
/// ```swift
/// let options = AssetResourceCreationOptions()
/// options.shouldMoveFile = true
/// request.addResource(with: .photo, path: "card/IMG_0001.JPG", options: options)
/// ```
///
/// Options are a reference, as in PhotoKit. A request takes the values that they have at the call.
public final class AssetResourceCreationOptions: Sendable {
  private struct Values {
    var originalFilename: String?
    var shouldMoveFile = false
  }

  private let values: Mutex<Values>

  /// The file's name in the library; `nil` keeps the file's name, or makes a name for data. A number is
  /// added when the name is taken.
  public var originalFilename: String? {
    get { values.withLock(\.originalFilename) }
    set { values.withLock { $0.originalFilename = newValue } }
  }
  /// Whether the file is removed from its old place when it is safe in the library. The file stays in
  /// its old place when the change set fails.
  public var shouldMoveFile: Bool {
    get { values.withLock(\.shouldMoveFile) }
    set { values.withLock { $0.shouldMoveFile = newValue } }
  }

  /// Copies the file and keeps its name.
  public init() { values = Mutex(Values()) }

  private init(_ values: Values) { self.values = Mutex(values) }

  /// Options with the same values, which a program can change on their own.
  public func copy() -> AssetResourceCreationOptions {
    AssetResourceCreationOptions(values.withLock(\.self))
  }
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
  public override var placeholderForCreatedAsset: ObjectPlaceholder! {
    ObjectPlaceholder(localIdentifier: identifier, library: changes.library)
  }

  /// Adds a file to the asset. Always succeeds: files are read after the block.
  ///
  /// - Parameters:
  ///   - type: The file's part in the asset; see ``supportsAssetResourceTypes(_:)``.
  ///   - path: The file.
  ///   - options: How the file is added.
  public func addResource(
    with type: AssetResource.ResourceType, path: FilePath,
    options: AssetResourceCreationOptions? = nil
  ) {
    add(NewResource(type: type, source: .file(path.absolute), options))
  }

  /// Adds a file to the asset by its URL. A URL that is no file URL is reported after the block.
  public func addResource(
    with type: AssetResource.ResourceType, fileURL: URL,
    options: AssetResourceCreationOptions? = nil
  ) {
    addResource(
      with: type, path: FilePath(fileURL: fileURL) ?? FilePath(fileURL.absoluteString),
      options: options)
  }

  /// Adds bytes to the asset.
  public func addResource(
    with type: AssetResource.ResourceType, data: Data,
    options: AssetResourceCreationOptions? = nil
  ) {
    add(NewResource(type: type, source: .data(data), options))
  }

  /// Whether an asset can be created from files of these types: a photo; a photo and a sidecar; or a photo, a
  /// sidecar and its render, which become the asset's edit, with the base photo and the renders of versions if
  /// there are any.
  ///
  /// With all resources of an asset of another library, the new asset has its
  /// edit, its history and its versions, and its files are the same byte for byte; only names change where
  /// the library has a photo of the same name. When the render or the base photo is not the one that the
  /// sidecar names, the sidecar's data and the render become a new edit.
  ///
  /// Renders of Safelight's edits that do not come with their sidecar are made: the photo's own, and those of its
  /// versions unless the present edit is another program's. Nobody but the other program can make the render of
  /// its edit or its version; they stay without one, and using such a version throws.
  public static func supportsAssetResourceTypes(_ types: [AssetResource.ResourceType]) -> Bool {
    let combinations: [Set<AssetResource.ResourceType>] = [
      [.photo], [.photo, .adjustmentData], [.photo, .adjustmentData, .fullSizePhoto],
    ]
    let single = types.filter { $0 != .alternatePhoto }
    let isWhole = Set(single).isSuperset(of: combinations[2])
    let needed = isWhole ? Set(single).subtracting([.adjustmentBasePhoto]) : Set(types)
    return Set(single).count == single.count && combinations.contains(needed)
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
public struct ObjectPlaceholder: LibraryObject {
  /// The identifier that the object will have.
  public let localIdentifier: String
  /// The file of the library's catalog.
  let library: FilePath?

  /// Whether an object is the one that the placeholder stands for.
  public static func == (
    placeholder: ObjectPlaceholder, object: some PhotoLibraryObject
  ) -> Bool {
    placeholder.localIdentifier == object.localIdentifier
  }
}
