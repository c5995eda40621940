import Glibc
import Synchronization
import Testing

@testable import SafelightFiles
@testable import SafelightStorage

/// The moments between the edit and what was there before it.
@Suite struct RestoringTests {
  private func expect(_ folder: PhotoFolder, holds sidecars: [[UInt8]]) {
    let now = folder.bytes(folder.sidecar)
    #expect(now.map(sidecars.contains) == true)
  }

  @Test func thereIsAWholeSidecarAtEveryStepOfEditAndRevert() throws {
    let theirs = try ForeignSidecar.apple.bytes()
    let folder = try PhotoFolder(with: .apple)
    try folder.edit("1")
    let ours = try #require(folder.bytes(folder.sidecar))
    let steps = Mutex(0)
    let watching = FileSystem { step in
      steps.withLock { $0 += 1 }
      self.expect(folder, holds: [ours, theirs])
      return nil
    }
    try folder.revert(through: watching)
    #expect(steps.withLock { $0 } > 10)
    #expect(folder.bytes(folder.sidecar) == theirs)
    // The same edit again is the same record.
    try folder.edit("1", through: watching)
    #expect(folder.bytes(folder.sidecar) == ours)
  }

  /// A folder in which the revert was decided and then could not be carried out.
  private func interrupted(at path: (PhotoFolder) -> FilePath, _ kind: FileSystem.Operation.Kind)
    throws -> PhotoFolder
  {
    let folder = try PhotoFolder(with: .apple)
    try folder.edit("1")
    let fault = FileSystem.Operation(kind, path(folder))
    let outcome = try folder.revert(through: FileSystem { $0 == fault ? .failure(EIO) : nil })
    #expect(outcome.unfinished == .fileSystem(FileSystemError(fault, errno: EIO)))
    try #expect(folder.files.read(timeout: .zero).needsRecovery)
    try #expect(folder.files.read(timeout: .zero).record?.isForeign == true)
    return folder
  }

  @Test func aDecidedRevertIsReadInAReadOnlyFolder() throws {
    let folder = try interrupted(at: \.sidecar, .rename)
    let readOnly = FileSystem {
      [.create, .write, .rename, .unlink].contains($0.kind) ? .failure(EROFS) : nil
    }
    let snapshot = try PhotoFiles(folder.photo, fileSystem: readOnly).read(timeout: .zero)
    #expect(snapshot.record?.isForeign == true)
    #expect(snapshot.render == nil)
  }

  @Test func whatAnotherProgramWroteSinceTheSidecarCameBackStays() throws {
    let folder = try interrupted(at: { PhotoNames($0.photo).pending }, .unlink)
    let later = try ForeignSidecar.windows.bytes()
    folder.put(later, at: folder.sidecar)
    try folder.files.begin(timeout: .zero).end()
    #expect(folder.names == ["beach.jpg", "beach.jpg.aae"])
    #expect(folder.bytes(folder.sidecar) == later)
  }

  @Test func whatAnotherProgramWroteOverTheEditIsNotReplaced() throws {
    let folder = try interrupted(at: \.sidecar, .rename)
    let later = try ForeignSidecar.windows.bytes()
    folder.put(later, at: folder.sidecar)
    #expect(
      storageError { _ = try folder.files.begin(timeout: .zero) } == .recordChanged(folder.sidecar))
    #expect(folder.bytes(folder.sidecar) == later)
    // Moved away, as the error says, it no longer stands in the way of the older one.
    unlink(folder.sidecar.string)
    try folder.files.begin(timeout: .zero).end()
    #expect(folder.names == ["beach.jpg", "beach.jpg.aae"])
    #expect(try folder.bytes(folder.sidecar) == ForeignSidecar.apple.bytes())
  }

  @Test func aSidecarFoundUnderBothNamesIsPutBackOnce() throws {
    let folder = try interrupted(at: \.sidecar, .rename)
    let staged = try #require(folder.hidden("sidecar"))
    unlink(folder.sidecar.string)
    _ = link(staged.string, folder.sidecar.string)
    try folder.files.begin(timeout: .zero).end()
    #expect(folder.names == ["beach.jpg", "beach.jpg.aae"])
    #expect(try folder.bytes(folder.sidecar) == ForeignSidecar.apple.bytes())
  }

  @Test func withoutTheStagedSidecarTheEditStandsAndCanBeRevertedAgain() throws {
    let folder = try PhotoFolder(with: .apple)
    try folder.edit("1")
    let fault = FileSystem.Operation(.unlink, folder.path.appending("beach_edited.jpg"))
    try folder.revert(through: FileSystem { $0 == fault ? .failure(EIO) : nil })
    unlink(try #require(folder.hidden("sidecar")).string)
    let snapshot = try folder.files.read(timeout: .zero)
    #expect(snapshot.record?.adjustmentData == .test("1"))
    #expect(snapshot.render.flatMap { folder.bytes($0) } == Array("render of 1".utf8))
    try folder.revert()
    #expect(folder.names == ["beach.jpg", "beach.jpg.aae"])
    #expect(try folder.bytes(folder.sidecar) == ForeignSidecar.apple.bytes())
  }
}
