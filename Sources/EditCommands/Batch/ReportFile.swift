import Glibc
import PhotoEditing

/// A file that gets one JSON object a line for each photo, as they are printed.
final class ReportFile: Sendable {
  private let descriptor: Int32

  /// Makes the file, or empties it.
  ///
  /// - Throws: ``SystemCallError``.
  init(_ path: FilePath) throws(SystemCallError) {
    descriptor = path.withPath { creat($0, 0o666) }
    guard descriptor >= 0 else { throw SystemCallError(code: errno) }
  }

  deinit { close(descriptor) }

  /// Adds a photo.
  func add(_ report: PhotoReport) {
    writeWhole(report.json.text + "\n", to: descriptor)
  }
}
