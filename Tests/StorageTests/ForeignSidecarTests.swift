import Foundation
import Glibc
import Testing

@testable import SafelightFiles
@testable import SafelightStorage

/// What another program wrote beside a photo is there again once the edit over it is reverted.
@Suite struct ForeignSidecarTests {
  @Test(arguments: ForeignSidecar.allCases)
  func revertingManyEditsGivesBackTheSidecarByteForByte(sidecar: ForeignSidecar) throws {
    let folder = try PhotoFolder(with: sidecar)
    let bytes = try sidecar.bytes()
    let theirs = try #require(folder.files.read(timeout: .zero).record?.adjustmentData)
    func expectKept() throws {
      let record = try #require(folder.files.read(timeout: .zero).record)
      #expect(record.replacedSidecar == Data(bytes) && !record.isForeign)
    }
    try folder.edit("1")
    try expectKept()
    try folder.edit("2", base: .currentRender)
    try expectKept()
    try folder.edit("1", history: .undo(steps: 1))
    try expectKept()
    try folder.edit("2", history: .redo(steps: 1))
    try expectKept()
    try folder.edit("2", history: .renderAgain)
    try expectKept()
    let record = try #require(folder.files.read(timeout: .zero).record)
    #expect(record.history.map(\.adjustmentData) == [theirs, .test("1")])
    let outcome = try folder.revert()
    #expect(outcome.unfinished == nil)
    #expect(outcome.record?.isForeign == true)
    #expect(folder.names == ["beach.jpg", "beach.jpg.aae"])
    #expect(folder.bytes(folder.sidecar) == bytes)
    let snapshot = try folder.files.read(timeout: .zero)
    #expect(snapshot.record?.adjustmentData == theirs && !snapshot.needsRecovery)
  }

  @Test func aSidecarThatCameBackCanBeEditedOverAgain() throws {
    let folder = try PhotoFolder(with: .apple)
    try folder.edit("1")
    try folder.revert()
    try folder.edit("2")
    #expect(folder.text("beach_edited.jpg") == "render of 2")
    try folder.revert()
    #expect(folder.names == ["beach.jpg", "beach.jpg.aae"])
    #expect(try folder.bytes(folder.sidecar) == ForeignSidecar.apple.bytes())
  }

  @Test func aPrivateSidecarComesBackAsPrivate() throws {
    let folder = try PhotoFolder(with: .apple)
    _ = folder.sidecar.withCString { chmod($0, 0o600) }
    try folder.edit("1")
    try folder.revert()
    try #expect(FileSystem.real.status(of: folder.sidecar)?.mode == 0o600)
  }

  @Test(arguments: [false, true])
  func revertingWhatOnlyAnotherProgramEditedIsRefused(keepingRender: Bool) throws {
    let folder = try PhotoFolder(with: .apple)
    let before = try FileSystem.real.status(of: folder.sidecar)
    let refusal = StorageError.foreignSidecar(folder.sidecar)
    #expect(storageError { try folder.revert(keepingRender: keepingRender) } == refusal)
    #expect(
      storageError {
        try folder.files.read(timeout: .zero).checkRevertible(droppingVersions: false)
      } == refusal)
    try #expect(FileSystem.real.status(of: folder.sidecar) == before)
    #expect(folder.names == ["beach.jpg", "beach.jpg.aae"])
  }

  @Test func editedAndUneditedPhotosAreRevertible() throws {
    let folder = PhotoFolder()
    try folder.files.read(timeout: .zero).checkRevertible(droppingVersions: false)
    try folder.edit("1")
    try folder.files.read(timeout: .zero).checkRevertible(droppingVersions: false)
    let other = try PhotoFolder(with: .apple)
    try other.edit("1")
    try other.files.read(timeout: .zero).checkRevertible(droppingVersions: false)
  }

  @Test func theSidecarComesBackBesideARenderThatIsKept() throws {
    let folder = try PhotoFolder(with: .apple)
    try folder.edit("1")
    folder.put("retouched", at: folder.path.appending("beach_edited.jpg"))
    try folder.revert(keepingRender: true)
    #expect(folder.names == ["beach.jpg", "beach.jpg.aae", "beach_edited.jpg"])
    #expect(try folder.bytes(folder.sidecar) == ForeignSidecar.apple.bytes())
    #expect(folder.text("beach_edited.jpg") == "retouched")
  }

  @Test func theSidecarOfARenamedPhotoComesBackUnderItsNewName() throws {
    let folder = try PhotoFolder(with: .apple)
    try folder.edit("1")
    let dune = folder.path.appending("dune.jpg")
    _ = rename(folder.photo.string, dune.string)
    _ = rename(folder.sidecar.string, dune.string + ".aae")
    let transaction = try PhotoFiles(dune).begin(timeout: .zero)
    _ = try transaction.revert()
    transaction.end()
    #expect(folder.names == ["beach_edited.jpg", "dune.jpg", "dune.jpg.aae"])
    #expect(try folder.bytes(dune.suffixed(".aae")) == ForeignSidecar.apple.bytes())
  }

  @Test func whatIsKeptCountsInTheSizeOfTheRecord() throws {
    let folder = PhotoFolder()
    // A key nobody knows is carried over and stands in the history: twice it would still fit.
    let padding = String(repeating: "x", count: Record.maximumSize / 10 * 3)
    let text =
      "<plist><dict><key>adjustmentFormatIdentifier</key><string>a</string>"
      + "<key>adjustmentFormatVersion</key><string>1</string><key>adjustmentData</key>"
      + "<data>aGVsbG8=</data><key>x</key><string>\(padding)</string></dict></plist>"
    folder.put(text, at: folder.sidecar)
    guard
      case .recordTooLarge(folder.sidecar, let size, Record.maximumSize) =
        storageError({ try folder.edit("1") })
    else {
      Issue.record("not refused")
      return
    }
    #expect(size > Record.maximumSize && size - text.utf8.count * 4 / 3 < Record.maximumSize)
    #expect(folder.names == ["beach.jpg", "beach.jpg.aae"])
    #expect(folder.bytes(folder.sidecar) == Array(text.utf8))
  }
}
