import Foundation
import Glibc
import Testing

@testable import SafelightFiles
@testable import SafelightStorage

/// Files that somebody else wrote or changed are neither replaced nor removed.
@Suite struct NothingIsLostTests {
  @Test func aRetouchedRenderIsNeverLost() throws {
    let folder = PhotoFolder()
    try folder.edit("noir")
    let render = folder.path.appending("beach_edited.jpg")
    folder.put("retouched", at: render)
    #expect(storageError { try folder.edit("x") } == .renderChanged(render))
    #expect(storageError { try folder.revert() } == .renderChanged(render))
    #expect(folder.text("beach_edited.jpg") == "retouched")
    #expect(folder.names == ["beach.jpg", "beach.jpg.aae", "beach_edited.jpg"])
    try folder.revert(keepingRender: true)
    #expect(folder.names == ["beach.jpg", "beach_edited.jpg"])
    #expect(folder.text("beach_edited.jpg") == "retouched")
  }

  @Test func aChangedBaseIsNeverLost() throws {
    let folder = PhotoFolder()
    try folder.edit("A", by: "com.example.a")
    try folder.edit("B", base: .currentRender)
    let base = folder.path.appending("beach_base.jpg")
    folder.put("mine now", at: base)
    #expect(
      storageError { try folder.files.read(timeout: .zero).check(.base) } == .baseChanged(base))
    #expect(storageError { try folder.edit("C", base: .currentRender) } == .baseChanged(base))
    #expect(storageError { try folder.revert() } == .baseChanged(base))
    #expect(folder.text("beach_base.jpg") == "mine now")
  }

  @Test func aMissingRenderDoesNotStandInTheWay() throws {
    let folder = PhotoFolder()
    try folder.edit("noir")
    unlink(folder.path.appending("beach_edited.jpg").string)
    try #expect(folder.files.read(timeout: .zero).render == nil)
    #expect(
      storageError { try folder.edit("x", base: .currentRender) } == .renderMissing(folder.photo))
    try folder.edit("sepia")
    #expect(folder.text("beach_edited.jpg") == "render of sepia")
  }

  @Test func aFileThatAppearsDuringTheCommitIsNotOverwritten() throws {
    let folder = PhotoFolder()
    let render = folder.path.appending("beach_edited.jpg")
    let fileSystem = FileSystem { step in
      if step.kind == .rename, step.path == render { folder.put("somebody's", at: render) }
      return nil
    }
    // It may be the render of a photo with the same stem, such as beach.png.
    guard case .busy = storageError({ try folder.edit("noir", through: fileSystem) }) else {
      Issue.record("The edit was decided without a name for its render.")
      return
    }
    #expect(folder.names == ["beach.jpg", "beach_edited.jpg"])
    try folder.edit("noir")
    #expect(folder.text("beach_edited.jpg") == "somebody's")
    #expect(folder.text("beach.jpg_edited.jpg") == "render of noir")
    #expect(folder.names.count == 4)
  }

  @Test func noRecordLeadsToTheLossOfTheOriginal() throws {
    let folder = PhotoFolder("x_edited.jpg")
    try folder.edit("noir")
    let sidecar = folder.photo.suffixed(".aae")
    let original = SHA256.digest(of: folder.bytes(folder.photo)!).description
    let render = SHA256.digest(of: Array("render of noir".utf8)).description
    let forged = folder.text("x_edited.jpg.aae")!
      .replacingOccurrences(of: "x_edited_edited.jpg", with: "x_edited.jpg")
      .replacingOccurrences(of: render, with: original)
    folder.put(forged, at: sidecar)
    try folder.edit("x")
    #expect(folder.text("x_edited.jpg") == "pixels of x_edited.jpg")
    folder.put(forged, at: sidecar)
    try folder.revert()
    #expect(folder.text("x_edited.jpg") == "pixels of x_edited.jpg")
  }

  @Test func aPendingRecordFoundBesideItselfIsFinished() throws {
    let folder = PhotoFolder()
    try folder.edit("noir")
    let sidecar = folder.photo.suffixed(".aae")
    folder.put(folder.bytes(sidecar)!, at: PhotoNames(folder.photo).pending)
    try folder.files.begin(timeout: .zero).end()
    #expect(folder.names == ["beach.jpg", "beach.jpg.aae", "beach_edited.jpg"])
  }

  @Test func aPendingRecordDoesNotReplaceASidecarThatSomebodyPutThere() throws {
    let folder = PhotoFolder()
    try folder.edit("noir")
    let sidecar = folder.photo.suffixed(".aae")
    _ = rename(sidecar.string, PhotoNames(folder.photo).pending.string)
    folder.put("somebody's", at: sidecar)
    #expect(storageError { _ = try folder.files.begin(timeout: .zero) } == .recordChanged(sidecar))
    try #expect(folder.files.read(timeout: .zero).record?.adjustmentData == .test("noir"))
    #expect(folder.text("beach.jpg.aae") == "somebody's")
  }

  @Test func aSidecarThatChangesDuringTheEditIsNotOverwritten() throws {
    let folder = PhotoFolder()
    try folder.edit("noir")
    let transaction = try folder.files.begin(timeout: .zero)
    let sidecar = folder.photo.suffixed(".aae")
    folder.put("somebody's", at: sidecar)
    #expect(storageError { _ = try transaction.revert() } == .recordChanged(sidecar))
    #expect(folder.text("beach.jpg.aae") == "somebody's")
  }
}
