/// Every adjustment that this version knows, in pipeline order.
///
/// The order in which adjustments act is the pipeline's, not the user's, so that a result does not
/// depend on the order of edits: decode, orientation, then the list below from first to last, then
/// the one rounding to the output's codes. Turns and mirrors come first, with the orientation, so
/// that all that follows sees the picture as it stands; what cuts and bends it comes late, so that
/// the crop is one of the finished picture. Steps inside a filter act in the filter's own order,
/// which is part of its look.
public enum AdjustmentRegistry {
  /// The adjustments, first to act first.
  public static let all: [any Adjustment.Type] = [
    Rotate.self,
    Flip.self,
    NoiseReduction.self,
    Dehaze.self,
    WhiteBalance.self,
    Exposure.self,
    HighlightsShadows.self,
    WhitesBlacks.self,
    Brightness.self,
    Contrast.self,
    Gamma.self,
    Levels.self,
    ToneCurve.self,
    ChannelMixer.self,
    ColorMixer.self,
    Hue.self,
    Vibrance.self,
    Saturation.self,
    ColorGrading.self,
    BlackAndWhite.self,
    ColorLookup.self,
    AppliedFilter.self,
    Clarity.self,
    Sharpen.self,
    Blur.self,
    Glow.self,
    Fade.self,
    Invert.self,
    Posterize.self,
    Perspective.self,
    Straighten.self,
    Crop.self,
    Vignette.self,
    Grain.self,
  ]

  /// The adjustment with an id, or `nil` when this version does not know it.
  static func type(id: String) -> (any Adjustment.Type)? { types[currentName(id)] }

  /// The present spelling of an id, a parameter's name or an option.
  ///
  /// Edits, filters and scripts from before version 0.1.0 have the British `colour`; they go on
  /// working, and what they store stays as it is.
  public static func currentName(_ name: String) -> String {
    name.replacing("colour", with: "color")
  }

  /// The place of an id in the pipeline; unknown ids come last.
  public static func position(of id: String) -> Int { positions[currentName(id)] ?? all.count }

  /// Whether an adjustment acts on the picture as it is after the crop, such as a vignette.
  public static func followsGeometry(_ id: String) -> Bool {
    guard let crop = positions["crop"], let position = positions[id] else { return false }
    return position > crop
  }

  private static let types = Dictionary(uniqueKeysWithValues: all.map { ($0.id, $0) })
  private static let positions = Dictionary(
    uniqueKeysWithValues: all.enumerated().map { ($0.element.id, $0.offset) })
}
