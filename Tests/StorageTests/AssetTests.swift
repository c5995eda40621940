import Foundation
import Glibc
import Testing

@testable import SafelightFiles
@testable import SafelightStorage

@Suite struct AssetTests {
  @Test func anUneditedPhotoHasNoRecord() throws {
    let folder = PhotoFolder()
    let snapshot = try folder.files.read(timeout: .zero)
    #expect(snapshot.record == nil && snapshot.render == nil && snapshot.base == nil)
    #expect(snapshot.original.name == "beach.jpg")
    #expect(snapshot.original.status.mode == 0o640)
    try #expect(snapshot.original.digest() == SHA256.digest(of: Array("pixels of beach.jpg".utf8)))
    #expect(folder.names == ["beach.jpg"])
  }

  @Test func anEditIsTheRecordAndTheRenderBesideAnUntouchedOriginal() throws {
    let folder = PhotoFolder()
    let before = try FileSystem.real.status(of: folder.photo)
    let outcome = try folder.edit("noir")
    #expect(outcome.unfinished == nil)
    #expect(outcome.render == folder.path.appending("beach_edited.jpg"))
    #expect(folder.names == ["beach.jpg", "beach.jpg.aae", "beach_edited.jpg"])
    #expect(folder.text("beach_edited.jpg") == "render of noir")
    let snapshot = try folder.files.read(timeout: .zero)
    #expect(snapshot.record?.adjustmentData == .test("noir"))
    #expect(snapshot.render == outcome.render)
    #expect(!snapshot.needsRecovery)
    try snapshot.checkOriginal()
    try #expect(FileSystem.real.status(of: folder.photo) == before)
  }

  @Test(arguments: [(0o600, 0o600), (0o640, 0o640), (0o400, 0o600), (0o444, 0o644)])
  func nobodyMayReadTheEditWhoMayNotReadTheOriginal(original: UInt32, edit: UInt32) throws {
    let folder = PhotoFolder()
    _ = folder.photo.withCString { chmod($0, original) }
    try folder.edit("noir", by: "com.example.other")
    try folder.saveVersion("warm")
    try folder.edit("cold", base: .currentRender)
    let mask = umask(0)
    umask(mask)
    #expect(folder.names.count == 5)
    for name in folder.names where name != "beach.jpg" {
      let mode = try FileSystem.real.status(of: folder.path.appending(name))?.mode
      #expect(mode == edit & ~UInt32(mask), "\(name)")
    }
  }

  @Test func theChainOfTwoEditorsKeepsTheBaseAndRevertGivesTheOriginal() throws {
    let folder = PhotoFolder()
    try folder.edit("by A", by: "com.example.a")
    try folder.edit("by B", base: .currentRender)
    #expect(folder.text("beach_base.jpg") == "render of by A")
    try folder.edit("by B again")
    let snapshot = try folder.files.read(timeout: .zero)
    let record = try #require(snapshot.record)
    #expect(snapshot.base == folder.path.appending("beach_base.jpg"))
    #expect(record.base?.sha256 == SHA256.digest(of: Array("render of by A".utf8)))
    #expect(
      record.history.map(\.adjustmentData)
        == [.test("by A", by: "com.example.a"), .test("by B")])
    try folder.revert()
    #expect(folder.names == ["beach.jpg"])
  }

  @Test func aNewBaseReplacesTheOldAndNoBaseRemovesIt() throws {
    let folder = PhotoFolder()
    try folder.edit("A", by: "com.example.a")
    try folder.edit("B", by: "com.example.b", base: .currentRender)
    try folder.edit("C", base: .currentRender)
    #expect(folder.text("beach_base.jpg") == "render of B")
    try folder.edit("D", base: .none)
    #expect(folder.names == ["beach.jpg", "beach.jpg.aae", "beach_edited.jpg"])
  }

  @Test func revertingAnUneditedPhotoSucceedsAndDoesNothing() throws {
    let folder = PhotoFolder()
    let outcome = try folder.revert()
    #expect(outcome.record == nil && outcome.unfinished == nil)
    #expect(folder.names == ["beach.jpg"])
  }

  @Test func undoAndRedoMoveEditsBetweenHistoryAndRedo() throws {
    let folder = PhotoFolder()
    func texts(_ entries: [HistoryEntry]?) -> [String] {
      (entries ?? []).compactMap {
        $0.adjustmentData.map { String(decoding: $0.data, as: UTF8.self) }
      }
    }
    try folder.edit("1")
    try folder.edit("2")
    try folder.edit("3")
    var record = try folder.edit("2", history: .undo(steps: 1)).record
    #expect(texts(record?.history) == ["1"] && texts(record?.redo) == ["3"])
    record = try folder.edit("3", history: .redo(steps: 1)).record
    #expect(texts(record?.history) == ["1", "2"] && texts(record?.redo) == [])
    record = try folder.edit("3", history: .renderAgain).record
    #expect(texts(record?.history) == ["1", "2"])
    try folder.edit("2", history: .undo(steps: 1))
    record = try folder.edit("4").record
    #expect(texts(record?.history) == ["1", "2"] && texts(record?.redo) == [])
    #expect(
      storageError { try folder.edit("x", history: .undo(steps: 1)) }
        == .historyMismatch(folder.photo))
    #expect(
      storageError { try folder.edit("x", history: .redo(steps: 1)) }
        == .historyMismatch(folder.photo))
    #expect(
      storageError { try folder.edit("x", history: .renderAgain) }
        == .historyMismatch(folder.photo))
  }

  @Test func anotherProgramsEditThatWasUndoneIsNotLostToANewEdit() throws {
    let folder = PhotoFolder()
    try folder.edit("mine")
    try folder.edit("theirs", by: "com.example.other")
    try folder.edit("mine", history: .undo(steps: 1))
    let record = try #require(try folder.edit("new").record)
    #expect(
      record.history.map(\.adjustmentData)
        == [.test("theirs", by: "com.example.other"), .test("mine")])
    #expect(record.redo.isEmpty)
  }

  @Test func anotherProgramsSidecarIsEditedOverAndGoesIntoTheHistory() throws {
    let folder = PhotoFolder()
    folder.put(
      """
      <plist version="1.0"><dict><key>adjustmentData</key><data>aGVsbG8=</data>
      <key>adjustmentFormatIdentifier</key><string>com.apple.photo</string>
      <key>adjustmentFormatVersion</key><string>1.4</string>
      <key>adjustmentRenderTypes</key><integer>0</integer></dict></plist>
      """, at: folder.photo.suffixed(".aae"))
    let snapshot = try folder.files.read(timeout: .zero)
    #expect(snapshot.record?.isForeign == true && snapshot.render == nil)
    try folder.edit("noir")
    let record = try #require(try folder.files.read(timeout: .zero).record)
    #expect(record.history.first?.adjustmentData?.formatIdentifier == "com.apple.photo")
    #expect(folder.text("beach.jpg.aae")!.ranges(of: "adjustmentRenderTypes").count == 2)
  }

  @Test func stagingAgainReplacesWhatWasStagedAndEndingDropsIt() throws {
    let folder = PhotoFolder()
    let transaction = try folder.files.begin(timeout: .zero)
    let first = try transaction.stageRender { try $0.write([1, 2, 3]) }
    let second = try transaction.stageRender { try $0.write([4]) }
    #expect(first.size == 3 && second.size == 1)
    #expect(second.sha256 == SHA256.digest(of: [4]))
    #expect(folder.bytes(second.path) == [4])
    #expect(
      storageError {
        _ = try transaction.commit("x", rendered: first)
      } == .notStaged(folder.photo))
    #expect(folder.names.count == 2 && folder.hidden("claim") != nil)
    #expect(
      storageError { _ = try transaction.revert() } == .transactionOver(folder.photo))
    #expect(
      storageError { _ = try transaction.stageRender(copying: folder.photo) }
        == .transactionOver(folder.photo))
  }

  @Test func aTransactionThatIsForgottenCleansUp() throws {
    let folder = PhotoFolder()
    do {
      let transaction = try folder.files.begin(timeout: .zero)
      _ = try transaction.stageRender { try $0.write([1]) }
      #expect(folder.names.count == 3)
    }
    #expect(folder.names == ["beach.jpg"])
    try folder.files.begin(timeout: .zero).end()
  }

  @Test func anErrorWhileRenderingPassesThroughAndLeavesNothing() throws {
    struct RenderFailed: Error {}
    let folder = PhotoFolder()
    let transaction = try folder.files.begin(timeout: .zero)
    #expect(throws: RenderFailed.self) {
      _ = try transaction.stageRender {
        try $0.write([1])
        throw RenderFailed()
      }
    }
    transaction.end()
    #expect(folder.names == ["beach.jpg"])
  }

  @Test func aRenderWrittenElsewhereIsCopied() throws {
    let folder = PhotoFolder()
    let elsewhere = PhotoFolder("output.jpg")
    let transaction = try folder.files.begin(timeout: .zero)
    let staged = try transaction.stageRender(copying: elsewhere.photo)
    _ = try transaction.commit("x", rendered: staged)
    #expect(folder.text("beach_edited.jpg") == "pixels of output.jpg")
    #expect(elsewhere.names == ["output.jpg"])
  }
}
