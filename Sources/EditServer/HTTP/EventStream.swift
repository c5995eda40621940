import Glibc
import SafelightCMicroHTTPD
import Synchronization

/// Server-sent events on their way to one client (HTML Standard, 9.2).
///
/// What the client does not take waits here up to a limit; beyond it the stream ends, and the client comes back and
/// fetches what it missed.
final class EventStream: Sendable {
  private struct State {
    var waiting: [UInt8] = []
    var hasEnded = false
    /// The connection while it sleeps because nothing waits.
    nonisolated(unsafe) var sleeping: OpaquePointer?
  }

  private let state = Mutex(State())
  private static let limit = 1 << 20
  private let onClose: @Sendable (EventStream) -> Void

  /// - Parameter onClose: Called once the connection has gone.
  init(onClose: @escaping @Sendable (EventStream) -> Void) { self.onClose = onClose }

  /// Sends bytes as soon as the client takes them.
  func send(_ text: String) {
    state.withLock { state in
      guard !state.hasEnded else { return }
      state.waiting += text.utf8
      if state.waiting.count > Self.limit { state.hasEnded = true }
      Self.wake(&state)
    }
  }

  /// Ends the stream behind what waits.
  func end() {
    state.withLock { state in
      state.hasEnded = true
      Self.wake(&state)
    }
  }

  private static func wake(_ state: inout State) {
    if let connection = state.sleeping { MHD_resume_connection(connection) }
    state.sleeping = nil
  }

  /// Fills a buffer of the connection; without anything to send, the connection sleeps.
  func read(_ buffer: UnsafeMutableRawBufferPointer, _ connection: OpaquePointer) -> Int {
    state.withLock { state in
      if state.waiting.isEmpty {
        if state.hasEnded { return safelight_end_of_stream }
        MHD_suspend_connection(connection)
        state.sleeping = connection
        return 0
      }
      let count = min(buffer.count, state.waiting.count)
      buffer.copyBytes(from: state.waiting[..<count])
      state.waiting.removeFirst(count)
      return count
    }
  }

  /// The connection has gone.
  func close() {
    state.withLock { state in
      state.hasEnded = true
      state.sleeping = nil
    }
    onClose(self)
  }
}
