@preconcurrency import Dispatch
import Glibc
import SafelightCLinux
import Synchronization

/// Looks after connections while the HTTP library does not: ends those that take too long, and notices clients that
/// go while their answers are made.
final class ConnectionWatch: Sendable {
  private struct Connection {
    /// When the connection has to be further than it is; `nil` is never.
    var deadline: ContinuousClock.Instant?
    /// Since when it waits for a request; `nil` while it has one.
    var idleSince: ContinuousClock.Instant?
    /// What to do when the client goes.
    var onLoss: (@Sendable () -> Void)?
  }

  private let connections = Mutex<[Int32: Connection]>([:])
  private let events: Int32
  private let timer = DispatchSource.makeTimerSource(queue: .global())
  private let queue = DispatchQueue(label: "org.safelight.serve.watch")

  private let losses: any DispatchSourceRead

  init() {
    let events = safelight_make_loss_watch()
    self.events = events
    losses = DispatchSource.makeReadSource(fileDescriptor: events, queue: queue)
    timer.schedule(deadline: .now() + 1, repeating: 1)
    timer.setEventHandler { [weak self] in self?.endLateConnections() }
    timer.resume()
    losses.setEventHandler { [weak self] in self?.noteLosses() }
    losses.setCancelHandler { close(events) }
    losses.resume()
  }

  deinit {
    timer.cancel()
    losses.cancel()
  }

  /// How many connections are open.
  var count: Int { connections.withLock(\.count) }

  /// A connection has to be further within some seconds; `nil` takes the limit away.
  func limit(_ socket: Int32, to seconds: Int?) {
    let deadline = seconds.map { ContinuousClock.now + .seconds($0) }
    connections.withLock {
      $0[socket, default: Connection()].deadline = deadline
      $0[socket]?.idleSince = nil
    }
  }

  /// A connection waits for a request, for at most some seconds. When more are open than `most`, those end that have
  /// waited longest, so that whoever comes next finds a place.
  func awaitRequest(_ socket: Int32, atMost seconds: Int, most: Int) {
    let now = ContinuousClock.now
    connections.withLock { connections in
      connections[socket, default: Connection()].deadline = now + .seconds(seconds)
      connections[socket]?.idleSince = now
      guard connections.count > most else { return }
      // Several at once, because each look goes through all.
      let idle = connections.compactMap { socket, connection in
        connection.idleSince.map { (socket, $0) }
      }.sorted { $0.1 < $1.1 }
      for (idleSocket, _) in idle.prefix(max(most / 16, 1)) where idleSocket != socket {
        shutdown(idleSocket, Int32(SHUT_RDWR))
        connections[idleSocket]?.idleSince = nil
      }
    }
  }

  /// The connection is closed.
  func forget(_ socket: Int32) {
    connections.withLock { $0[socket] = nil }
  }

  /// Calls a closure once when the client goes, until ``stopListening(to:)``.
  func listen(to socket: Int32, onLoss: @escaping @Sendable () -> Void) {
    connections.withLock { connections in
      connections[socket, default: Connection()].onLoss = onLoss
      safelight_watch_loss(events, socket)
    }
  }

  func stopListening(to socket: Int32) {
    connections.withLock { connections in
      guard connections[socket]?.onLoss != nil else { return }
      connections[socket]?.onLoss = nil
      safelight_unwatch_loss(events, socket)
    }
  }

  private func noteLosses() {
    while true {
      let socket = safelight_next_loss(events)
      if socket < 0 { return }
      connections.withLock { $0[socket]?.onLoss }?()
    }
  }

  private func endLateConnections() {
    let now = ContinuousClock.now
    connections.withLock { connections in
      for (socket, connection) in connections {
        guard let deadline = connection.deadline, deadline < now else { continue }
        // The HTTP library sees the end and closes the socket itself.
        shutdown(socket, Int32(SHUT_RDWR))
        connections[socket]?.deadline = nil
      }
    }
  }
}
