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
    /// AVIF, 8 or 12 bits a channel. The encoder of libheif 1.15 ends the process at 10 bits.
    case avif
    /// JPEG XL, 8 or 16 bits a channel.
    case jxl

    /// The usual ending of a file name, without the dot.
    public var fileExtension: String { file.endings[0] }

    /// The most pixels along a side that the file format can hold, or that its readers read.
    public var largestSide: Int { file.largestSide }

    /// The table of the formats.
    package var file: OutputFile {
      switch self {
      case .jpeg:
        // A JPEG has room for 65,535, but libjpeg reads no more than this.
        OutputFile(
          title: "JPEG", endings: ["jpg", "jpeg", "jpe"], largestSide: 65_500, hasQuality: true,
          chromas: Chroma.allCases, isEncodedInStrips: true, photo: .jpeg)
      case .png:
        OutputFile(
          title: "PNG", endings: ["png"], largestSide: Int(Int32.max), depths: [8, 16],
          holdsAlpha: true, isEncodedInStrips: true, photo: .png)
      case .tiff:
        OutputFile(
          title: "TIFF", endings: ["tif", "tiff"], largestSide: Int(Int32.max), depths: [8, 16],
          holdsAlpha: true, photo: .tiff, package: "libtiff6")
      case .webp:
        OutputFile(
          title: "WebP", endings: ["webp"], largestSide: 16_383, hasQuality: true,
          isLosslessAt100: true, holdsGray: false, holdsAlpha: true, photo: .webp,
          package: "libwebp7")
      case .avif:
        // What HEIF's readers take (libheif's limits).
        OutputFile(
          title: "AVIF", endings: ["avif"], largestSide: 16_384, depths: [8, 12],
          keepsDepth: false, hasQuality: true, leastEffort: 1, chromas: [.full, .quarter],
          holdsGray: false, holdsAlpha: true, photo: .avif, package: "libheif1")
      case .jxl:
        OutputFile(
          title: "JPEG XL", endings: ["jxl"], largestSide: 1 << 18, depths: [8, 16],
          hasQuality: true, isLosslessAt100: true, leastEffort: 3, holdsAlpha: true, photo: .avif,
          package: "libjxl0.7")
      }
    }

    /// The part of libvips that encodes, when it is loaded late.
    package var module: Renderer.Module? {
      switch self {
      case .avif: .heif
      case .jxl: .jpegXL
      case .jpeg, .png, .tiff, .webp: nil
      }
    }

    /// The media type, as the internet calls it.
    package var mediaType: String { "image/\(rawValue)" }

    /// Whether the format keeps 16 bits a channel without being asked.
    var keepsSixteenBits: Bool { file.keepsDepth && file.depths.contains(16) }
  }

  /// The resolution of color in a JPEG or an AVIF, beside that of light.
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

/// What is known of a format of outputs: a row of ``RenderOutput/Format/file``.
package struct OutputFile: Sendable {
  /// The name for people.
  package let title: String
  /// The endings of file names in lower case, without the dot, the usual one first.
  package let endings: [String]
  /// See ``RenderOutput/Format/largestSide``.
  let largestSide: Int
  /// The bits that a channel can have.
  package var depths = [8]
  /// Whether a picture has the photo's bits without being asked. AVIF of more than 8 bits is read by fewer programs.
  var keepsDepth = true
  /// Whether files become smaller with less quality.
  package var hasQuality = false
  /// Whether a file of quality 100 has the pixels without loss.
  package var isLosslessAt100 = false
  /// The least time that the encoder can be told to take, up to 9 for smaller files; `nil` when it cannot be told. The
  /// encoder of JPEG XL takes 1 and 2 for 3.
  package var leastEffort: Int?
  /// The resolutions that color can have.
  package var chromas: [RenderOutput.Chroma] = [.full]
  /// Whether a picture of one band is gray in the file; elsewhere its codes become red, green and blue.
  var holdsGray = true
  /// Whether the format keeps transparency.
  package var holdsAlpha = false
  /// Whether the format's encoder works on strips, and keeps the rows around a strip. The others are
  /// libvips's, which read their pixels themselves, from top to bottom.
  var isEncodedInStrips = false
  /// The format of photos that has metadata in the same places. JPEG XL has boxes for Exif and XMP, as AVIF has items.
  package let photo: PhotoFormat
  /// The Debian package whose absence leaves libvips without the encoder.
  var package = "libvips42"
}
