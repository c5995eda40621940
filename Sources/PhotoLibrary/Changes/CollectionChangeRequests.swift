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
  private let container: ContainerRequest

  /// The album's name, which must not be empty.
  public var title: String {
    didSet { container.rename(to: title) }
  }

  private init(_ container: ContainerRequest, title: String) {
    self.container = container
    self.title = title
  }

  /// Begins to change an album.
  @_disfavoredOverload  // `Photos` has it with PhotoKit's type, as all below that are marked so.
  public convenience init(for collection: AssetCollection) { self.init(changing: collection) }

  package convenience init(changing collection: AssetCollection) {
    self.init(
      ContainerRequest(collection, isList: false, by: "AssetCollectionChangeRequest"),
      title: collection.localizedTitle)
  }

  /// Begins to change an album whose assets were fetched. Positions count in that fetch, even when the
  /// album has changed since.
  ///
  /// When the fetch can no longer be read, this is reported after the block.
  @_disfavoredOverload
  public convenience init(for collection: AssetCollection, assets: FetchResult<Asset>) {
    self.init(changing: collection, assets: assets)
  }

  package convenience init(changing collection: AssetCollection, assets: FetchResult<Asset>) {
    do throws(PhotoLibraryError) {
      self.init(for: collection, rows: try assets.rows())
      if let snapshot = assets.snapshot { container.check(snapshot) }
    } catch {
      self.init(for: collection, rows: [])
      container.refuse(error)
    }
  }

  convenience init(for collection: AssetCollection, rows: ContiguousArray<Int64>) {
    self.init(
      ContainerRequest(
        collection, isList: false, anchor: rows, by: "AssetCollectionChangeRequest"),
      title: collection.localizedTitle)
  }

  /// Creates an album, at the end of the top level.
  ///
  /// - Parameter title: The album's name, which must not be empty.
  public static func creationRequestForAssetCollection(
    withTitle title: String
  ) -> AssetCollectionChangeRequest {
    AssetCollectionChangeRequest(
      ContainerRequest(creating: title, isList: false, by: "creationRequestForAssetCollection"),
      title: title)
  }

  /// Deletes albums; their assets stay in the library.
  public static func deleteAssetCollections(_ collections: [any PhotoLibraryObject]) {
    ContainerRequest.delete(collections, areLists: false, by: "deleteAssetCollections")
  }

  /// Stands for the album in other requests of the same block. It has the new album's identifier.
  ///
  /// Implicitly unwrapped, so that code with and without the optional of PhotoKit compiles.
  public var placeholderForCreatedAssetCollection: ObjectPlaceholder! { container.placeholder }

  /// Adds assets or their placeholders at the end.
  public func addAssets(_ assets: [any PhotoLibraryObject]) { container.add(assets) }

  /// Adds the assets of a fetch at the end.
  public func addAssets(_ assets: FetchResult<Asset>) { container.add(Array(assets)) }

  /// Inserts assets, each at the position that it will have.
  public func insertAssets(_ assets: [any PhotoLibraryObject], at indexes: [Int]) {
    container.insert(assets, at: indexes)
  }

  /// Removes the assets of a fetch; assets that are not in the album are ignored.
  public func removeAssets(_ assets: FetchResult<Asset>) { container.remove(Array(assets)) }

  /// Removes assets; assets that are not in the album are ignored.
  public func removeAssets(_ assets: [any PhotoLibraryObject]) { container.remove(assets) }

  /// Removes the assets at these positions.
  public func removeAssets(at indexes: [Int]) { container.arrange(.removeAt(indexes)) }

  /// Replaces the assets at these positions.
  public func replaceAssets(at indexes: [Int], with assets: [any PhotoLibraryObject]) {
    container.replace(at: indexes, with: assets)
  }

  /// Moves assets: removes the assets at `indexes`, then inserts them together.
  ///
  /// - Parameters:
  ///   - indexes: The assets' positions.
  ///   - target: The new position of the first, in the album without the moved assets.
  public func moveAssets(at indexes: [Int], to target: Int) {
    container.arrange(.move(at: indexes, to: target))
  }
}

/// Creates, fills, arranges or deletes a list of albums, inside a `performChanges` block.
///
/// ```swift
/// try await library.performChanges {
///   let list = CollectionListChangeRequest.creationRequestForCollectionList(withTitle: "2024")
///   list.addChildCollections(albums)
/// }
/// ```
///
/// An album or a list has one place: adding it to a list removes it from its old place, and removing it
/// moves it to the end of the top level. Lists of positions ascend.
public final class CollectionListChangeRequest {
  private let container: ContainerRequest

  /// The list's name, which must not be empty.
  public var title: String {
    didSet { container.rename(to: title) }
  }

  private init(_ container: ContainerRequest, title: String) {
    self.container = container
    self.title = title
  }

  /// Begins to change a list.
  @_disfavoredOverload
  public convenience init(for list: CollectionList) { self.init(changing: list) }

  package convenience init(changing list: CollectionList) {
    self.init(
      ContainerRequest(list, isList: true, by: "CollectionListChangeRequest"),
      title: list.localizedTitle)
  }

  /// Begins to arrange the top level: albums and lists that are in no list.
  public static func forTopLevelCollectionListUserCollections() -> CollectionListChangeRequest {
    CollectionListChangeRequest(
      ContainerRequest(
        identifier: nil, isList: true, by: "forTopLevelCollectionListUserCollections"), title: ""
    )
  }

  /// Creates a list, at the end of the top level.
  ///
  /// - Parameter title: The list's name, which must not be empty.
  public static func creationRequestForCollectionList(
    withTitle title: String
  ) -> CollectionListChangeRequest {
    CollectionListChangeRequest(
      ContainerRequest(creating: title, isList: true, by: "creationRequestForCollectionList"),
      title: title)
  }

  /// Deletes lists with all albums and lists in them; the assets stay in the library.
  public static func deleteCollectionLists(_ lists: [any PhotoLibraryObject]) {
    ContainerRequest.delete(lists, areLists: true, by: "deleteCollectionLists")
  }

  /// Stands for the list in other requests of the same block. It has the new list's identifier.
  ///
  /// Implicitly unwrapped, so that code with and without the optional of PhotoKit compiles.
  public var placeholderForCreatedCollectionList: ObjectPlaceholder! { container.placeholder }

  /// Adds albums and lists at the end.
  public func addChildCollections(_ collections: [any PhotoLibraryObject]) {
    container.add(collections)
  }

  /// Inserts albums and lists, each at the position that it will have.
  public func insertChildCollections(_ collections: [any PhotoLibraryObject], at indexes: [Int]) {
    container.insert(collections, at: indexes)
  }

  /// Removes albums and lists; they move to the top level.
  public func removeChildCollections(_ collections: [any PhotoLibraryObject]) {
    container.remove(collections)
  }

  /// Removes the albums and lists at these positions; they move to the top level.
  public func removeChildCollections(at indexes: [Int]) { container.arrange(.removeAt(indexes)) }

  /// Replaces the albums and lists at these positions, which move to the top level.
  public func replaceChildCollections(
    at indexes: [Int], with collections: [any PhotoLibraryObject]
  ) {
    container.replace(at: indexes, with: collections)
  }

  /// Moves the albums and lists at `indexes`: removes them, then inserts them together, at a position of
  /// the remaining list.
  public func moveChildCollections(at indexes: [Int], to target: Int) {
    container.arrange(.move(at: indexes, to: target))
  }
}

/// What a request for an album and a request for a list have in common.
private struct ContainerRequest {
  private let changes: ChangeSet
  /// The album or the list; `nil` for the top level.
  private let identifier: String?
  private let isList: Bool
  private let anchor: ContiguousArray<Int64>?
  private let number: Int

  /// - Parameters:
  ///   - anchor: The rows in which positions count; `nil` for the rows at the time of the change.
  ///   - call: The name of the program's call, for the message about its misuse.
  init(
    identifier: String?, isList: Bool, anchor: ContiguousArray<Int64>? = nil, by call: String
  ) {
    changes = ChangeSet.required(by: call)
    (self.identifier, self.isList, self.anchor) = (identifier, isList, anchor)
    number = changes.nextRequest()
  }

  /// Changes an album or a list.
  init(
    _ object: any PhotoLibraryObject, isList: Bool, anchor: ContiguousArray<Int64>? = nil,
    by call: String
  ) {
    self.init(identifier: object.localIdentifier, isList: isList, anchor: anchor, by: call)
    _ = changes.identifier(of: object)
  }

  /// Creates an album or a list.
  init(creating title: String, isList: Bool, by call: String) {
    let identifier = LocalIdentifier.random()
    self.init(identifier: identifier, isList: isList, by: call)
    changes.append(.createCollection(identifier, title: title, isList: isList))
  }

  static func delete(_ collections: [any PhotoLibraryObject], areLists: Bool, by call: String) {
    let changes = ChangeSet.required(by: call)
    changes.append(.deleteCollections(changes.identifiers(of: collections), isList: areLists))
  }

  /// Refuses positions in a fetch from another library.
  func check(_ snapshot: Snapshot) {
    if snapshot.path != changes.library {
      changes.refuse(.objectOfAnotherLibrary(identifier ?? ""))
    }
  }

  /// Lets the change set fail after its block.
  func refuse(_ error: PhotoLibraryError) { changes.refuse(error) }

  var placeholder: ObjectPlaceholder {
    ObjectPlaceholder(localIdentifier: required("placeholder"), library: changes.library)
  }

  func rename(to title: String) {
    changes.append(.rename(required("title"), title: title, isList: isList))
  }

  private func required(_ property: String) -> String {
    if identifier == nil {
      changes.refuse(.changeNotSupported("The top level of a library has no \(property)."))
    }
    return identifier ?? ""
  }

  func add(_ objects: [any PhotoLibraryObject]) { arrange(.add(changes.identifiers(of: objects))) }

  func insert(_ objects: [any PhotoLibraryObject], at positions: [Int]) {
    arrange(.insert(changes.identifiers(of: objects), at: positions))
  }

  func remove(_ objects: [any PhotoLibraryObject]) {
    arrange(.remove(changes.identifiers(of: objects)))
  }

  func replace(at positions: [Int], with objects: [any PhotoLibraryObject]) {
    arrange(.replace(at: positions, with: changes.identifiers(of: objects)))
  }

  func arrange(_ arrangement: Arrangement<String>) {
    changes.append(
      .arrange(
        ContainerArrangement(
          container: identifier, isList: isList, request: number, anchor: anchor,
          arrangement: arrangement)))
  }
}
