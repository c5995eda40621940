import Foundation
import Glibc
import PhotoEditing
import Testing

@testable import SafelightFiles
@testable import SafelightStorage

/// Photos that are symbolic links to content elsewhere, as programs leave them that move photos.
@Suite struct LinkedPhotoTests {
  private let folder = PhotoFolder()
  private let archive = PhotoFolder()
  private let editor = PhotoEditor.test()

  private func path(_ name: FilePath) -> FilePath { folder.path.appending(name) }

  /// Moves a photo's content away and leaves a link.
  private func replaceByLink(_ name: FilePath, to content: FilePath) {
    rename(path(name).string, content.string)
    symlink(content.string, path(name).string)
  }

  @Test func aPhotoThatWasReplacedByALinkKeepsItsEdit() async throws {
    let photo = try folder.add("orientation/1.jpg", as: "beach.jpg")
    try await editor.apply(.named("noir"), to: photo)
    replaceByLink("beach.jpg", to: archive.path.appending("1234.jpg"))
    let check = try await editor.verify(photo)
    #expect(check.isEdited && check.isSound && check.notes.isEmpty)
    #expect(try await editor.relinkings([folder.path]).isEmpty)
    #expect(try await editor.gonePhotos(in: [folder.path]).isEmpty)
    try await editor.apply(.named("sepia"), to: photo)
    #expect(try await editor.state(of: photo).edit?.stack?.filters.map(\.name) == ["sepia"])
    #expect(folder.names == ["beach.jpg", "beach.jpg.aae", "beach_edited.jpg"])
    #expect(archive.names == ["1234.jpg"])
    try await editor.revertAssetContentToOriginal(photo)
    #expect(folder.names == ["beach.jpg"] && archive.names == ["1234.jpg"])
  }

  @Test func aLinkIntoAHiddenFolderIsEditedBesideTheLink() async throws {
    let photo = try folder.add("orientation/1.jpg", as: "beach.jpg")
    let store = archive.path.appending(".git")
    mkdir(store.string, 0o755)
    defer {
      unlink(store.appending("SHA256E-s1.jpg").string)
      rmdir(store.string)
    }
    replaceByLink("beach.jpg", to: store.appending("SHA256E-s1.jpg"))
    try await editor.apply(.named("noir"), to: photo)
    #expect(folder.names == ["beach.jpg", "beach.jpg.aae", "beach_edited.jpg"])
    #expect(try FileSystem.real.names(in: store) == ["SHA256E-s1.jpg"])
    #expect(try await editor.verify(photo).isSound)
    // The link gets another name, and its edit follows.
    rename(path("beach.jpg").string, path("shore.jpg").string)
    let relinked = try await editor.relinkings([folder.path], lookingIn: [store])
    #expect(try relinked.map { try $0.get().photo } == [path("shore.jpg")])
    #expect(folder.names == ["shore.jpg", "shore.jpg.aae", "shore_edited.jpg"])
    #expect(try FileSystem.real.names(in: store) == ["SHA256E-s1.jpg"])
  }

  @Test func aLinkToAPhotoElsewhereStandsForThatPhoto() async throws {
    let content = try archive.add("orientation/1.jpg", as: "beach.jpg")
    symlink(content.path.string, path("link.jpg").string)
    try await editor.apply(.named("noir"), to: Photo(path: path("link.jpg")))
    #expect(folder.names == ["link.jpg"])
    #expect(archive.names == ["beach.jpg", "beach.jpg.aae", "beach_edited.jpg"])
  }

  @Test func aLinkThatLeadsNowhereIsNoDeletedPhoto() async throws {
    let photo = try folder.add("orientation/1.jpg", as: "beach.jpg")
    try folder.add("orientation/2.jpg", as: "sea.jpg")
    try await editor.apply(.named("noir"), to: photo)
    replaceByLink("beach.jpg", to: archive.path.appending("1234.jpg"))
    archive.remove("1234.jpg")
    let checks = try await editor.checks(of: folder.path)
    #expect(checks.flatMap(\.problems).map(\.kind) == [.originalLinkBroken])
    #expect(try await editor.gonePhotos(in: [folder.path]).isEmpty)
    #expect(folder.names == ["beach.jpg", "beach.jpg.aae", "beach_edited.jpg", "sea.jpg"])
  }
}
