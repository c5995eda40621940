import Foundation
import Glibc
import PhotoEditing
import Testing

@testable import SafelightFiles
@testable import SafelightStorage

/// Edits whose photos were deleted.
@Suite struct GonePhotoTests {
  private let folder = PhotoFolder()
  private let other = PhotoFolder()
  private let editor = PhotoEditor.test()

  private func path(_ name: FilePath) -> FilePath { folder.path.appending(name) }

  private func add(_ fixture: String, as name: FilePath) async throws -> Photo {
    let photo = try folder.add(fixture, as: name)
    _ = try await editor.apply(.named("noir"), to: photo)
    return photo
  }

  @Test func aSetGoesToTheTrashTogether() async throws {
    let photo = try await add("orientation/1.jpg", as: "beach.jpg")
    _ = try await editor.saveVersion(named: "warm", of: photo)
    _ = try await add("orientation/2.jpg", as: "sea.jpg")
    folder.remove("beach.jpg")
    let found = try await editor.gonePhotos(in: [folder.path])
    let gone = try #require(found.first)
    #expect(found.count == 1 && gone.obstacle == nil && gone.photo == path("beach.jpg"))
    #expect(gone.files.last == path("beach.jpg.aae") && gone.files.count == 3)
    let trash = try await editor.putAway(gone)
    #expect(trash == path(FolderTrash.name).appending("beach.jpg"))
    #expect(
      folder.names == [FolderTrash.name, "sea.jpg", "sea.jpg.aae", "sea_edited.jpg"])
    #expect(try await editor.gonePhotos(in: [folder.path]).isEmpty)
    // It went meanwhile.
    await #expect(throws: EditError.self) { try await editor.putAway(gone) }
  }

  @Test func whatIsElsewhereStays() async throws {
    _ = try await add("orientation/1.jpg", as: "beach.jpg")
    _ = try await add("orientation/2.jpg", as: "sea.jpg")
    other.put(try #require(folder.bytes("beach.jpg")), as: "moved.jpg")
    folder.remove("beach.jpg")
    let found = try await editor.gonePhotos(in: [folder.path], lookingIn: [other.path])
    #expect(found.map(\.obstacle) == [.isElsewhere(other.path.appending("moved.jpg"))])
    await #expect(throws: EditError.self) { try await editor.putAway(found[0]) }
    #expect(folder.bytes("beach.jpg.aae") != nil)
  }

  @Test func anEmptyFolderIsNoPlaceWithoutThePhoto() async throws {
    _ = try await add("orientation/1.jpg", as: "beach.jpg")
    folder.remove("beach.jpg")
    await #expect(throws: EditError.self) {
      try await editor.gonePhotos(in: [folder.path], lookingIn: [other.path])
    }
    await #expect(throws: EditError.self) {
      try await editor.gonePhotos(in: [folder.path.appending("missing")])
    }
  }

  @Test func aFolderWithoutAnyPhotosLooksUnmounted() async throws {
    for (index, name) in (["beach.jpg", "sea.jpg"] as [FilePath]).enumerated() {
      _ = try await add("orientation/\(index + 1).jpg", as: name)
      folder.remove(name)
    }
    let found = try await editor.gonePhotos(in: [folder.path])
    #expect(
      found.map(\.obstacle)
        == Array(repeating: .allAreGone(folder: folder.path, count: 2), count: 2))
    let named = try await editor.gonePhotos(in: [path("beach.jpg.aae")])
    #expect(named.map(\.obstacle) == [nil])
  }

  @Test func aRetouchedRenderStays() async throws {
    _ = try await add("orientation/1.jpg", as: "beach.jpg")
    folder.put(Array("retouched".utf8), as: "beach_edited.jpg")
    folder.remove("beach.jpg")
    let gone = try #require(try await editor.gonePhotos(in: [folder.path]).first)
    #expect(gone.changed == [path("beach_edited.jpg")] && gone.obstacle == nil)
    _ = try await editor.putAway(gone)
    #expect(folder.names == [FolderTrash.name, "beach_edited.jpg"])
  }

  @Test func aPhotoThatIsBackKeepsItsEdit() async throws {
    _ = try await add("orientation/1.jpg", as: "beach.jpg")
    let bytes = try #require(folder.bytes("beach.jpg"))
    folder.remove("beach.jpg")
    let gone = try #require(try await editor.gonePhotos(in: [folder.path]).first)
    folder.put(bytes, as: "beach.jpg")
    await #expect(throws: EditError.self) { try await editor.putAway(gone) }
    #expect(folder.names == ["beach.jpg", "beach.jpg.aae", "beach_edited.jpg"])
  }

  @Test func copiesThatASyncMadeAndFilesOfUndoneEditsGoAlong() async throws {
    let photo = try await add("orientation/1.jpg", as: "beach.jpg")
    let render = try #require(folder.bytes("beach_edited.jpg"))
    folder.put(
      try #require(folder.bytes("beach.jpg.aae")),
      as: "beach.jpg.sync-conflict-20240101-120000-ABCDEFG.aae")
    folder.put(render, as: "beach_edited (conflicted copy 2024-01-01 120000).jpg")
    _ = try await editor.undo(photo)
    folder.put(render, as: "beach_edited.jpg")
    folder.put(Array("somebody's".utf8), as: "beach_base.jpg")
    _ = try await add("orientation/2.jpg", as: "sea.jpg")
    folder.remove("beach.jpg")
    let gone = try #require(try await editor.gonePhotos(in: [folder.path]).first)
    #expect(gone.files.last == path("beach.jpg.aae") && gone.files.count == 4)
    _ = try await editor.putAway(gone)
    #expect(
      folder.names
        == [FolderTrash.name, "beach_base.jpg", "sea.jpg", "sea.jpg.aae", "sea_edited.jpg"])
  }

  @Test func theCommandThatHelpsIsToldInFull() async throws {
    _ = try await add("orientation/1.jpg", as: "a beach.jpg")
    _ = try await add("orientation/2.jpg", as: "sea.jpg")
    let store = path("@eaDir")
    mkdir(store.string, 0o755)
    defer {
      unlink(store.appending("beach.jpg").string)
      rmdir(store.string)
    }
    rename(path("a beach.jpg").string, store.appending("beach.jpg").string)
    let gone = try #require(try await editor.gonePhotos(in: [folder.path]).first)
    #expect(
      gone.reason
        == """
        The photo is now \(store)/beach.jpg; “edit relink '\(folder.path)/a beach.jpg.aae' --in \(store)” \
        moves its edit along.
        """)
    // It does.
    let relinked = try await editor.relinkings([gone.record], lookingIn: [store])
    #expect(try relinked.first?.get().photo == store.appending("beach.jpg"))
    for name in ["beach.jpg.aae", "beach_edited.jpg"] {
      unlink(store.appending(FilePath(name)).string)
    }
  }

  @Test func aFolderThatMayNotBeWrittenIsToldBefore() async throws {
    _ = try await add("orientation/1.jpg", as: "beach.jpg")
    folder.remove("beach.jpg")
    let fileSystem = FileSystem { $0.kind == .create ? .failure(EROFS) : nil }
    let gone = try #require(
      try await PhotoEditor.test(through: fileSystem).gonePhotos(in: [folder.path]).first)
    guard case .readOnly = gone.obstacle else {
      Issue.record("\(String(describing: gone.obstacle))")
      return
    }
  }

  @Test func aSetThatWasRenamedTogetherGoesTogether() async throws {
    let photo = try await add("orientation/1.jpg", as: "beach.jpg")
    _ = try await editor.saveVersion(named: "warm", of: photo)
    _ = try await add("orientation/2.jpg", as: "sea.jpg")
    for name in folder.names where name.string.hasPrefix("beach") {
      rename(path(name).string, path(FilePath("shore" + name.string.dropFirst(5))).string)
    }
    folder.remove("shore.jpg")
    let gone = try #require(try await editor.gonePhotos(in: [folder.path]).first)
    _ = try await editor.putAway(gone)
    #expect(folder.names == [FolderTrash.name, "sea.jpg", "sea.jpg.aae", "sea_edited.jpg"])
  }

  @Test func anEditWhosePhotoHasAnotherEditStaysUnlessItIsNamed() async throws {
    _ = try await add("orientation/1.jpg", as: "beach.jpg")
    rename(path("beach.jpg").string, path("shore.jpg").string)
    _ = try await editor.apply(.named("sepia"), to: Photo(path: path("shore.jpg")))
    let found = try await editor.gonePhotos(in: [folder.path])
    #expect(found.map(\.obstacle) == [.contentHasAnotherEdit(path("shore.jpg"))])
    let named = try await editor.gonePhotos(in: [path("beach.jpg.aae")])
    #expect(named.map(\.obstacle) == [nil])
  }

  @Test func photosWithoutAnEditDoNotShowThatTheFolderIsWhole() async throws {
    for (index, name) in (["beach.jpg", "sea.jpg"] as [FilePath]).enumerated() {
      _ = try await add("orientation/\(index + 1).jpg", as: name)
      folder.remove(name)
    }
    try folder.add("orientation/3.jpg", as: "new.jpg")
    let found = try await editor.gonePhotos(in: [folder.path])
    #expect(
      found.map(\.obstacle)
        == Array(repeating: .allAreGone(folder: folder.path, count: 2), count: 2))
  }

  @Test func rulesKeepEditsWhereTheyAre() async throws {
    _ = try await add("orientation/1.jpg", as: "beach.jpg")
    folder.remove("beach.jpg")
    let rules = FolderRules(excluding: ["beach.*"])
    #expect(try await editor.gonePhotos(in: [folder.path], rules: rules).isEmpty)
  }

  @Test func aFolderThatCannotBeSeenKeepsEditsUnlessItIsLeftOut() async throws {
    _ = try await add("orientation/1.jpg", as: "beach.jpg")
    folder.remove("beach.jpg")
    for name in ["lost+found", "private"] as [FilePath] { mkdir(path(name).string, 0o755) }
    defer { for name in ["lost+found", "private"] as [FilePath] { rmdir(path(name).string) } }
    let fileSystem = FileSystem { step in
      let isClosed = ["lost+found", "private"].contains(step.path.lastComponent?.string)
      return step.kind == .list && isClosed ? .failure(EACCES) : nil
    }
    let editor = PhotoEditor.test(through: fileSystem)
    let found = try await editor.gonePhotos(in: [folder.path])
    #expect(found.map(\.obstacle) == [.folderUnseen(path("private"))])
    let rules = FolderRules(excluding: ["private/"])
    #expect(try await editor.gonePhotos(in: [folder.path], rules: rules).map(\.obstacle) == [nil])
  }
}
