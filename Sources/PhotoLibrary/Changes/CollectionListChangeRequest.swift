import FoundationEssentials
import PhotoEditing
import SafelightFiles

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
  private let changes: ChangeSet
  private let identifier: String?
  private let request: Int

  /// The list's name, which must not be empty.
  public var title: String {
    didSet {
      guard let identifier else {
        preconditionFailure("the top level of a library has no title to change")
      }
      changes.append(.rename(identifier, title: title, isList: true))
    }
  }

  private init(_ identifier: String?, title: String, in changes: ChangeSet) {
    self.changes = changes
    self.identifier = identifier
    self.title = title
    request = changes.nextRequest()
  }

  /// Begins to change a list.
  public convenience init(for list: CollectionList) {
    let changes = ChangeSet.required(by: "CollectionListChangeRequest(for:)")
    self.init(list.localIdentifier, title: list.localizedTitle, in: changes)
  }

  /// Begins to arrange the top level: albums and lists that are in no list.
  public static func forTopLevelCollectionListUserCollections() -> CollectionListChangeRequest {
    let changes = ChangeSet.required(by: "forTopLevelCollectionListUserCollections")
    return CollectionListChangeRequest(nil, title: "", in: changes)
  }

  /// Creates a list, at the end of the top level.
  ///
  /// - Parameter title: The list's name, which must not be empty.
  public static func creationRequestForCollectionList(
    withTitle title: String
  ) -> CollectionListChangeRequest {
    let changes = ChangeSet.required(by: "creationRequestForCollectionList")
    let identifier = ChangeSet.newIdentifier()
    changes.append(.createCollection(identifier, title: title, isList: true))
    return CollectionListChangeRequest(identifier, title: title, in: changes)
  }

  /// Deletes lists with all albums and lists in them; the assets stay in the library.
  public static func deleteCollectionLists(_ lists: [any PhotoLibraryObject]) {
    ChangeSet.required(by: "deleteCollectionLists")
      .append(.deleteCollections(lists.map { $0.localIdentifier }, isList: true))
  }

  /// Stands for the list in other requests of the same block. It has the new list's identifier.
  public var placeholderForCreatedCollectionList: ObjectPlaceholder {
    guard let identifier else {
      preconditionFailure("the top level of a library is not created")
    }
    return ObjectPlaceholder(localIdentifier: identifier)
  }

  /// Adds albums and lists at the end.
  public func addChildCollections(_ collections: [any PhotoLibraryObject]) {
    arrange(.add(collections.map { $0.localIdentifier }))
  }

  /// Inserts albums and lists, each at the position that it will have.
  public func insertChildCollections(_ collections: [any PhotoLibraryObject], at indexes: [Int]) {
    arrange(.insert(collections.map { $0.localIdentifier }, at: indexes))
  }

  /// Removes albums and lists; they move to the top level.
  public func removeChildCollections(_ collections: [any PhotoLibraryObject]) {
    arrange(.remove(collections.map { $0.localIdentifier }))
  }

  /// Removes the albums and lists at these positions; they move to the top level.
  public func removeChildCollections(at indexes: [Int]) {
    arrange(.removeAt(indexes))
  }

  /// Replaces the albums and lists at these positions, which move to the top level.
  public func replaceChildCollections(
    at indexes: [Int], with collections: [any PhotoLibraryObject]
  ) {
    arrange(.replace(at: indexes, with: collections.map { $0.localIdentifier }))
  }

  /// Moves the albums and lists at `indexes`: removes them, then inserts them together, at a position of
  /// the remaining list.
  public func moveChildCollections(at indexes: [Int], to target: Int) {
    arrange(.move(at: indexes, to: target))
  }

  private func arrange(_ arrangement: Arrangement<String>) {
    changes.append(
      .arrange(
        ContainerArrangement(
          container: identifier, isList: true, request: request, anchor: nil,
          arrangement: arrangement)))
  }
}
