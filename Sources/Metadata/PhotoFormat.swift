import FoundationEssentials
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
  package static func recognized(in header: HeaderBytes) -> PhotoFormat? {
    allCases.first { $0.file.begins(header) }
  }

  /// The format of a file that is no link; `nil` when Safelight does not edit such files.
  package static func recognized(
    at path: FilePath, _ fileSystem: FileSystem
  ) throws(FileSystemError) -> PhotoFormat? {
    recognized(in: try HeaderBytes(recognizing: path, fileSystem))
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
  let begins: @Sendable (HeaderBytes) -> Bool
  /// The size of the stored pixels; `nil` when only a decoder finds it.
  package var size: @Sendable (HeaderBytes) -> (width: Int, height: Int)? = { file in
    PhotoHeader(file).map { ($0.width, $0.height) }
  }
  /// Reads the facts of a file's header; `false` when a decoder has to read them.
  let header: @Sendable (inout PhotoHeader, inout PhotoHeader.Blocks, HeaderBytes) -> Bool
  /// Gathers the metadata that renders carry, from the whole file.
  let metadata: @Sendable (inout CarriedMetadata, Data) -> Void
  /// Hashes the parts of the picture; `false` when they are not all there.
  let digest: @Sendable (inout PictureDigest) throws(FileSystemError) -> Bool
  /// Finds the coded pixels for a fingerprint.
  let fingerprint: @Sendable (inout PictureFingerprint, HeaderBytes) -> Void
}

/// The bytes of a file's header: its first bytes, and others on request.
package struct HeaderBytes: Sendable {
  /// The number of first bytes; most headers are not longer.
  package static let firstCount = 65_536

  /// The file's first bytes.
  package let first: [UInt8]
  /// The file's length in bytes.
  package let size: Int
  /// The directories of a file that begins like a TIFF; `nil` for others.
  package private(set) var tiff: TIFFPictures?
  private let read: @Sendable (_ offset: Int, _ count: Int) -> [UInt8]

  /// Reads the first bytes of an open file.
  ///
  /// - Parameters:
  ///   - file: Open for reading.
  ///   - size: The file's length in bytes.
  package init(_ file: OpenFile, size: Int) {
    self.init(size: size, first: Self.read(file, 0, min(size, Self.firstCount)), of: file)
  }

  /// The bytes of a file in memory, or mapped there.
  init(_ file: Data) {
    size = file.count
    first = Array(file.prefix(4096))
    read = { offset, count in
      Array(file.dropFirst(offset).prefix(count))
    }
    tiff = TIFFPictures(bytes(at:count:))
  }

  /// Reads enough of a file that is no link to recognize its format.
  ///
  /// - Throws: ``FileSystemError`` when the file cannot be read.
  package init(recognizing path: FilePath, _ fileSystem: FileSystem) throws(FileSystemError) {
    let file = try fileSystem.openReadOnly(path)
    let size = Int(try fileSystem.status(of: file).size)
    try self.init(recognizing: file, size: size, fileSystem)
  }

  /// Reads enough of an open file to recognize its format.
  init(
    recognizing file: OpenFile, size: Int, _ fileSystem: FileSystem
  ) throws(FileSystemError) {
    self.init(size: size, first: try fileSystem.bytes(of: file, count: 4096), of: file)
  }

  private init(size: Int, first: [UInt8], of file: OpenFile) {
    (self.size, self.first) = (size, first)
    read = { Self.read(file, $0, $1) }
    tiff = TIFFPictures(bytes(at:count:))
  }

  /// Bytes from an offset on; nil when the file ends before, or for more than 16 MB.
  package func bytes(at offset: Int, count: Int) -> [UInt8]? {
    guard offset >= 0, count >= 0, count <= 16 << 20, offset <= size - count else { return nil }
    if let bytes = first.bytes(at: offset, count: count) { return bytes }
    let bytes = read(offset, count)
    return bytes.count == count ? bytes : nil
  }

  func uint16(at offset: Int) -> Int? { bytes(at: offset, count: 2)?.uint16(at: 0) }

  /// A walk through the segments of a JPEG. Real headers have about 20 segments, and 40 with a
  /// profile or a long XMP packet.
  var segments: JPEGReader { JPEGReader(size: size, limit: 4096) }

  private static func read(_ file: OpenFile, _ offset: Int, _ count: Int) -> [UInt8] {
    (try? FileSystem.real.bytes(of: file, from: Int64(offset), count: count)) ?? []
  }
}
