import SafelightCVips

/// Why libvips could not do something.
///
/// libvips has one text buffer for the whole process, so `detail` is exact only while nothing
/// else runs; it is for people to read, never for a program to decide by.
public enum VipsError: Error, Equatable, CustomStringConvertible {
  /// libvips did not start. Its installation is broken.
  case start(detail: String)
  /// The operation does not exist in this build of libvips, such as `heifload_source` without
  /// its module.
  case missingOperation(String)
  /// The operation refused its input or failed while it ran.
  case operation(String, detail: String)
  /// The file could not be opened for reading; `code` is the system's errno.
  case open(code: Int32)

  /// What happened, in one sentence.
  public var description: String {
    switch self {
    case .start(let detail): "libvips did not start: \(detail)"
    case .missingOperation(let name): "This libvips has no \(name)."
    case .operation(let name, let detail): "\(name): \(detail)"
    case .open(let code): "The file could not be opened (errno \(code))."
    }
  }

  /// The failure of `name`, with libvips's text taken out of its buffer right away.
  static func last(_ name: String) -> VipsError {
    .operation(name, detail: takeErrorText())
  }

  static func takeErrorText() -> String {
    guard let buffer = vips_error_buffer_copy() else { return "" }
    defer { g_free(buffer) }
    let lines = String(cString: buffer).split(separator: "\n").map { line in
      line.hasPrefix("VipsJpeg: ") ? line.dropFirst(10) : line
    }
    // libvips repeats a line for each operation that passes the failure on.
    var unique: [Substring] = []
    for line in lines where !unique.contains(line) { unique.append(line) }
    return unique.joined(separator: "; ")
  }
}
