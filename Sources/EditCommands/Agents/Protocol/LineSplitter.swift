import Dispatch
import Glibc
import SafelightProcesses

/// Cuts bytes into lines as they come. A line longer than a limit is passed over, so that nobody fills the memory.
struct LineSplitter {
  /// A line without its end, or one that was too long to be kept.
  enum Line: Equatable, Sendable {
    case whole([UInt8])
    case tooLong
  }

  /// Most bytes of a line.
  let limit: Int
  private var buffer: [UInt8] = []
  private var isPassingOver = false

  init(limit: Int) { self.limit = limit }

  /// Takes bytes.
  ///
  /// - Returns: The lines that end in them.
  mutating func add(_ bytes: some Sequence<UInt8>) -> [Line] {
    var lines: [Line] = []
    for byte in bytes {
      if byte == UInt8(ascii: "\n") {
        lines.append(end())
      } else if buffer.count < limit {
        buffer.append(byte)
      } else {
        isPassingOver = true
      }
    }
    return lines
  }

  /// The last line, when the input ended without a line break; `nil` when nothing is left.
  mutating func finish() -> Line? { buffer.isEmpty && !isPassingOver ? nil : end() }

  private mutating func end() -> Line {
    defer {
      buffer.removeAll(keepingCapacity: buffer.capacity < 1 << 16)
      isPassingOver = false
    }
    return isPassingOver ? .tooLong : .whole(buffer)
  }
}

/// Gives the lines of an open file one by one, without blocking Swift's threads. Used by one task at a time.
final class AgentInput: @unchecked Sendable {
  private let descriptor: Int32
  private let wakeUp: WakeUp
  private let queue = DispatchQueue(label: "safelight.agent.input")
  // Only touched on the queue.
  private var splitter: LineSplitter
  private var lines: [LineSplitter.Line] = []
  private var isAtEnd = false

  /// - Parameters:
  ///   - limit: Most bytes of a line.
  ///   - wakeUp: Ends the input when it rings.
  init(_ descriptor: Int32, limit: Int, until wakeUp: WakeUp) {
    self.descriptor = descriptor
    self.wakeUp = wakeUp
    splitter = LineSplitter(limit: limit)
  }

  /// The next line; `nil` at the end of the file, or once the bell rang.
  func next() async -> LineSplitter.Line? {
    await withCheckedContinuation { continuation in
      queue.async { continuation.resume(returning: self.waitForLine()) }
    }
  }

  private func waitForLine() -> LineSplitter.Line? {
    while lines.isEmpty, !isAtEnd, !wakeUp.isRung { fill() }
    return wakeUp.isRung || lines.isEmpty ? nil : lines.removeFirst()
  }

  private func fill() {
    waitToRead([descriptor, wakeUp.descriptor])
    if wakeUp.isRung { return }
    var piece = [UInt8](repeating: 0, count: 1 << 16)
    let count = read(descriptor, &piece, piece.count)
    if count > 0 {
      lines += splitter.add(piece[..<count])
    } else if count == 0 || ![EINTR, EAGAIN].contains(errno) {
      isAtEnd = true
      if let last = splitter.finish() { lines.append(last) }
    }
  }
}
