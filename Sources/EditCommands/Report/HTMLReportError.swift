import Glibc
import PhotoEditing

/// Why a report could not be written. What it says already stays readable.
enum HTMLReportError: Error, Equatable, CustomStringConvertible {
  /// A folder or the page could not be made or written; `code` is the system's errno.
  case file(path: FilePath, code: Int32)
  /// A page that is no report stands where the report would go.
  case taken(path: FilePath)

  /// What happened, in one sentence.
  var description: String {
    switch self {
    case .file(let path, let code):
      "The report \(path) could not be written: \(String(cString: strerror(code)))."
    case .taken(let path): "\(path) exists and is no report of Safelight."
    }
  }

  /// What can be done about it.
  var hint: String {
    switch self {
    case .file(_, ENOSPC), .file(_, EDQUOT): "Make room on the disk."
    case .file: "Name a folder that can be written."
    case .taken: "Name another folder."
    }
  }
}
