/// Every adjustment that this version knows, in pipeline order.
///
/// Adjustments always act in this order, so that a result does not depend on the order in which the
/// user made them. The pipeline decodes the photo, turns it upright, does the adjustments from
/// first to last, and rounds once to the codes of the output. Turns and mirrors come first, so that
/// all later adjustments see the picture as it is shown. Perspective, straightening and crop come
/// late, so that they act on the finished picture. The steps of a filter act in the filter's own
/// order, which is part of its look. Layers, which no surface offers yet, act at the place of filters.
public enum AdjustmentRegistry {
  /// The adjustments in the order in which they act.
  public static let all: [any Adjustment.Type] = [
    Rotate.self,
    Flip.self,
    NoiseReduction.self,
    Deblur.self,
    Dehaze.self,
    WhiteBalance.self,
    Exposure.self,
    ToneEqualizer.self,
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
    Video.self,
  ]

  /// The adjustment with an id, or `nil` when this version does not know it.
  static func type(id: String) -> (any Adjustment.Type)? {
    id == Layer.id ? Layer.self : types[id]
  }

  /// The place of an id in the pipeline; unknown ids come last.
  package static func position(of id: String) -> Int {
    positions[id == Layer.id ? AppliedFilter.id : id] ?? all.count
  }

  /// Whether an adjustment acts on the picture as it is after the crop, such as a vignette.
  package static func followsGeometry(_ id: String) -> Bool {
    guard let crop = positions["crop"], let position = positions[id] else {
      return false
    }
    return position > crop
  }

  private static let types = Dictionary(uniqueKeysWithValues: all.map { ($0.id, $0) })
  private static let positions = Dictionary(
    uniqueKeysWithValues: all.enumerated().map { ($0.element.id, $0.offset) })
}

/// A namespace for the types of the adjustments.
///
/// `Crop`, `Exposure` and the like are common names. A program that imports `PhotoEditing` may have such
/// types of its own, and reaches Safelight's through this one:
///
/// ```swift
/// try edit.adjust(Adjustments.Exposure.self) { $0.amount = 0.5 }
/// var curve = Adjustments.ToneCurve()
/// curve.all = Adjustments.ToneCurve.Curve([.init(0, 0.05), .init(1, 0.95)])
/// ```
public enum Adjustments {
  /// Turns the picture by quarters.
  public typealias Rotate = SafelightAdjustments.Rotate
  /// Mirrors the picture.
  public typealias Flip = SafelightAdjustments.Flip
  /// Takes noise of brightness and color away, and keeps edges.
  public typealias NoiseReduction = SafelightAdjustments.NoiseReduction
  /// Takes back a slight blur of the lens or of the focus.
  public typealias Deblur = SafelightAdjustments.Deblur
  /// Removes haze or adds it.
  public typealias Dehaze = SafelightAdjustments.Dehaze
  /// Makes the picture warmer or cooler, and greener or more magenta.
  public typealias WhiteBalance = SafelightAdjustments.WhiteBalance
  /// Makes the picture brighter or darker by stops of light.
  public typealias Exposure = SafelightAdjustments.Exposure
  /// Makes nine zones of brightness lighter or darker, and keeps details.
  public typealias ToneEqualizer = SafelightAdjustments.ToneEqualizer
  /// Recovers bright parts and opens dark parts, without halos.
  public typealias HighlightsShadows = SafelightAdjustments.HighlightsShadows
  /// Moves the bright and the dark end of the tones.
  public typealias WhitesBlacks = SafelightAdjustments.WhitesBlacks
  /// Makes the mid-tones brighter or darker; black and white stay.
  public typealias Brightness = SafelightAdjustments.Brightness
  /// Moves tones away from mid-gray, or towards it.
  public typealias Contrast = SafelightAdjustments.Contrast
  /// Bends the tones by a power law.
  public typealias Gamma = SafelightAdjustments.Gamma
  /// Sets the black and white points and the tones between.
  public typealias Levels = SafelightAdjustments.Levels
  /// Maps tones through smooth curves.
  public typealias ToneCurve = SafelightAdjustments.ToneCurve
  /// Makes each channel from a mix of red, green and blue.
  public typealias ChannelMixer = SafelightAdjustments.ChannelMixer
  /// Changes hue, saturation and luminance of eight bands of color.
  public typealias ColorMixer = SafelightAdjustments.ColorMixer
  /// Turns all hues around the color wheel and keeps their lightness.
  public typealias Hue = SafelightAdjustments.Hue
  /// Makes weak colors stronger and spares strong ones and skin.
  public typealias Vibrance = SafelightAdjustments.Vibrance
  /// Makes every color stronger or weaker alike.
  public typealias Saturation = SafelightAdjustments.Saturation
  /// Tints shadows, mid-tones and highlights, each in its own color.
  public typealias ColorGrading = SafelightAdjustments.ColorGrading
  /// Makes the picture black and white, and tones it.
  public typealias BlackAndWhite = SafelightAdjustments.BlackAndWhite
  /// Replaces each color by the color that a lookup table has for it.
  public typealias ColorLookup = SafelightAdjustments.ColorLookup
  /// Makes the local contrast of mid-tones stronger, or softens it.
  public typealias Clarity = SafelightAdjustments.Clarity
  /// Makes edges crisper.
  public typealias Sharpen = SafelightAdjustments.Sharpen
  /// Blurs the whole picture.
  public typealias Blur = SafelightAdjustments.Blur
  /// Makes bright parts shine over their surroundings.
  public typealias Glow = SafelightAdjustments.Glow
  /// Lifts the blacks and softens the contrast, as on faded film.
  public typealias Fade = SafelightAdjustments.Fade
  /// Makes a negative.
  public typealias Invert = SafelightAdjustments.Invert
  /// Leaves only a few tones in each channel.
  public typealias Posterize = SafelightAdjustments.Posterize
  /// Straightens lines that converge because the camera was tilted.
  public typealias Perspective = SafelightAdjustments.Perspective
  /// Turns the picture by degrees and crops the empty corners.
  public typealias Straighten = SafelightAdjustments.Straighten
  /// Keeps a rectangle of the picture.
  public typealias Crop = SafelightAdjustments.Crop
  /// Darkens or brightens the picture towards its corners.
  public typealias Vignette = SafelightAdjustments.Vignette
  /// Adds the grain of film.
  public typealias Grain = SafelightAdjustments.Grain
  /// Mutes and trims the photo's video.
  public typealias Video = SafelightAdjustments.Video
}
