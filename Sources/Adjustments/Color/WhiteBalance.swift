/// Removes the color of the light: the photo counts as taken in light of a temperature and tint,
/// and is adapted to light of 6500 K.
///
/// On linear light, a matrix M that adapts, and a way to white. `W(T)` is the white of a black body at T kelvin in CIE 1960 (u, v),
/// by Krystek's rational functions:
///
///     u = (0.860117757 + 1.54118254e-4 T + 1.28641212e-7 T²)
///       / (1 + 8.42420235e-4 T + 7.08145163e-7 T²)
///     v = (0.317398726 + 4.22806245e-5 T + 4.20481691e-8 T²)
///       / (1 − 2.89741816e-5 T + 1.61456053e-7 T²)
///
/// The functions were made for 1000 K to 15,000 K, and are within 0.001 of Robertson's values up to
/// 25,000 K. `W(6500, tint)` lies tint / 3000 from W(6500) along the isotherm, at right angles to
/// the locus and to the green side (larger v): 3000 to the unit is the scale of the Adobe DNG SDK.
/// With x = 3u / (2u − 8v + 4), y = 2v / (2u − 8v + 4) and XYZ = (x / y, 1, (1 − x − y) / y), `B`
/// Bradford's matrix and `S` that from linear sRGB to XYZ, the gain of each of Bradford's three
/// responses is
///
///     g = (B W(6500) / B W(T)) × (B W(6500) / B W(6500, tint))
///
/// and M is S⁻¹ B⁻¹ diag(g) B S, divided by one number so that gray keeps its luminance Y.
/// Tint is measured at 6500 K for all temperatures, so that it is equally strong in any light: an
/// isotherm of 2500 K would soon reach places where no light is.
///
/// Blown white has lost the color of its light, so it stays white, and colors near it go only part of the way. Let c be a
/// color before, w its smallest and v its largest channel:
///
///     t = (w − 0.7) / 0.3, limited to 0…1      p = 3t² − 2t³      adapted = Mc + p (c − Mc)
///
/// An adapted color may leave sRGB: a channel is below min(w, 0) or above h = max(v, 1). It is then led back in OKLab, which
/// keeps its hue, in two steps. First, where its largest channel y is above h, its L, a and b are multiplied by
///
///     n + (1 − n) ∛(h / y)      with q = w / v, w limited to 0…1, and n = q (2 − q)
///
/// q is 1 for gray, which keeps its lightness, and 0 for strong colors, which are dimmed. Then it gets the largest chroma
/// that lies inside, as with ``ColorMixer``.
///
/// Sources: M. Krystek, Color Research & Application 10 (1985), p. 38; A. R. Robertson, J. Opt.
/// Soc. Am. 58 (1968), p. 1528; Bradford as in ICC.1:2022, annex E; IEC 61966-2-1;
/// B. Ottosson, "A perceptual color space for image processing", 2020 (OKLab). The way to white is Safelight's own; the
/// smallest channel decides as it does where raw converters blend clipped highlights.
public struct WhiteBalance: Adjustment {
  public static let id = "white-balance"
  public static let version = 1
  public static let group = AdjustmentGroup.color
  public static let summary = "Makes the picture warmer or cooler, and greener or more magenta."
  public static let parameters: [Parameter<Self>] = [
    Parameter(
      \.temperature, "temperature", range: 2000...25_000, unit: .kelvin,
      option: .named("temperature"),
      summary: "The light in which the photo was taken; a higher number makes it warmer."),
    Parameter(
      \.tint, "tint", range: -100...100, option: .named("tint"),
      summary: "How much more magenta the photo gets; negative is greener."),
  ]

  /// The temperature of the light, in kelvin; 6500 changes nothing, more makes the picture warmer.
  /// Below about 2500 K gray becomes a blue outside sRGB.
  public var temperature = 6500.0
  /// 0 changes nothing, 100 is strongly magenta, -100 strongly green.
  public var tint = 0.0

  /// Light of 6500 K, which changes nothing.
  public init() {}
}
