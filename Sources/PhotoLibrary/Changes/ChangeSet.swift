import FoundationEssentials
import Glibc
import Synchronization

/// What the requests of one block ask for, in the order in which they asked.
final class ChangeSet: Sendable {
  @TaskLocal private static var innermost: ChangeSet?

  private struct State {
    var steps: [ChangeStep] = []
    var isOpen = true
    var requests = 0
  }

  private let state = Mutex(State())
  // A task that the block begins inherits the task's values, but is no part of the block.
  private let thread = pthread_self()

  /// The change set of the block that is running; `nil` outside of blocks.
  static var current: ChangeSet? {
    guard let set = innermost, set.thread == pthread_self(), set.state.withLock(\.isOpen) else {
      return nil
    }
    return set
  }

  /// The change set that a request made now belongs to.
  static func required(by request: String) -> ChangeSet {
    guard let current else {
      preconditionFailure("\(request) is used outside of a performChanges block")
    }
    return current
  }

  /// Runs a block and writes down what its requests ask for.
  static func collect(_ changes: () -> Void) -> [ChangeStep] {
    precondition(current == nil, "performChanges is called inside a performChanges block")
    let set = ChangeSet()
    $innermost.withValue(set) { changes() }
    return set.state.withLock { state in
      state.isOpen = false
      return state.steps
    }
  }

  func append(_ step: ChangeStep) {
    state.withLock { state in
      precondition(state.isOpen, "a change request is used after its performChanges block")
      state.steps.append(step)
    }
  }

  /// A number that no other request of the set has.
  func nextRequest() -> Int {
    state.withLock { state in
      state.requests += 1
      return state.requests
    }
  }

  /// An identifier that nothing has, in PhotoKit's form.
  static func newIdentifier() -> String { "\(UUID().uuidString)/L0/001" }
}
