import Foundation
import Glibc
import Synchronization
import Testing

@testable import SafelightFiles
@testable import SafelightStorage

/// What others may do in the folder of a photo while it is edited, and what they may leave there.
@Suite struct HostileFolderTests {
  private let folder = PhotoFolder()
  private var render: FilePath { folder.path.appending("beach_edited.jpg") }

  /// Puts another file in the original's place, as a program does that saves a copy and renames it.
  private func replaceOriginal(by text: String) {
    let copy = folder.path.appending("copy")
    folder.put(text, at: copy)
    #expect(rename(copy.string, folder.photo.string) == 0)
  }

  private func commit(_ text: String, in transaction: Transaction) throws -> ChangeOutcome {
    let render = try transaction.stageRender { try $0.write(Array("render of \(text)".utf8)) }
    return try transaction.commit(text, rendered: render)
  }

  // MARK: - The original is replaced

  @Test func twoEditsExcludeEachOtherAlsoWhenACopyTakesTheOriginalsPlace() throws {
    let first = try folder.files.begin(timeout: .zero)
    replaceOriginal(by: "pixels of beach.jpg")
    guard case .busy = storageError({ _ = try folder.files.begin(timeout: .zero) }) else {
      Issue.record("The second edit did not wait.")
      return
    }
    #expect(try commit("first", in: first).unfinished == nil)
    first.end()
    try folder.edit("second")
    #expect(folder.text("beach_edited.jpg") == "render of second")
    #expect(folder.names == ["beach.jpg", "beach.jpg.aae", "beach_edited.jpg"])
  }

  @Test func anotherPictureInTheOriginalsPlaceIsNotEdited() throws {
    let transaction = try folder.files.begin(timeout: .zero)
    replaceOriginal(by: "other pixels")
    #expect(
      storageError { _ = try commit("first", in: transaction) } == .originalTouched(folder.photo))
    transaction.end()
    #expect(folder.names == ["beach.jpg"])
  }

  // MARK: - Hidden files

  @Test func aFileThatAnotherTransactionStagedStays() throws {
    let other = PhotoNames(folder.photo).staged(
      HiddenFile.StagedKind(.render), token: "0123456789abcdef")
    folder.put("another's", at: other)
    try folder.edit("first")
    try folder.edit("second")
    #expect(folder.bytes(other) == Array("another's".utf8))
    // A claim that was left says that its process is dead.
    folder.put("", at: PhotoNames(folder.photo).claim)
    try folder.edit("third")
    #expect(folder.names == ["beach.jpg", "beach.jpg.aae", "beach_edited.jpg"])
  }

  /// A folder in which a change was decided, and its render could not be placed.
  private func decide() throws {
    try folder.edit("first")
    let stuck = FileSystem { [render] in
      $0 == .init(.rename, render) ? .failure(EIO) : nil
    }
    #expect(try folder.edit("second", through: stuck).unfinished != nil)
  }

  @Test(arguments: [true, false])
  func aLostStagedFileIsAnErrorUntilTheChangeIsFinishedWithoutIt(isMissing: Bool) throws {
    try decide()
    let staged = try #require(folder.hidden("render"))
    if isMissing { unlink(staged.string) } else { folder.put("forged", at: staged) }
    #expect(storageError { try folder.edit("third") } == .stagedFileLost(render))
    #expect(folder.text("beach_edited.jpg") == "render of first")
    try folder.files.begin(timeout: .zero, tidying: true).end()
    #expect(folder.names == ["beach.jpg", "beach.jpg.aae", "beach_edited.jpg"])
    try #expect(folder.files.read(timeout: .zero).record?.adjustmentData == .test("second"))
    // The render is still the one that the change was to replace.
    try folder.edit("third")
    #expect(folder.text("beach_edited.jpg") == "render of third")
  }

  @Test func aSidecarThatWasPutBackStandsOnceTheChangeIsGivenUp() throws {
    try folder.edit("first")
    let backup = try #require(folder.bytes(folder.sidecar))
    try folder.edit("second")
    let stuck = FileSystem { [render] in
      $0 == .init(.rename, render) ? .failure(EIO) : nil
    }
    #expect(try folder.edit("third", through: stuck).unfinished != nil)
    folder.put(backup, at: folder.sidecar)
    #expect(storageError { try folder.edit("fourth") } == .recordChanged(folder.sidecar))
    try folder.files.begin(timeout: .zero, tidying: true).end()
    #expect(folder.names == ["beach.jpg", "beach.jpg.aae", "beach_edited.jpg"])
    try #expect(folder.files.read(timeout: .zero).record?.adjustmentData == .test("first"))
  }

  @Test(arguments: ["folder", "link", "pipe", "text"])
  func somethingElseUnderAHiddenNameIsNamed(kind: String) throws {
    let victim = folder.path.appending("victim")
    folder.put("private", at: victim)
    let claim = PhotoNames(folder.photo).claim
    switch kind {
    case "folder": mkdir(claim.string, 0o755)
    case "link": symlink(victim.string, claim.string)
    case "text": folder.put("mine", at: claim)
    default: mkfifo(claim.string, 0o644)
    }
    let error = storageError { try folder.edit("first") }
    #expect(error == .hiddenNameTaken(claim))
    try #expect(folder.files.read(timeout: .zero).hiddenNameTaken() == .hiddenNameTaken(claim))
    #expect(folder.text("victim") == "private")
    if kind == "text" { #expect(folder.bytes(claim) == Array("mine".utf8)) }
    rmdir(claim.string)
  }

  @Test func somethingElseUnderTheNameOfARendersClaimIsNamed() throws {
    let claim = PhotoNames(render).claim
    mkdir(claim.string, 0o755)
    defer { rmdir(claim.string) }
    #expect(storageError { try folder.edit("first") } == .hiddenNameTaken(claim))
    try #expect(folder.files.read(timeout: .zero).hiddenNameTaken() == .hiddenNameTaken(claim))
  }

  // MARK: - Forged records

  private func forge(_ name: String, holding text: String) {
    let sidecar = folder.photo.suffixed(".aae")
    let forged = (folder.text("beach.jpg.aae") ?? "")
      .replacingOccurrences(of: "beach_edited.jpg", with: name)
      .replacingOccurrences(
        of: SHA256.digest(of: Array("render of first".utf8)).description,
        with: SHA256.digest(of: Array(text.utf8)).description)
    folder.put(forged, at: sidecar)
  }

  @Test(arguments: ["revert", "edit", "pending", "pending revert"])
  func aRecordDoesNotLeadToTheFilesOfAnotherPhoto(what: String) throws {
    folder.put("wedding", at: folder.path.appending("wedding_edited.jpg"))
    try folder.edit("first")
    forge("wedding_edited.jpg", holding: "wedding")
    let names = PhotoNames(folder.photo)
    switch what {
    case "revert": try folder.revert()
    case "edit": try folder.edit("second")
    case "pending": _ = rename(names.record.string, names.pending.string)
    default:
      let record = try #require(try LoadedRecord.load(names.record, .real))
      let revert = PendingRevert(
        record: record.digest, files: try record.record().files, restores: nil)
      folder.put(revert.encoded(), at: names.pending)
    }
    _ = try? folder.files.begin(timeout: .zero)
    #expect(folder.text("wedding_edited.jpg") == "wedding")
  }

  // MARK: - Several users

  private var isSuperuser: Bool { geteuid() == 0 }

  @Test func aChangeThatAStrangerDecidedIsNotCarriedOut() throws {
    guard isSuperuser else { return }
    try folder.edit("first")
    let names = PhotoNames(folder.photo)
    #expect(rename(names.record.string, names.pending.string) == 0)
    #expect(chown(names.pending.string, 12_345, 12_345) == 0)
    #expect(
      storageError { _ = try folder.files.begin(timeout: .zero) }
        == .changeOfAnotherUser(names.pending))
    try #expect(folder.files.read(timeout: .zero).record == nil)
    // The superuser may give it up, and the record before it stands.
    let kept = try #require(folder.bytes(names.pending))
    try folder.files.begin(timeout: .zero, tidying: true).end()
    #expect(folder.names == ["beach.jpg", "beach_edited.jpg"])
    folder.put(kept, at: names.pending)
    #expect(chown(names.pending.string, 12_345, 12_345) == 0)
    // The original's owner may decide.
    #expect(chown(folder.photo.string, 12_345, 12_345) == 0)
    try folder.files.begin(timeout: .zero).end()
    #expect(folder.names == ["beach.jpg", "beach.jpg.aae", "beach_edited.jpg"])
  }

  @Test func aStagedFileOfAStrangerIsNotPlaced() throws {
    guard isSuperuser else { return }
    try decide()
    let staged = try #require(folder.hidden("render"))
    #expect(chown(staged.string, 12_345, 12_345) == 0)
    #expect(storageError { try folder.edit("third") } == .stagedFileLost(render))
    #expect(folder.text("beach_edited.jpg") == "render of first")
  }

  @Test func inAStickyFolderNothingIsDecidedThatCannotBeFinished() throws {
    guard isSuperuser else { return }
    try folder.edit("first")
    #expect(chmod(folder.path.string, 0o1777) == 0)
    #expect(chown(render.string, 12_345, 12_345) == 0)
    let before = folder.names
    #expect(storageError { try folder.edit("second") } == .fileOfAnotherUser(render))
    #expect(storageError { try folder.revert() } == .fileOfAnotherUser(render))
    #expect(folder.names == before)
    #expect(folder.text("beach_edited.jpg") == "render of first")
    // For the original's owner the superuser may replace it.
    #expect(chown(folder.photo.string, 12_345, 12_345) == 0)
    try folder.edit("second")
    #expect(folder.text("beach_edited.jpg") == "render of second")
  }

  @Test func inAStickyFolderNobodyEditsPhotosOfOthers() throws {
    guard isSuperuser else { return }
    #expect(chmod(folder.path.string, 0o1777) == 0)
    #expect(chown(folder.photo.string, 12_345, 12_345) == 0)
    let original = try folder.files.read(timeout: .zero).original
    func refusal(_ caller: UInt32) -> StorageError? {
      storageError {
        try FileContents(around: original, .real, caller: caller).requireOwnersConsent()
      }
    }
    #expect(refusal(54_321) == .fileOfAnotherUser(original.path))
    #expect(refusal(12_345) == nil && refusal(0) == nil)
    #expect(chmod(folder.path.string, 0o777) == 0)
    #expect(refusal(54_321) == nil)
  }

  @Test func aGroupThatMayNotReadTheOriginalMayNotReadTheRender() throws {
    guard isSuperuser else { return }
    #expect(chown(folder.photo.string, 0, 12_345) == 0)
    try folder.edit("first")
    let status = try #require(try FileSystem.real.status(of: render))
    #expect(status.group == 12_345 && status.mode == 0o640)
  }

  // MARK: - At the same moment

  @Test func aRetouchSavedWhileTheRenderIsReplacedStays() throws {
    try folder.edit("first")
    let isRetouched = Mutex(false)
    let racing = FileSystem { [folder, render] operation in
      guard operation == .init(.rename, render) else { return nil }
      isRetouched.withLock { isRetouched in
        if !isRetouched { folder.put("retouched", at: render) }
        isRetouched = true
      }
      return nil
    }
    let outcome = try folder.edit("second", through: racing)
    #expect(outcome.unfinished == .renderChanged(render))
    #expect(folder.text("beach_edited.jpg") == "retouched")
    unlink(render.string)
    try folder.files.begin(timeout: .zero).end()
    #expect(folder.text("beach_edited.jpg") == "render of second")
  }

  @Test func aReaderDoesNotWaitForALockThatIsNoClaim() throws {
    try folder.edit("first")
    let stranger = try FileSystem.real.openReadOnly(folder.photo)
    try #expect(FileSystem.real.lock(stranger, exclusively: true))
    try #expect(folder.files.read(timeout: .zero).record?.adjustmentData == .test("first"))
    guard case .busy(_, _, getpid()) = storageError({ try folder.edit("second") }) else {
      Issue.record("The edit did not wait, or does not say for whom.")
      return
    }
  }
}
