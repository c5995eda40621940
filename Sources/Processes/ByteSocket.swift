import Glibc

/// One end of a stream of bytes between this process and a program that it started.
///
/// The program reads or writes its end as a pipe. For use by one thread at a time.
package final class ByteSocket {
  /// The socket.
  package private(set) var descriptor: Int32

  private init(_ descriptor: Int32) { self.descriptor = descriptor }

  deinit { end() }

  /// Two ends of a stream, closed in programs that this process starts unless it gives them one.
  package static func pair() throws(SystemCallError) -> (ByteSocket, ByteSocket) {
    var ends: [Int32] = [-1, -1]
    let kind = SOCK_STREAM.rawValue | SOCK_CLOEXEC.rawValue
    guard socketpair(AF_UNIX, Int32(kind), 0, &ends) == 0 else {
      throw SystemCallError(code: errno)
    }
    return (ByteSocket(ends[0]), ByteSocket(ends[1]))
  }

  /// Closes this end. The other one then reads to the end of what was written.
  package func end() {
    if descriptor >= 0 { close(descriptor) }
    descriptor = -1
  }

  /// Reads until a buffer is full or nothing more comes.
  ///
  /// - Parameters:
  ///   - limit: The longest to wait; `nil` is for ever.
  ///   - isCancelled: Asked some times a second while there is nothing to read.
  /// - Returns: How many bytes were read: fewer than the buffer has room for where the other end is closed.
  /// - Throws: `ETIMEDOUT` when the limit is over, `ECANCELED` when the work is cancelled.
  package func read(
    into buffer: UnsafeMutableRawBufferPointer, within limit: Duration?,
    unless isCancelled: () -> Bool
  ) throws(SystemCallError) -> Int {
    let deadline = limit.map { ContinuousClock.now + $0 }
    var count = 0
    while count < buffer.count {
      try wait(for: POLLIN, until: deadline, unless: isCancelled)
      let read = recv(
        descriptor, buffer.baseAddress! + count, buffer.count - count, Int32(MSG_DONTWAIT))
      if read == 0 { break }
      // An end that was closed with bytes unread is an end like another.
      if read < 0, errno == ECONNRESET { break }
      guard read > 0 || errno == EAGAIN || errno == EINTR else {
        throw SystemCallError(code: errno)
      }
      count += max(read, 0)
    }
    return count
  }

  /// Writes all bytes.
  ///
  /// - Throws: `EPIPE` when the other end is closed, `ETIMEDOUT` when the limit is over, `ECANCELED` when the work is
  ///   cancelled.
  package func write(
    _ bytes: UnsafeRawBufferPointer, within limit: Duration?, unless isCancelled: () -> Bool
  ) throws(SystemCallError) {
    let deadline = limit.map { ContinuousClock.now + $0 }
    let flags = Int32(MSG_DONTWAIT) | Int32(MSG_NOSIGNAL)
    var count = 0
    while count < bytes.count {
      try wait(for: POLLOUT, until: deadline, unless: isCancelled)
      let sent = send(descriptor, bytes.baseAddress! + count, bytes.count - count, flags)
      guard sent >= 0 || errno == EAGAIN || errno == EINTR else {
        throw SystemCallError(code: errno == ECONNRESET ? EPIPE : errno)
      }
      count += max(sent, 0)
    }
  }

  /// Waits until the socket can be read or written.
  private func wait(
    for event: Int32, until deadline: ContinuousClock.Instant?, unless isCancelled: () -> Bool
  ) throws(SystemCallError) {
    while true {
      if isCancelled() { throw SystemCallError(code: ECANCELED) }
      var entry = pollfd(fd: descriptor, events: Int16(event), revents: 0)
      let found = poll(&entry, 1, 20)
      if found > 0 { return }
      guard found == 0 || errno == EINTR else { throw SystemCallError(code: errno) }
      if let deadline, ContinuousClock.now > deadline { throw SystemCallError(code: ETIMEDOUT) }
    }
  }
}
