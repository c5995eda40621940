import SafelightFiles
import SafelightFormats

/// A kind of picture file that Safelight edits, recognized by content and never by name.
public enum PhotoFormat: String, Sendable, Hashable, Codable, CaseIterable {
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

  /// The table of the formats. What decodes their pixels is in a second table, of Rendering.
  package var file: FileFormat {
    switch self {
    case .jpeg: .jpeg
    case .png: .png
    case .tiff: .tiff
    case .webp: .webP
    case .heic: .heic
    case .avif: .avif
    }
  }

  /// The format's name for people.
  public var title: String { file.title }

  /// The uniform type identifier, as PhotoKit names content types.
  public var contentType: String { file.contentType }

  /// Whether a file's name has the ending of a photo.
  package static func isNamed(by path: FilePath) -> Bool {
    let ending = path.extension?.lowercased() ?? ""
    return allCases.contains { $0.file.fileExtensions.contains(ending) }
  }

  /// The format of a file by its beginning; `nil` when Safelight does not edit such files. Of most
  /// files the first 4,096 bytes are enough.
  package static func recognized(in header: PhotoBytes) -> PhotoFormat? {
    allCases.first { $0.file.begins(header) }
  }

  /// The format of a file that is no link; `nil` when Safelight does not edit such files.
  package static func recognized(
    at path: FilePath, _ fileSystem: FileSystem
  ) throws(FileSystemError) -> PhotoFormat? {
    recognized(in: try PhotoBytes(recognizing: path, fileSystem))
  }
}

/// What is known of a format's files without decoding a pixel: a row of ``PhotoFormat/file``.
package struct FileFormat: Sendable {
  /// The name for people.
  package let title: String
  /// The uniform type identifier.
  package let contentType: String
  /// The type for HTTP.
  package let mediaType: String
  /// The endings of file names in lower case, without the dot, the usual one first.
  package let fileExtensions: [String]
  /// Whether a decoder can find no other size than ``size``.
  package let hasExactSize: Bool

  /// Whether a file begins as one of this format.
  let begins: @Sendable (PhotoBytes) -> Bool
  /// The size of the stored pixels; `nil` when only a decoder finds it.
  package var size: @Sendable (PhotoBytes) -> (width: Int, height: Int)? = { file in
    PhotoHeader(file).map { ($0.width, $0.height) }
  }
  /// Reads the facts of a file's header; `false` when a decoder has to read them.
  let header: @Sendable (inout PhotoHeader, inout PhotoHeader.Blocks, PhotoBytes) -> Bool
  /// Gathers the metadata that renders carry.
  let metadata: @Sendable (inout CarriedMetadata, PhotoBytes) -> Void
  /// Hashes the parts of the picture; `false` when they are not all there.
  let digest: @Sendable (inout PictureDigest) throws(FileSystemError) -> Bool
  /// Finds the coded pixels for a fingerprint.
  let fingerprint: @Sendable (inout PictureFingerprint, PhotoBytes) -> Void
}
