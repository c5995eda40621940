import FoundationEssentials
import SafelightMetadata
import SafelightVips

/// How a render is encoded.
///
/// ```swift
/// let thumbnails = RenderOutput(format: .webp, quality: 80, longestSide: 640)
/// ```
public struct RenderOutput: Sendable, Hashable, Codable {
  /// The file formats that renders come in.
  public enum Format: String, Sendable, Hashable, CaseIterable, Codable {
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
  }

  /// What the JPEG of a photo that is itself a JPEG takes from it.
  public enum Following: String, Sendable, Hashable, Codable {
    /// Nothing.
    case nothing
    /// The resolution of color, where no color edges arise that need more. Gray renders have none.
    case chroma
    /// The resolution of color, and the quality between 90 and 98, as the original's tables show it.
    case qualityAndChroma
  }

  /// The file format. PNG and TIFF keep 16 bits when the photo has them; the others have 8.
  public var format: Format
  /// 1 to 100, for JPEG and WebP; 100 makes WebP lossless. Numbers outside become the nearest end.
  public var quality: Int {
    didSet { quality = Self.allowed(quality) }
  }
  /// Whether JPEG keeps color at half the resolution (4:2:0); otherwise at full resolution (4:4:4).
  public var subsamplesChroma: Bool
  /// What a JPEG takes from its original, in place of the values above.
  public var following: Following
  /// Whether pictures of 8 bits are dithered where an edit makes gradients that are finer than the photo's
  /// codes, and where the photo has 16 bits.
  public var dithers: Bool
  /// The most pixels along the longer side; `nil` keeps the size. Smaller photos are not enlarged.
  public var longestSide: Int?

  /// The JPEG that is stored beside an original, at full size: as good as an original that is a JPEG,
  /// and beside other originals quality 95 with color at full resolution.
  public static let standard = RenderOutput(format: .jpeg, following: .qualityAndChroma)

  private static func allowed(_ quality: Int) -> Int { min(max(quality, 1), 100) }

  /// Describes an output.
  public init(
    format: Format, quality: Int = 95, subsamplesChroma: Bool = false, longestSide: Int? = nil,
    following: Following = .nothing, dithers: Bool = true
  ) {
    self.format = format
    self.quality = Self.allowed(quality)
    self.subsamplesChroma = subsamplesChroma
    self.longestSide = longestSide
    self.following = following
    self.dithers = dithers
  }
}

/// Encodes finished pixels, with the metadata of the original adapted to the render.
struct RenderEncoder {
  let output: RenderOutput
  let metadata: CarriedMetadata
  /// The orientation that was applied to the pixels.
  let orientation: Int
  /// Where places of the original are in the render; nil when its metadata name none.
  var places: MetadataPlaces?
  /// The profile of the pixels.
  let profile: [UInt8]?
  let original: OriginalReference
  let isResized: Bool
  /// How the original was encoded; `nil` when it is no JPEG.
  let coding: JPEGCoding?
  let cancellation: RenderCancellation?

  /// Encodes a picture.
  ///
  /// - Returns: Warnings about metadata of the original that the file does not carry.
  func encode(
    _ picture: RenderedPicture, to sink: @escaping (UnsafeRawBufferPointer) throws -> Void
  ) throws -> [RenderWarning] {
    let image = picture.image
    guard output.format != .jpeg else {
      let header = metadata.header(
        size: (image.width, image.height), baked: orientation, profile: profile.map { Data($0) },
        resolution: resolution, derivedFrom: original, moving: places)
      try encodeJPEG(picture, behind: header, to: sink)
      return header.warnings.map { RenderWarning.metadata($0.description) }
    }
    let blocks = blocks(for: image)
    var warnings = blocks.warnings
    switch output.format {
    case .jpeg: break
    case .png: try encodePNG(picture, with: blocks, to: sink)
    case .tiff:
      let tagged = try image.replacingAttachments([
        .profile: profile, .xmp: nil, .iptc: nil, .exif: nil,
      ])
      try withTarget(sink) { target throws(VipsError) in
        try tagged.writeTIFF(to: target) { file in
          let splicer = TIFFSplicer(file, blocks)
          if let splicer {
            if splicer.movesMakerNote { warnings.append(.makerNoteMoved) }
            if !splicer.dropped.isEmpty { warnings.append(.exifTagsNotCarried(splicer.dropped)) }
          } else {
            warnings.append(.tiffFull)
          }
          return splicer.map { ($0.beginning, file.count, $0.end) }
        }
      }
    case .webp:
      // The packet has the encoder write a first chunk in which the metadata can be said.
      let tagged = try image.replacingAttachments([
        .profile: profile, .xmp: blocks.xmp, .iptc: nil, .exif: nil,
      ])
      try withTarget(sink) { target throws(VipsError) in
        try tagged.writeWebP(to: target, quality: output.quality) { file in
          WebPSplicer(file, blocks).map { ($0.beginning, $0.kept, $0.end) }
        }
      }
    }
    return warnings.map { RenderWarning.metadata($0.description) }
  }

  /// The pixels per inch of a picture that was made smaller; `nil` keeps what the original says.
  private var resolution: Double? { isResized ? 72 : nil }

  private func encodeJPEG(
    _ picture: RenderedPicture, behind header: CarriedHeader,
    to sink: @escaping (UnsafeRawBufferPointer) throws -> Void
  ) throws {
    var splicer = JPEGSplicer(
      header: header.bytes, further: try further(picture.picture), trailer: header.trailer,
      sink: sink)
    let (quality, chroma) = settings(for: picture)
    let encoder = JPEGStripEncoder(picture.image, quality: quality, chroma: chroma)
    try encoder.encode(picture, unless: cancellation) { bytes in try splicer.write(bytes) }
    try splicer.finish()
  }

  /// The planes beside the color as JPEGs of their own, which stand behind that of the color.
  private func further(_ picture: Picture) throws -> [Data] {
    try picture.others.sorted { $0.key.name < $1.key.name }.map { other in
      var bytes = Data()
      try JPEGStripEncoder(other.value, quality: output.quality, chroma: .full).encode(
        RenderedPicture(other.value), unless: cancellation
      ) { bytes.append(contentsOf: $0) }
      return bytes
    }
  }

  /// The quality of a JPEG and its resolution for color.
  private func settings(for picture: RenderedPicture) -> (quality: Int, chroma: ChromaSampling) {
    var quality = output.quality
    var chroma: ChromaSampling =
      output.subsamplesChroma ? .halved(across: true, down: true) : .full
    if let coding, output.following != .nothing {
      if output.following == .qualityAndChroma {
        let bounds = JPEGCoding.qualities
        quality = min(max(coding.quality, bounds.lowerBound), bounds.upperBound)
      }
      // A picture that was made smaller has color for each of its pixels.
      if !isResized {
        let turned = Orientation(exif: orientation).swapsSides
        chroma = picture.makesColorEdges ? .full : turned ? coding.chroma.turned : coding.chroma
      }
    }
    return (quality, picture.isGray && output.following != .nothing ? .none : chroma)
  }

  private func encodePNG(
    _ picture: RenderedPicture, with blocks: CarriedMetadata.Blocks,
    to sink: @escaping (UnsafeRawBufferPointer) throws -> Void
  ) throws {
    let encoder = PNGStripEncoder(
      picture.image,
      metadata: PNGChunk.metadata(
        profile: profile, exif: blocks.exif, xmp: blocks.xmp, further: blocks.chunks))
    try encoder.encode(picture, unless: cancellation, to: sink)
  }

  private func blocks(for image: Image) -> CarriedMetadata.Blocks {
    metadata.blocks(
      for: output.format.photo, size: (image.width, image.height), baked: orientation,
      resolution: resolution, derivedFrom: original, moving: places)
  }

  /// Runs an encoder. When the sink throws, that error is thrown instead of the error of libvips.
  private func withTarget(
    _ sink: @escaping (UnsafeRawBufferPointer) throws -> Void,
    encode: (Target) throws(VipsError) -> Void
  ) throws {
    let target = try Target(sink)
    do {
      try encode(target)
    } catch {
      throw target.failure ?? error
    }
    // Some encoders do not report that the end of the file could not be written.
    if let failure = target.failure { throw failure }
  }
}

extension RenderOutput.Format {
  /// The format of the photo that a render is.
  var photo: PhotoFormat {
    switch self {
    case .jpeg: .jpeg
    case .png: .png
    case .tiff: .tiff
    case .webp: .webp
    }
  }

  /// Whether the format keeps 16 bits a channel.
  var holdsSixteenBits: Bool { self == .png || self == .tiff }

  /// Whether the format's encoder works on strips, and keeps the rows around a strip. The others are
  /// libvips's, which read their pixels themselves, from top to bottom.
  var isEncodedInStrips: Bool { self == .jpeg || self == .png }
}
