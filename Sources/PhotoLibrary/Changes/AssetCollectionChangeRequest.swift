import FoundationEssentials
import PhotoEditing
import SafelightFiles

/// Creates, fills, arranges or deletes an album, inside a `performChanges` block.
///
/// ```swift
/// try await library.performChanges {
///   let album = AssetCollectionChangeRequest.creationRequestForAssetCollection(withTitle: "Wall")
///   album.addAssets(Array(photos))
/// }
/// ```
///
/// Positions count the assets that a fetch of the album shows. Hidden assets and assets in the trash do
/// not count; they keep their places between the others. Lists of positions ascend. An album has an
/// asset once: adding the asset again, and positions that do not fit, are reported after the block as
/// ``PhotoLibraryError/operationInterrupted(_:)``.
public final class AssetCollectionChangeRequest {
  private let changes: ChangeSet
  private let identifier: String
  private let request: Int
  private let anchor: ContiguousArray<Int64>?

  /// The album's name, which must not be empty.
  public var title: String {
    didSet { changes.append(.rename(identifier, title: title, isList: false)) }
  }

  private init(
    _ identifier: String, title: String, in changes: ChangeSet,
    anchor: ContiguousArray<Int64>? = nil
  ) {
    self.changes = changes
    self.identifier = identifier
    self.title = title
    self.anchor = anchor
    request = changes.nextRequest()
  }

  /// Begins to change an album.
  public convenience init(for collection: AssetCollection) {
    let changes = ChangeSet.required(by: "AssetCollectionChangeRequest(for:)")
    self.init(collection.localIdentifier, title: collection.localizedTitle, in: changes)
  }

  /// Begins to change an album whose assets were fetched. Positions count in that fetch, even when the
  /// album has changed since.
  ///
  /// - Throws: ``PhotoLibraryError`` when the fetch can no longer be read.
  public convenience init(
    for collection: AssetCollection, assets: FetchResult<Asset>
  ) throws(PhotoLibraryError) {
    self.init(for: collection, rows: try assets.rows())
  }

  convenience init(for collection: AssetCollection, rows: ContiguousArray<Int64>) {
    let changes = ChangeSet.required(by: "AssetCollectionChangeRequest(for:assets:)")
    self.init(
      collection.localIdentifier, title: collection.localizedTitle, in: changes, anchor: rows)
  }

  /// Creates an album, at the end of the top level.
  ///
  /// - Parameter title: The album's name, which must not be empty.
  public static func creationRequestForAssetCollection(
    withTitle title: String
  ) -> AssetCollectionChangeRequest {
    let changes = ChangeSet.required(by: "creationRequestForAssetCollection")
    let identifier = ChangeSet.newIdentifier()
    changes.append(.createCollection(identifier, title: title, isList: false))
    return AssetCollectionChangeRequest(identifier, title: title, in: changes)
  }

  /// Deletes albums; their assets stay in the library.
  public static func deleteAssetCollections(_ collections: [any PhotoLibraryObject]) {
    ChangeSet.required(by: "deleteAssetCollections")
      .append(.deleteCollections(collections.map { $0.localIdentifier }, isList: false))
  }

  /// Stands for the album in other requests of the same block. It has the new album's identifier.
  public var placeholderForCreatedAssetCollection: ObjectPlaceholder {
    ObjectPlaceholder(localIdentifier: identifier)
  }

  /// Adds assets or their placeholders at the end.
  public func addAssets(_ assets: [any PhotoLibraryObject]) {
    arrange(.add(assets.map { $0.localIdentifier }))
  }

  /// Inserts assets, each at the position that it will have.
  public func insertAssets(_ assets: [any PhotoLibraryObject], at indexes: [Int]) {
    arrange(.insert(assets.map { $0.localIdentifier }, at: indexes))
  }

  /// Removes assets; assets that are not in the album are ignored.
  public func removeAssets(_ assets: [any PhotoLibraryObject]) {
    arrange(.remove(assets.map { $0.localIdentifier }))
  }

  /// Removes the assets at these positions.
  public func removeAssets(at indexes: [Int]) {
    arrange(.removeAt(indexes))
  }

  /// Replaces the assets at these positions.
  public func replaceAssets(at indexes: [Int], with assets: [any PhotoLibraryObject]) {
    arrange(.replace(at: indexes, with: assets.map { $0.localIdentifier }))
  }

  /// Moves assets: removes the assets at `indexes`, then inserts them together.
  ///
  /// - Parameters:
  ///   - indexes: The assets' positions.
  ///   - target: The new position of the first, in the album without the moved assets.
  public func moveAssets(at indexes: [Int], to target: Int) {
    arrange(.move(at: indexes, to: target))
  }

  private func arrange(_ arrangement: Arrangement<String>) {
    changes.append(
      .arrange(
        ContainerArrangement(
          container: identifier, isList: false, request: request, anchor: anchor,
          arrangement: arrangement)))
  }
}
