/// Adds the grain of film: random, but the same on every machine, in every run and at every size.
///
/// On sRGB-encoded values, with the BT.709 luma Y' limited to 0…1: each channel gets
/// `0.08 × amount / 100 × G × 4 Y' (1 − Y')` added, so grain has no color and is strongest in the
/// mid-tones. G is noise; in a picture whose longer side has 6,000 pixels, its variance is 1 (0.08 is
/// thus the deviation in mid-gray at 100). `G = (N₁ + ρ N₂) / √(1 + ρ²)` with ρ = roughness / 100, N₁
/// with cells of `size` pixels of such a picture and N₂ with cells twice as wide.
///
/// Grain belongs to the picture and not to its pixels: the longer side of the cropped picture always
/// has 6,000 / size cells. N is a continuous field, and each pixel of a render gets its mean. So a
/// photo of 6 megapixels and one of 24, seen at the same size, have the same grain; a preview has that
/// of the full-size render made smaller; and grains that are finer than a pixel fade.
///
/// The field is the sum of a random number for each point of a lattice times a cubic B-spline as wide
/// as four cells, across and down. The number at point i of row j, of variance 1, is
/// `√6 (low + high − 65,535) / 65,535`, where low and high are the two halves of the 32 bits
/// `mix(mix(key + j) + i)` and `key = mix(seed + 2,654,435,769 k)` for Nₖ; sums wrap. mix is the hash
/// "lowbias32" of C. Wellons' "Prospecting for Hash Functions" (2018). The deviation differs by at most
/// 9 % between a point and the middle of four points.
///
/// That grain should not depend on the resolution, and be the mean of a field over a pixel, is from
/// A. Newson and others, "A Stochastic Film Grain Model for Resolution-Independent Rendering" (Computer
/// Graphics Forum, 2017), who draw every grain; a filtered lattice is Safelight's own.
public struct Grain: Adjustment {
  public static let id = "grain"
  public static let version = 1
  public static let group = AdjustmentGroup.effects
  public static let summary = "Adds the grain of film."
  public static let parameters: [Parameter<Self>] = [
    Parameter(
      \.amount, "amount", range: 0...100, unit: .percent, summary: "How strong the grain is."),
    Parameter(
      \.size, "size", range: 1...20, unit: .pixels,
      summary: "How wide a grain is where the longer side has 6,000 pixels."),
    Parameter(
      \.roughness, "roughness", range: 0...100, unit: .percent,
      summary: "How unevenly grains lump together."),
    Parameter(
      \.seed, "seed", range: 0...4_294_967_295,
      summary: "Chooses one of the possible grains; the same number gives the same grain."),
  ]

  /// The pixels along the longer side of the picture in whose pixels ``size`` is given: 24 megapixels.
  public static let referenceSide = 6000.0

  /// How strong the grain is, 0 to 100; 0 changes nothing.
  public var amount = 0.0
  /// How wide a grain is, 1 to 20, in pixels of a picture whose longer side has ``referenceSide`` pixels.
  public var size = 1.5
  /// How unevenly grains lump together, 0 to 100.
  public var roughness = 50.0
  /// Chooses one of the possible grains, 0 to 4,294,967,295.
  public var seed = 0

  /// Changes nothing.
  public init() {}
}
