import FoundationEssentials
import PhotoEditing

/// Asks, inside a `performChanges` block, for a list of albums to be made, filled, arranged or
/// deleted.
///
/// An album or a list is in one place: putting it into a list takes it from where it was, and taking
/// it out puts it at the end of the top level. Positions are ascending lists.
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

  private init(_ identifier: String?, title: String, _ changes: ChangeSet) {
    self.changes = changes
    self.identifier = identifier
    self.title = title
    request = changes.nextRequest()
  }

  /// Begins to change a list.
  public convenience init(for list: CollectionList) {
    let changes = ChangeSet.required(by: "CollectionListChangeRequest(for:)")
    self.init(list.localIdentifier, title: list.localizedTitle, changes)
  }

  /// Begins to arrange what is in no list.
  public static func forTopLevelCollectionListUserCollections() -> CollectionListChangeRequest {
    let changes = ChangeSet.required(by: "forTopLevelCollectionListUserCollections")
    return CollectionListChangeRequest(nil, title: "", changes)
  }

  /// Makes a list, at the end of the top level.
  ///
  /// - Parameter title: Its name, which must not be empty.
  public static func creationRequestForCollectionList(
    withTitle title: String
  ) -> CollectionListChangeRequest {
    let changes = ChangeSet.required(by: "creationRequestForCollectionList")
    let identifier = ChangeSet.newIdentifier()
    changes.append(.createCollection(identifier, title: title, isList: true))
    return CollectionListChangeRequest(identifier, title: title, changes)
  }

  /// Deletes lists with all albums and lists in them; the assets stay in the library.
  public static func deleteCollectionLists(_ lists: [any PhotoLibraryObject]) {
    ChangeSet.required(by: "deleteCollectionLists")
      .append(.deleteCollections(lists.map { $0.localIdentifier }, isList: true))
  }

  /// Stands for the list in other requests of the same block; equals it later.
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

  /// Puts albums and lists in, each at the position that it will have.
  public func insertChildCollections(_ collections: [any PhotoLibraryObject], at indexes: [Int]) {
    arrange(.insert(collections.map { $0.localIdentifier }, at: indexes))
  }

  /// Takes albums and lists out, to the top level.
  public func removeChildCollections(_ collections: [any PhotoLibraryObject]) {
    arrange(.remove(collections.map { $0.localIdentifier }))
  }

  /// Takes out what is at these positions, to the top level.
  public func removeChildCollections(at indexes: [Int]) {
    arrange(.removeAt(indexes))
  }

  /// Puts albums and lists in the places of others, which go to the top level.
  public func replaceChildCollections(
    at indexes: [Int], with collections: [any PhotoLibraryObject]
  ) {
    arrange(.replace(at: indexes, with: collections.map { $0.localIdentifier }))
  }

  /// Moves what is at `indexes`: takes it out, then puts it in together, at a position of what is
  /// left.
  public func moveChildCollections(at indexes: [Int], to target: Int) {
    arrange(.move(at: indexes, to: target))
  }

  private func arrange(_ arrangement: Arrangement<String>) {
    changes.append(
      .arrange(
        ContainerStep(
          container: identifier, isList: true, request: request, anchor: nil,
          arrangement: arrangement)))
  }
}
