import Foundation
import Glibc
import Testing

@testable import SafelightEditCommands

@Suite struct LineReaderTests {
  @Test func aLineWithoutEndDoesNotFillTheMemory() throws {
    let (reading, writing) = try connectedSockets()
    let count = 3 << 20
    let writer = Thread {
      let piece = [UInt8](repeating: 65, count: 1 << 16)
      var left = count
      while left > 0 {
        let sent = piece.withUnsafeBytes { write(writing, $0.baseAddress, min($0.count, left)) }
        guard sent > 0 else { break }
        left -= sent
      }
      write(writing, "\nnext\n", 6)
      close(writing)
    }
    writer.start()
    let lines = LineReader(reading, longestLine: 1 << 20)
    let long = try #require(lines.next())
    #expect(long.count < 2 << 20 && long.starts(with: Array("AAAA".utf8)))
    #expect(lines.next() == Array("next".utf8))
    #expect(lines.next() == nil)
    close(reading)
  }
}
