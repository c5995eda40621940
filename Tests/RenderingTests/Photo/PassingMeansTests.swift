import SafelightTestSupport
import SafelightVips
import Testing

@testable import SafelightRendering

/// Means that are taken of a picture that passes, against sums of each square.
@Suite struct PassingMeansTests {
  @Test(arguments: [(64, 48), (67, 45), (3, 5)], [1, 3])
  func theyAreMeansOfSquares(size: (Int, Int), bands: Int) throws {
    var generator = SeededGenerator(seed: UInt64(size.0 * bands))
    let (width, height) = size
    let codes = (0..<(width * height * bands)).map { _ in
      UInt8.random(in: 0...255, using: &generator)
    }
    let image = try Image.fromMemory(
      codes, width: width, height: height, bands: bands, format: .uint8)
    for factor in [2, 4, 8] {
      let means = try #require(PassingMeans(of: image, factor: factor))
      #expect(try !means.isWhole && means.picture() == nil)
      let reader = try RowReader(try means.watching(image))
      for y in 0..<height {
        let row = try reader.read(y..<(y + 1)) { rows in
          Array(UnsafeRawBufferPointer(start: rows.start, count: width * bands))
        }
        #expect(row == Array(codes[(y * width * bands)..<((y + 1) * width * bands)]))
      }
      let found = try #require(try means.picture()).color
      #expect(found.width == (width + factor - 1) / factor && found.bands == bands)
      let bytes = try found.pixelBytes()
      for y in 0..<found.height {
        for x in 0..<found.width {
          for band in 0..<bands {
            var (sum, count) = (0.0, 0.0)
            for row in (y * factor)..<min((y + 1) * factor, height) {
              for column in (x * factor)..<min((x + 1) * factor, width) {
                sum += Double(codes[(row * width + column) * bands + band])
                count += 1
              }
            }
            let mean = Double(bytes[(y * found.width + x) * bands + band])
            #expect(abs(mean - sum / count) <= 0.5)
          }
        }
      }
    }
  }
}
