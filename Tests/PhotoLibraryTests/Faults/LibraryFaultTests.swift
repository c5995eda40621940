import Foundation
import SafelightFiles
import SafelightTestSupport
import Synchronization
import Testing

/// Every change of a library while the system refuses one operation after the other.
@Suite(.timeLimit(.minutes(15))) struct LibraryFaultTests {
  @Test(arguments: LibraryChange.allCases)
  func whateverFailsTheLibraryIsOldOrNew(change: LibraryChange) async throws {
    let scene = try await LibraryScene(change)
    try await FaultInjection.forEachFault(sample: 3) { faults, kind in
      try scene.reset()
      let isDone = await succeeds { try await scene.perform(through: faults.fileSystem) }
      let comment: Comment = "\(kind.map { "\($0)" } ?? "no fault")"
      if !faults.wasReached || kind?.isHarmless == true { #expect(isDone, comment) }
      try scene.expectOriginals(comment)
      try scene.expectNoLocks(comment)
      if change.goesOnLater {
        _ = try await scene.view()
        try await scene.perform(through: .real)
      }
      let seen = scene.settled(
        try await scene.view(), afterCrash: change.goesOnLater || kind?.staysBroken == true)
      let expected = isDone || change.goesOnLater ? scene.new : scene.old
      #expect(seen == scene.settled(expected), comment)
      try scene.expectOriginals(comment)
    }
  }

  /// The process dies when the change is decided, and the next opening meets faults.
  @Test(arguments: [LibraryChange.create, .createWithEdit, .emptyTrash, .edit, .revert, .rebuild])
  func whateverFailsWhileALibraryIsOpenedTheChangeIsFinished(change: LibraryChange) async throws {
    let scene = try await LibraryScene(change)
    let crash = try await scene.firstCrashAfterDecision()
    try await FaultInjection.forEachFault(sample: 3) { faults, kind in
      try scene.reset()
      await scene.performDying(at: crash)
      let isOpened = await succeeds { try await scene.open(through: faults.fileSystem) }
      let comment: Comment = "\(kind.map { "\($0)" } ?? "no fault")"
      if !faults.wasReached || kind?.isHarmless == true { #expect(isOpened, comment) }
      try scene.expectNoLocks(comment)
      #expect(try await scene.settled(scene.view()) == scene.settled(scene.new), comment)
      try scene.expectOriginals(comment)
    }
  }

  @Test func aSidecarThatTheDiskDoesNotGiveKeepsItsEditInTheCatalog() async throws {
    let scene = try await LibraryScene(.edit)
    let files = FileManager.default.enumerator(atPath: scene.folder.path.string)
    let sidecar = try #require(
      files?.compactMap { $0 as? String }.first { $0.hasSuffix("own.jpg.aae") })
    // The scan sees that the sidecar is another one than the catalog knows.
    try FileManager.default.setAttributes(
      [.modificationDate: Date(timeIntervalSince1970: 1_000_000_000)],
      ofItemAtPath: scene.folder[FilePath(sidecar)].string)
    let read = Mutex(0)
    try await scene.scan(
      through: FileSystem { operation in
        guard operation.kind == .read, operation.path.string.hasSuffix(".aae") else { return nil }
        read.withLock { $0 += 1 }
        return .failure(EIO)
      })
    #expect(read.withLock(\.self) > 0)
    // Without the sidecar a render is a photo like others, until the next scan.
    #expect(try await scene.settled(scene.view()).contains(scene.settled(scene.new)))
    try await scene.scan(through: .real)
    #expect(try await scene.settled(scene.view()) == scene.settled(scene.new))
  }
}

/// Whether some work throws no error.
func succeeds(_ work: () async throws -> Void) async -> Bool {
  do {
    try await work()
    return true
  } catch {
    return false
  }
}
