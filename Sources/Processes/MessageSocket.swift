import Glibc
import SafelightCLinux

/// One end of a connection between two processes. Messages arrive whole and in order, and may carry
/// open files.
///
/// One thread sends and one thread receives at a time.
package final class MessageSocket: Sendable {
  /// The most bytes of a message, its kind not counted.
  package static let mostBytes = 128 << 10
  /// The most open files that a message carries.
  package static let mostFiles = 16

  /// The socket.
  package let descriptor: Int32

  /// Takes a socket over.
  package init(_ descriptor: Int32) {
    self.descriptor = descriptor
  }

  deinit {
    close(descriptor)
  }

  /// Two ends of a connection, closed in programs that this one starts.
  package static func pair() throws(SystemCallError) -> (MessageSocket, MessageSocket) {
    var ends: [Int32] = [-1, -1]
    let kind = SOCK_SEQPACKET.rawValue | SOCK_CLOEXEC.rawValue
    guard socketpair(AF_UNIX, Int32(kind), 0, &ends) == 0 else {
      throw SystemCallError(code: errno)
    }
    return (MessageSocket(ends[0]), MessageSocket(ends[1]))
  }

  /// A message of the other process.
  package struct Message {
    /// What kind of message it is, in the words of the two processes.
    package let kind: UInt8
    /// Its bytes.
    package let bytes: ArraySlice<UInt8>
    /// The files that it carries, open; the receiver closes them.
    package let files: [Int32]
  }

  /// Sends a message.
  ///
  /// - Parameter deadline: When to give up an end that reads nothing; `nil` waits for ever.
  /// - Throws: `EPIPE` when the other end is closed, `ETIMEDOUT` at the deadline.
  package func send(
    _ kind: UInt8, _ bytes: UnsafeRawBufferPointer = UnsafeRawBufferPointer(start: nil, count: 0),
    files: [Int32] = [], until deadline: ContinuousClock.Instant? = nil
  ) throws(SystemCallError) {
    precondition(bytes.count <= Self.mostBytes && files.count <= Self.mostFiles)
    var message: [UInt8] = [kind]
    message.reserveCapacity(bytes.count + 1)
    message.append(contentsOf: bytes)
    // A socket that can be written to has room for a whole message, whatever its length.
    if let deadline { try wait(for: POLLOUT, until: deadline) }
    while safelight_send(descriptor, message, message.count, files, Int32(files.count)) < 0 {
      guard errno == EINTR else { throw SystemCallError(code: errno) }
    }
  }

  /// Sends bytes of any number as messages of one kind.
  package func sendAll(
    _ kind: UInt8, _ bytes: UnsafeRawBufferPointer, until deadline: ContinuousClock.Instant? = nil
  ) throws(SystemCallError) {
    var rest = bytes[...]
    while !rest.isEmpty {
      try send(
        kind, UnsafeRawBufferPointer(rebasing: rest.prefix(Self.mostBytes)), until: deadline)
      rest = rest.dropFirst(Self.mostBytes)
    }
  }

  /// Waits for the next message; `nil` when the other end is closed.
  ///
  /// - Parameter deadline: When the waiting ends.
  /// - Throws: `ETIMEDOUT` at the deadline, `EMSGSIZE` for a message that is too long.
  package func receive(
    until deadline: ContinuousClock.Instant? = nil
  ) throws(SystemCallError) -> Message? {
    if let deadline { try wait(for: POLLIN, until: deadline) }
    var files = [Int32](repeating: -1, count: Self.mostFiles)
    var fileCount: Int32 = 0
    var count = -1
    let room = Self.mostBytes + 1
    let bytes = [UInt8](unsafeUninitializedCapacity: room) { buffer, filled in
      repeat {
        count = safelight_receive(descriptor, buffer.baseAddress, room, &files, &fileCount)
      } while count == -1 && errno == EINTR
      filled = max(count, 0)
    }
    let failure = errno
    let received = Array(files.prefix(Int(fileCount)))
    guard count > 0 else {
      for file in received { close(file) }
      switch count {
      case 0: return nil
      case -2: throw SystemCallError(code: EMSGSIZE)
      // The other process ended without reading all of its messages.
      case _ where failure == ECONNRESET: return nil
      default: throw SystemCallError(code: failure)
      }
    }
    return Message(kind: bytes[0], bytes: bytes[1...], files: received)
  }

  /// Closes the connection for both ends, while the socket stays open.
  package func end() {
    shutdown(descriptor, Int32(SHUT_RDWR))
  }

  /// Whether a message is there, or the other end is closed.
  package func hasMessage() -> Bool {
    var file = pollfd(fd: descriptor, events: Int16(POLLIN), revents: 0)
    return poll(&file, 1, 0) > 0
  }

  /// Whether the other end is closed.
  package func isClosed() -> Bool {
    var file = pollfd(fd: descriptor, events: 0, revents: 0)
    return poll(&file, 1, 0) > 0 && file.revents & Int16(POLLHUP) != 0
  }

  private func wait(
    for events: Int32, until deadline: ContinuousClock.Instant
  ) throws(SystemCallError) {
    while true {
      let left = deadline - .now
      guard left > .zero else { throw SystemCallError(code: ETIMEDOUT) }
      let (seconds, attoseconds) = left.components
      var file = pollfd(fd: descriptor, events: Int16(events), revents: 0)
      let milliseconds = Int32(clamping: seconds * 1000 + attoseconds / 1_000_000_000_000_000 + 1)
      let count = poll(&file, 1, milliseconds)
      if count > 0 { return }
      guard count == 0 || errno == EINTR else { throw SystemCallError(code: errno) }
    }
  }
}
