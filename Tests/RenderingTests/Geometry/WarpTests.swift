import Foundation
import SafelightAdjustments
import SafelightTestSupport
import SafelightVips
import Synchronization
import Testing

@testable import SafelightRendering
@testable import SafelightRenderingReference

/// Straightening and perspective through the whole renderer, against arithmetic in double
/// precision.
@Suite struct WarpTests {
  /// Half a code is rounding; a thousandth is what floats and their coding may add, and a fiftieth
  /// what straight lines between 128 places do to the weights of the sinc.
  private static let limit = 0.52

  @Test(arguments: [-45.0, -7.5, -0.3, 0.1, 2, 33])
  func straighteningIsARotationAroundTheMiddle(degrees: Double) throws {
    let fixture = OpenFixture("orientation/1.jpg")
    let source = try fixture.raster()
    let result = try fixture.raster(Straighten(degrees))
    let angle = degrees * .pi / 180
    let (wide, high) = (Double(source.width), Double(source.height))
    let share = min(
      wide / (wide * cos(angle) + high * abs(sin(angle))),
      high / (wide * abs(sin(angle)) + high * cos(angle)))
    #expect(result.width == Int(share * wide) && result.height == Int(share * high))
    let worst = result.worstDifference(from: source, by: .sinc) { x, y in
      let (right, down) = (x - Double(result.width) / 2, y - Double(result.height) / 2)
      return (
        wide / 2 + right * cos(angle) + down * sin(angle),
        high / 2 - right * sin(angle) + down * cos(angle)
      )
    }
    #expect(worst < Self.limit)
  }

  /// The place of the picture's middle comes from the transform, and everything else from the
  /// rotation of rays about two axes.
  @Test(arguments: [(50.0, 0.0), (-100, 0), (0, 80), (-30, -60), (100, 100)])
  func perspectiveIsTheTurnOfACamera(vertical: Double, horizontal: Double) throws {
    let fixture = OpenFixture("orientation/1.jpg")
    let perspective = Perspective(vertical: vertical, horizontal: horizontal)
    let source = try fixture.raster()
    let result = try fixture.raster(perspective)
    let (wide, high) = (Double(source.width), Double(source.height))
    let (up, right) = (-vertical / 100 * .pi / 6, -horizontal / 100 * .pi / 6)
    let length = max(wide, high)
    // The source's place for a ray of the straight camera, as a product of turns.
    func place(_ x: Double, _ y: Double) -> (Double, Double) {
      let turned = (x * cos(right) + length * sin(right), length * cos(right) - x * sin(right))
      let ray = (
        turned.0, y * cos(up) + turned.1 * sin(up), turned.1 * cos(up) - y * sin(up)
      )
      return (wide / 2 + length * ray.0 / ray.2, high / 2 + length * ray.1 / ray.2)
    }
    let context = StepContext(size: PixelSize(width: source.width, height: source.height), scale: 1)
    let transform = try #require(perspective.warp(in: context))
    let corner = transform.source(0, 0, channel: 0)
    // The ray of the result's first corner, by the inverse turns.
    let (x, y) = (corner.x - wide / 2, corner.y - high / 2)
    let depth = y * sin(up) + length * cos(up)
    let ahead = x * sin(right) + depth * cos(right)
    let left = length * (x * cos(right) - depth * sin(right)) / ahead
    let top = length * (y * cos(up) - length * sin(up)) / ahead
    let worst = result.worstDifference(from: source, by: .sinc) { place(left + $0, top + $1) }
    #expect(worst < Self.limit)
  }

  /// Random pictures and settings: the corners of the result lie inside the picture, its aspect is
  /// the picture's, and it is as large as it can be.
  @Test(arguments: 0..<200)
  func noCornerIsEverEmpty(seed: Int) throws {
    var random = SeededGenerator(seed: UInt64(seed))
    let width = Int.random(in: 1...6000, using: &random)
    let height = Int.random(in: 1...6000, using: &random)
    let context = StepContext(size: PixelSize(width: width, height: height), scale: 1)
    let straighten = Straighten(Double.random(in: -45...45, using: &random))
    let perspective = Perspective(
      vertical: Double.random(in: -100...100, using: &random),
      horizontal: seed % 3 == 0 ? 0 : Double.random(in: -100...100, using: &random))
    for adjustment in [straighten, perspective] as [any GeometryRenderable] {
      guard let transform = adjustment.warp(in: context) else {
        Issue.record("\(adjustment) does nothing to \(width) × \(height)")
        continue
      }
      let (wide, high) = (Double(transform.size.width), Double(transform.size.height))
      let corners = [(0, 0), (wide, 0), (0, high), (wide, high)].map {
        transform.source($0.0, $0.1, channel: 0)
      }
      // A side of a very long picture may be less than a pixel.
      if min(transform.size.width, transform.size.height) > 1 {
        for corner in corners {
          #expect(corner.x > -1e-6 && corner.x < Double(width) + 1e-6)
          #expect(corner.y > -1e-6 && corner.y < Double(height) + 1e-6)
        }
        // Two pixels more would not fit: a corner touches an edge.
        let touches = corners.contains { corner in
          min(corner.x, Double(width) - corner.x, corner.y, Double(height) - corner.y) < 3
        }
        #expect(touches)
      }
      #expect(
        abs(wide * Double(height) / Double(width) - high) < 1 + Double(height) / Double(width))
    }
  }

  /// No random rectangle is larger.
  @Test(arguments: 0..<20)
  func theRectangleKeptIsTheLargest(seed: Int) throws {
    var random = SeededGenerator(seed: UInt64(seed))
    func near(_ value: Double) -> Double { value + Double.random(in: -0.3...0.3, using: &random) }
    let corners = [(-1.0, -1.0), (1, -1), (1, 1), (-1, 1)].map { (x: near($0.0), y: near($0.1)) }
    let (width, height) = (2.0, Double.random(in: 0.5...3, using: &random))
    let kept = try #require(InscribedRectangle(width: width, height: height, in: corners))
    func isInside(_ x: Double, _ y: Double) -> Bool {
      corners.indices.allSatisfy { index in
        let (start, end) = (corners[index], corners[(index + 1) % 4])
        return (end.x - start.x) * (y - start.y) - (end.y - start.y) * (x - start.x) > -1e-9
      }
    }
    func fits(_ x: Double, _ y: Double, share: Double) -> Bool {
      [(-0.5, -0.5), (0.5, -0.5), (0.5, 0.5), (-0.5, 0.5)].allSatisfy {
        isInside(x + $0.0 * share * width, y + $0.1 * share * height)
      }
    }
    #expect(fits(kept.x, kept.y, share: kept.share))
    for _ in 0..<20_000 {
      let (x, y) = (
        Double.random(in: -1...1, using: &random), Double.random(in: -1...1, using: &random)
      )
      #expect(!fits(x, y, share: kept.share * 1.0001))
    }
  }

  /// Straightening, perspective and crop move every pixel once: the crop of the straightened
  /// picture is a part of it, to the code.
  @Test func aCropOfAStraightenedPictureIsAPartOfIt() throws {
    let fixture = OpenFixture("beach.jpg")
    let (straighten, perspective) = (Straighten(3), Perspective(vertical: -40, horizontal: 10))
    let whole = try fixture.raster(straighten, perspective)
    let cropped = try fixture.raster(
      straighten, perspective, Crop(x: 0.25, y: 0.125, width: 0.5, height: 0.5))
    let left = Int((0.25 * Double(whole.width)).rounded())
    let top = Int((0.125 * Double(whole.height)).rounded())
    let part = whole.part(left: left, top: top, width: cropped.width, height: cropped.height)
    // Places that are computed in another order differ in their last digit.
    #expect(zip(part.codes, cropped.codes).allSatisfy { abs($0 - $1) <= 1 })
    #expect(zip(part.codes, cropped.codes).count { $0 != $1 } < part.codes.count / 1000)
  }

  /// Color adjustments act before pixels move.
  @Test func colorsComeBeforeTheMove() throws {
    let fixture = OpenFixture("orientation/1.jpg")
    var invert = Invert()
    invert.amount = 100
    let plain = try fixture.raster(Straighten(5))
    let inverted = try fixture.raster(Straighten(5), invert)
    // Interpolation is linear, except where black or white clips.
    #expect(zip(plain.codes, inverted.codes).allSatisfy { abs(255 - $0 - $1) <= 1 })
  }
}

@Suite struct WarpPassTests {
  private func floats(_ image: Image) throws -> [Float] {
    try image.pixelBytes().withUnsafeBytes { Array($0.bindMemory(to: Float.self)) }
  }

  private func noise(width: Int, height: Int) throws -> (image: Image, values: [Float]) {
    var random = SeededGenerator(seed: 5)
    let values = (0..<(width * height * 3)).map { _ in Float.random(in: 0...1, using: &random) }
    let bytes = values.withUnsafeBytes { Array($0) }
    let image = try Image.fromMemory(bytes, width: width, height: height, bands: 3, format: .float)
    return (image, values)
  }

  /// The worst difference of a moved picture from interpolation in double precision.
  private func worst(
    of result: [Float], _ size: PixelSize, from values: [Float], _ width: Int, _ height: Int,
    by weights: ReferenceWeights, place: (Double, Double, Int) -> (x: Double, y: Double)
  ) -> Double {
    var worst = 0.0
    for index in result.indices {
      let (pixel, channel) = (index / 3, index % 3)
      let (x, y) = place(
        Double(pixel % size.width) + 0.5, Double(pixel / size.width) + 0.5, channel)
      var sum = 0.0
      let columns = weights.around(x - 0.5)
      for (row, down) in weights.around(y - 0.5) {
        for (column, across) in columns {
          let place = min(max(row, 0), height - 1) * width + min(max(column, 0), width - 1)
          sum += down * across * Double(values[place * 3 + channel])
        }
      }
      worst = max(worst, abs(sum - Double(result[index])))
    }
    return worst
  }

  /// A turn, then a lens that bends each channel differently, then a crop: one interpolation at the places that all
  /// three say together.
  @Test(arguments: ReferenceWeights.allCases)
  func aLensJoinsWhatComesBeforeAndAfterIt(weights: ReferenceWeights) throws {
    let (width, height) = (64, 48)
    let (image, values) = try noise(width: width, height: height)
    let turn = PictureTransform(
      width: 60, height: 44, matrix: [0.99, -0.1, 4, 0.1, 0.99, -1, 0, 0, 1])
    let lens = Lens(size: turn.size, strengths: [0.06, 0.05, -0.02])
    let crop = PictureTransform(left: 5, top: 3, width: 50, height: 37)
    let warp = turn.followed(by: lens).followed(by: crop)
    #expect(!warp.isProjective && warp.shift == nil && warp.size == crop.size)
    let pass = WarpPass(warp: warp, interpolation: weights == .keys ? .cubic : .sinc)
    let worst = try worst(
      of: floats(pass.applied(to: image)), warp.size, from: values, width, height, by: weights
    ) { x, y, channel in
      let (right, below) = (x + 5 - 30, y + 3 - 22)
      let distance = (right * right + below * below) / (30 * 30 + 22 * 22)
      let factor = 1 + [0.06, 0.05, -0.02][channel] * distance
      let (u, v) = (30 + right * factor, 22 + below * factor)
      return (0.99 * u - 0.1 * v + 4, 0.1 * u + 0.99 * v - 1)
    }
    #expect(worst < (weights == .keys ? 1e-5 : 2e-4))
  }

  /// The same lens between pictures of a third of the size, and its nearest projective map.
  @Test func aLensIsScaledWithItsPictures() {
    let lens = Lens(size: PixelSize(width: 90, height: 60), strengths: [0.1, 0, -0.1])
    let small = lens.scaled(to: PixelSize(width: 30, height: 20), across: 0.5, down: 0.25)
    #expect(small.size == PixelSize(width: 30, height: 20))
    for channel in 0..<3 {
      let (whole, part) = (
        lens.source(3 * 7, 3 * 11, channel: channel), small.source(7, 11, channel: channel)
      )
      #expect(abs(whole.x * 0.5 - part.x) < 1e-9 && abs(whole.y * 0.25 - part.y) < 1e-9)
    }
    let place = small.projection.source(7, 11)
    #expect(abs(place.x - 10.5) < 1e-9 && abs(place.y - 8.25) < 1e-9)
  }

  @Test(
    arguments: [
      [0.96, -0.2, 3.1, 0.2, 0.96, -1.7, 0, 0, 1], [1, 0, 0.5, 0, 1, 0.25, 0, 0, 1],
      [1.1, 0.05, -2, 0.02, 0.9, 1, 0.001, -0.002, 1], [0.5, 0, 0, 0, 0.5, 0, 0, 0, 1],
    ], ReferenceWeights.allCases)
  func pixelsAreInterpolatedAsTheFormulasSay(matrix: [Double], weights: ReferenceWeights) throws {
    let (width, height) = (41, 29)
    let (image, values) = try noise(width: width, height: height)
    let transform = PictureTransform(width: 37, height: 31, matrix: matrix)
    let pass = WarpPass(warp: transform, interpolation: weights == .keys ? .cubic : .sinc)
    let result = try floats(pass.applied(to: image))
    let worst = worst(of: result, transform.size, from: values, width, height, by: weights) {
      px, py, _ in
      let w = matrix[6] * px + matrix[7] * py + matrix[8]
      return (
        (matrix[0] * px + matrix[1] * py + matrix[2]) / w,
        (matrix[3] * px + matrix[4] * py + matrix[5]) / w
      )
    }
    // The weights of the sinc follow straight lines between 128 places.
    #expect(worst < (weights == .keys ? 1e-5 : 2e-4))
  }

  @Test func theIdentityChangesNothing() throws {
    let (image, values) = try noise(width: 20, height: 10)
    let transform = PictureTransform(left: 0, top: 0, width: 20, height: 10)
    #expect(transform.shift.map { [$0.left, $0.top] } == [0, 0])
    for interpolation in [WarpPass.Interpolation.cubic, .sinc] {
      let pass = WarpPass(warp: transform, interpolation: interpolation)
      #expect(try floats(pass.applied(to: image)) == values)
    }
  }

  @Test func transformsFollowEachOther() {
    let first = PictureTransform(
      width: 50, height: 40, matrix: [0.9, 0.1, 2, -0.1, 0.9, 3, 0.001, 0, 1])
    let second = PictureTransform(left: 4, top: 6, width: 20, height: 10)
    let both = first.followed(by: second)
    let (direct, joined) = (first.source(4 + 3.5, 6 + 7.5), both.source(3.5, 7.5))
    #expect(abs(direct.x - joined.x) < 1e-9 && abs(direct.y - joined.y) < 1e-9)
    #expect(both.size.width == 20 && both.size.height == 10)
  }
}

/// A warp as a lens makes it: places move away from the middle, by another factor in each channel.
struct Lens: Warp {
  let size: PixelSize
  let strengths: [Double]

  var isProjective: Bool { false }
  var projection: PictureTransform {
    PictureTransform(left: 0, top: 0, width: size.width, height: size.height)
  }
  var separatesChannels: Bool { true }
  private var middle: (x: Double, y: Double) { (Double(size.width) / 2, Double(size.height) / 2) }

  func source(_ x: Double, _ y: Double, channel: Int) -> (x: Double, y: Double) {
    let factor = factor(x, y, strengths[channel])
    return (middle.x + (x - middle.x) * factor, middle.y + (y - middle.y) * factor)
  }

  func source(of frame: WarpFrame) -> WarpFrame {
    let factors = frame.corners.flatMap { corner in
      strengths.map { factor(corner.x, corner.y, $0) }
    }
    return WarpFrame(
      around: (factors + [1]).flatMap { factor in
        frame.corners.map {
          (middle.x + ($0.x - middle.x) * factor, middle.y + ($0.y - middle.y) * factor)
        }
      })
  }

  private func factor(_ x: Double, _ y: Double, _ strength: Double) -> Double {
    let (right, below) = (x - middle.x, y - middle.y)
    return 1 + strength * (right * right + below * below)
      / (middle.x * middle.x + middle.y * middle.y)
  }
}

/// What the sinc makes of waves, flat pictures and edges.
@Suite struct SincTests {
  /// A turned picture of a gray function of place, whose middle is (0, 0), in codes; and the same
  /// function at the places of its pixels.
  private func turned(
    by degrees: Double, side: Int, _ value: (Double, Double) -> Double
  ) throws -> (found: [Double], expected: [Double]) {
    let middle = Double(side) / 2
    let codes = (0..<(side * side)).map { index in
      let (x, y) = (Double(index % side) + 0.5 - middle, Double(index / side) + 0.5 - middle)
      return UInt8(value(x, y).rounded())
    }
    let bytes = codes.flatMap { [$0, $0, $0] }
    let image = try Image.fromMemory(bytes, width: side, height: side, bands: 3, format: .uint8)
    let floats = try ColorPass([], from: .codes(.sRGB, isWide: false), to: .float)
      .applied(to: image)
    // Corners would need places outside, where nothing is known.
    let inner = side * 2 / 3
    let (cosine, sine) = (cos(degrees * .pi / 180), sin(degrees * .pi / 180))
    let half = Double(inner) / 2
    let transform = PictureTransform(
      width: inner, height: inner,
      matrix: [
        cosine, sine, middle - cosine * half - sine * half,
        -sine, cosine, middle + sine * half - cosine * half, 0, 0, 1,
      ])
    let warped = try WarpPass(warp: transform).applied(to: floats)
    let result = try ColorPass([], from: .float, to: .codes(.sRGB, isWide: false))
      .applied(to: warped).pixelBytes()
    var (found, expected): ([Double], [Double]) = ([], [])
    for y in 0..<inner {
      for x in 0..<inner {
        let (right, down) = (Double(x) + 0.5 - half, Double(y) + 0.5 - half)
        found.append(Double(result[(y * inner + x) * 3]))
        expected.append(
          value(right * cosine + down * sine, down * cosine - right * sine))
      }
    }
    return (found, expected)
  }

  /// A zone plate: rings that get finer from the middle to 0.4 cycles in a pixel at its sides.
  @Test(arguments: [3.0, 7])
  func aTurnedZonePlateIsTheZonePlateTurned(degrees: Double) throws {
    let side = 480
    let (found, expected) = try turned(by: degrees, side: side) { x, y in
      127.5 + 127.5 * cos(.pi * 0.4 / (Double(side) / 2) * (x * x + y * y))
    }
    let squares = zip(found, expected).map { ($0 - $1) * ($0 - $1) }
    let error = squares.reduce(0, +) / Double(squares.count)
    #expect(10 * log10(255 * 255 / error) > 48)
  }

  @Test(arguments: [0.05, 0.1, 0.2, 0.3, 0.4], [3.0, 7])
  func wavesKeepTheirAmplitude(frequency: Double, degrees: Double) throws {
    for isUpright in [true, false] {
      let (found, expected) = try turned(by: degrees, side: 300) { x, y in
        127.5 + 100 * cos(2 * .pi * frequency * (isUpright ? x : y) + 0.3)
      }
      // How much of the wave is in the result.
      let (wave, result) = (expected.map { $0 - 127.5 }, found.map { $0 - 127.5 })
      let product: Double = zip(wave, result).reduce(0) { $0 + $1.0 * $1.1 }
      let square: Double = wave.reduce(0) { $0 + $1 * $1 }
      let share = product / square
      #expect(share > (frequency < 0.4 ? 0.99 : 0.97) && share < 1.01)
    }
  }

  @Test(arguments: [0, 1, 100, 254, 255])
  func aFlatPictureStaysFlat(code: Int) throws {
    let (found, _) = try turned(by: 5.3, side: 60) { _, _ in Double(code) }
    #expect(found.allSatisfy { $0 == Double(code) })
    for degrees in [-45.0, 0.2] {
      let bytes = [UInt8](repeating: UInt8(code), count: 50 * 40 * 3)
      let image = try Image.fromMemory(bytes, width: 50, height: 40, bands: 3, format: .uint8)
      let photo = try image.png
      try TemporaryFile.holding(photo) { fixture in
        let result = try fixture.raster(Straighten(degrees))
        #expect(result.codes.allSatisfy { $0 == code })
      }
    }
  }

  /// Beside hard edges the sinc goes below black and above white; there codes end and do not begin
  /// anew.
  @Test func edgesDoNotWrap() throws {
    let (found, expected) = try turned(by: 4, side: 120) { x, y in
      Int(((x + 1000) / 10).rounded(.down)) % 2 == 0 ? 0 : 255
    }
    // Three pixels from an edge nothing is on the other side of gray.
    let wrong = zip(found, expected).count { abs($0 - $1) > 200 }
    #expect(Double(wrong) < 0.05 * Double(found.count))
    #expect(found.contains(0) && found.contains(255))
  }

  /// Threads and strips do not change a byte.
  @Test func anyNumberOfThreadsAndAnyStripsGiveTheSameBytes() throws {
    var random = SeededGenerator(seed: 11)
    let (width, height) = (300, 220)
    let bytes = (0..<(width * height * 3)).map { _ in UInt8.random(in: 0...255, using: &random) }
    let image = try Image.fromMemory(bytes, width: width, height: height, bands: 3, format: .uint8)
    let floats = try ColorPass([], from: .codes(.sRGB, isWide: false), to: .float)
      .applied(to: image)
    let transform = PictureTransform(
      width: 280, height: 200, matrix: [0.99, 0.08, 3, -0.08, 0.99, 20, 1e-5, 2e-5, 1])
    let warped = try WarpPass(warp: transform).applied(to: floats)
    let whole = try warped.pixelBytes()
    for (threads, height) in [(1, 1), (1, 7), (2, 64), (4, 16)] {
      let tops = Array(stride(from: 0, to: 200, by: height))
      let strips = Mutex([Int: [UInt8]]())
      DispatchQueue.concurrentPerform(iterations: threads) { thread in
        guard let reader = try? RowReader(warped) else { return }
        for top in tops where top / height % threads == thread {
          try? reader.read(top..<min(top + height, 200)) { rows in
            let bytes = (0..<rows.count).flatMap {
              UnsafeRawBufferPointer(start: rows.start + $0 * rows.stride, count: 280 * 12)
            }
            strips.withLock { $0[top] = bytes }
          }
        }
      }
      let joined = strips.withLock { strips in tops.flatMap { strips[$0] ?? [] } }
      #expect(joined == whole, "\(threads) threads, strips of \(height)")
    }
  }
}

extension Image {
  /// The picture as a PNG.
  fileprivate var png: [UInt8] {
    get throws {
      final class Collector { var bytes: [UInt8] = [] }
      let collector = Collector()
      try writePNG(to: Target { collector.bytes += $0 })
      return collector.bytes
    }
  }
}
