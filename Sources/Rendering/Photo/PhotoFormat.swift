/// A kind of picture file that Safelight edits, recognized by content and never by name.
public enum PhotoFormat: String, Sendable, Hashable {
  /// JPEG, baseline or progressive.
  case jpeg
  /// PNG, 8 or 16 bits a channel.
  case png
  /// TIFF, without the camera raw files that begin like a TIFF.
  case tiff
  /// WebP, lossy or lossless.
  case webp
  /// HEIF with HEVC pictures.
  case heic
  /// HEIF with AV1 pictures.
  case avif

  /// The format's name for people.
  public var title: String {
    switch self {
    case .jpeg: "JPEG"
    case .png: "PNG"
    case .tiff: "TIFF"
    case .webp: "WebP"
    case .heic: "HEIC"
    case .avif: "AVIF"
    }
  }

  /// The uniform type identifier, as PhotoKit names content types.
  public var contentType: String {
    switch self {
    case .jpeg: "public.jpeg"
    case .png: "public.png"
    case .tiff: "public.tiff"
    case .webp: "org.webmproject.webp"
    case .heic: "public.heic"
    case .avif: "public.avif"
    }
  }

  /// The format of a file by its first bytes, of which 4,096 are enough; `nil` when Safelight does
  /// not edit such files.
  package static func recognized(from bytes: [UInt8]) -> PhotoFormat? {
    try? PhotoFormat(firstBytes: bytes)
  }

  /// Recognizes a file by its first bytes; 4,096 are enough.
  ///
  /// - Throws: ``RenderError/unsupportedFormat(_:reason:)`` for pictures that Safelight does not
  ///   edit, ``RenderError/notAPicture`` for everything else, ``RenderError/empty``.
  init(firstBytes bytes: [UInt8]) throws(RenderError) {
    guard !bytes.isEmpty else { throw .empty }
    func starts(with text: String, at offset: Int = 0) -> Bool {
      bytes.dropFirst(offset).starts(with: text.utf8)
    }
    if bytes.starts(with: [0xFF, 0xD8]) {
      self = .jpeg
    } else if bytes.starts(with: [0x89, 0x50, 0x4E, 0x47, 0x0D, 0x0A, 0x1A, 0x0A]) {
      self = .png
    } else if starts(with: "RIFF"), starts(with: "WEBP", at: 8) {
      self = .webp
    } else if bytes.starts(with: [0x49, 0x49, 0x2A, 0])
      || bytes.starts(with: [0x49, 0x49, 0x2B, 0])
      || bytes.starts(with: [0x4D, 0x4D, 0, 0x2A]) || bytes.starts(with: [0x4D, 0x4D, 0, 0x2B])
    {
      if RawSigns.isRaw(bytes) { throw Self.raw }
      self = .tiff
    } else if starts(with: "ftyp", at: 4) {
      self = try Self.isoFormat(bytes)
    } else {
      throw Self.refusal(of: bytes)
    }
  }

  private static let raw = RenderError.unsupportedFormat(
    "a camera raw file", reason: "and raw development is not part of Safelight")

  /// HEIC and AVIF by the brands of the file type box (ISO/IEC 14496-12, 23008-12).
  private static func isoFormat(_ bytes: [UInt8]) throws(RenderError) -> PhotoFormat {
    let size = bytes.prefix(4).reduce(0) { $0 << 8 | Int($1) }
    let box = bytes[8..<min(max(size, 12), bytes.count)]
    let brands = stride(from: box.startIndex, to: box.endIndex - 3, by: 4).map {
      String(decoding: bytes[$0..<($0 + 4)], as: UTF8.self)
    }
    if brands.contains(where: { ["avif", "avis"].contains($0) }) { return .avif }
    let heif: Set = ["heic", "heix", "heim", "heis", "hevc", "hevx", "mif1", "msf1", "heif"]
    if brands.contains(where: heif.contains) { return .heic }
    if brands.first?.hasPrefix("crx") == true { throw raw }
    throw .unsupportedFormat("a video or another ISO media file", reason: "not a photo")
  }

  /// The error for a file that Safelight does not edit; known formats are named.
  private static func refusal(of bytes: [UInt8]) -> RenderError {
    let untrusted = "whose decoder libvips marks as untrusted, so it stays off"
    let known: [(signature: [UInt8], offset: Int, name: String, reason: String)] = [
      ([0xFF, 0x0A], 0, "JPEG XL", untrusted),
      (Array("JXL ".utf8), 4, "JPEG XL", untrusted),
      (Array("jP  ".utf8), 4, "JPEG 2000", untrusted),
      ([0xFF, 0x4F, 0xFF, 0x51], 0, "JPEG 2000", untrusted),
      ([0x76, 0x2F, 0x31, 0x01], 0, "OpenEXR", untrusted),
      (Array("%PDF".utf8), 0, "a PDF", "not a photo"),
      (Array("GIF8".utf8), 0, "a GIF", "which has too few colors to edit as a photo"),
      (Array("BM".utf8), 0, "a BMP", "which Safelight does not edit"),
      (Array("8BPS".utf8), 0, "a Photoshop document", "which Safelight does not edit"),
      (Array("FUJIFILMCCD-RAW".utf8), 0, "a camera raw file", "which needs developing first"),
    ]
    for format in known where bytes.dropFirst(format.offset).starts(with: format.signature) {
      return .unsupportedFormat(format.name, reason: format.reason)
    }
    return .notAPicture
  }

  /// The Debian package whose absence leaves libvips without this format's decoder.
  var decoderPackage: String {
    switch self {
    case .heic: "libheif1 and libde265-0"
    case .avif: "libheif1 and libdav1d6"
    case .jpeg, .png, .tiff, .webp: "libvips42"
    }
  }
}

/// Tells TIFF photos from camera raw files, many of which begin like a TIFF.
private enum RawSigns {
  /// Whether a file that begins like a TIFF is a raw file: Canon's mark, a DNG version, or a first
  /// picture that calls itself a reduced-size preview (TIFF 6.0 tag 254, bit 0).
  static func isRaw(_ bytes: [UInt8]) -> Bool {
    let littleEndian = bytes[0] == 0x49
    func number(at offset: Int, bytes count: Int) -> Int? {
      guard offset >= 0, offset + count <= bytes.count else { return nil }
      let part = bytes[offset..<(offset + count)]
      return (littleEndian ? Array(part.reversed()) : Array(part)).reduce(0) { $0 << 8 | Int($1) }
    }
    if bytes.dropFirst(8).starts(with: "CR".utf8) { return true }
    guard let directory = number(at: 4, bytes: 4), let entries = number(at: directory, bytes: 2)
    else { return false }
    for entry in 0..<entries {
      let offset = directory + 2 + entry * 12
      guard let tag = number(at: offset, bytes: 2) else { return false }
      if tag == 0xC612 { return true }
      if tag == 254, let kind = number(at: offset + 8, bytes: 4), kind & 1 == 1 { return true }
    }
    return false
  }
}
