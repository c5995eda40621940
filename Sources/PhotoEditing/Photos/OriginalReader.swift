import Glibc
import SafelightDarkroom
import SafelightFiles
import SafelightMetadata
import SafelightRendering
import SafelightStorage

/// What a photo's file says without its pixels, for catalogs of many photos.
package struct OriginalFacts: Sendable {
  /// The file when it was read.
  package let status: FileStatus
  package let format: PhotoFormat
  /// The original's header, with what Google says where the photo itself says nothing; it says nothing about the edit.
  package let header: PhotoHeader
  /// Whether it was a favorite in Google Photos.
  package let isFavorite: Bool
  /// The first 16 bytes of the SHA-256 of the file's length, its first 16 KB and its last 4 KB: Exif,
  /// thumbnail and the end of the pixels. Two photos hardly ever have the same fingerprint, and a moved photo
  /// keeps its fingerprint.
  package let fingerprint: [UInt8]
  /// What the picture is recognized by when the photo was renamed and other programs wrote metadata into it; see
  /// `PictureFingerprint`. For files whose pixels are not found it is ``fingerprint``.
  package let pictureFingerprint: [UInt8]
}

/// What a sidecar says about a photo, for catalogs of many photos.
package struct SidecarFacts: Sendable, Hashable {
  /// The sidecar's modification time in nanoseconds since 1970 UTC.
  package let modified: Int64
  /// The edit's format; empty when the sidecar cannot be read, whichever program wrote it, and `nil` when
  /// everything was undone, so that the photo is not edited.
  package let adjustmentFormat: String?
  package var pixelWidth: Int?
  package var pixelHeight: Int?

  /// A sidecar whose bytes the disk did not give, or whose photo is busy. No sidecar has this time, so
  /// each scan tries again.
  package static let unread = Self(modified: -1, adjustmentFormat: "")
}

/// A file that cannot be read, or begins like a photo and is none.
package struct UnreadableOriginal: Error, CustomStringConvertible {
  package let description: String
}

/// Reads what photos' files say. Several threads may use it at once.
package struct OriginalReader: Sendable {
  private let darkroom: PhotoDarkroom
  private let fileSystem: FileSystem

  /// - Parameter timeLimit: How long a decoder may look for one header that only it can read.
  package init(_ fileSystem: FileSystem = .real, timeLimit: Duration = .seconds(30)) {
    var darkroom = PhotoDarkroom.current
    darkroom.timeLimit = timeLimit
    (self.darkroom, self.fileSystem) = (darkroom, fileSystem)
  }

  /// Reads a file.
  ///
  /// - Parameters:
  ///   - description: Google's description of the photo; `nil` when there is none.
  ///   - isOther: Whether the file is none of the photos to read, by its header.
  /// - Returns: `nil` for a file that is no photo, or none of those to read.
  package func read(
    _ path: FilePath, describedBy description: FilePath? = nil,
    unless isOther: (PhotoHeader) -> Bool
  ) throws(UnreadableOriginal) -> OriginalFacts? {
    let (file, status): (OpenFile, FileStatus)
    do {
      file = try fileSystem.openForReading(path)
      status = try fileSystem.status(of: file)
    } catch {
      throw UnreadableOriginal(description: error.description)
    }
    guard status.kind == .file else { return nil }
    let bytes = PhotoBytes(file, size: Int(status.size))
    if bytes.beginning.isEmpty, status.size > 0 {
      throw UnreadableOriginal(description: "\(path) cannot be read.")
    }
    guard let format = PhotoFormat.recognized(in: bytes) else { return nil }
    let header: PhotoHeader
    if let read = PhotoHeader(bytes) {
      header = read
    } else {
      let source = PhotoSource(file, name: (path.lastComponent ?? path).string)
      do {
        header = try darkroom.open(source).header
      } catch {
        throw UnreadableOriginal(description: "\(error)")
      }
    }
    if isOther(header) { return nil }
    let fingerprint = Self.fingerprint(bytes)
    let described = description.flatMap { TakeoutDescription(at: $0, fileSystem) }
    return OriginalFacts(
      status: status, format: format, header: header.completed(by: described),
      isFavorite: described?.isFavorite == true, fingerprint: fingerprint,
      pictureFingerprint: PictureFingerprint.bytes(of: bytes) ?? fingerprint)
  }

  /// What ``OriginalFacts/fingerprint`` of a file is now; `nil` when it cannot be read.
  package static func fingerprint(
    ofFileAt path: FilePath, _ fileSystem: FileSystem
  ) -> [UInt8]? {
    guard let file = try? fileSystem.openReadOnly(path),
      let status = try? fileSystem.status(of: file), status.kind == .file
    else { return nil }
    return fingerprint(PhotoBytes(file, size: Int(status.size)))
  }

  private static func fingerprint(_ bytes: PhotoBytes) -> [UInt8] {
    let length = withUnsafeBytes(of: UInt64(bytes.count).bigEndian) { Array($0) }
    let tail = min(bytes.count, 4096)
    let ends =
      length + bytes.beginning.prefix(16_384)
      + (bytes.bytes(at: bytes.count - tail, count: tail) ?? [])
    return Array(SHA256.digest(of: ends).bytes.prefix(16))
  }

  /// The facts about a photo's sidecar, or about the record of a pending change, which counts already.
  ///
  /// - Parameters:
  ///   - modified: When the sidecar last changed; `nil` when there is none.
  ///   - isPending: Whether a change of the edit is decided and not finished yet.
  ///   - apples: Apple's sidecar, which `modified` is about; `nil` when that is the one of Safelight's name.
  package func sidecar(
    of path: FilePath, modified: Int64?, isPending: Bool, apples: FilePath? = nil
  ) -> SidecarFacts? {
    guard modified != nil || isPending else { return nil }
    if let apples, !isPending { return sidecar(ofApplesAt: apples, modified: modified ?? 0) }
    let record: Record?
    do {
      if isPending {
        record = try PhotoFiles(path, fileSystem: fileSystem).read(timeout: .seconds(5)).record
      } else {
        record = try Record(
          parsing: fileSystem.contents(of: path.suffixed(".aae"), limit: Record.maximumSize))
      }
    } catch let error as FileSystemError where error.errno != EFBIG {
      return .unread
    } catch StorageError.busy, StorageError.originalUnreadable {
      return .unread
    } catch {
      return SidecarFacts(modified: modified ?? 0, adjustmentFormat: "")
    }
    guard let record else { return nil }
    return SidecarFacts(
      modified: modified ?? 0, adjustmentFormat: record.visibleFormat,
      pixelWidth: record.render?.pixelWidth, pixelHeight: record.render?.pixelHeight)
  }

  /// The facts about a sidecar of Apple's. The picture is as it was taken until somebody adopts the edit.
  private func sidecar(ofApplesAt path: FilePath, modified: Int64) -> SidecarFacts {
    let edit = AppleEdit(sidecarAt: path, fileSystem)
    let isNothing = edit?.isUnderstood == true && edit?.enabled.isEmpty == true
    return SidecarFacts(
      modified: modified, adjustmentFormat: isNothing ? nil : edit?.data.formatIdentifier)
  }
}
