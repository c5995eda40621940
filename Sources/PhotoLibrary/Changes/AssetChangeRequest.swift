import FoundationEssentials
import PhotoEditing

/// Asks, inside a `performChanges` block, for an asset to be changed.
///
/// Using it outside of its block is a programmer's error and ends the program. Values that cannot be
/// are reported when the block is over, and nothing of it is done then.
public class AssetChangeRequest {
  let changes: ChangeSet
  let identifier: String

  /// Whether it is a favorite.
  public var isFavorite: Bool {
    didSet { ask(.favorite(isFavorite)) }
  }
  /// Whether it is left out of fetches that do not ask for hidden assets.
  public var isHidden: Bool {
    didSet { ask(.hidden(isHidden)) }
  }
  /// When it was taken: a date of the years 1 to 9999. `nil` goes back to what the file says. The
  /// file itself stays as it is.
  public var creationDate: Date? {
    didSet { ask(.creationDate(creationDate)) }
  }
  /// Where it was taken, in degrees on earth. `nil` goes back to what the file says. The file itself
  /// stays as it is.
  public var location: Asset.Location? {
    didSet { ask(.location(location)) }
  }
  /// The asset's new edit: adjustment data and a rendered JPEG, made from an input of this asset.
  public var contentEditingOutput: ContentEditingOutput? {
    didSet {
      if let contentEditingOutput { ask(.edit(contentEditingOutput)) }
    }
  }

  /// Begins to change an asset.
  ///
  /// - Parameter asset: An asset that was fetched; it may have changed since.
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

  /// Drops the asset's edit; one that has none stays as it is.
  public func revertAssetContentToOriginal() {
    ask(.revert)
  }

  private func ask(_ step: AssetStep) {
    changes.append(.asset(identifier, step))
  }
}

extension AssetChangeRequest {
  /// Puts assets into the trash.
  ///
  /// Only the library forgets to show them: the original, its sidecar, its renders and versions stay
  /// where they are, and ``restoreAssets(_:)`` brings everything back, albums and favorites too.
  public static func deleteAssets(_ assets: [any PhotoLibraryObject]) {
    ChangeSet.required(by: "deleteAssets").append(.trash(assets.map { $0.localIdentifier }))
  }

  /// Takes assets out of the trash, as they were.
  ///
  /// - Parameter assets: The assets as they were fetched before they were deleted, or from
  ///   ``PhotoLibrary/trashedAssets()``.
  public static func restoreAssets(_ assets: [any PhotoLibraryObject]) {
    ChangeSet.required(by: "restoreAssets").append(.restore(assets.map { $0.localIdentifier }))
  }

  /// Takes everything in the trash out of the library for good.
  ///
  /// The original is not deleted even so: with everything that belongs to it, it is moved to a folder
  /// of its own in `.safelight-trash` beside it, on the same disk. To make room, delete that.
  public static func emptyTrash() {
    ChangeSet.required(by: "emptyTrash").append(.emptyTrash)
  }
}
