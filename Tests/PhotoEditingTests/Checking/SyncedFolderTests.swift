import Foundation
import Glibc
import PhotoEditing
import Testing

@testable import SafelightFiles
@testable import SafelightStorage

/// A photo of which a sync brought the record and the render at different times.
@Suite struct SyncedFolderTests {
  private let folder = PhotoFolder()
  private let editor = PhotoEditor.test()
  private let names = ["beach.jpg.aae", "beach_edited.jpg"] as [FilePath]

  /// A photo with two edits, and its files as they were after each.
  private func editedTwice() async throws -> (photo: Photo, first: [[UInt8]], second: [[UInt8]]) {
    let photo = try folder.add("orientation/1.jpg", as: "beach.jpg")
    _ = try await editor.apply(.named("noir"), to: photo)
    let first = names.compactMap(folder.bytes)
    _ = try await editor.apply(.named("chrome"), to: photo)
    return (photo, first, names.compactMap(folder.bytes))
  }

  @Test func aRenderOfTheHistoryIsANoteAndIsRenderedAgain() async throws {
    let (photo, first, second) = try await editedTwice()
    folder.put(first[1], as: names[1])
    let check = try await editor.verify(photo)
    #expect(check.isSound && check.notes.map(\.code) == ["not-synced-yet"])
    #expect(check.notes.first?.kind == .notSynced(isNewer: false))
    let state = try await editor.state(of: photo)
    #expect(state.warnings.count == 1 && state.warnings[0].contains("earlier edit"))
    let result = try await editor.renderAgain(photo)
    #expect(result.status == .rendered && result.warnings.isEmpty)
    #expect(folder.bytes(names[1]) == second[1])
  }

  @Test func aRenderThatCameBeforeItsRecordIsKeptInTheTrash() async throws {
    let (photo, first, second) = try await editedTwice()
    folder.put(first[0], as: names[0])
    #expect(try await editor.verify(photo).notes.map(\.kind) == [.notSynced(isNewer: true)])
    let plan = try await editor.undo(photo, dryRun: true)
    #expect(plan.status == .edited && plan.warnings.count == 1)
    let result = try await editor.renderAgain(photo)
    #expect(result.status == .rendered && result.warnings == plan.warnings)
    #expect(folder.bytes(names[1]) == first[1])
    let trash = folder.path.appending(FolderTrash.name).appending("beach.jpg")
    #expect(trash.appending(names[1]).contents == second[1])
  }

  @Test(arguments: ["undo", "relink"])
  func aNewerRenderGoesToTheTrashWhenNoOtherTakesItsPlace(change: String) async throws {
    let (photo, first, second) = try await editedTwice()
    folder.put(first[0], as: names[0])
    var warnings: [String]
    if change == "undo" {
      warnings = try await editor.undo(photo).warnings
      #expect(folder.names == [FolderTrash.name, "beach.jpg", names[0]])
    } else {
      let shore = folder.path.appending("shore.jpg")
      Glibc.rename(photo.path.string, shore.string)
      warnings = try await editor.relinkings([folder.path]).flatMap { try $0.get().result.warnings }
      #expect(folder.names == [FolderTrash.name, "shore.jpg", "shore.jpg.aae"])
    }
    #expect(warnings.contains { $0.contains("goes to \(FolderTrash.name)") })
    let trash = folder.path.appending(FolderTrash.name).appending("beach.jpg")
    #expect(trash.appending(names[1]).contents == second[1])
  }

  @Test func aRetouchedRenderOfThePresentEditIsStillARefusal() async throws {
    let (photo, _, second) = try await editedTwice()
    // Its metadata still say that Safelight rendered the present edit.
    folder.put(second[1] + [0], as: names[1])
    #expect(try await editor.verify(photo).problems.map(\.code) == ["render-changed"])
    await #expect(throws: EditError.self) { try await editor.renderAgain(photo) }
    #expect(folder.bytes(names[1]) == second[1] + [0])
  }

  @Test func aVersionIsSavedAlthoughTheRenderIsLate() async throws {
    let (photo, first, second) = try await editedTwice()
    folder.put(first[1], as: names[1])
    _ = try await editor.saveVersion(named: "warm", of: photo)
    #expect(folder.bytes("beach_edited-warm.jpg") == second[1])
    #expect(try await editor.verify(photo).notes.isEmpty)
  }
}
