/// Adds the grain of film: random, but the same on every machine, in every run and at every size.
///
/// On sRGB-encoded values, with the BT.709 luma Y' limited to 0…1: each channel gets
/// `0.08 × amount / 100 × G × 4 Y' (1 − Y')` added, so grain has no color and is strongest in the
/// mid-tones. G is noise of variance 1 (0.08 is thus the deviation in mid-gray at 100):
/// `G = (N₁ + ρ N₂) / √(1 + ρ²)` with ρ = roughness / 100, N₁ with cells of `size` pixels and N₂
/// with cells twice as wide.
///
/// N with cells of c pixels: column x of a render at `scale` stands at `X = ((x + ½) / scale − ½) /
/// c`, in cells from the left edge of the cropped picture; rows alike. With i the lattice point
/// nearest to X and t = X − i, the points i − 1, i and i + 1 have the weights `n (½ − t)² / 2`, `n
/// (¾ − t²)` and `n (½ + t)² / 2`, a quadratic B-spline with `n = 1.2978 + 0.4656 t²`, which keeps
/// the variance the same all over a cell to 3 %; so do three rows. The number at a lattice point,
/// of variance 1, is `√6 (low + high − 65,535) / 65,535`, where low and high are the two halves of
/// the 32 bits `mix(mix(key + j) + i)`, j counts rows and `key = mix(seed + 2,654,435,769 k)` for
/// Nₖ; sums wrap. mix is the hash "lowbias32" of C. Wellons' "Prospecting for Hash Functions"
/// (2018).
///
/// A preview's pixel is the mean of p × p pixels with p = 1 / scale, so its grain is weaker: N is
/// multiplied with `1.75 c / (1.75 c + p − 1)`, near what the mean would have. Cells smaller than a
/// pixel of the preview count as one pixel: X = x.
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
      summary: "How wide a grain is in the full-size photo."),
    Parameter(
      \.roughness, "roughness", range: 0...100, unit: .percent,
      summary: "How unevenly grains lump together."),
    Parameter(
      \.seed, "seed", range: 0...4_294_967_295,
      summary: "Chooses one of the possible grains; the same number gives the same grain."),
  ]

  /// How strong the grain is, 0 to 100; 0 changes nothing.
  public var amount = 0.0
  /// How wide a grain is, in pixels of the full-size photo, 1 to 20.
  public var size = 1.5
  /// How unevenly grains lump together, 0 to 100.
  public var roughness = 50.0
  /// Chooses one of the possible grains, 0 to 4,294,967,295.
  public var seed = 0

  /// Changes nothing.
  public init() {}
}
