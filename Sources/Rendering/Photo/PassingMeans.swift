import SafelightVips
import Synchronization

/// The means of squares of a photo's codes, taken while the photo is decoded for its render.
///
/// A JPEG decoder makes nearly the same means, but has to read the file once more for them, which takes most of its time.
final class PassingMeans: Sendable {
  /// Pixels of the photo along the side of a square.
  let factor: Int
  private let size: PixelSize
  /// The size of the means.
  private let means: PixelSize
  private let bands: Int
  private let state: Mutex<State>

  private struct State {
    /// The next row of the photo.
    var next = 0
    /// Sums of the rows of a square, column after column.
    var sums: [UInt16]
    /// The means, of which those of the rows so far are there.
    var codes: [UInt8]
  }

  /// Begins to take the means of a picture; `nil` for one that is not red, green and blue, or gray, of 8 bits.
  ///
  /// - Parameter factor: 2, 4 or 8.
  init?(of image: Image, factor: Int) {
    guard image.sampleFormat == .uint8, [.rgb, .gray].contains(image.interpretation),
      image.bands == 3 || image.bands == 1
    else { return nil }
    (self.factor, size, bands) = (factor, image.size, image.bands)
    means = PixelSize(
      width: (size.width + factor - 1) / factor, height: (size.height + factor - 1) / factor)
    state = Mutex(
      State(
        sums: [UInt16](repeating: 0, count: size.width * bands),
        codes: [UInt8](repeating: 0, count: means.width * means.height * bands)))
  }

  /// The picture as it is, which is looked at when its rows are read.
  func watching(_ image: Image) throws(VipsError) -> Image {
    let bytes = image.bytesPerPixel
    return try image.mappingScanlines(bands: bands, format: .uint8) { [self] line in
      line.output.copyMemory(from: line.input, byteCount: line.count * bytes)
      take(line)
    }
  }

  /// Whether all rows have passed.
  var isWhole: Bool { state.withLock { $0.next == size.height } }

  /// The means; `nil` before all rows have passed, once and from top to bottom.
  func picture() throws(VipsError) -> Picture? {
    guard isWhole else { return nil }
    let codes = state.withLock { $0.codes }
    return Picture(
      try Image.fromMemory(
        codes, width: means.width, height: means.height, bands: bands, format: .uint8))
  }

  private func take(_ line: Scanline) {
    state.withLock { state in
      // Rows in another order, or parts of them, have no sums.
      guard line.y == state.next, line.x == 0, line.count == size.width else {
        state.next = size.height + 1
        return
      }
      state.next += 1
      let row = line.input.assumingMemoryBound(to: UInt8.self)
      let isFirst = line.y % factor == 0
      state.sums.withUnsafeMutableBufferPointer { sums in
        if isFirst {
          for index in sums.indices { sums[index] = UInt16(row[index]) }
        } else {
          for index in sums.indices { sums[index] &+= UInt16(row[index]) }
        }
      }
      let rows = line.y % factor + 1
      if rows == factor || line.y == size.height - 1 {
        finish(line.y / factor, of: rows, &state)
      }
    }
  }

  /// Makes a row of means of some rows of the photo.
  private func finish(_ row: Int, of rows: Int, _ state: inout State) {
    let (bands, factor, width) = (bands, factor, size.width)
    let first = row * means.width * bands
    state.sums.withUnsafeBufferPointer { sums in
      state.codes.withUnsafeMutableBufferPointer { codes in
        // Whole squares have a power of two of pixels.
        let whole = rows == factor ? width / factor : 0
        let (half, shift) = (UInt32(factor * factor / 2), UInt32(2 * factor.trailingZeroBitCount))
        for square in 0..<whole {
          for band in 0..<bands {
            var sum = half
            for column in 0..<factor {
              sum &+= UInt32(sums[(square &* factor &+ column) &* bands &+ band])
            }
            codes[first &+ square &* bands &+ band] = UInt8(truncatingIfNeeded: sum >> shift)
          }
        }
        for square in whole..<means.width {
          let columns = (square * factor)..<min((square + 1) * factor, width)
          let count = columns.count * rows
          for band in 0..<bands {
            let sum = columns.reduce(0) { $0 + Int(sums[$1 * bands + band]) }
            codes[first + square * bands + band] = UInt8((sum + count / 2) / count)
          }
        }
      }
    }
  }
}
