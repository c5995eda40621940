import Foundation
import Testing

@testable import PhotoLibraryKit
@testable import SafelightFiles

@Suite struct CollectionListChangeTests {
  private func children(of list: String?, in library: PhotoLibrary) throws -> [String] {
    try library.rows(
      """
      SELECT title FROM collection
      WHERE list IS (SELECT id FROM collection WHERE identifier = ?) ORDER BY position
      """, [list]
    ) { $0[0] }
  }

  private func list(_ identifier: String) -> CollectionList {
    CollectionList(localIdentifier: identifier, localizedTitle: "", creationDate: Date(), row: 0)
  }

  /// A list `Outer` with the list `Inner` and the album `B` in it, and the album `A` outside.
  private func filled(_ test: TestLibrary) throws -> (
    outer: String, inner: String, a: AssetCollection, b: AssetCollection
  ) {
    let (a, b) = (try test.album("A"), try test.album("B"))
    let made = Box(("", ""))
    try test.library.performChangesAndWait {
      let outer = CollectionListChangeRequest.creationRequestForCollectionList(withTitle: "Outer")
      let inner = CollectionListChangeRequest.creationRequestForCollectionList(withTitle: "Inner")
      outer.addChildCollections([inner.placeholderForCreatedCollectionList, b])
      made.value = (
        outer.placeholderForCreatedCollectionList.localIdentifier,
        inner.placeholderForCreatedCollectionList.localIdentifier
      )
    }
    return (made.value.0, made.value.1, a, b)
  }

  @Test func childrenLeaveWhereTheyWere() throws {
    let test = try TestLibrary()
    let made = try filled(test)
    #expect(try children(of: nil, in: test.library) == ["A", "Outer"])
    #expect(try children(of: made.outer, in: test.library) == ["Inner", "B"])
    try test.library.performChangesAndWait {
      CollectionListChangeRequest(for: list(made.inner)).insertChildCollections(
        [made.b, made.a], at: [0, 1])
    }
    #expect(try children(of: nil, in: test.library) == ["Outer"])
    #expect(try children(of: made.outer, in: test.library) == ["Inner"])
    #expect(try children(of: made.inner, in: test.library) == ["B", "A"])
  }

  @Test func whatIsTakenOutGoesToTheEndOfTheTopLevel() throws {
    let test = try TestLibrary()
    let made = try filled(test)
    try test.library.performChangesAndWait {
      let request = CollectionListChangeRequest(for: list(made.outer))
      request.moveChildCollections(at: [1], to: 0)
      request.removeChildCollections(at: [1])
      request.title = "Renamed"
      CollectionListChangeRequest.forTopLevelCollectionListUserCollections()
        .moveChildCollections(at: [2], to: 0)
    }
    #expect(try children(of: nil, in: test.library) == ["Inner", "A", "Renamed"])
    #expect(try children(of: made.outer, in: test.library) == ["B"])
  }

  @Test func aListCannotBePutIntoItself() throws {
    let test = try TestLibrary()
    let made = try filled(test)
    for child in [made.outer, made.inner] {
      let error = #expect(throws: PhotoLibraryError.self) {
        try test.library.performChangesAndWait {
          CollectionListChangeRequest(for: list(made.inner)).addChildCollections([list(child)])
        }
      }
      #expect(error?.errorCode == 3300)
    }
    #expect(try children(of: made.outer, in: test.library) == ["Inner", "B"])
  }

  @Test func deletingAListDeletesWhatIsInIt() throws {
    let test = try TestLibrary()
    let made = try filled(test)
    let token = try test.library.currentChangeToken
    try test.library.performChangesAndWait {
      CollectionListChangeRequest.deleteCollectionLists([list(made.outer)])
    }
    #expect(try children(of: nil, in: test.library) == ["A"])
    let change = try #require(try test.library.fetchPersistentChanges(since: token).first)
    #expect(
      try change.changeDetails(for: .collectionList)?.deletedLocalIdentifiers
        == [made.outer, made.inner])
    #expect(
      try change.changeDetails(for: .assetCollection)?.deletedLocalIdentifiers
        == [made.b.localIdentifier])
  }
}
