import Glibc
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

  @Test(arguments: ["inner", ""] as [FilePath], [false, true])
  func aLinkInThePlaceOfAFolderShowsNothingFromBehindIt(name: FilePath, isWatched: Bool)
    async throws
  {
    tree.photo("a.jpg")
    tree.photo("inner/b.jpg")
    let secret = tree.path.appending("secret")
    secret.appending("deep").makeFolder()
    secret.appending("s.jpg").write(SmallJPEG(comment: "s").bytes)
    secret.appending("deep/t.jpg").write(SmallJPEG(comment: "t").bytes)
    let library = try tree.open()
    try await library.add([tree.photos])
    if isWatched { try await library.startWatching() }
    defer { library.stopWatching() }
    let folder = name.isEmpty ? tree.photos : tree.photos.appending(name)
    #expect(rename(folder.string, tree.path.appending("away").string) == 0)
    #expect(symlink(secret.string, folder.string) == 0)
    if isWatched, !name.isEmpty {
      #expect(try await eventually { try await library.names == ["a.jpg"] })
    }
    secret.appending("u.jpg").write(SmallJPEG(comment: "u").bytes)
    let result = try await library.scan()
    // The photos of an added folder stay, as if its disk were away.
    #expect(try await library.names == (name.isEmpty ? ["a.jpg", "b.jpg"] : ["a.jpg"]))
    #expect(result.unavailable == (name.isEmpty ? [tree.photos] : []))
  }

  @Test func rowsThatDifferOnlyBehindANULEndNothing() async throws {
    tree.photo("a.jpg")
    let library = try tree.open()
    try await library.add([tree.photos])
    try await library.write(
      """
      INSERT INTO folder (path, isRoot) SELECT CAST(path || x'0041' AS BLOB), 1 FROM folder WHERE isRoot = 1;
      INSERT INTO asset (identifier, folder, name, size, modified, inode, format, pixelWidth, pixelHeight,
        orientation, modificationDate, addedDate)
      SELECT identifier || char(0) || 'x', folder, CAST(name || x'0041' AS BLOB), size, modified, inode, format, pixelWidth,
        pixelHeight, orientation, modificationDate, addedDate FROM asset;
      INSERT INTO collection (identifier, isList, title, position, creationDate)
        VALUES ('list', 1, 'List', 1, 0);
      INSERT INTO collection (identifier, isList, title, position, creationDate, list)
        SELECT 'list' || char(0) || 'x', 1, 'List', 1, 0, id FROM collection;
      """)
    let reopened = try tree.open()
    let path = tree.photos.appending("a.jpg")
    _ = try? await reopened.scan()
    _ = try? await reopened.refresh([path], thoroughly: true)
    _ = try? await reopened.verify(fixing: true)
    #expect(try reopened.fetchAssets().allObjects().contains { $0.path == path })
    let top = try reopened.fetchTopLevelUserCollections()
    #expect(top.map(\.localIdentifier) == ["list"])
  }
}
