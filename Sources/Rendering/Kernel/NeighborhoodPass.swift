import FoundationEssentials
import Glibc
import SafelightVips

/// A step that makes each pixel from the pixels around it, in encoded values.
protocol NeighborhoodStep: Sendable {
  /// How many columns and rows away the farthest pixel lies that the step reads.
  var reach: Int { get }
  /// Fills `output` from `input`, which is ``reach`` larger on every side: the pixel (x, y) of the
  /// output lies at (x + reach, y + reach) of the input.
  ///
  /// The input may be written over. Beyond its edges the picture is mirrored, also for means over squares. Called from several
  /// threads at once. The result for a pixel must depend on the pixels around it alone, so sums are
  /// taken in a fixed order and never carried from pixel to pixel.
  func apply(_ input: PlanarPixels, to output: PlanarPixels)
}

/// A rectangle of pixels in float, one plane for each channel.
struct PlanarPixels {
  let width: Int
  let height: Int
  /// The column and the row of the picture in which the first pixel lies; beyond the edges too.
  let left, top: Int
  let red: UnsafeMutablePointer<Float>
  let green: UnsafeMutablePointer<Float>
  let blue: UnsafeMutablePointer<Float>

  /// Pixels over memory for three times `width × height` numbers.
  init(
    _ memory: UnsafeMutablePointer<Float>, width: Int, height: Int, left: Int = 0, top: Int = 0
  ) {
    self.width = width
    self.height = height
    (self.left, self.top) = (left, top)
    red = memory
    green = memory + width * height
    blue = green + width * height
  }

  /// The plane of channel 0 (red), 1 (green) or 2 (blue).
  @inline(__always)
  func plane(_ channel: Int) -> UnsafeMutablePointer<Float> { red + channel * width * height }

  /// Writes the luma of every pixel.
  func luma(to luma: UnsafeMutablePointer<Float>) {
    kernels.find_luma(red, width * height, luma, Int32(width * height))
  }
}

/// A pass in which each pixel is made from the pixels around it, from floats to floats.
struct NeighborhoodPass: Sendable {
  /// The size of a block. A smaller one stays in faster caches, but has more border.
  private static let blockWidth = 256
  private static let blockHeight = 128

  let step: any NeighborhoodStep

  /// The image with the pass laid over it: three bands of encoded floats.
  func applied(to image: Image) throws(VipsError) -> Image {
    let (reach, width, height) = (step.reach, image.width, image.height)
    return try Image.computed(from: [image], like: image, width: width, height: height) { area in
      PixelArea.Bounds(
        left: area.left - reach, top: area.top - reach, width: area.width + 2 * reach,
        height: area.height + 2 * reach)
    } _: { inputs, output in
      for top in stride(from: output.top, to: output.top + output.height, by: Self.blockHeight) {
        for left in stride(from: output.left, to: output.left + output.width, by: Self.blockWidth) {
          let block = PixelArea.Bounds(
            left: left, top: top, width: min(Self.blockWidth, output.left + output.width - left),
            height: min(Self.blockHeight, output.top + output.height - top))
          fill(block, of: output, from: inputs[0], width: width, height: height)
        }
      }
      return true
    }
  }

  private func fill(
    _ block: PixelArea.Bounds, of output: PixelArea, from input: PixelArea, width: Int, height: Int
  ) {
    let reach = step.reach
    let (wide, high) = (block.width + 2 * reach, block.height + 2 * reach)
    let (bordered, plain) = (3 * wide * high, 3 * block.width * block.height)
    withFloats(bordered + plain) { memory in
      let source = PlanarPixels(
        memory.baseAddress!, width: wide, height: high, left: block.left - reach,
        top: block.top - reach)
      let result = PlanarPixels(
        memory.baseAddress! + bordered, width: block.width, height: block.height, left: block.left,
        top: block.top)
      let (first, last) = (max(block.left - reach, 0), min(block.left - reach + wide, width))
      for row in 0..<high {
        let y = Mirror.place(block.top - reach + row, of: height)
        let pixels = input.address(row: y).assumingMemoryBound(to: Float.self)
        let start = source.red + row * wide
        kernels.spread(
          pixels + (first - input.left) * 3, start + (first - block.left + reach), wide * high,
          Int32(last - first))
        // The border beyond the picture is filled from inside.
        for outside in [source.left..<first, last..<(source.left + wide)] {
          for column in outside {
            let x = Mirror.place(column, of: width)
            for channel in 0..<3 {
              start[channel * wide * high + column - source.left] =
                pixels[(x - input.left) * 3 + channel]
            }
          }
        }
      }
      step.apply(source, to: result)
      for row in 0..<block.height {
        let start = (block.left - output.left) * 3
        let pixels =
          output.address(row: block.top + row).assumingMemoryBound(to: Float.self) + start
        kernels.gather(
          result.red + row * block.width, block.width * block.height, pixels, Int32(block.width))
      }
    }
  }
}

/// A symmetric weighted mean of the numbers around a number.
///
/// Sums are taken in one order, from the middle outwards, so results do not depend on where a block
/// or a row begins.
struct Convolution: Sendable {
  /// The weights from the middle outwards; the middle and both sides add up to 1.
  private let weights: [Float]

  /// The distance of the farthest number that counts.
  var reach: Int { weights.count - 1 }

  /// - Parameter shape: Weights from the middle outwards, in any unit.
  private init(_ shape: [Double]) {
    let total = shape[0] + 2 * shape.dropFirst().reduce(0, +)
    weights = shape.map { Float($0 / total) }
  }

  /// A Gaussian with a standard deviation above 0.
  ///
  /// - Parameter cutOff: Where it ends, in deviations.
  static func gaussian(_ deviation: Double, cutOff: Double = 3.5) -> Convolution {
    let reach = max(Int((cutOff * deviation).rounded(.up)), 1)
    return Convolution(
      (0...reach).map { exp(-Double($0 * $0) / (2 * deviation * deviation)) })
  }

  /// Fills `count` numbers with the means around those of `input`, whose neighbors lie `step`
  /// numbers apart.
  func sum(
    _ input: UnsafePointer<Float>, step: Int, to output: UnsafeMutablePointer<Float>, count: Int
  ) {
    weights.withUnsafeBufferPointer {
      kernels.convolve(input, step, $0.baseAddress!, Int32(reach), output, Int32(count))
    }
  }

  /// Convolves a rectangle across and then down.
  ///
  /// - Parameters:
  ///   - input: The first of `width × height` numbers.
  ///   - stride: From the start of a row of the input to that of the next.
  ///   - output: Receives the numbers at least ``reach`` from every side, without gaps.
  func apply(
    _ input: UnsafePointer<Float>, stride: Int, width: Int, height: Int,
    to output: UnsafeMutablePointer<Float>
  ) {
    let (wide, high) = (width - 2 * reach, height - 2 * reach)
    withFloats(wide * height) { memory in
      let rows = memory.baseAddress!
      for y in 0..<height {
        sum(input + y * stride + reach, step: 1, to: rows + y * wide, count: wide)
      }
      // Rows follow each other without gaps, here as in the output, so they are one long row.
      sum(rows + reach * wide, step: wide, to: output, count: wide * high)
    }
  }
}

/// A picture that continues beyond its edges as its own mirror image.
enum Mirror {
  /// The place inside a row of `count` numbers that stands for any place, also outside the row.
  static func place(_ index: Int, of count: Int) -> Int {
    if index >= 0, index < count { return index }
    let inPair = ((index % (2 * count)) + 2 * count) % (2 * count)
    return inPair < count ? inPair : 2 * count - 1 - inPair
  }
}
