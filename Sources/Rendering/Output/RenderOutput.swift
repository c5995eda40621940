/// How a render is encoded.
public struct RenderOutput: Sendable, Hashable {
  /// The file formats that renders come in.
  public enum Format: String, Sendable, Hashable, CaseIterable {
    /// JPEG, 8 bits a channel.
    case jpeg
    /// PNG, 8 or 16 bits a channel, without loss.
    case png
    /// TIFF with Deflate, 8 or 16 bits a channel, without loss.
    case tiff
    /// WebP, 8 bits a channel.
    case webp

    /// Most pixels along a side: what the file format can count to.
    public var largestSide: Int {
      switch self {
      case .jpeg: 65_535
      case .webp: 16_383
      case .png, .tiff: Int(Int32.max)
      }
    }

    /// The usual ending of a file name, without the dot.
    public var fileExtension: String {
      switch self {
      case .jpeg: "jpg"
      case .png: "png"
      case .tiff: "tif"
      case .webp: "webp"
      }
    }
  }

  /// The file format. PNG and TIFF keep 16 bits when the photo has them; the others have 8.
  public var format: Format
  /// 1 to 100, for JPEG and WebP; 100 makes WebP lossless. Other numbers are taken as the nearest.
  public var quality: Int {
    didSet { quality = Self.allowed(quality) }
  }
  /// Whether JPEG keeps color at half the resolution (4:2:0); otherwise whole (4:4:4).
  public var subsamplesChroma: Bool
  /// Most pixels along the longer side; smaller photos are not enlarged. `nil` keeps the size.
  public var longestSide: Int?

  /// The JPEG that is stored beside an original: quality 95, color whole, full size.
  public static let standard = RenderOutput(format: .jpeg)

  private static func allowed(_ quality: Int) -> Int { min(max(quality, 1), 100) }

  /// Describes an output.
  public init(
    format: Format, quality: Int = 95, subsamplesChroma: Bool = false, longestSide: Int? = nil
  ) {
    self.format = format
    self.quality = Self.allowed(quality)
    self.subsamplesChroma = subsamplesChroma
    self.longestSide = longestSide
  }
}
