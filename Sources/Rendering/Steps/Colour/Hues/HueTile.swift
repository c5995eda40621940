/// A short part of a tile, with what eight bands say of its pixels' hues.
struct HueTile {
  /// Most pixels of a part, a multiple of 4: twelve planes of 1 KB stay in the L1 cache beside the
  /// table.
  private static let capacity = 256

  let red, green, blue: UnsafeMutablePointer<Float>
  /// The largest channel less the smallest.
  let chroma: UnsafeMutablePointer<Float>
  /// The hue, from 0 to 6 on the hexagon.
  let hue: UnsafeMutablePointer<Float>
  /// How far the hue turns, from -1 to 1, in sixths of the wheel.
  let turn: UnsafeMutablePointer<Float>
  /// How much stronger the colour gets: -1 to 1.
  let saturation: UnsafeMutablePointer<Float>
  /// How much lighter it gets: -1 to 1.
  let luminance: UnsafeMutablePointer<Float>
  /// These three together, as the table gives them.
  private let settings: UnsafeMutablePointer<SIMD4<Float>>
  let count: Int

  /// Calls `body` with one part of the tile after the other.
  static func forEach(of tile: ColourTile, bands: HueBands, _ body: (HueTile) -> Void) {
    withUnsafeTemporaryAllocation(of: SIMD4<Float>.self, capacity: capacity * 9 / 4) { memory in
      let settings = memory.baseAddress!
      settings.initialize(repeating: .zero, count: capacity)
      let planes = UnsafeMutableRawPointer(settings + capacity)
        .bindMemory(to: Float.self, capacity: 5 * capacity)
      bands.withTable { table in
        for start in stride(from: 0, to: tile.count, by: capacity) {
          let part = HueTile(
            red: tile.red + start, green: tile.green + start, blue: tile.blue + start,
            chroma: planes, hue: planes + capacity, turn: planes + 2 * capacity,
            saturation: planes + 3 * capacity, luminance: planes + 4 * capacity,
            settings: settings, count: min(capacity, tile.count - start))
          part.measure()
          part.look(up: table)
          body(part)
        }
      }
    }
  }

  private func measure() {
    for index in 0..<count {
      let (r, g, b) = (red[index], green[index], blue[index])
      let high = Hexagon.larger(Hexagon.larger(r, g), b)
      let low = Hexagon.smaller(Hexagon.smaller(r, g), b)
      chroma[index] = high - low
      hue[index] = Hexagon.hue(r, g, b, chroma: high - low)
    }
  }

  private func look(up table: UnsafePointer<SIMD4<Float>>) {
    for index in 0..<count { settings[index] = HueBands.setting(of: hue[index], in: table) }
    // A loop of its own: together with the first, compilers take its vectors apart. The last
    // vector may be of no pixel, where planes have room and nobody looks.
    for index in stride(from: 0, to: count, by: 4) {
      let first = SIMD8(lowHalf: settings[index], highHalf: settings[index + 1])
      let second = SIMD8(lowHalf: settings[index + 2], highHalf: settings[index + 3])
      let four = SIMD16(lowHalf: first, highHalf: second)
      UnsafeMutableRawPointer(turn + index)
        .storeBytes(of: four.evenHalf.evenHalf, as: SIMD4<Float>.self)
      UnsafeMutableRawPointer(saturation + index)
        .storeBytes(of: four.oddHalf.evenHalf, as: SIMD4<Float>.self)
      UnsafeMutableRawPointer(luminance + index)
        .storeBytes(of: four.evenHalf.oddHalf, as: SIMD4<Float>.self)
    }
  }

  /// What a band's luminance makes of a luma: `darkening × luma + lightening`.
  @inline(__always)
  static func lightness(
    _ luminance: Float, chroma: Float, luma: Float
  ) -> (darkening: Float, lightening: Float) {
    let room = chroma * (2 - chroma) * Hexagon.larger(luma * (1 - luma), 0)
    return (
      1 + 0.8 * Hexagon.smaller(luminance, 0) * chroma,
      Hexagon.larger(luminance, 0) * room
    )
  }
}
