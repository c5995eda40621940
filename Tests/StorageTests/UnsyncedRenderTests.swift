import Foundation
import Glibc
import Testing

@testable import SafelightFiles
@testable import SafelightStorage

/// A folder that is synced, where the record and its renders come one after the other.
@Suite struct UnsyncedRenderTests {
  private func condition(_ folder: PhotoFolder) throws -> PhotoSnapshot.Condition? {
    let snapshot = try folder.files.read(timeout: .zero)
    return try snapshot.record?.render.map { render in
      try snapshot.condition(of: Record.File(role: .render, file: render.file))
    }
  }

  private var render: FilePath { "beach_edited.jpg" }

  private func put(_ text: String, in folder: PhotoFolder, as name: FilePath = "beach_edited.jpg") {
    folder.put(text, at: folder.path.appending(name))
  }

  @Test(arguments: ["render of first", "render of 2"])
  func theRenderOfAnEarlierEditIsReplacedByTheNextOne(earlier: String) throws {
    let folder = PhotoFolder()
    for edit in ["first", "2", "third"] { try folder.edit(edit) }
    put(earlier, in: folder)
    #expect(try condition(folder) == .unsynced(.earlierEdit))
    // Plain reads hash nothing and tell such a render by its size.
    if earlier != "render of first" {
      #expect(try folder.files.read(timeout: .zero).render == nil)
    }
    try folder.edit("fourth")
    #expect(folder.text(render) == "render of fourth")
    #expect(folder.names == ["beach.jpg", "beach.jpg.aae", "beach_edited.jpg"])
  }

  @Test func aRenderThatFellOutOfTheHistoryIsRemembered() throws {
    let folder = PhotoFolder()
    try folder.edit("1")
    try folder.edit("second")
    try folder.edit("1", history: .undo(steps: 1))
    // What was undone can no longer be redone.
    try folder.edit("3")
    #expect(try folder.files.read(timeout: .zero).record?.redo.isEmpty == true)
    put("render of second", in: folder)
    #expect(try condition(folder) == .unsynced(.earlierEdit))
    try folder.edit("4")
    #expect(folder.text(render) == "render of 4")
  }

  @Test func revertingRemovesTheRenderOfAnEarlierEdit() throws {
    let folder = PhotoFolder()
    try folder.edit("first")
    try folder.edit("2")
    put("render of first", in: folder)
    try folder.revert()
    #expect(folder.names == ["beach.jpg"])
  }

  @Test func aVersionsRenderThatIsLateIsReplacedAndRemoved() throws {
    let folder = PhotoFolder()
    try folder.edit("first")
    try folder.saveVersion("warm")
    try folder.edit("2")
    try folder.saveVersion("warm", replacing: true)
    put("render of first", in: folder, as: "beach_edited-warm.jpg")
    #expect(try folder.files.read(timeout: .zero).path(of: .version("warm")) == nil)
    try folder.edit("third")
    try folder.saveVersion("warm", replacing: true)
    #expect(folder.text("beach_edited-warm.jpg") == "render of third")
    put("render of first", in: folder, as: "beach_edited-warm.jpg")
    try folder.removeVersion("warm")
    #expect(folder.names == ["beach.jpg", "beach.jpg.aae", "beach_edited.jpg"])
  }

  @Test func whatSomebodyRetouchedStays() throws {
    let folder = PhotoFolder()
    try folder.edit("1")
    put("retouched by hand", in: folder)
    #expect(try condition(folder) == .changed)
    #expect(
      storageError { try folder.edit("2") } == .renderChanged(folder.path.appending(render)))
    #expect(folder.text(render) == "retouched by hand")
  }

  @Test func anotherProgramsEarlierRenderGoesToTheTrash() throws {
    let folder = PhotoFolder()
    for edit in ["theirs", "2", "third"] { try folder.edit(edit, by: "com.example.painter") }
    put("render of theirs", in: folder)
    #expect(try condition(folder) == .unsynced(.newerEdit))
    try folder.edit("fourth", by: "com.example.painter")
    #expect(folder.text(render) == "render of fourth")
    let trash = folder.path.appending(FolderTrash.name).appending("beach.jpg")
    #expect(folder.bytes(trash.appending(render)) == Array("render of theirs".utf8))
  }

  @Test func filesInTheTrashNeverReplaceEachOther() throws {
    let folder = PhotoFolder()
    let trash = FolderTrash(folder.path, .real)
    put("1", in: folder, as: "a")
    let first = try trash.put(["a", "missing"], named: "beach.jpg")
    put("2", in: folder, as: "a")
    let second = try trash.put(["a"], named: "beach.jpg")
    #expect([first, second].map(\.lastComponent) == ["beach.jpg", "beach.jpg 2"])
    #expect(folder.bytes(first.appending("a")) == Array("1".utf8))
    #expect(folder.bytes(second.appending("a")) == Array("2".utf8))
  }
}
