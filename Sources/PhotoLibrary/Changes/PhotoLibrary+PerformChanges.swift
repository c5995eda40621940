import Dispatch
import FoundationEssentials
import PhotoEditing
import Synchronization

extension PhotoLibrary {
  /// Changes the library: all that the block's requests ask for happens, or nothing.
  ///
  /// The block runs at once; its requests are carried out, in their order, when it is over. The
  /// change set is on the disk when the call returns, and other processes see all of it at once.
  /// Change sets of one process are made one after the other.
  ///
  /// ```swift
  /// try await library.performChanges {
  ///   let beach = AssetCreationRequest.creationRequestForAsset(fromImageAt: "beach.jpg")
  ///   beach.isFavorite = true
  ///   let album = AssetCollectionChangeRequest.creationRequestForAssetCollection(
  ///     withTitle: "Holidays")
  ///   album.addAssets([beach.placeholderForCreatedAsset])
  /// }
  /// ```
  ///
  /// Calling it inside a block, and using a request outside of its block, are programmers' errors
  /// that end the program.
  ///
  /// An edit is part of the change set and yet stays in the photo's sidecar. Edits are got ready
  /// before anything is written, and made, by a few renames each, when everything else is. Should the
  /// disk fail just then, the next scan of the library goes by the sidecars.
  /// - Throws: ``PhotoLibraryError``; nothing was done then.
  public func performChanges(_ changes: @Sendable () -> Void) async throws(PhotoLibraryError) {
    let steps = ChangeSet.collect(changes)
    // Waiting for the disk must not keep Swift's own threads from other work.
    let result = await withTaskExecutorPreference(ChangeExecutor.shared) {
      await outcome(of: steps)
    }
    try result.get()
  }

  /// Changes the library as ``performChanges(_:)`` does, and keeps the thread waiting meanwhile.
  ///
  /// - Throws: ``PhotoLibraryError``; nothing was done then.
  public func performChangesAndWait(_ changes: @Sendable () -> Void) throws(PhotoLibraryError) {
    let steps = ChangeSet.collect(changes)
    let waiter = ChangeWaiter<Void>()
    Task(executorPreference: ChangeExecutor.shared) {
      waiter.finish(await self.outcome(of: steps))
    }
    try waiter.wait().get()
  }

  private func outcome(of steps: [ChangeStep]) async -> Result<Void, PhotoLibraryError> {
    do throws(PhotoLibraryError) {
      return .success(try await carryOut(steps))
    } catch {
      return .failure(error)
    }
  }
}

/// Where change sets are made: on Dispatch's threads, of which there are enough to wait for disks and
/// locks.
final class ChangeExecutor: TaskExecutor {
  static let shared = ChangeExecutor()

  private let queue = DispatchQueue.global(qos: .userInitiated)

  func enqueue(_ job: consuming ExecutorJob) {
    let job = UnownedJob(job)
    queue.async { job.runSynchronously(on: self.asUnownedTaskExecutor()) }
  }
}

/// Hands the result of a change set, or of a question, to a thread that waits for it.
final class ChangeWaiter<Value: Sendable>: Sendable {
  private let result = Mutex<Result<Value, PhotoLibraryError>?>(nil)
  private let isDone = DispatchSemaphore(value: 0)

  func finish(_ result: Result<Value, PhotoLibraryError>) {
    self.result.withLock { $0 = result }
    isDone.signal()
  }

  func wait() -> Result<Value, PhotoLibraryError> {
    isDone.wait()
    guard let result = result.withLock({ $0 }) else { preconditionFailure("woken too early") }
    return result
  }
}
