import SafelightVips
import Synchronization

/// A switch that ends a running render from another thread.
public final class RenderCancellation: Sendable {
  private struct State {
    var isCancelled = false
    var image: Image?
  }

  private let state = Mutex(State())

  /// Makes a switch for one render.
  public init() {}

  /// Whether ``cancel()`` was called.
  public var isCancelled: Bool { state.withLock(\.isCancelled) }

  /// Ends the render, which then throws `CancellationError`; nothing happens when it is done.
  public func cancel() {
    state.withLock {
      $0.isCancelled = true
      $0.image?.stopComputing()
    }
  }

  /// Lets the switch act on `image` from now on.
  func watch(_ image: Image) throws(CancellationError) {
    let isCancelled = state.withLock { state in
      state.image = image
      return state.isCancelled
    }
    if isCancelled { throw CancellationError() }
  }

  /// Lets go of the image.
  func watchNothing() {
    state.withLock { $0.image = nil }
  }
}
