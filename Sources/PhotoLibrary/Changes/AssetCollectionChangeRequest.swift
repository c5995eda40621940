import FoundationEssentials
import PhotoEditing

/// Asks, inside a `performChanges` block, for an album to be made, filled, arranged or deleted.
///
/// Positions count what a fetch of the album shows: neither hidden assets nor those in the trash,
/// which keep their places between the others. Positions are ascending lists. An asset is in an album
/// once: adding it again, and positions that do not fit, are reported after the block as
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
    _ identifier: String, title: String, _ changes: ChangeSet,
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
    self.init(collection.localIdentifier, title: collection.localizedTitle, changes)
  }

  /// Begins to change an album whose assets were fetched; positions are those of that fetch, even
  /// when the album has changed since.
  ///
  /// - Throws: ``PhotoLibraryError`` when the fetch cannot be read any more.
  public convenience init(
    for collection: AssetCollection, assets: FetchResult<Asset>
  ) throws(PhotoLibraryError) {
    self.init(for: collection, rows: try assets.rows())
  }

  convenience init(for collection: AssetCollection, rows: ContiguousArray<Int64>) {
    let changes = ChangeSet.required(by: "AssetCollectionChangeRequest(for:assets:)")
    self.init(collection.localIdentifier, title: collection.localizedTitle, changes, anchor: rows)
  }

  /// Makes an album, at the end of the top level.
  ///
  /// - Parameter title: Its name, which must not be empty.
  public static func creationRequestForAssetCollection(
    withTitle title: String
  ) -> AssetCollectionChangeRequest {
    let changes = ChangeSet.required(by: "creationRequestForAssetCollection")
    let identifier = ChangeSet.newIdentifier()
    changes.append(.createCollection(identifier, title: title, isList: false))
    return AssetCollectionChangeRequest(identifier, title: title, changes)
  }

  /// Deletes albums; their assets stay in the library.
  public static func deleteAssetCollections(_ collections: [any PhotoLibraryObject]) {
    ChangeSet.required(by: "deleteAssetCollections")
      .append(.deleteCollections(collections.map { $0.localIdentifier }, isList: false))
  }

  /// Stands for the album in other requests of the same block; equals it later.
  public var placeholderForCreatedAssetCollection: ObjectPlaceholder {
    ObjectPlaceholder(localIdentifier: identifier)
  }

  /// Adds assets, or placeholders of them, at the end.
  public func addAssets(_ assets: [any PhotoLibraryObject]) {
    arrange(.add(assets.map { $0.localIdentifier }))
  }

  /// Puts assets in, each at the position that it will have.
  public func insertAssets(_ assets: [any PhotoLibraryObject], at indexes: [Int]) {
    arrange(.insert(assets.map { $0.localIdentifier }, at: indexes))
  }

  /// Takes assets out; those that are not in the album do not matter.
  public func removeAssets(_ assets: [any PhotoLibraryObject]) {
    arrange(.remove(assets.map { $0.localIdentifier }))
  }

  /// Takes out what is at these positions.
  public func removeAssets(at indexes: [Int]) {
    arrange(.removeAt(indexes))
  }

  /// Puts assets in the places of others.
  public func replaceAssets(at indexes: [Int], with assets: [any PhotoLibraryObject]) {
    arrange(.replace(at: indexes, with: assets.map { $0.localIdentifier }))
  }

  /// Moves assets: takes out what is at `indexes`, then puts them in together.
  ///
  /// - Parameters:
  ///   - indexes: Where they are.
  ///   - target: Where the first goes, counted once they are out.
  public func moveAssets(at indexes: [Int], to target: Int) {
    arrange(.move(at: indexes, to: target))
  }

  private func arrange(_ arrangement: Arrangement<String>) {
    changes.append(
      .arrange(
        ContainerStep(
          container: identifier, isList: false, request: request, anchor: anchor,
          arrangement: arrangement)))
  }
}
