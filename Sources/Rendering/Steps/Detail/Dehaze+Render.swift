import SafelightAdjustments
import SafelightColorKernels

extension Dehaze: GuidedRenderable {
  func colorSteps(in context: StepContext, guidedBy guide: ReducedPicture) -> [ColorStep] {
    guard !isNeutral else { return [] }
    let haze = Haze(guide)
    return amount > 0
      ? [.kernel(ClearingKernel(haze: haze, strength: Float(0.68 * amount / 100)))]
      : [.kernel(HazingKernel(haze: haze, strength: Float(-0.6 * amount / 100)))]
  }
}

/// The light of the air: its color, and its share of the light at each place.
struct Haze: Sendable {
  /// Red, green and blue of the air, encoded.
  let air: SIMD3<Float>
  /// L, a and b of the air in OKLab.
  let seenAir: SIMD3<Float>
  /// 0 where there is no haze, 1 where there is nothing else.
  let density: GuidedBase

  /// Finds the haze by the dark channel of a picture.
  init(_ picture: ReducedPicture) {
    let radius = picture.radius(1 / 80.0)
    func darkChannel(_ air: SIMD3<Float>) -> ReducedMap {
      let channels = picture.planes
      let darkest = channels[0].indices.map { index in
        let red = channels[0][index] / air.x
        let others = min(channels[1][index] / air.y, channels[2][index] / air.z)
        return min(max(min(red, others), 0), 1)
      }
      return picture.map(darkest).minimum(radius: radius)
    }
    air = Self.air(of: picture, dark: darkChannel(.one))
    seenAir = Self.seen(air)
    density = GuidedBase(
      of: darkChannel(air), guidedBy: picture.luma, radius: picture.radius(1 / 20.0), edge: 0.05)
  }

  /// L, a and b of an encoded color. The sums of a color alone are its own numbers.
  private static func seen(_ color: SIMD3<Float>) -> SIMD3<Float> {
    withFloats(3 * ColorTile.capacity) { memory in
      let tile = ColorTile(memory.baseAddress!, count: 1)
      tile.forEachPlane { channel, plane in plane[0] = color[channel] }
      tile.linearize()
      var sums = [Float](repeating: 0, count: 9)
      kernels.add_products(tile.red, &sums, 1, 1)
      return SIMD3(sums[0], sums[1], sums[2])
    }
  }

  /// The mean color where the dark channel is brightest.
  private static func air(of picture: ReducedPicture, dark: ReducedMap) -> SIMD3<Float> {
    let intervals = dark.values.map { min(Int($0 * 1024), 1023) }
    var counts = [Int](repeating: 0, count: 1024)
    for interval in intervals { counts[interval] += 1 }
    var lowest = 1023
    var found = counts[lowest]
    while found * 1000 < intervals.count {
      lowest -= 1
      found += counts[lowest]
    }
    var sum = SIMD3<Double>.zero
    for (index, interval) in intervals.enumerated() where interval >= lowest {
      sum += SIMD3(
        Double(picture.planes[0][index]), Double(picture.planes[1][index]),
        Double(picture.planes[2][index]))
    }
    let mean = sum / Double(found)
    return SIMD3(Float(max(mean.x, 0.25)), Float(max(mean.y, 0.25)), Float(max(mean.z, 0.25)))
  }
}

/// Takes the light of the air away and gives the rest its full strength, at the hue that it has.
private struct ClearingKernel: ColorKernel {
  let space = ColorSpace.encoded
  let cost = 20.0
  let haze: Haze
  let strength: Float

  func apply(to tile: ColorTile) {
    haze.density.withValues(on: tile) { density in
      tile.linearize()
      let air = haze.seenAir
      var way = SafelightAir(lightness: air.x, a: air.y, b: air.z, strength: strength)
      kernels.clear_air(tile.red, density, &way, Int32(tile.count))
      tile.encode()
    }
  }
}

/// Moves colors towards that of the air.
private struct HazingKernel: ColorKernel {
  let space = ColorSpace.encoded
  let haze: Haze
  let strength: Float

  func apply(to tile: ColorTile) {
    haze.density.withValues(on: tile) { density in
      let (base, rise) = (0.35 * strength, 0.65 * strength)
      let count = tile.count
      tile.forEachPlane { channel, plane in
        let air = haze.air[channel]
        for index in 0..<count {
          let share = base + rise * min(max(density[index], 0), 1)
          plane[index] += (air - plane[index]) * share
        }
      }
    }
  }
}
