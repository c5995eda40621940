import FoundationEssentials
import SafelightFiles
import SafelightMetadata
import SafelightStorage

/// What can be said of a photo without a lock, a decoder or its record: for lists of many photos.
package struct PhotoGlance: Sendable {
  /// The original's absolute path, links followed.
  package let path: FilePath
  /// Its length in bytes.
  package let bytes: Int64
  /// A word that changes with the photo and its edit.
  package let revision: String
  /// Whether there is a sidecar beside it that does not say that everything was undone.
  package let hasAdjustments: Bool
  /// Columns and rows of the original as it is seen; `nil` when only a decoder can tell.
  package let size: PixelSize?
  /// When it was taken; `nil` when the file does not say.
  package let creationDate: Date?
  /// What the camera's clock showed then, as if it had shown UTC.
  package let localDate: Date?
  /// Maker and model; `nil` when the file does not say.
  package let camera: String?

  /// Looks at a photo's files.
  ///
  /// - Throws: ``EditError`` when the original is missing or cannot be read.
  package init(_ photo: FilePath) throws(EditError) {
    do {
      let stamp = try PhotoRevision(photo)
      let fileSystem = FileSystem.real
      let file = try fileSystem.openForReading(stamp.path)
      let length = try fileSystem.status(of: file).size
      let header = PhotoHeader(PhotoBytes(file, size: Int(length)))
      path = stamp.path
      bytes = length
      revision = stamp.revision
      hasAdjustments = stamp.mayBeEdited && !Self.showsOriginal(stamp, fileSystem)
      size = header.flatMap { header in
        guard header.width > 0, header.height > 0 else { return nil }
        let isTurned = header.orientation >= 5
        return PixelSize(
          width: isTurned ? header.height : header.width,
          height: isTurned ? header.width : header.height)
      }
      creationDate = header?.captureDate
      localDate = header?.captureTime?.reading
      camera = header?.camera
    } catch {
      throw EditError(error, path: photo)
    }
  }

  private static func showsOriginal(_ stamp: PhotoRevision, _ fileSystem: FileSystem) -> Bool {
    let path = stamp.path.suffixed(".aae")
    guard let bytes = try? fileSystem.contents(of: path, limit: Record.maximumSize),
      let record = try? Record(parsing: bytes)
    else { return false }
    return record.showsOriginal
  }
}
