import SafelightVips
import Synchronization

/// A small version of the picture, in which local adjustments see what surrounds a pixel.
///
/// Each pixel is the mean of ``factor`` × ``factor`` codes of the photo, in encoded sRGB; the JPEG
/// decoder makes the same means for factors up to 8. The reduced picture goes through the same
/// adjustments as the picture. So at every point of the pipeline it shows what the picture shows
/// there, except sharpness and noise, for which it is too small.
struct ReducedPicture: Sendable {
  /// The most pixels along the longer side.
  static let longestSide = 1024

  /// Pixels from left to right.
  let width: Int
  /// Pixels from top to bottom.
  let height: Int
  /// Pixels of the picture for one pixel of the reduced picture, along a side: a power of two.
  let factor: Int
  /// Red, green and blue of every pixel, row after row, encoded.
  private(set) var planes: [[Float]]
  /// What was found in the colors; pictures with the same colors share it.
  private var found = Found()

  /// - Parameter planes: Red, green and blue of `width × height` pixels.
  init(planes: [[Float]], width: Int, height: Int, factor: Int) {
    self.planes = planes
    self.width = width
    self.height = height
    self.factor = factor
  }

  /// How much a picture is reduced: by the smallest power of two that makes it small enough.
  static func factor(of size: PixelSize) -> Int {
    var factor = 1
    while size.longestSide > longestSide * factor { factor *= 2 }
    return factor
  }

  /// Maps that several adjustments or previews need. They are right for as long as the colors stay the same.
  private final class Found: Sendable {
    let laplacians = Mutex<[Local: (map: LocalLaplacian, factor: Int)]>([:])
    let calmChroma = Mutex<(map: CalmChroma, factor: Int)?>(nil)
  }

  /// What is found out for a picture once.
  enum Local: Hashable {
    /// How areas draw luma, for adjustments that make them brighter or darker.
    case areas
    /// How areas draw light without color.
    case areasOfLight
    /// How what lies around draws luma, for a blur with this share of the longer side.
    case details(deviation: Double)
  }

  /// A map of the picture, made when it is asked for the first time.
  func local(_ which: Local, _ make: () -> LocalLaplacian) -> LocalLaplacian {
    if let known = found.laplacians.withLock({ $0[which] }) {
      return known.map.scaled(to: factor, from: known.factor)
    }
    let made = make()
    found.laplacians.withLock { $0[which] = (made, factor) }
    return made
  }

  /// The chroma of pixels without its noise, found when it is asked for the first time.
  var calmChroma: CalmChroma {
    if let known = found.calmChroma.withLock({ $0 }) {
      return known.map.scaled(to: factor, from: known.factor)
    }
    let made = CalmChroma(self)
    found.calmChroma.withLock { $0 = (made, factor) }
    return made
  }

  /// The luma of every pixel.
  var luma: ReducedMap {
    map(
      planes[0].indices.map {
        Luma.of(red: planes[0][$0], green: planes[1][$0], blue: planes[2][$0])
      })
  }

  /// Red, green and blue as maps.
  var channels: [ReducedMap] { planes.map { map($0) } }

  /// A share of the longer side in whole reduced pixels, at least 1.
  func radius(_ share: Double) -> Int {
    max(Int((Double(max(width, height)) * share).rounded()), 1)
  }

  /// A map with a number for each pixel.
  func map(_ values: [Float]) -> ReducedMap {
    ReducedMap(values, width: width, height: height, factor: factor)
  }

  /// The reduced picture as if it were the picture itself, with the factor 1.
  var atOwnSize: ReducedPicture {
    var own = ReducedPicture(planes: planes, width: width, height: height, factor: 1)
    own.found = found
    return own
  }

  /// Does steps on every pixel.
  mutating func apply(_ steps: [ColorStep]) {
    apply(steps, from: .encoded)
  }

  /// Converts codes, as shares of the largest code, to colors.
  mutating func apply(decoding coding: PixelCoding) {
    let steps = coding.decoding
    apply(steps, from: steps.first?.space ?? .encoded)
  }

  private mutating func apply(_ steps: [ColorStep], from space: ColorSpace) {
    guard !steps.isEmpty else { return }
    found = Found()
    let program = ColorProgram(ColorProgram.fused(steps, from: space, to: .encoded))
    let (width, height) = (width, height)
    var (red, green, blue) = (planes[0], planes[1], planes[2])
    // Otherwise the changes would be made in copies.
    planes = []
    red.withUnsafeMutableBufferPointer { red in
      green.withUnsafeMutableBufferPointer { green in
        blue.withUnsafeMutableBufferPointer { blue in
          let all = UnsafeTransfer([red.baseAddress!, green.baseAddress!, blue.baseAddress!])
          onAllThreads((height + Self.band - 1) / Self.band) { band in
            let rows = (band * Self.band)..<min((band + 1) * Self.band, height)
            Self.run(program, on: all.value, rows, width: width)
          }
        }
      }
    }
    planes = [red, green, blue]
  }

  /// Rows that a thread changes at a time.
  private static let band = 16

  private static func run(
    _ program: ColorProgram, on planes: [UnsafeMutablePointer<Float>], _ rows: Range<Int>,
    width: Int
  ) {
    ColorTile.withMemory { memory in
      for y in rows {
        for x in stride(from: 0, to: width, by: ColorTile.capacity) {
          let tile = ColorTile(memory, count: min(ColorTile.capacity, width - x), x: x, y: y)
          let place = y * width + x
          tile.forEachPlane { channel, plane in
            plane.update(from: planes[channel] + place, count: tile.count)
          }
          program.run(on: tile)
          tile.forEachPlane { channel, plane in
            (planes[channel] + place).update(from: plane, count: tile.count)
          }
        }
      }
    }
  }
}

extension ReducedPicture {
  /// Reduces a photo: first by its decoder as far as possible, then by means of codes.
  ///
  /// - Parameters:
  ///   - photo: The photo as it is rendered.
  ///   - opened: The file. It is decoded once more, unless the photo is turned or resized.
  ///   - isHalved: Whether the result has half its usual size along each side.
  static func reducing(
    _ photo: DecodedPhoto, of opened: OpenedPhoto, halved isHalved: Bool = false
  ) throws(VipsError) -> ReducedPicture {
    let factor = factor(of: photo.image.size) * (isHalved ? 2 : 1)
    // `isInMemory` must not decide here: it may depend on the format of the output, and the colors
    // must not.
    guard photo.isAsStored else { return try means(of: photo, factor: factor, whole: factor) }
    let reduced = try DecodedPhoto.reduced(opened, shrink: min(factor, 8))
    return try means(of: reduced.photo, factor: factor / reduced.shrink, whole: factor)
  }

  /// The means of squares of a photo's codes, as colors.
  ///
  /// - Parameters:
  ///   - factor: Pixels of `photo` along the side of a square.
  ///   - whole: Pixels of the rendered picture along the side of a square.
  private static func means(of photo: DecodedPhoto, factor: Int, whole: Int) throws(VipsError)
    -> ReducedPicture
  {
    let image = photo.image
    let (width, height) = (
      (image.width + factor - 1) / factor, (image.height + factor - 1) / factor
    )
    let planes = [[Float]](repeating: [Float](repeating: 0, count: width * height), count: 3)
    var picture = ReducedPicture(planes: planes, width: width, height: height, factor: whole)
    let reader = try RowReader(image)
    for y in 0..<height {
      let rows = (y * factor)..<min((y + 1) * factor, image.height)
      try reader.read(rows) { found in
        if photo.isWide {
          picture.fill(
            row: y, with: found, of: UInt16.self, bands: image.bands, factor: factor,
            largest: 65_535)
        } else {
          picture.fill(
            row: y, with: found, of: UInt8.self, bands: image.bands, factor: factor, largest: 255)
        }
      }
    }
    picture.apply(decoding: photo.coding)
    return picture
  }

  /// Fills a row with the means of squares.
  private mutating func fill<Code: FixedWidthInteger>(
    row y: Int, with rows: PixelRows, of type: Code.Type, bands: Int, factor: Int, largest: Float
  ) {
    let width = width
    for channel in 0..<3 {
      let band = bands == 1 ? 0 : channel
      planes[channel].withUnsafeMutableBufferPointer { plane in
        for x in 0..<width {
          let columns = (x * factor)..<min((x + 1) * factor, rows.width)
          var sum: UInt32 = 0
          for row in 0..<rows.count {
            let codes = (rows.start + row * rows.stride).assumingMemoryBound(to: type)
            for column in columns {
              sum &+= UInt32(truncatingIfNeeded: codes[column &* bands &+ band])
            }
          }
          let count = Float(columns.count * rows.count)
          plane[y * width + x] = Float(sum) / (count * largest)
        }
      }
    }
  }
}
