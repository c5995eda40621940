import Foundation
import Glibc
import Testing

@testable import SafelightFiles
@testable import SafelightStorage

/// The renders of named versions as files among other files.
@Suite struct VersionFileTests {
  private func version(_ folder: PhotoFolder, _ name: String) throws -> RecordedVersion? {
    try folder.files.read(timeout: .zero).record?.version(named: name)
  }

  @Test func aVersionIsACopyOfTheRenderAndOutlivesIt() throws {
    let folder = PhotoFolder()
    try folder.edit("1")
    let outcome = try folder.saveVersion("warm")
    #expect(outcome.unfinished == nil && outcome.render?.lastComponent == "beach_edited.jpg")
    try folder.edit("2")
    #expect(folder.text("beach_edited-warm.jpg") == "render of 1")
    #expect(try version(folder, "warm")?.adjustmentData == .test("1"))
    try folder.edit("1", history: .undo(steps: 1))
    try folder.files.read(timeout: .zero).check(.version("warm"))
    try folder.removeVersion("warm")
    #expect(folder.names == ["beach.jpg", "beach.jpg.aae", "beach_edited.jpg"])
    #expect(try folder.files.read(timeout: .zero).record?.redo.count == 1)
  }

  @Test func aNameThatIsTakenIsOnlyReplacedWhenAllowedAndKeepsItsSpelling() throws {
    let folder = PhotoFolder()
    try folder.edit("1")
    try folder.saveVersion("Warm")
    try folder.edit("2")
    #expect(
      storageError { try folder.saveVersion("wARM") } == .versionExists(folder.photo, "Warm"))
    try folder.saveVersion("wARM", replacing: true)
    #expect(folder.text("beach_edited-Warm.jpg") == "render of 2")
    #expect(try folder.files.read(timeout: .zero).record?.versions.map(\.name) == ["Warm"])
  }

  @Test func aStrangersFileIsNotReplaced() throws {
    let folder = PhotoFolder()
    try folder.edit("1")
    folder.put("somebody's", at: folder.path.appending("beach_edited-warm.jpg"))
    try folder.saveVersion("warm")
    #expect(folder.text("beach_edited-warm.jpg") == "somebody's")
    #expect(folder.text("beach.jpg_edited-warm.jpg") == "render of 1")
    folder.put("somebody's", at: folder.path.appending("beach_edited-cold.jpg"))
    folder.put("somebody's", at: folder.path.appending("beach.jpg_edited-cold.jpg"))
    guard case .nameTaken = storageError({ try folder.saveVersion("cold") }) else {
      Issue.record("not refused")
      return
    }
    try folder.revert(droppingVersions: true)
    #expect(
      folder.names == [
        "beach.jpg", "beach.jpg_edited-cold.jpg", "beach_edited-cold.jpg", "beach_edited-warm.jpg",
      ])
  }

  @Test func aRetouchedVersionIsNeverLost() throws {
    let folder = PhotoFolder()
    try folder.edit("1")
    try folder.saveVersion("warm")
    try folder.edit("2")
    let render = folder.path.appending("beach_edited-warm.jpg")
    folder.put("retouched", at: render)
    let changed = StorageError.renderChanged(render)
    #expect(storageError { try folder.saveVersion("warm", replacing: true) } == changed)
    #expect(storageError { try folder.removeVersion("warm") } == changed)
    #expect(storageError { try folder.revert(droppingVersions: true) } == changed)
    try folder.edit("3")
    #expect(folder.text("beach_edited-warm.jpg") == "retouched")
    try folder.revert(keepingRender: true, droppingVersions: true)
    #expect(folder.text("beach_edited-warm.jpg") == "retouched")
    #expect(folder.names == ["beach.jpg", "beach_edited-warm.jpg", "beach_edited.jpg"])
  }

  @Test func aVersionWhoseRenderIsGoneCanBeRemovedAndReplaced() throws {
    let folder = PhotoFolder()
    try folder.edit("1")
    try folder.saveVersion("warm")
    unlink(folder.path.appending("beach_edited-warm.jpg").string)
    try #expect(folder.files.read(timeout: .zero).path(of: .version("warm")) == nil)
    try folder.saveVersion("warm", replacing: true)
    #expect(folder.text("beach_edited-warm.jpg") == "render of 1")
    unlink(folder.path.appending("beach_edited-warm.jpg").string)
    try folder.removeVersion("warm")
    #expect(folder.names == ["beach.jpg", "beach.jpg.aae", "beach_edited.jpg"])
  }

  @Test func aRevertDoesNotDropVersionsUnasked() throws {
    let folder = PhotoFolder()
    try folder.edit("1")
    try folder.saveVersion("warm")
    try folder.saveVersion("cold")
    let names = folder.names
    #expect(storageError { try folder.revert() } == .hasVersions(folder.photo, ["warm", "cold"]))
    #expect(
      storageError { try folder.revert(keepingRender: true) }
        == .hasVersions(folder.photo, ["warm", "cold"]))
    #expect(folder.names == names)
    try folder.revert(droppingVersions: true)
    #expect(folder.names == ["beach.jpg"])
  }

  @Test func versionsAreRecognizedAsRenders() throws {
    let folder = PhotoFolder()
    try folder.edit("1")
    try folder.saveVersion("warm_edited-.x")
    folder.put("somebody's", at: folder.path.appending("cliff_edited-warm.jpg"))
    let assets = try FolderRecords(folder.path)
    #expect(
      assets.membership(of: "beach_edited-warm_edited-.x.jpg")
        == .init(original: folder.photo, role: .version("warm_edited-.x")))
    #expect(assets.membership(of: "cliff_edited-warm.jpg") == nil)
    #expect(!FolderRecords.mayBeMember("beach_edited-warm.png"))
    #expect(!FolderRecords.mayBeMember("beach.jpg"))
  }

  @Test func aPhotoWithoutAnEditHasNothingToSaveOrRemove() throws {
    let folder = PhotoFolder()
    #expect(storageError { try folder.saveVersion("warm") } == .renderMissing(folder.photo))
    #expect(
      storageError { try folder.removeVersion("warm") }
        == .versionMissing(folder.photo, "warm", present: []))
    try folder.edit("1")
    #expect(storageError { try folder.saveVersion(".x") } == .invalidVersionName(".x"))
    folder.put("retouched", at: folder.path.appending("beach_edited.jpg"))
    guard case .renderChanged = storageError({ try folder.saveVersion("warm") }) else {
      Issue.record("not refused")
      return
    }
    #expect(folder.names == ["beach.jpg", "beach.jpg.aae", "beach_edited.jpg"])
  }

  @Test func namesThatLeaveNoRoomAreRefusedClearly() throws {
    let name = FilePath(bytes: [UInt8](repeating: 0x78, count: 200))
    let folder = PhotoFolder(name)
    try folder.edit("1")
    let version = String(repeating: "v", count: 64)
    #expect(
      storageError { try folder.saveVersion(version) }
        == .nameTooLong(folder.photo.suffixed("_edited-\(version).jpg"), limit: 255))
    #expect(folder.names.count == 3)
  }
}

/// A photo that was copied or renamed together with its sidecar.
@Suite struct CopiedVersionTests {
  /// A photo with two versions, and a copy of it and of its sidecar called `copy.jpg`.
  private func copied() throws -> (folder: PhotoFolder, copy: FilePath) {
    let folder = PhotoFolder()
    try folder.edit("1")
    try folder.saveVersion("warm")
    try folder.saveVersion("cold")
    let copy = folder.path.appending("copy.jpg")
    folder.put(folder.bytes(folder.photo)!, at: copy)
    folder.put(folder.bytes(folder.sidecar)!, at: copy.suffixed(".aae"))
    return (folder, copy)
  }

  private func change(_ path: FilePath, _ body: (Transaction) throws -> Void) throws {
    let transaction = try PhotoFiles(path).begin(timeout: .zero)
    defer { transaction.end() }
    try body(transaction)
  }

  private func expectTheFirstIsWhole(_ folder: PhotoFolder) throws {
    let snapshot = try folder.files.read(timeout: .zero)
    try snapshot.check(.version("warm"))
    try snapshot.check(.version("cold"))
    #expect(snapshot.record?.files.count == 3)
    #expect(folder.text("beach_edited-warm.jpg") == "render of 1")
    #expect(folder.text("beach_edited-cold.jpg") == "render of 1")
  }

  @Test func theCopySharesTheRendersAndNeverTouchesThem() throws {
    let (folder, copy) = try copied()
    try change(copy) { _ = try $0.removeVersion(named: "cold") }
    try expectTheFirstIsWhole(folder)
    try change(copy) { _ = try $0.saveVersion(named: "warm", replacing: true) }
    #expect(folder.text("copy_edited-warm.jpg") == "render of 1")
    try expectTheFirstIsWhole(folder)
    try change(copy) { _ = try $0.revert(droppingVersions: true) }
    try expectTheFirstIsWhole(folder)
    #expect(!folder.names.contains("copy_edited-warm.jpg"))
  }

  @Test func anEditOfTheCopyKeepsItsVersionsOnTheOthersRenders() throws {
    let (folder, copy) = try copied()
    try change(copy) { transaction in
      let render = try transaction.stageRender { try $0.write([1]) }
      _ = try transaction.commit("new", rendered: render)
    }
    try expectTheFirstIsWhole(folder)
    let snapshot = try PhotoFiles(copy).read(timeout: .zero)
    #expect(snapshot.record?.versions.map(\.isShared) == [true, true])
    #expect(snapshot.path(of: .version("warm"))?.lastComponent == "beach_edited-warm.jpg")
    // The record names the copy now; what it shares is not its own for that.
    try change(copy) { _ = try $0.removeVersion(named: "warm") }
    try expectTheFirstIsWhole(folder)
    try change(copy) { _ = try $0.saveVersion(named: "cold", replacing: true) }
    #expect(folder.bytes(folder.path.appending("copy_edited-cold.jpg")) == [1])
    try change(copy) { _ = try $0.revert(droppingVersions: true) }
    try expectTheFirstIsWhole(folder)
    #expect(!folder.names.contains("copy_edited-cold.jpg"))
  }

  @Test func theCopyGetsRendersOfItsOwnWhenTheNamesAreSetRight() throws {
    let (folder, copy) = try copied()
    try change(copy) { _ = try $0.moveEdit($0.snapshot.editMove(from: nil)) }
    try expectTheFirstIsWhole(folder)
    #expect(folder.text("copy_edited-warm.jpg") == "render of 1")
    try change(copy) { _ = try $0.removeVersion(named: "warm") }
    try change(copy) { _ = try $0.revert(droppingVersions: true) }
    try expectTheFirstIsWhole(folder)
    #expect(!folder.names.contains { $0.string.hasPrefix("copy_") })
  }

  @Test func aRenamedPhotoKeepsItsVersionsAsItsOwn() throws {
    let (folder, copy) = try copied()
    unlink(folder.photo.string)
    unlink(folder.sidecar.string)
    try change(copy) { transaction in
      let render = try transaction.stageRender { try $0.write([1]) }
      _ = try transaction.commit("new", rendered: render)
    }
    #expect(
      try PhotoFiles(copy).read(timeout: .zero).record?.versions.map(\.isShared)
        == [false, false])
    try change(copy) { _ = try $0.revert(droppingVersions: true) }
    #expect(
      folder.names
        == ["beach_edited-cold.jpg", "beach_edited-warm.jpg", "beach_edited.jpg", "copy.jpg"])
  }
}
