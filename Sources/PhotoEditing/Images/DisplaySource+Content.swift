import FoundationEssentials
import Glibc
import SafelightMetadata
import SafelightRendering
import SafelightStorage

extension DisplaySource {
  /// A photo's file, whole.
  package struct FileContent: Sendable {
    package let bytes: Data
    /// The uniform type identifier, such as `public.jpeg`.
    package let contentType: String
    /// The EXIF orientation, 1 to 8, that the pixels still need.
    package let orientation: Int
  }

  /// The bytes of a photo's render, or of its original where it has no edit or is shown without.
  ///
  /// A render that is missing or of another length than recorded is made anew, in memory.
  /// - Throws: ``EditError``.
  package func content(
    of stamp: PhotoStamp, showsEdit: Bool, cancellation: RenderCancellation? = nil
  ) throws(EditError) -> FileContent {
    do {
      return try withPixels(of: stamp, showsEdit: showsEdit) { source, edit in
        guard edit.isEmpty else {
          return FileContent(
            bytes: try rendered(source, edit, cancellation), contentType: "public.jpeg",
            orientation: 1)
        }
        let facts = try editor.renderer.facts(of: source)
        return FileContent(
          bytes: try Self.contents(of: source.descriptor, stamp.path),
          contentType: facts.format.contentType, orientation: facts.orientation)
      }
    } catch {
      throw EditError(error, path: stamp.path)
    }
  }

  private func rendered(
    _ source: PhotoSource, _ edit: EditStack, _ cancellation: RenderCancellation?
  ) throws -> Data {
    var bytes = Data()
    _ = try editor.renderer.render(
      source, edit: edit, derivedFrom: OriginalReference(fileName: source.name, sha256: ""),
      cancellation: cancellation
    ) { bytes.append(contentsOf: $0) }
    return bytes
  }

  private static func contents(
    of descriptor: Int32, _ path: FilePath
  ) throws(StorageError) -> Data {
    var facts = stat()
    guard fstat(descriptor, &facts) == 0 else { throw unreadable(path) }
    var bytes = Data(count: Int(facts.st_size))
    var filled = 0
    while filled < bytes.count {
      let count = bytes.withUnsafeMutableBytes { room in
        pread(descriptor, room.baseAddress! + filled, room.count - filled, off_t(filled))
      }
      if count < 0, errno == EINTR { continue }
      guard count >= 0 else { throw unreadable(path) }
      // Somebody cut the file off meanwhile.
      guard count > 0 else { return bytes.prefix(filled) }
      filled += count
    }
    return bytes
  }

  private static func unreadable(_ path: FilePath) -> StorageError {
    .originalUnreadable(FileSystemError(FileSystem.Step(.read, path), errno: errno))
  }
}
