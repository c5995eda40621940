import SafelightFormats

/// A small picture in a photo's file that says how much brighter each place is on a screen that shows more light than
/// white.
///
/// ```swift
/// let state = try await editor.state(of: photo)
/// if let map = state.original.gainMap { print(map.headroom, "stops above white") }
/// ```
public struct GainMap: Sendable, Hashable {
  /// Whose convention a gain map follows.
  public enum Convention: String, Sendable, Hashable {
    /// The `hdrgm` properties in XMP, of Adobe and of Android's Ultra HDR.
    case adobe = "Adobe"
    /// Apple's auxiliary picture, whose codes are light and no stops.
    case apple = "Apple"
    /// The binary metadata of ISO 21496-1.
    case iso = "ISO 21496-1"
    /// JPEG-HDR, which no program reads today.
    case jpegHDR = "JPEG-HDR"
  }

  /// Where the picture of a map is.
  package enum Place: Sendable, Hashable {
    /// A JPEG in these bytes of a JPEG.
    case part(Range<Int>)
    /// An item of a HEIF or AVIF.
    case item(Int)
  }

  /// Whose convention the map follows.
  public let convention: Convention
  /// Pixels from left to right of the map, turned as the photo's own.
  public let pixelWidth: Int
  /// Pixels from top to bottom of the map, turned as the photo's own.
  public let pixelHeight: Int
  /// What the codes mean.
  package let meaning: GainMapMeaning
  package let place: Place

  /// Stops above white that a screen needs to show all of the photo's light.
  public var headroom: Double { max(meaning.baseHeadroom, meaning.alternateHeadroom) }
  /// How many channels have a meaning of their own, 1 or 3.
  public var channelCount: Int { meaning.channels.count }
  /// Whether the photo's own pixels are those for bright screens, and the map makes them darker.
  public var isBaseBrighter: Bool { meaning.baseHeadroom > meaning.alternateHeadroom }

  init(
    _ convention: Convention, size: (width: Int, height: Int), meaning: GainMapMeaning,
    at place: Place
  ) {
    self.convention = convention
    (pixelWidth, pixelHeight) = size
    self.meaning = meaning
    self.place = place
  }
}

/// What the codes of a gain map mean, by its metadata.
///
/// A code c from 0 to 1 stands for the stops s = minimum + (maximum − minimum) · c^(1 / gamma), from the rendition of less
/// headroom to that of more. With a base of less headroom, the light of the alternate rendition is
/// (base + baseOffset) · 2^(w · s) − alternateOffset, where w goes from 0 to 1 with a screen's headroom from that of the
/// base to that of the alternate; otherwise w goes from 0 to −1. The codes of Apple's maps are light instead; see ``isLight``.
///
/// Sources: ISO 21496-1; Adobe, "Gain map specification" 1.0 (`hdrgm`), whose headrooms and offsets have the names of HDR
/// and SDR instead.
package struct GainMapMeaning: Sendable, Hashable {
  /// One channel of the map.
  package struct Channel: Sendable, Hashable {
    /// The stops of the code 0.
    package var minimum = 0.0
    /// The stops of the code 1.
    package var maximum = 1.0
    /// The power of the codes, above 0.
    package var gamma = 1.0
    /// What is added to the light of the base.
    package var baseOffset = 1.0 / 64
    /// What is taken from the light of the alternate.
    package var alternateOffset = 1.0 / 64

    /// A channel with the numbers that files need not say.
    package init(
      minimum: Double = 0, maximum: Double = 1, gamma: Double = 1, baseOffset: Double = 1.0 / 64,
      alternateOffset: Double = 1.0 / 64
    ) {
      (self.minimum, self.maximum, self.gamma) = (minimum, maximum, gamma)
      (self.baseOffset, self.alternateOffset) = (baseOffset, alternateOffset)
    }

    /// Whether all numbers are in ranges that any picture may need.
    fileprivate var isPossible: Bool {
      let stops = -32.0...32.0
      return stops.contains(minimum) && stops.contains(maximum) && minimum <= maximum
        && (1e-3...1e3).contains(gamma) && (-16...16).contains(baseOffset)
        && (-16...16).contains(alternateOffset)
    }
  }

  /// One for all of red, green and blue, or one for each.
  package var channels: [Channel]
  /// Stops above white in the photo's own pixels.
  package var baseHeadroom: Double
  /// Stops above white in what the map makes of them.
  package var alternateHeadroom: Double
  /// Whether the map acts in the primaries of the base, and not of the alternate.
  package var isInBaseColors = true
  /// Whether the codes are light, as those of Apple's maps: a code c multiplies the light of the base by
  /// 1 + (2^alternateHeadroom − 1) · l(c), where l is the inverse of the camera's curve of ITU-R BT.709.
  package var isLight = false

  /// - Returns: `nil` for numbers that no gain map has.
  package init?(
    channels: [Channel], baseHeadroom: Double, alternateHeadroom: Double,
    isInBaseColors: Bool = true
  ) {
    guard channels.count == 1 || channels.count == 3, channels.allSatisfy(\.isPossible),
      (0...32).contains(baseHeadroom), (0...32).contains(alternateHeadroom),
      baseHeadroom != alternateHeadroom
    else { return nil }
    self.channels = channels
    (self.baseHeadroom, self.alternateHeadroom) = (baseHeadroom, alternateHeadroom)
    self.isInBaseColors = isInBaseColors
  }

  /// Apple's map, whose codes are light. Its channel has the stops of the darkest and the brightest code.
  package init?(appleHeadroom stops: Double) {
    let channel = Channel(maximum: stops, baseOffset: 0, alternateOffset: 0)
    self.init(channels: [channel], baseHeadroom: 0, alternateHeadroom: stops)
    isLight = true
  }
}
