import Foundation
import SafelightAdjustments

/// What was measured in a photo, for the reference.
struct ReferenceNoise {
  struct Spectrum {
    /// The mean square of a difference by level, from the finest.
    var energies = [Double](repeating: 0, count: 4)
    /// What each of eight intervals of brightness has, as a factor.
    var factors = [Double](repeating: 1, count: 8)
  }

  var brightness = Spectrum()
  var color = Spectrum()
}

/// Noise reduction and deblurring of whole pictures, in double precision.
enum ReferenceDetail {
  /// - Parameter noise: What was measured in the photo.
  static func noiseReduction(
    _ value: NoiseReduction, _ picture: ReferencePicture, _ noise: ReferenceNoise
  ) -> ReferencePicture {
    let (red, green, blue) = (picture.planes[0], picture.planes[1], picture.planes[2])
    let brightness = red.with(green, +).with(blue) { ($0 + $1) / 3 }
    let first = red.with(blue) { ($0 - $1) / 2 }
    let second = red.with(blue, +).with(green) { ($0 - 2 * $1) / 4 }
    let t = (value.detail - 50) / 50 * (value.detail < 50 ? 0.3 : 1)
    let fine = [1.5, 1, 0.5, 0].map { pow(2, -$0 * t) }
    func strength(_ amount: Double) -> Double {
      amount <= 50 ? amount * 0.04 : 2 + (amount - 50) * 0.02
    }
    let luma = fine.map { strength(value.luminance) * $0 }
    let color = [Double](repeating: strength(value.color), count: 4)
    let tones = bordered(brightness)
    var y = brightness
    if value.luminance > 0 {
      let pilot = shrunk([brightness], luma, noise.brightness, tones)[0]
      y = filtered(brightness, pilot, 0.5, luma, 1, noise.brightness, tones)
    }
    var differences = [first, second]
    if value.color > 0 {
      let pilots = shrunk(differences, color.map { 0.75 * $0 }, noise.color, tones)
      differences = (0..<2).map { index in
        filtered(
          differences[index], pilots[index], 1, color, index == 0 ? 4.0 / 7 : 3.0 / 7, noise.color,
          tones)
      }
    }
    return picture.mapped { _, index in
      let (y, u, v) = (y.values[index], differences[0].values[index], differences[1].values[index])
      // Green follows from V = (3 Y − 3 G) / 4, red and blue from their sum and difference.
      let green = y - 4 * v / 3
      let both = 3 * y - green
      return [both / 2 + u, green, both / 2 - u]
    }
  }

  /// More than the pixels that a pixel depends on; even rows and columns stay even, also among every second and fourth.
  private static let border = 40

  /// A plane with its mirror image around it.
  private static func bordered(_ plane: ReferencePlane) -> ReferencePlane {
    ReferencePlane(width: plane.width + 2 * border, height: plane.height + 2 * border) { x, y in
      plane[
        ReferencePlane.mirrored(x - border, of: plane.width),
        ReferencePlane.mirrored(y - border, of: plane.height)]
    }
  }

  /// Planes whose differences are multiplied by common shares, separately by kind for one plane.
  private static func shrunk(
    _ planes: [ReferencePlane], _ strengths: [Double], _ noise: ReferenceNoise.Spectrum,
    _ picture: ReferencePlane
  ) -> [ReferencePlane] {
    let smooth = level(0, planes.map(bordered), strengths, noise, picture)
    return zip(smooth, planes).map { smooth, plane in
      ReferencePlane(width: plane.width, height: plane.height) {
        smooth[$0 + border, $1 + border]
      }
    }
  }

  /// Planes without the noise of a level and all coarser levels. From the third level on they have every second row and
  /// column of the level before. Places beyond the right and lower edge are those at the left and upper edge, which
  /// never come into the picture.
  private static func level(
    _ level: Int, _ planes: [ReferencePlane], _ strengths: [Double],
    _ noise: ReferenceNoise.Spectrum,
    _ picture: ReferencePlane
  ) -> [ReferencePlane] {
    guard level < 4 else { return planes }
    let (step, spacing) = (level == 0 ? 1 : 2, level < 2 ? 1 : 1 << (level - 1))
    let (width, height) = (planes[0].width, planes[0].height)
    func at(_ plane: ReferencePlane, _ x: Int, _ y: Int) -> Double {
      plane[(x + width) % width, (y + height) % height]
    }
    /// A sum over a square with signs for what is to the right and below.
    func square(_ plane: ReferencePlane, _ right: Double, _ below: Double) -> ReferencePlane {
      ReferencePlane(width: width, height: height) { x, y in
        (at(plane, x, y) + right * at(plane, x + step, y) + below * at(plane, x, y + step)
          + right * below * at(plane, x + step, y + step)) / 4
      }
    }
    let signs = [(1.0, -1.0), (-1, 1), (-1, -1)]
    let means = planes.map { square($0, 1, 1) }
    let differences = planes.map { plane in signs.map { square(plane, $0.0, $0.1) } }
    let squares = differences.map { $0.map { $0.mapped { $0 * $0 } } }
    func around(_ plane: ReferencePlane) -> ReferencePlane {
      ReferencePlane(width: width, height: height) { x, y in
        var sum = 0.0
        for row in -1...1 { for column in -1...1 { sum += at(plane, x + column, y + row) } }
        return sum
      }
    }
    let limit = ReferencePlane(width: width, height: height) { x, y in
      // Sixteen pixels around the middle of the square.
      var tone = 0.0
      let start = level == 0 ? -1 : 1 << level - 2
      for row in 0..<4 {
        for column in 0..<4 {
          tone +=
            picture[
              (spacing * x + start + column + picture.width) % picture.width,
              (spacing * y + start + row + picture.height) % picture.height] / 16
        }
      }
      return 9 * strengths[level] * noise.energies[level] * factor(noise, tone)
    }
    let count = planes.count == 1 ? 1.0 : 3.0
    let energies =
      planes.count == 1
      ? squares[0].map(around)
      : [around(squares.flatMap { $0 }.reduce(squares[0][0].mapped { _ in 0 }) { $0.with($1, +) })]
    let shares = energies.map {
      $0.with(limit) { $0 > 0 ? max($0 - count * $1, 0) / $0 : 0 }
    }
    let smooth = self.coarse(level + 1, means, strengths, noise, picture)
    return planes.indices.map { index in
      let kept = differences[index].enumerated().map { kind, difference in
        difference.with(shares[shares.count == 1 ? 0 : kind], *)
      }
      return ReferencePlane(width: width, height: height) { x, y in
        var sum = 0.0
        for (column, right) in [(0, 1.0), (step, -1.0)] {
          for (row, below) in [(0, 1.0), (step, -1.0)] {
            let (left, top) = (x - column, y - row)
            sum +=
              at(smooth[index], left, top) + below * at(kept[0], left, top)
              + right * at(kept[1], left, top) + right * below * at(kept[2], left, top)
          }
        }
        return sum / 4
      }
    }
  }

  /// Means without the noise of the coarser levels. What these take away lies on straight lines between their places.
  private static func coarse(
    _ level: Int, _ means: [ReferencePlane], _ strengths: [Double],
    _ noise: ReferenceNoise.Spectrum, _ picture: ReferencePlane
  ) -> [ReferencePlane] {
    guard level == 2 || level == 3 else {
      return self.level(level, means, strengths, noise, picture)
    }
    let halves = means.map { plane in
      ReferencePlane(width: plane.width / 2, height: plane.height / 2) { plane[2 * $0, 2 * $1] }
    }
    let smooth = self.level(level, halves, strengths, noise, picture)
    return means.indices.map { index in
      let lost = halves[index].with(smooth[index], -)
      func at(_ x: Int, _ y: Int) -> Double { lost[x % lost.width, y % lost.height] }
      return ReferencePlane(width: means[index].width, height: means[index].height) { x, y in
        let (left, right) = (x / 2, (x + 1) / 2)
        let (above, below) = (y / 2, (y + 1) / 2)
        let mean = (at(left, above) + at(right, above) + at(left, below) + at(right, below)) / 4
        return means[index][x, y] - mean
      }
    }
  }

  /// The modified Bessel function of the first kind of order 0, by its series.
  private static func bessel(_ x: Double) -> Double {
    var (sum, term) = (1.0, 1.0)
    for k in 1...30 {
      term *= pow(x / 2 / Double(k), 2)
      sum += term
    }
    return sum
  }

  /// Wiener's filter on squares of 8 × 8 at every fourth place, in waves by the sum that defines them.
  private static func filtered(
    _ plane: ReferencePlane, _ pilot: ReferencePlane, _ smoothMean: Double, _ strengths: [Double],
    _ share: Double,
    _ noise: ReferenceNoise.Spectrum, _ tones: ReferencePlane
  ) -> ReferencePlane {
    let waves = (0..<8).map { wave -> [Double] in
      let size: Double = wave == 0 ? 0.125.squareRoot() : 0.5
      return (0..<8).map { place -> Double in
        let angle = Double.pi * Double(wave * (2 * place + 1)) / 16
        return size * cos(angle)
      }
    }
    let energies = (0..<64).map { index -> Double in
      let frequency = hypot(Double(index / 8), Double(index % 8)) / 8
      guard frequency > 0 else { return 0 }
      let place = min(max(log2(0.7 / frequency), 0), 3)
      let first = min(Int(place), 2)
      func white(_ level: Int) -> Double {
        strengths[level] * noise.energies[level] * pow(4, Double(level + 1))
      }
      let rise = white(first + 1) - white(first)
      return 0.5 * share * (white(first) + rise * (place - Double(first)))
    }
    func transformed(_ square: [Double], back: Bool) -> [Double] {
      var half = [Double](repeating: 0, count: 64)
      var whole = half
      for row in 0..<8 {
        for column in 0..<8 {
          for k in 0..<8 {
            half[8 * row + column] +=
              square[8 * row + k] * (back ? waves[k][column] : waves[column][k])
          }
        }
      }
      for row in 0..<8 {
        for column in 0..<8 {
          for k in 0..<8 {
            whole[8 * row + column] += half[8 * k + column] * (back ? waves[k][row] : waves[row][k])
          }
        }
      }
      return whole
    }
    /// Kaiser's window of shape 2, as shares of the sum of the two squares of a place.
    let window = (0..<8).map { place in
      bessel(2 * (1 - pow(2 * Double(place) / 7 - 1, 2)).squareRoot())
    }
    let weights = (0..<8).map { window[$0] / (window[$0] + window[($0 + 4) % 8]) }
    let (width, height) = (plane.width, plane.height)
    var sums = [Double](repeating: 0, count: width * height)
    for top in stride(from: -4, to: height, by: 4) {
      for left in stride(from: -4, to: width, by: 4) {
        func square(_ plane: ReferencePlane) -> [Double] {
          (0..<64).map { index in
            plane[
              ReferencePlane.mirrored(left + index % 8, of: width),
              ReferencePlane.mirrored(top + index / 8, of: height)]
          }
        }
        var tone = 0.0
        for row in 2..<6 {
          for column in 2..<6 { tone += tones[left + column + border, top + row + border] / 16 }
        }
        let known = transformed(square(pilot), back: false)
        var kept = transformed(square(plane), back: false)
        for index in 1..<64 {
          let energy = known[index] * known[index]
          let all = energy + energies[index] * factor(noise, tone)
          kept[index] *= all > 0 ? energy / all : 0
        }
        kept[0] += smoothMean * (known[0] - kept[0])
        let result = transformed(kept, back: true)
        for index in 0..<64 {
          let (x, y) = (left + index % 8, top + index / 8)
          guard (0..<width).contains(x), (0..<height).contains(y) else { continue }
          sums[y * width + x] += weights[index % 8] * weights[index / 8] * result[index]
        }
      }
    }
    return ReferencePlane(width: width, height: height) { sums[$1 * width + $0] }
  }

  /// The factor of a tone, by straight lines between the middles of eight intervals.
  private static func factor(_ noise: ReferenceNoise.Spectrum, _ tone: Double) -> Double {
    let place = min(max(tone * 8 - 0.5, 0), 7)
    let first = min(Int(place), 6)
    let (low, high) = (noise.factors[first], noise.factors[first + 1])
    return low + (high - low) * (place - Double(first))
  }

  static func deblur(_ value: Deblur, _ picture: ReferencePicture) -> ReferencePicture {
    let radius = (2.5 * value.radius).rounded(.up)
    func blurred(_ plane: ReferencePlane) -> ReferencePlane {
      plane.gaussian(value.radius, radius: radius)
    }
    let y = picture.luma.mapped { max($0, 0.001) }
    let t = value.damping / 255
    var (x, before) = (y, y)
    for round in 1...6 {
      let z = round < 3 ? x : x.with(before) { max($0 + 0.8 * ($0 - $1), 0.001) }
      let ratio = y.with(blurred(z)) { y, b in
        let d = y - b
        return d == 0 ? 1 : 1 + d * d / (d * d + t * t) * (y / b - 1)
      }
      (before, x) = (x, z.with(blurred(ratio), *))
    }
    let reach = Int(radius)
    let (width, height) = (picture.width, picture.height)
    return picture.mapped { pixel, index in
      var around: [Double] = []
      for row in -reach...reach {
        for column in -reach...reach {
          around.append(
            y[
              ReferencePlane.mirrored(index % width + column, of: width),
              ReferencePlane.mirrored(index / width + row, of: height)])
        }
      }
      let inside = min(max(x.values[index], around.min()!), around.max()!)
      let sharp = inside + 0.3 * (x.values[index] - inside)
      return pixel.map { $0 + value.amount / 100 * (sharp - y.values[index]) }
    }
  }
}
