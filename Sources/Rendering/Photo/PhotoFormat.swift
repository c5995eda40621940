import SafelightFiles
import SafelightFormats
import SafelightMetadata
import SafelightVips

/// A kind of picture file that Safelight edits, recognized by content and never by name.
public enum PhotoFormat: String, Sendable, Hashable, Codable {
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

  /// The format of a file by its header; `nil` when Safelight does not edit such files.
  package static func recognized(in header: HeaderBytes) -> PhotoFormat? {
    try? PhotoFormat(header)
  }

  /// The format of a file that is no link; `nil` when Safelight does not edit such files.
  package static func recognized(
    at path: FilePath, _ fileSystem: FileSystem
  ) throws(FileSystemError) -> PhotoFormat? {
    recognized(in: try HeaderBytes(recognizing: path, fileSystem))
  }

  /// What a header shows.
  package enum Recognition: Sendable, Equatable {
    /// A photo of a format that Safelight edits.
    case photo(PhotoFormat)
    /// A picture of a kind that Safelight does not edit, such as “a camera raw file”.
    case unsupported(String)
    /// Nothing that Safelight knows as a picture.
    case nothing

    /// Recognizes a file by its header.
    package init(_ header: HeaderBytes) {
      do throws(RenderError) {
        self = .photo(try PhotoFormat(header))
      } catch {
        self =
          if case .unsupportedFormat(let kind, _) = error { .unsupported(kind) } else { .nothing }
      }
    }
  }

  /// Recognizes a file by its header. Of most files the first 4,096 bytes are enough.
  ///
  /// - Throws: ``RenderError/unsupportedFormat(_:reason:)`` for pictures that Safelight does not
  ///   edit, ``RenderError/notAPicture`` for everything else, ``RenderError/empty``.
  init(_ header: HeaderBytes) throws(RenderError) {
    let bytes = header.first
    guard !bytes.isEmpty else { throw .empty }
    if bytes.starts(with: [0xFF, 0xD8]) {
      self = .jpeg
    } else if bytes.starts(with: [0x89, 0x50, 0x4E, 0x47, 0x0D, 0x0A, 0x1A, 0x0A]) {
      self = .png
    } else if bytes.has("RIFF"), bytes.has("WEBP", at: 8) {
      self = .webp
    } else if bytes.has("II*\0") || bytes.has("II+\0") || bytes.has("MM\0*") || bytes.has("MM\0+") {
      if let raw = UnsupportedPhoto.raw(tiff: header) { throw raw.error }
      self = .tiff
    } else if bytes.has("ftyp", at: 4) {
      self = try Self.isoFormat(Array(bytes.prefix(4096)))
    } else {
      throw UnsupportedPhoto.beginning(header)?.error ?? .notAPicture
    }
  }

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
    if brands.first?.hasPrefix("crx") == true { throw UnsupportedPhoto.raw.error }
    throw .unsupportedFormat("a video or another ISO media file", reason: "not a photo")
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

extension PhotoFormat {
  /// What libvips decodes it with.
  var decoder: Image.FileFormat {
    switch self {
    case .jpeg: .jpeg
    case .png: .png
    case .tiff: .tiff
    case .webp: .webp
    case .heic, .avif: .heif
    }
  }
}
