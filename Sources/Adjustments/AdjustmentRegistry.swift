/// Every adjustment that this version knows, in pipeline order.
///
/// Adjustments always act in this order, so that a result does not depend on the order in which the
/// user made them. The pipeline decodes the photo, turns it upright, does the adjustments from
/// first to last, and rounds once to the codes of the output. Turns and mirrors come first, so that
/// all later adjustments see the picture as it is shown. Perspective, straightening and crop come
/// late, so that they act on the finished picture. The steps of a filter act in the filter's own
/// order, which is part of its look.
public enum AdjustmentRegistry {
  /// The adjustments in the order in which they act.
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
  /// Edits, filters and scripts from before version 0.1.0 have the British `colour`. They still
  /// work, and stored edits keep their spelling.
  package static func currentName(_ name: String) -> String {
    name.replacing("colour", with: "color")
  }

  /// The place of an id in the pipeline; unknown ids come last.
  package static func position(of id: String) -> Int { positions[currentName(id)] ?? all.count }

  /// Whether an adjustment acts on the picture as it is after the crop, such as a vignette.
  package static func followsGeometry(_ id: String) -> Bool {
    guard let crop = positions["crop"], let position = positions[currentName(id)] else {
      return false
    }
    return position > crop
  }

  private static let types = Dictionary(uniqueKeysWithValues: all.map { ($0.id, $0) })
  private static let positions = Dictionary(
    uniqueKeysWithValues: all.enumerated().map { ($0.element.id, $0.offset) })
}
