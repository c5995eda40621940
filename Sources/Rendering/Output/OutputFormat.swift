import SafelightAdjustments
import SafelightMetadata

extension RenderOutput {
  /// The file formats that renders come in.
  public enum Format: String, Sendable, Hashable, CaseIterable, Codable, ParameterValue {
    /// JPEG, 8 bits a channel.
    case jpeg
    /// PNG, 8 or 16 bits a channel, without loss. Packed fast: zlib's usual level makes files of photos a tenth
    /// smaller and takes six times as long.
    case png
    /// TIFF with Deflate, 8 or 16 bits a channel, without loss.
    case tiff
    /// WebP, 8 bits a channel.
    case webp

    /// The most pixels along a side that the file format can hold. A JPEG has room for 65,535, but libjpeg reads no more
    /// than this.
    public var largestSide: Int {
      switch self {
      case .jpeg: 65_500
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

    /// The usual ending of a file name and the others, in lowercase letters and without dots.
    package var fileExtensions: [String] {
      switch self {
      case .jpeg: ["jpg", "jpeg", "jpe"]
      case .png: ["png"]
      case .tiff: ["tif", "tiff"]
      case .webp: ["webp"]
      }
    }

    /// The media type, as the internet calls it.
    package var mediaType: String { "image/\(rawValue)" }

    /// Whether its files become smaller with less quality.
    package var hasQuality: Bool { self == .jpeg || self == .webp }

    /// The format of the photo that a render is.
    var photo: PhotoFormat {
      switch self {
      case .jpeg: .jpeg
      case .png: .png
      case .tiff: .tiff
      case .webp: .webp
      }
    }

    /// Whether a picture of one band is gray in the file; elsewhere its codes become red, green and blue.
    var holdsGray: Bool { self != .webp }

    /// Whether the format keeps 16 bits a channel.
    package var holdsSixteenBits: Bool { self == .png || self == .tiff }

    /// Whether the format's encoder works on strips, and keeps the rows around a strip. The others are
    /// libvips's, which read their pixels themselves, from top to bottom.
    var isEncodedInStrips: Bool { self == .jpeg || self == .png }
  }

  /// The resolution of color in a JPEG, beside that of light.
  public enum Chroma: String, Sendable, Hashable, CaseIterable, Codable, ParameterValue {
    /// Each pixel has its color.
    case full = "4:4:4"
    /// Two pixels beside each other have one color.
    case half = "4:2:2"
    /// Four pixels have one color.
    case quarter = "4:2:0"

    /// The sampling of the encoder.
    var sampling: ChromaSampling {
      switch self {
      case .full: .full
      case .half: .halved(across: true, down: false)
      case .quarter: .halved(across: true, down: true)
      }
    }
  }
}
