import Dispatch
import Glibc
import SafelightArguments
import SafelightProcesses
import Synchronization

/// A bell that wakes a thread that waits for files. Once rung, it stays rung.
final class WakeUp: Sendable {
  /// Readable once the bell was rung; for `poll`.
  let descriptor: Int32
  private let rung = Atomic(false)

  /// The other end, which ringing writes to.
  private let writingEnd: Int32

  init() {
    (descriptor, writingEnd) = (try? connectedSockets(SOCK_NONBLOCK)) ?? (-1, -1)
  }

  deinit {
    close(descriptor)
    close(writingEnd)
  }

  /// Whether it was rung.
  var isRung: Bool { rung.load(ordering: .acquiring) }

  /// Rings it, from whatever thread.
  func ring() {
    rung.store(true, ordering: .releasing)
    writeWhole("!", to: writingEnd)
  }

  /// Runs work that blocks its thread, on a thread of its own; cancelling the surrounding task rings
  /// the bell.
  static func ringingOnCancel<Result: Sendable>(
    _ work: @escaping @Sendable (WakeUp) -> Result
  ) async -> Result {
    let wakeUp = WakeUp()
    return await withTaskCancellationHandler {
      await withCheckedContinuation { continuation in
        DispatchQueue(label: "safelight.waiting").async {
          continuation.resume(returning: work(wakeUp))
        }
      }
    } onCancel: {
      wakeUp.ring()
    }
  }
}

/// Reads a file's lines one by one as they come, until it ends or a bell rings.
final class LineReader {
  /// Why the file could not be read to its end, an `errno` value; `nil` when it could.
  private(set) var failure: Int32?
  /// Whether the line that came last was too long, so that only its beginning was kept.
  private(set) var isCut = false

  private let descriptor: Int32
  private let separator: UInt8
  private let longestLine: Int
  private let wakeUp: WakeUp?
  private var buffer: [UInt8] = []
  /// Where the next line starts in the buffer.
  private var start = 0
  /// Where the search for its end goes on.
  private var searched = 0
  private var isCutting = false
  private var isAtEnd = false

  /// A reader of an open file.
  ///
  /// - Parameters:
  ///   - separator: What ends a line.
  ///   - longestLine: Most bytes of a line that are kept. An edit with many lookup tables has some megabytes.
  init(
    _ descriptor: Int32, separator: UInt8 = UInt8(ascii: "\n"), longestLine: Int = 64 << 20,
    until wakeUp: WakeUp? = nil
  ) {
    self.longestLine = longestLine
    self.descriptor = descriptor
    self.separator = separator
    self.wakeUp = wakeUp
  }

  /// The next line without its end, a last one without an end included; `nil` when there is none or
  /// the bell rang. Waits for it.
  func next() -> [UInt8]? {
    while true {
      if wakeUp?.isRung == true { return nil }
      if let line = takeLine() { return line }
      if isAtEnd {
        defer { (buffer, start, searched) = ([], 0, 0) }
        return start == buffer.count ? nil : take(buffer[start...])
      }
      if let wakeUp { waitToRead([descriptor, wakeUp.descriptor]) }
      if wakeUp?.isRung == true { return nil }
      fill()
    }
  }

  /// A whole line that has been read already.
  private func takeLine() -> [UInt8]? {
    guard let end = buffer[searched...].firstIndex(of: separator) else {
      searched = buffer.count
      return nil
    }
    defer { (start, searched) = (end + 1, end + 1) }
    return take(buffer[start..<end])
  }

  private func take(_ line: ArraySlice<UInt8>) -> [UInt8] {
    isCut = isCutting || line.count > longestLine
    isCutting = false
    return Array(line)
  }

  /// Reads what is there.
  private func fill() {
    buffer.removeSubrange(..<start)
    (start, searched) = (0, searched - start)
    var piece = [UInt8](repeating: 0, count: 1 << 16)
    let count = read(descriptor, &piece, piece.count)
    if count > 0 {
      buffer += piece[..<count]
      // Nobody writes such a line; its beginning is enough to say what is wrong.
      if buffer.count > longestLine, !buffer[searched...].contains(separator) {
        buffer.removeSubrange(1000...)
        searched = buffer.count
        isCutting = true
      }
    } else if count == 0 || ![EINTR, EAGAIN].contains(errno) {
      failure = count < 0 ? errno : nil
      isAtEnd = true
    }
  }
}

extension LineReader {
  /// The lines of a file, each read when it is asked for, on a thread of their own; `nil` stands for one that is too
  /// long.
  static func lines(
    of descriptor: Int32, longest: Int, until wakeUp: WakeUp
  ) -> AsyncStream<[UInt8]?> {
    let queue = DispatchQueue(label: "safelight.waiting")
    // Only touched on the queue.
    nonisolated(unsafe) let reader = LineReader(descriptor, longestLine: longest, until: wakeUp)
    return AsyncStream {
      await withCheckedContinuation { continuation in
        queue.async {
          let line = reader.next()
          continuation.resume(returning: line.map { reader.isCut ? nil : Optional($0) })
        }
      }
    }
  }
}

/// Two sockets that are connected with each other, closed in programs that this one starts.
///
/// - Parameter flags: What the sockets are besides.
func connectedSockets(
  _ flags: __socket_type = __socket_type(0)
) throws(SystemCallError) -> (Int32, Int32) {
  var ends: [Int32] = [-1, -1]
  let kind = SOCK_STREAM.rawValue | SOCK_CLOEXEC.rawValue | flags.rawValue
  guard socketpair(AF_UNIX, Int32(kind), 0, &ends) == 0 else { throw SystemCallError(code: errno) }
  return (ends[0], ends[1])
}

/// Waits until one of some open files can be read or has ended.
func waitToRead(_ descriptors: [Int32]) {
  var files = descriptors.map { pollfd(fd: $0, events: Int16(POLLIN), revents: 0) }
  poll(&files, nfds_t(files.count), -1)
}
