import PhotoEditing
import Testing

@testable import PhotoLibraryKit
@testable import SafelightFiles

@Suite struct WatchingTests {
  private let tree = PhotoTree()

  @Test func whatChangesWhileItIsWatchedIsNoticedWithoutAScan() async throws {
    tree.photo("a.jpg")
    let library = try tree.open()
    try await library.add([tree.photos])
    try await library.startWatching()
    defer { library.stopWatching() }
    let identifier = try await library.identifier("a.jpg")

    tree.photo("new/deep/b.jpg")
    #expect(try await eventually { try await library.names == ["a.jpg", "b.jpg"] })
    // The new folder is watched too.
    tree.photo("new/deep/c.jpg")
    #expect(try await eventually { try await library.names.contains("c.jpg") })
    tree.move("a.jpg", to: "new/moved.jpg")
    #expect(try await eventually { try await library.names.contains("moved.jpg") })
    #expect(try await library.identifier("moved.jpg") == identifier)
    tree.remove("new/deep/b.jpg")
    #expect(try await eventually { try await library.names == ["c.jpg", "moved.jpg"] })
    tree.move("new", to: "other")
    #expect(
      try await eventually {
        try await library.lines("SELECT path FROM folder JOIN asset ON asset.folder = folder.id")
          .allSatisfy { $0.contains("/other") }
      })
    #expect(try await library.identifier("moved.jpg") == identifier)
  }

  @Test func whatChangedBeforeIsFoundWhenTheWatchBegins() async throws {
    let library = try tree.open()
    try await library.add([tree.photos])
    tree.photo("a.jpg")
    try await library.startWatching()
    library.stopWatching()
    #expect(try await library.names == ["a.jpg"])
  }

  @Test(arguments: [false, true])
  func foldersThatAreAddedMeanwhileAreWatchedAndRemovedOnesAreNot(byAnother: Bool) async throws {
    tree.photo("one/a.jpg")
    let library = try tree.open()
    try await library.add([tree.photos.appending("one")])
    try await library.startWatching()
    defer { library.stopWatching() }
    let other = byAnother ? try PhotoLibrary(at: library.path) : library
    tree.photos.appending("two").makeFolder()
    try await other.add([tree.photos.appending("two")])
    tree.photo("two/b.jpg")
    // The watch of the folder may begin a moment after the photo came.
    #expect(
      try await eventually {
        tree.photo("two/c.jpg")
        return try await library.names.contains("c.jpg")
      })
    try await other.remove([tree.photos.appending("one")])
    tree.photo("one/d.jpg")
    tree.photo("two/e.jpg")
    #expect(try await eventually { try await library.names.contains("e.jpg") })
    #expect(try await library.names == ["b.jpg", "c.jpg", "e.jpg"])
  }
}
