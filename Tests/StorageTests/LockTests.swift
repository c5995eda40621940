import Foundation
import Glibc
import Synchronization
import Testing

@testable import SafelightFiles
@testable import SafelightStorage

@Suite struct LockTests {
  private func isBusy(_ body: () throws -> Void) -> Bool {
    if case .busy = storageError(body) { true } else { false }
  }

  @Test func twoTransactionsExcludeEachOtherAndReadersWait() throws {
    let folder = PhotoFolder()
    let first = try folder.files.begin(timeout: .zero)
    #expect(isBusy { _ = try folder.files.begin(timeout: .zero) })
    #expect(isBusy { _ = try folder.files.read(timeout: .zero) })
    first.end()
    try folder.files.begin(timeout: .zero).end()
    _ = try folder.files.read(timeout: .zero)
  }

  @Test func readersShareAndKeepWritersOut() throws {
    let folder = PhotoFolder()
    try folder.files.reading(timeout: .zero) { _ in
      _ = try folder.files.read(timeout: .zero)
      #expect(isBusy { _ = try folder.files.begin(timeout: .zero) })
    }
    try folder.files.begin(timeout: .zero).end()
  }

  @Test func waitingEndsWithTheTimeOutAndSaysHowLongItWas() throws {
    let folder = PhotoFolder()
    let first = try folder.files.begin(timeout: .zero)
    let error = storageError { _ = try folder.files.begin(timeout: .milliseconds(60)) }
    guard case .busy(folder.photo, let waited, getpid()) = error else {
      Issue.record("\(String(describing: error))")
      return
    }
    #expect(waited >= .milliseconds(60))
    first.end()
  }

  @Test func waitingEndsWhenTheOtherIsDone() throws {
    let folder = PhotoFolder()
    let holder = Mutex<Transaction?>(try folder.files.begin(timeout: .zero))
    let attempts = Mutex(0)
    // The first attempt finds the lock taken; before the second, its holder lets go of it.
    let fileSystem = FileSystem { step in
      guard step.kind == .lock else { return nil }
      let attempt = attempts.withLock { count in
        count += 1
        return count
      }
      if attempt == 2 { holder.withLock { $0 = nil } }
      return nil
    }
    try PhotoFiles(folder.photo, fileSystem: fileSystem).begin(timeout: .seconds(30)).end()
    // The third lock is that of the claim.
    #expect(attempts.withLock { $0 } == 3)
  }

  @Test func theLockGoesWithTheProcessThatHoldsIt() throws {
    let folder = PhotoFolder()
    let child = Process()
    child.executableURL = URL(fileURLWithPath: "/bin/sh")
    child.arguments = [
      "-c", "exec 9<\"$1\"; flock 9; echo locked; exec sleep 600", "sh", folder.photo.string,
    ]
    let output = Pipe()
    child.standardOutput = output
    try child.run()
    #expect(output.fileHandleForReading.availableData == Data("locked\n".utf8))
    #expect(isBusy { _ = try folder.files.begin(timeout: .zero) })
    kill(child.processIdentifier, SIGKILL)
    child.waitUntilExit()
    try folder.files.begin(timeout: .zero).end()
  }

  @Test(arguments: [ENOLCK, EBADF, EOPNOTSUPP])
  func aDiskWithoutLocksIsAnErrorOfItsOwn(reason: Int32) throws {
    let folder = PhotoFolder()
    let fileSystem = FileSystem { $0.kind == .lock ? .failure(reason) : nil }
    #expect(
      storageError { try folder.edit("x", through: fileSystem) }
        == .lockingUnavailable(folder.photo, errno: reason))
  }

  /// A disk like NFS: the first lock of each exclusive attempt is refused, since its descriptor only
  /// reads.
  private func diskThatLocksOnlyWhatMayBeWritten(
    refusing reason: Int32? = nil
  ) -> FileSystem {
    let last = Mutex<FileSystem.Operation.Kind?>(nil)
    let locks = Mutex(0)
    return FileSystem { step in
      defer { last.withLock { $0 = step.kind } }
      switch step.kind {
      case .lock:
        let count = locks.withLock { count in
          count += 1
          return count
        }
        return count % 2 == 1 ? .failure(EBADF) : nil
      case .open where last.withLock({ $0 }) == .lock:
        return reason.map { .failure($0) }
      default: return nil
      }
    }
  }

  @Test func aDiskLikeNFSIsLockedThroughADescriptorThatMightWrite() throws {
    let folder = PhotoFolder()
    let before = try FileSystem.real.status(of: folder.photo)
    let files = PhotoFiles(folder.photo, fileSystem: diskThatLocksOnlyWhatMayBeWritten())
    let first = try files.begin(timeout: .zero)
    #expect(isBusy { _ = try files.begin(timeout: .zero) })
    #expect(isBusy { _ = try folder.files.read(timeout: .zero) })
    first.end()
    try folder.files.reading(timeout: .zero) { _ in
      #expect(isBusy { _ = try files.begin(timeout: .zero) })
    }
    try folder.edit("x", through: diskThatLocksOnlyWhatMayBeWritten())
    #expect(try FileSystem.real.status(of: folder.photo) == before)
  }

  @Test(arguments: [EACCES, EROFS])
  func aPhotoThatMayNotBeWrittenCannotBeLockedThere(reason: Int32) throws {
    let folder = PhotoFolder()
    let error = storageError {
      try folder.edit("x", through: diskThatLocksOnlyWhatMayBeWritten(refusing: reason))
    }
    #expect(error == .lockingUnavailable(folder.photo, errno: reason))
    #expect(error?.code == "locking-unavailable")
  }

  @Test func aPhotoReplacedWhileWaitingIsOpenedAnew() throws {
    let folder = PhotoFolder()
    let replacement = folder.path.appending("new.jpg")
    folder.put("other pixels", at: replacement)
    let fileSystem = FileSystem { step in
      // Only the first time: afterwards there is nothing left to rename.
      if step.kind == .lock { _ = rename(replacement.string, folder.photo.string) }
      return nil
    }
    let transaction = try PhotoFiles(folder.photo, fileSystem: fileSystem)
      .begin(timeout: .seconds(30))
    try #expect(transaction.original.digest() == SHA256.digest(of: Array("other pixels".utf8)))
    transaction.end()
  }

  @Test(.timeLimit(.minutes(15)))
  func readersDuringManyCommitsNeverSeeHalfAnEdit() async throws {
    let folder = PhotoFolder()
    try folder.edit("0")
    try await withThrowingTaskGroup(of: Void.self) { group in
      group.addTask {
        for number in 1...60 {
          let transaction = try folder.files.begin(timeout: .seconds(30))
          let render = try transaction.stageRender {
            try $0.write(Array("render of \(number)".utf8))
          }
          _ = try transaction.commit("\(number)", rendered: render)
          transaction.end()
        }
      }
      group.addTask {
        for _ in 1...120 {
          try folder.files.reading(timeout: .seconds(30)) { snapshot in
            let edit = snapshot.record.map {
              String(decoding: $0.adjustmentData.data, as: UTF8.self)
            }
            let render = try #require(snapshot.render.flatMap { folder.bytes($0) })
            #expect(String(decoding: render, as: UTF8.self) == "render of \(edit ?? "")")
          }
        }
      }
      try await group.waitForAll()
    }
  }
}
