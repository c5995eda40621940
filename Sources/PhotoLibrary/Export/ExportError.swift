import Glibc
import PhotoEditing

/// Why the export could not be written or read. The catalog is not touched by it.
enum ExportError: Error, Equatable, CustomStringConvertible {
  /// A file could not be read or written, for the reason that the system gave.
  case file(FilePath, Int32)
  /// A file is damaged, or of a newer program.
  case unreadable(FilePath, detail: String)
  /// The catalog could not be read.
  case database(DatabaseError)

  var description: String {
    switch self {
    case .file(let path, let number): "\(path.string): \(String(cString: strerror(number)))"
    case .unreadable(let path, let detail): "\(path.string) cannot be read: \(detail)"
    case .database(let error): "the catalog cannot be read: \(error.message)"
    }
  }
}
