import SafelightAdjustments

/// How a picture is written to a file: its format, its size and all else that can be asked of it.
///
/// ```swift
/// var web = RenderOutput(format: .webp, quality: 80, longestSide: 640)
/// web.mostBytes = 60_000
/// ```
///
/// As JSON it is an object with its parameters, all others at their neutral values: `{"format": "webp", "longestSide":
/// 640}`. The options of the command line, the bodies of HTTP, the schemas for agents and the page's dialog are made from
/// its table of parameters.
public struct RenderOutput: Sendable, Hashable {
  /// What the JPEG of a photo that is itself a JPEG takes from it.
  public enum Following: String, Sendable, Hashable, Codable {
    /// Nothing.
    case nothing
    /// The resolution of color, where no color edges arise that need more. Gray renders have none.
    case chroma
    /// The resolution of color, and the quality between 90 and 98, as the original's tables show it.
    case qualityAndChroma
  }

  /// The file format. PNG, TIFF and JPEG XL keep 16 bits when the photo has them; the others have 8, and AVIF 12 when they
  /// are asked for.
  public var format: Format
  /// 1 to 100, for formats that lose something; 100 makes WebP and JPEG XL lossless. Numbers outside become the nearest
  /// end.
  public var quality: Int {
    didSet { quality = Self.allowed(quality) }
  }
  /// How much time the encoder of AVIF or JPEG XL takes for smaller files, from 1 to 9, of JPEG XL from 3; `nil` for what
  /// suits photos.
  public var effort: Int?
  /// The resolution of color in a JPEG or an AVIF.
  public var chroma: Chroma
  /// Whether a JPEG has the coefficients of a photo that is a JPEG, and so all of it, where its edit only turns, mirrors and
  /// crops. Other pictures are encoded as the rest says, with a warning. The JPEG beside an original always does so, unless
  /// a quality was asked for.
  public var lossless = false
  /// Whether the picture is for screens that show no more light than white, without the gain map that a JPEG otherwise
  /// takes over from its photo.
  public var sdr = false
  /// Whether a JPEG of a photo with more than 8 bits and without a gain map gets one, for light that the edit brings above
  /// white.
  public var hdr = false
  /// The most stops of a gain map above white, 0 to 8: a brighter map becomes what a screen with so many stops would show.
  /// `nil` keeps all of a photo's own light, and 3 stops of a map that is made for ``hdr``.
  public var hdrHeadroom: Double? {
    didSet { hdrHeadroom = hdrHeadroom.map { Self.allowed($0, in: 0...8) } }
  }
  /// What a JPEG takes from its original, in place of the values above.
  public var following: Following
  /// Whether pictures of 8 bits are dithered where an edit makes gradients that are finer than the photo's
  /// codes, and where the photo has 16 bits.
  public var dithers: Bool

  /// The most pixels along the longer side. Of the ways to say the size at most one is used; without any the picture
  /// keeps its size, and without ``enlarges`` none makes it larger. At most a million.
  public var longestSide: Int? {
    didSet { longestSide = longestSide.map(Self.allowed(side:)) }
  }
  /// The most pixels along the shorter side.
  public var shortestSide: Int? {
    didSet { shortestSide = shortestSide.map(Self.allowed(side:)) }
  }
  /// A box that the picture fits into.
  public var fit: PixelBox? {
    didSet { fit = fit.map(Self.allowed(box:)) }
  }
  /// A box that the picture fills, cropped around its middle.
  public var fill: PixelBox? {
    didSet { fill = fill.map(Self.allowed(box:)) }
  }
  /// The most millions of pixels.
  public var megapixels: Double? {
    didSet { megapixels = megapixels.map { Self.allowed($0, in: 0.0001...500) } }
  }
  /// The size in hundredths of the whole picture's, along each side.
  public var percent: Double? {
    didSet { percent = percent.map { Self.allowed($0, in: 0.01...1000) } }
  }
  /// Whether a picture that is smaller than asked for becomes larger.
  public var enlarges = false
  /// The most bytes of the file. The quality is the best one, at most ``quality``, that keeps to it.
  public var mostBytes: ByteCount? {
    didSet { mostBytes = mostBytes.map { ByteCount(min(max($0.bytes, 1), 1_000_000_000_000)) } }
  }

  /// What the picture is sharpened for, once it has its size.
  public var sharpening = Sharpening.none
  /// The color profile.
  public var profile = Profile.original
  /// How colors come into a profile that does not have them.
  public var intent = Intent.relative
  /// What becomes of a black that is darker than the profile's.
  public var blackPoint = BlackPoint.compensate
  /// The bits of a channel, 8, 16 or those of AVIF, 12; `nil` keeps those of the photo where the format can.
  public var depth: Int?

  /// How much of the photo's metadata the file has.
  public var metadata = Metadata.all
  /// A short name for the picture; `nil` keeps the photo's, as for the texts below.
  public var title: MetadataText?
  /// What the picture shows.
  public var caption: MetadataText?
  /// Who made the picture; several names have a semicolon between them.
  public var creator: MetadataText?
  /// Who owns the picture, such as `© 2024 Ann Example`.
  public var copyright: MetadataText?
  /// Who is named beside the picture, such as an agency.
  public var credit: MetadataText?
  /// The pixels per inch that programs print with; `nil` keeps those of the photo. The picture has as many pixels.
  public var resolution: Double? {
    didSet { resolution = resolution.map { Self.allowed($0, in: 1...65_535) } }
  }
  /// A text that is drawn onto the picture, once it has its size and its sharpness.
  public var watermark: WatermarkText?
  /// A picture that is drawn onto the picture instead of a text: a PNG, WebP, TIFF or JPEG, with its transparency.
  public var watermarkPicture: OutputAttachment?
  /// Where the watermark is.
  public var watermarkPlace = WatermarkPlace.bottomRight
  /// The height of the letters or of the picture in hundredths of the shorter side; `nil` for 3 or 12. A watermark that
  /// would be wider than the picture becomes smaller.
  public var watermarkSize: Double?
  /// How much of the watermark is seen, in hundredths.
  public var watermarkOpacity = 70.0
  /// The distance from the edges in hundredths of the shorter side.
  public var watermarkMargin = 3.0
  /// The color of the letters.
  public var watermarkColor = WatermarkColor.white

  /// The name of a preset, which gives what is not said here; `nil` once it was looked up.
  public var preset: String?

  /// The JPEG that is stored beside an original, at full size: as good as an original that is a JPEG, without any loss
  /// where its edit only turns, mirrors and crops it at the borders of its blocks, and beside other originals quality 95
  /// with color at full resolution.
  public static let standard = RenderOutput(format: .jpeg, following: .qualityAndChroma)

  private static func allowed(side: Int) -> Int { min(max(side, 1), 1_000_000) }
  private static func allowed(box: PixelBox) -> PixelBox {
    PixelBox(width: allowed(side: box.width), height: allowed(side: box.height))
  }
  private static func allowed(_ number: Double, in range: ClosedRange<Double>) -> Double {
    // What is no number becomes the smallest one.
    number >= range.lowerBound ? min(number, range.upperBound) : range.lowerBound
  }
  private static func allowed(_ quality: Int) -> Int { min(max(quality, 1), 100) }

  /// Describes an output.
  public init(
    format: Format, quality: Int = 95, chroma: Chroma = .full, longestSide: Int? = nil,
    following: Following = .nothing, dithers: Bool = true
  ) {
    self.format = format
    self.quality = Self.allowed(quality)
    self.chroma = chroma
    self.longestSide = longestSide.map(Self.allowed(side:))
    self.following = following
    self.dithers = dithers
  }
}

// MARK: - The table

extension RenderOutput: Parameterized {
  /// The name of the description.
  public static let id = "output"

  /// Every parameter, in the order of help and JSON.
  public static let parameters: [Parameter<Self>] = [
    Parameter(
      \.format, "format", summary: "The format; without it the ending of the file's name says it."
    ),
    Parameter(
      \.quality, "quality", range: 1...100,
      summary:
        "Quality of JPEG, WebP, AVIF and JPEG XL; 100 makes WebP and JPEG XL lossless."),
    Parameter(
      \.effort, "effort", range: 1...9,
      summary:
        "How much time AVIF, from 1, and JPEG XL, from 3, take for smaller files; without it what suits photos."
    ),
    Parameter(\.chroma, "chroma", summary: "The resolution of color in a JPEG or an AVIF."),
    Parameter(
      \.lossless, "lossless",
      summary:
        "Keep what a JPEG has, bit for bit, where its edit only turns it, mirrors it and crops it at block borders."
    ),
    Parameter(
      \.sdr, "sdr",
      summary: "Leave out the gain map, with which bright screens show a JPEG in HDR."),
    Parameter(
      \.hdr, "hdr",
      summary:
        "Give the JPEG of a photo of 16 bits a gain map, for light that its edit brings above white."
    ),
    Parameter(
      \.hdrHeadroom, "hdrHeadroom", range: 0...8, unit: .stops,
      summary: "The most stops above white of the gain map; without it all, with hdr alone 3."),
    Parameter(
      \.longestSide, "longestSide", range: 1...1_000_000, unit: .pixels,
      summary: "Make the longer side at most this long."),
    Parameter(
      \.shortestSide, "shortestSide", range: 1...1_000_000, unit: .pixels,
      summary: "Make the shorter side at most this long."),
    Parameter(
      \.fit, "fit", range: 1...1_000_000, unit: .pixels,
      summary: "Make the picture fit into a box, such as 1920x1080."),
    Parameter(
      \.fill, "fill", range: 1...1_000_000, unit: .pixels,
      summary: "Make the picture fill a box, cropped around its middle."),
    Parameter(
      \.megapixels, "megapixels", range: 0.0001...500,
      summary: "Make the picture have at most so many million pixels."),
    Parameter(
      \.percent, "percent", range: 0.01...1000, unit: .percent,
      summary: "Make each side so many hundredths of its length."),
    Parameter(
      \.enlarges, "enlarge",
      summary: "Make pictures larger that are smaller than asked for."),
    Parameter(
      \.mostBytes, "maxBytes", range: 1...1e12,
      summary: "The most bytes of the file, such as 500kB: the quality becomes as low as needed."),
    Parameter(
      \.sharpening, "sharpen",
      summary: "Sharpen the picture, once it has its size, for a screen or for paper."),
    Parameter(
      \.profile, "profile",
      summary: "The color profile that colors are converted to, or an ICC profile's file."),
    Parameter(
      \.intent, "intent", summary: "How colors come into a profile that does not have them."),
    Parameter(
      \.blackPoint, "blackPoint",
      summary: "What becomes of a black that is darker than the profile's."),
    Parameter(
      \.depth, "depth", range: 8...16,
      summary:
        "8 or 16 bits a channel, in AVIF 8 or 12; without it those of the photo, in AVIF 8."),
    Parameter(
      \.metadata, "metadata",
      summary: """
        The photo's metadata that the file has: all; all but its place, or the faces and names of people in it, or both \
        (keywords stay in each case, with places and names among them); copyright, creator and credit alone; none.
        """),
    Parameter(\.title, "title", summary: "A short name for the picture, in its metadata."),
    Parameter(\.caption, "caption", summary: "What the picture shows, in its metadata."),
    Parameter(
      \.creator, "creator",
      summary: "Who made the picture, in its metadata; names with a semicolon between them."),
    Parameter(\.copyright, "copyright", summary: "Who owns the picture, in its metadata."),
    Parameter(\.credit, "credit", summary: "Who is named beside the picture, in its metadata."),
    Parameter(
      \.resolution, "dpi", range: 1...65_535,
      summary: "The pixels per inch that programs print with; the number of pixels stays."),
    Parameter(\.watermark, "watermark", summary: "A text to draw onto the picture."),
    Parameter(
      \.watermarkPicture, "watermarkPicture",
      summary: "A picture to draw onto the picture, such as a PNG with transparency."),
    Parameter(\.watermarkPlace, "watermarkPlace", summary: "Where the watermark is."),
    Parameter(
      \.watermarkSize, "watermarkSize", range: 0.5...100, unit: .percent,
      summary:
        "The height of the letters or the picture in hundredths of the shorter side; 3 or 12 without it."
    ),
    Parameter(
      \.watermarkOpacity, "watermarkOpacity", range: 1...100, unit: .percent,
      summary: "How much of the watermark is seen, in hundredths."),
    Parameter(
      \.watermarkMargin, "watermarkMargin", range: 0...45, unit: .percent,
      summary: "The watermark's distance from the edges in hundredths of the shorter side."),
    Parameter(\.watermarkColor, "watermarkColor", summary: "The color of the letters."),
    Parameter(
      \.preset, "preset", summary: "A preset, which counts where nothing else is said."),
  ]

  /// A JPEG at full size, of quality 95 with color at full resolution.
  public init() { self.init(format: .jpeg) }
}

extension RenderOutput: Codable {
  /// The description as JSON: the parameters that are not neutral.
  public var json: JSONValue { .object(members) }

  /// What is no parameter, because only renders beside originals have it.
  private enum Key {
    static let following = "following"
    static let dithers = "dithers"
  }

  /// Reads a description's JSON.
  public init(from decoder: any Decoder) throws {
    self.init()
    func refuse(_ reason: String) -> DecodingError {
      .dataCorrupted(.init(codingPath: decoder.codingPath, debugDescription: reason))
    }
    for member in try JSONValue(from: decoder).members ?? [] {
      switch member.key {
      case Key.following:
        guard let value = member.value.string.flatMap(Following.init) else {
          throw refuse(member.key)
        }
        following = value
      case Key.dithers: dithers = member.value != .bool(false)
      default:
        if set(member.key, to: member.value) != nil { throw refuse(member.key) }
      }
    }
  }

  /// Writes the description's JSON.
  public func encode(to encoder: any Encoder) throws {
    var members = members
    if following != .nothing {
      members.append(.init(Key.following, .string(following.rawValue)))
    }
    if !dithers { members.append(.init(Key.dithers, .bool(false))) }
    try JSONValue.object(members).encode(to: encoder)
  }
}
