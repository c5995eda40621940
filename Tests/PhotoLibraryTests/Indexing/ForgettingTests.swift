import Foundation
import PhotoEditing
import Testing

@testable import PhotoLibraryKit
@testable import SafelightFiles

@Suite struct ForgettingTests {
  private let tree = PhotoTree()

  private func library() async throws -> PhotoLibrary {
    for name in ["one/a.jpg", "one/deep/b.jpg", "two/c.jpg", "single/d.jpg", "single/e.jpg"] {
      tree.photo(FilePath(name))
    }
    let library = try tree.open()
    try await library.add([
      tree.photos.appending("one"), tree.photos.appending("two"),
      tree.photos.appending("single/d.jpg"),
    ])
    return library
  }

  @Test func aFoldersPhotosLeaveAndTheirFilesStay() async throws {
    let library = try await library()
    #expect(try await library.remove([tree.photos.appending("one")]).removed == 2)
    #expect(try await library.names == ["c.jpg", "d.jpg"])
    #expect(tree.photos.appending("one/deep/b.jpg").leadsSomewhere)
    #expect(try await library.scan().isUnchanged)
    #expect(
      try await library.lines("SELECT path FROM folder").allSatisfy { !$0.contains("/one") })
  }

  @Test func aFolderThatIsGoneIsKnownByARelativeNameToo() async throws {
    let library = try await library()
    let folder = tree.photos.appending("one")
    try FileManager.default.removeItem(atPath: folder.string)
    let up = FilePath.currentFolder.bytes.split(separator: FilePath.slash).map { _ in "../" }
    let name = folder.string.replacing("/one", with: "/two/../one")
    let relative = FilePath(up.joined() + "." + name)
    let assets = try library.fetchAssets(at: [relative.appending("a.jpg")])
    #expect(assets.first??.path == folder.appending("a.jpg"))
    #expect(try await library.remove([relative]).removed == 2)
  }

  @Test func aSinglePhotoLeaves() async throws {
    let library = try await library()
    #expect(try await library.remove([tree.photos.appending("single/d.jpg")]).removed == 1)
    #expect(try await library.names == ["a.jpg", "b.jpg", "c.jpg"])
    #expect(try await library.scan().isUnchanged)
  }

  @Test func whatWasSaidOfThemComesBackWithThem() async throws {
    let library = try await library()
    try await library.write("UPDATE asset SET favorite = 1 WHERE name = CAST('b.jpg' AS BLOB)")
    let identifier = try await library.identifier("b.jpg")
    let folder = tree.photos.appending("one")
    try await library.remove([folder])
    #expect(try await library.add([folder]).added == 2)
    #expect(try await library.identifier("b.jpg") == identifier)
    #expect(try await library.lines("SELECT name FROM asset WHERE favorite = 1") == ["b.jpg"])
  }

  @Test func aRebuildKnowsThatTheyLeft() async throws {
    var before: [String] = []
    do {
      let library = try await library()
      try await library.remove([
        tree.photos.appending("one"), tree.photos.appending("single/d.jpg"),
      ])
      before = try await library.contents
    }
    let rebuilt = try await PhotoLibrary.rebuild(at: tree.library)
    #expect(try await rebuilt.contents == before)
    #expect(try await rebuilt.names == ["c.jpg"])
  }

  @Test func aFolderInOneThatStaysAndWhatWasNeverAddedAreRefused() async throws {
    let library = try await library()
    let one = tree.photos.appending("one")
    await #expect(
      throws: PhotoLibraryError.invalidResource(
        one.appending("deep"), detail: "It lies in \(one), which stays.")
    ) {
      try await library.remove([tree.photos.appending("two"), one.appending("deep")])
    }
    await #expect(
      throws: PhotoLibraryError.invalidResource(tree.photos, detail: "It was not added.")
    ) {
      try await library.remove([tree.photos])
    }
    #expect(try await library.names == ["a.jpg", "b.jpg", "c.jpg", "d.jpg"])
  }

  @Test func aFolderThatIsGoneFromTheDiskCanLeave() async throws {
    let library = try await library()
    tree.move("one", to: "elsewhere")
    #expect(try await library.remove([tree.photos.appending("one")]).removed == 2)
    #expect(try await library.names == ["c.jpg", "d.jpg"])
  }
}
