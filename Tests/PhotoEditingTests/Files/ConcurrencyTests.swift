import Dispatch
import Foundation
import PhotoEditing
import Synchronization
import Testing

@testable import SafelightFiles
@testable import SafelightStorage

@Suite struct ConcurrencyTests {
  private let folder = PhotoFolder()

  /// Where a cancellation strikes.
  enum Moment: String, CaseIterable {
    /// Before the first pixel.
    case staging
    /// With a part of the render written.
    case writing
  }

  @Test(arguments: Moment.allCases, [false, true])
  func aCancelledRenderLeavesNothing(moment: Moment, isEdited: Bool) async throws {
    let photo = try folder.add("beach.jpg")
    if isEdited { _ = try await PhotoEditor.test().apply(.named("mono"), to: photo) }
    let before = try folder.traces
    let canceller = Canceller(at: moment == .staging ? .create : .write)
    let editor = PhotoEditor.test(through: canceller.fileSystem)
    let task = Task { () async -> EditError? in
      do {
        _ = try await editor.apply(.named("noir"), to: photo, quality: 100)
        return nil
      } catch {
        return error as? EditError
      }
    }
    canceller.mayCancel(task.cancel)
    await #expect(task.value == .cancelled(path: photo.path))
    try #expect(folder.traces == before)
    // The lock went too.
    try await #expect(
      PhotoEditor.test(lockTimeout: .zero).apply(.named("noir"), to: photo).status == .edited)
  }

  @Test func aCancelledExportLeavesNothing() async throws {
    let photo = try folder.add("beach.jpg")
    let before = try folder.traces
    let canceller = Canceller(at: .write)
    let editor = PhotoEditor.test(through: canceller.fileSystem)
    let output = folder.path.appending("out.png")
    let task = Task { () async -> EditError? in
      do {
        _ = try await editor.export(photo, to: output, as: RenderOutput(format: .png))
        return nil
      } catch {
        return error as? EditError
      }
    }
    canceller.mayCancel(task.cancel)
    await #expect(task.value == .cancelled(path: photo.path))
    try #expect(folder.traces == before)
  }

  @Test(arguments: 1...5)
  func editorsOfOnePhotoTakeTurns(round: Int) async throws {
    let photo = try folder.add("rgb.tif")
    let names = ["noir", "mono", "sepia", "vivid"]
    let results = try await withThrowingTaskGroup(of: EditResult.self) { group in
      for name in names {
        group.addTask { try await PhotoEditor.test().apply(.named(name), .adding, to: photo) }
      }
      return try await group.reduce(into: []) { $0.append($1) }
    }
    #expect(results.map(\.status) == Array(repeating: .edited, count: 4))
    let state = try await PhotoEditor.test().state(of: photo)
    // No edit was lost, and the render is the last one's.
    #expect(Set(state.edit?.stack?.filters.map(\.name) ?? []) == Set(names))
    #expect(state.edit?.historyCount == 3)
    #expect(state.warnings.isEmpty)
    #expect(folder.names == ["rgb.tif", "rgb.tif.aae", "rgb_edited.jpg"])
  }

  @Test func aPhotoInUseIsAClearErrorAfterTheTimeout() async throws {
    let photo = try folder.add("rgb.tif")
    let transaction = try PhotoFiles(photo.path).begin(timeout: .zero)
    defer { transaction.end() }
    let error = await #expect(throws: EditError.self) {
      try await PhotoEditor.test(lockTimeout: .milliseconds(20)).apply(.named("noir"), to: photo)
    }
    #expect(error?.code == "busy")
    #expect(error?.description.hasPrefix("\(photo.path) was in use by another program") == true)
  }

  @Test(.timeLimit(.minutes(15)))
  func waitingEditorsLeaveSwiftsThreadsAlone() async throws {
    let photo = try folder.add("rgb.tif")
    let transaction = try PhotoFiles(photo.path).begin(timeout: .zero)
    let finished = Count()
    // Swift has a thread for each core; more editors than that wait.
    let count = 2 * ProcessInfo.processInfo.activeProcessorCount + 2
    try await withThrowingTaskGroup(of: Void.self) { group in
      for _ in 1...count {
        group.addTask { [finished] in
          _ = try await PhotoEditor.test(lockTimeout: .seconds(600))
            .contentEditingInput(for: photo)
          finished.increase()
        }
      }
      // Were the editors on them, nothing else would get a turn before they give up.
      for _ in 1...20 { await Task.detached { await Task.yield() }.value }
      #expect(finished.value == 0)
      transaction.end()
      try await group.waitForAll()
    }
    #expect(finished.value == count)
  }
}

private final class Count: Sendable {
  private let count = Mutex(0)
  var value: Int { count.withLock { $0 } }
  func increase() { count.withLock { $0 += 1 } }
}

/// Cancels a task at the first step of a kind on a staged file.
private final class Canceller: Sendable {
  private let kind: FileSystem.Operation.Kind
  private let cancel = Mutex<(@Sendable () -> Void)?>(nil)
  private let isReady = DispatchSemaphore(value: 0)

  init(at kind: FileSystem.Operation.Kind) {
    self.kind = kind
  }

  /// Hands over how to cancel, for which the step waits.
  func mayCancel(_ cancel: @escaping @Sendable () -> Void) {
    self.cancel.withLock { $0 = cancel }
    isReady.signal()
  }

  var fileSystem: FileSystem {
    FileSystem { [self] step in
      if step.kind == kind {
        isReady.wait()
        isReady.signal()
        cancel.withLock { $0?() }
      }
      return nil
    }
  }
}
