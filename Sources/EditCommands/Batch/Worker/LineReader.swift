import Glibc

/// Reads a file's lines one by one as they come, until it ends or a bell rings.
final class LineReader {
  private let descriptor: Int32
  private let wakeUp: WakeUp?
  private var buffer: [UInt8] = []
  /// How much of the buffer is known to hold no end of a line.
  private var searched = 0
  private var isAtEnd = false

  /// A reader of an open file.
  init(_ descriptor: Int32, until wakeUp: WakeUp? = nil) {
    self.descriptor = descriptor
    self.wakeUp = wakeUp
  }

  /// The next line without its end, a last one without an end included; `nil` when there is none or
  /// the bell rang. Waits for it.
  func next() -> [UInt8]? {
    while true {
      if wakeUp?.isRung == true { return nil }
      if let line = takeLine() { return line }
      if isAtEnd {
        defer { (buffer, searched) = ([], 0) }
        return buffer.isEmpty ? nil : buffer
      }
      wait()
      if wakeUp?.isRung == true { return nil }
      fill()
    }
  }

  /// A whole line that has been read already.
  func takeLine() -> [UInt8]? {
    guard let end = buffer[searched...].firstIndex(of: UInt8(ascii: "\n")) else {
      searched = buffer.count
      return nil
    }
    let line = Array(buffer[..<end])
    buffer.removeSubrange(...end)
    searched = 0
    return line
  }

  /// Reads what is there.
  ///
  /// - Returns: `false` at the end of the file.
  @discardableResult
  func fill() -> Bool {
    var piece = [UInt8](repeating: 0, count: 1 << 16)
    let count = read(descriptor, &piece, piece.count)
    if count > 0 {
      buffer += piece[..<count]
    } else if count == 0 || ![EINTR, EAGAIN].contains(errno) {
      isAtEnd = true
    }
    return !isAtEnd
  }

  private func wait() {
    guard let wakeUp else { return }
    var files = [
      pollfd(fd: descriptor, events: Int16(POLLIN), revents: 0),
      pollfd(fd: wakeUp.descriptor, events: Int16(POLLIN), revents: 0),
    ]
    poll(&files, 2, -1)
  }
}
