import Glibc
import SafelightColorKernels
import Synchronization

/// What the colors of an 8-bit picture became, so that each is computed once.
///
/// A photo of 20 million pixels has some hundred thousand colors. Looking one up takes about 2 ns,
/// and ten adjustments with a lookup table take 10. Nothing is approximated: a result is what the pass
/// makes of that color.
final class ColorMemory: @unchecked Sendable {
  // `@unchecked`: threads share the table on purpose; its entries are read and written as atoms, and
  // any two threads write the same.

  /// From how many nanoseconds for each pixel it is worth it.
  static let cost = 4.5
  /// From how many pixels.
  static let leastPixels = 2_000_000

  private let pass: ColorPass.RowFunction
  /// Zeros until they are touched: of 64 MB a photo takes 10 to 30.
  private let table: UnsafeMutablePointer<UInt32>
  private let state = Mutex(State())

  private struct State {
    var pixels = 0
    var unknown = 0
  }

  /// `nil` where a process may not have so much memory; the pass does without it then.
  ///
  /// - Parameter pass: Works on 8-bit pixels by their color alone.
  init?(_ pass: @escaping ColorPass.RowFunction) {
    guard let memory = calloc(1 << 24, MemoryLayout<UInt32>.stride) else { return nil }
    self.pass = pass
    table = memory.assumingMemoryBound(to: UInt32.self)
  }

  deinit {
    free(table)
  }

  /// Lays the pass over pixels of one row.
  func map(_ input: UnsafeRawPointer, to output: UnsafeMutableRawPointer, count: Int) {
    guard isWorthIt else { return pass(input, output, count, 0, 0) }
    let source = input.assumingMemoryBound(to: UInt8.self)
    let target = output.assumingMemoryBound(to: UInt8.self)
    withUnsafeTemporaryAllocation(of: Int32.self, capacity: count + 1) { indexes in
      let unknown = indexes.baseAddress!
      let misses = Int(kernels.recall(source, target, table, unknown, Int32(count)))
      state.withLock { state in
        state.pixels += count
        state.unknown += misses
      }
      guard misses > 0 else { return }
      withUnsafeTemporaryAllocation(of: UInt8.self, capacity: 6 * misses) { bytes in
        let colors = bytes.baseAddress!
        let results = colors + 3 * misses
        kernels.collect(source, unknown, colors, Int32(misses))
        pass(colors, results, misses, 0, 0)
        kernels.learn(colors, results, table, unknown, target, Int32(misses))
      }
    }
  }

  /// Whether enough colors come again; noise and gradients may have none that do.
  private var isWorthIt: Bool {
    state.withLock { $0.pixels < 1_000_000 || $0.unknown * 2 < $0.pixels }
  }
}
