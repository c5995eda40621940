import Foundation
import SafelightAdjustments
import SafelightVips
import Testing

@testable import SafelightRendering

/// Pixels in an array, for arithmetic that shares nothing with the renderer.
struct Raster: Equatable {
  let width: Int
  let height: Int
  /// Red, green and blue of each pixel, row after row.
  let codes: [Int]

  init(width: Int, height: Int, codes: [Int]) {
    (self.width, self.height, self.codes) = (width, height, codes)
  }

  /// The pixel at (x, y) is the pixel of another picture at `place(x, y)`.
  init(width: Int, height: Int, of other: Raster, at place: (Int, Int) -> (Int, Int)) {
    var codes: [Int] = []
    for y in 0..<height {
      for x in 0..<width { codes += other.pixel(place(x, y)) }
    }
    self.init(width: width, height: height, codes: codes)
  }

  func pixel(_ place: (x: Int, y: Int)) -> ArraySlice<Int> {
    let start = (place.y * width + place.x) * 3
    return codes[start..<(start + 3)]
  }

  var turnedRight: Raster {
    Raster(width: height, height: width, of: self) { x, y in (y, height - 1 - x) }
  }

  var mirrored: Raster {
    Raster(width: width, height: height, of: self) { x, y in (width - 1 - x, y) }
  }

  var upsideDown: Raster {
    Raster(width: width, height: height, of: self) { x, y in (x, height - 1 - y) }
  }

  func part(left: Int, top: Int, width: Int, height: Int) -> Raster {
    Raster(width: width, height: height, of: self) { x, y in (left + x, top + y) }
  }

  /// Cubic convolution in double precision, from the paper's piecewise polynomial with a = -1/2;
  /// (0, 0) is the middle of the first pixel, and beyond the edges the pixels of the edge are
  /// repeated.
  func interpolated(_ x: Double, _ y: Double, channel: Int) -> Double {
    func keys(_ distance: Double) -> Double {
      let s = abs(distance)
      if s < 1 { return 1.5 * s * s * s - 2.5 * s * s + 1 }
      return s < 2 ? -0.5 * s * s * s + 2.5 * s * s - 4 * s + 2 : 0
    }
    var sum = 0.0
    for row in Int(y.rounded(.down)) - 1...Int(y.rounded(.down)) + 2 {
      for column in Int(x.rounded(.down)) - 1...Int(x.rounded(.down)) + 2 {
        let place = min(max(row, 0), height - 1) * width + min(max(column, 0), width - 1)
        sum += keys(Double(row) - y) * keys(Double(column) - x) * Double(codes[place * 3 + channel])
      }
    }
    return sum
  }

  /// The largest difference from the pixels at `place`, in codes, rounding included.
  func worstDifference(from source: Raster, at place: (Double, Double) -> (Double, Double))
    -> Double
  {
    var worst = 0.0
    for y in 0..<height {
      for x in 0..<width {
        let (u, v) = place(Double(x) + 0.5, Double(y) + 0.5)
        for (channel, code) in pixel((x, y)).enumerated() {
          let expected = source.interpolated(u - 0.5, v - 0.5, channel: channel)
          worst = max(worst, abs(min(max(expected, 0), 255) - Double(code)))
        }
      }
    }
    return worst
  }
}

extension OpenFixture {
  /// The fixture rendered without loss, as an array.
  func raster(_ adjustments: any Adjustment...) throws -> Raster {
    let (image, codes) = try pixels(EditStack(adjustments))
    return Raster(width: image.width, height: image.height, codes: codes)
  }

  /// The size of a render with a limit for the longer side.
  func previewSize(_ stack: EditStack, longestSide: Int) throws -> [Int] {
    let report = try Renderer().render(
      source(), edit: stack, as: RenderOutput(format: .png, longestSide: longestSide),
      derivedFrom: .init(fileName: name, sha256: ""), to: { _ in })
    return [report.pixelWidth, report.pixelHeight]
  }
}

extension Crop {
  /// The crop of a rectangle in shares.
  init(x: Double, y: Double, width: Double, height: Double) {
    self.init()
    (self.x, self.y, self.width, self.height) = (x, y, width, height)
  }
}

extension Straighten {
  init(_ degrees: Double) {
    self.init()
    amount = degrees
  }
}

extension Perspective {
  init(vertical: Double, horizontal: Double) {
    self.init()
    (self.vertical, self.horizontal) = (vertical, horizontal)
  }
}
