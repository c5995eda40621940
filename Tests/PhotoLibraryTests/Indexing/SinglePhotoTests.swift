import Foundation
import PhotoEditing
import Testing

@testable import PhotoLibraryKit
@testable import SafelightFiles

@Suite struct SinglePhotoTests {
  private let tree = PhotoTree()

  @Test func aPhotoIsTakenInWithoutItsNeighbors() async throws {
    let photo = tree.photo("a.jpg")
    tree.photo("b.jpg")
    tree.photo("inner/c.jpg")
    let library = try tree.open()
    #expect(try await library.add([photo]).added == 1)
    #expect(try await library.names == ["a.jpg"])
    #expect(try await library.scan().isUnchanged)
    #expect(try await library.lines("SELECT path FROM folder WHERE isRoot = 1").isEmpty)
  }

  @Test func itsChangesAreFoundAndThatItIsGone() async throws {
    let photo = tree.photo("a.jpg")
    tree.photo("b.jpg")
    let library = try tree.open()
    try await library.add([photo])
    tree.photo("a.jpg", SmallJPEG(width: 77))
    #expect(try await library.scan().updated == 1)
    #expect(try await library.lines("SELECT pixelWidth FROM asset") == ["77"])
    tree.remove("a.jpg")
    #expect(try await library.scan().removed == 1)
  }

  @Test func itsChangesAreNoticedWhileItIsWatched() async throws {
    let photo = tree.photo("a.jpg")
    let library = try tree.open()
    try await library.add([photo])
    try await library.startWatching()
    defer { library.stopWatching() }
    tree.photo("b.jpg")
    tree.photo("a.jpg", SmallJPEG(width: 77))
    #expect(
      try await eventually {
        try await library.lines("SELECT pixelWidth FROM asset") == ["77"]
      })
    #expect(try await library.names == ["a.jpg"])
  }

  @Test func itsFolderMayBeMissingForAWhile() async throws {
    let photo = tree.photo("disk/a.jpg")
    let library = try tree.open()
    try await library.add([photo])
    tree.move("disk", to: "elsewhere")
    #expect(try await library.scan().unavailable == [photo.removingLastComponent()])
    tree.move("elsewhere", to: "disk")
    #expect(try await library.scan().isUnchanged)
    #expect(try await library.names == ["a.jpg"])
  }

  @Test func aRebuildFindsItAndNotItsNeighbors() async throws {
    let photo = tree.photo("a.jpg")
    tree.photo("b.jpg")
    var before: [String] = []
    do {
      let library = try tree.open()
      try await library.add([photo])
      before = try await library.contents
    }
    let rebuilt = try await PhotoLibrary.rebuild(at: tree.library)
    #expect(try await rebuilt.contents == before)
    #expect(try await rebuilt.names == ["a.jpg"])
  }

  @Test func itsFolderMayBeAddedLater() async throws {
    let photo = tree.photo("a.jpg")
    tree.photo("b.jpg")
    let library = try tree.open()
    try await library.add([photo])
    let identifier = try await library.identifier("a.jpg")
    #expect(try await library.add([tree.photos]).added == 1)
    #expect(try await library.identifier("a.jpg") == identifier)
    tree.photo("c.jpg")
    #expect(try await library.scan().added == 1)
  }

  @Test func whatIsNeitherAFolderNorAFileIsRefused() async throws {
    let library = try tree.open()
    await #expect(throws: PhotoLibraryError.self) {
      try await library.add([tree.photos.appending("none.jpg")])
    }
  }
}
