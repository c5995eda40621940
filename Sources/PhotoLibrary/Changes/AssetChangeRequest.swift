import FoundationEssentials
import PhotoEditing
import SafelightCatalog
import SafelightFiles

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
    identifier = asset.localIdentifier
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
  public static func deleteAssets(_ assets: [any PhotoLibraryObject]) {
    ChangeSet.required(by: "deleteAssets").append(.trash(assets.identifiers))
  }

  /// Restores assets from the trash, as they were.
  ///
  /// - Parameter assets: Assets that were fetched before they were deleted, or from
  ///   ``PhotoLibrary/trashedAssets()``.
  public static func restoreAssets(_ assets: [any PhotoLibraryObject]) {
    ChangeSet.required(by: "restoreAssets").append(.restore(assets.identifiers))
  }

  /// Removes all assets in the trash from the library.
  ///
  /// Even this deletes no original: the original and everything that belongs to it are moved to a folder
  /// of their own in `.safelight-trash` beside it, on the same disk. Delete that folder to free space.
  public static func emptyTrash() {
    ChangeSet.required(by: "emptyTrash").append(.emptyTrash)
  }
}

extension PhotoLibrary {
  /// The assets in the trash that this client may see, the last deleted first.
  ///
  /// - Throws: ``PhotoLibraryError`` when the catalog cannot be read.
  public func trashedAssets() throws(PhotoLibraryError) -> [Asset] {
    let snapshot = try snapshots.now()
    let visible = snapshot.access.visibleAssets
    return try snapshot.read { (database) throws(DatabaseError) in
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
