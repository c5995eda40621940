import Glibc
import PhotoEditing

/// A list of paths in a file or on standard input, one to a line or separated by NUL.
enum PathList {
  /// A list that could not be read.
  struct Failure: Error {
    let name: String
    let reason: String
  }

  /// Reads a list to its end. Empty names are passed over, and names are bytes like any path.
  ///
  /// - Parameters:
  ///   - name: The file; `-` is standard input.
  ///   - separator: What stands between two names.
  static func read(_ name: String, separator: UInt8) throws(Failure) -> [FilePath] {
    let path = FilePath(argument: name)
    let descriptor = name == "-" ? STDIN_FILENO : path.withPath { open($0, O_RDONLY | O_CLOEXEC) }
    guard descriptor >= 0 else { throw Failure(name: path.string, reason: reason(errno)) }
    defer { if name != "-" { close(descriptor) } }
    var paths: [FilePath] = []
    var rest: [UInt8] = []
    var buffer = [UInt8](repeating: 0, count: 1 << 16)
    while true {
      let count = Glibc.read(descriptor, &buffer, buffer.count)
      if count < 0, errno == EINTR { continue }
      guard count >= 0 else { throw Failure(name: path.string, reason: reason(errno)) }
      if count == 0 { break }
      let pieces = buffer[..<count].split(separator: separator, omittingEmptySubsequences: false)
      for (index, piece) in pieces.enumerated() {
        if index > 0 {
          if !rest.isEmpty { paths.append(FilePath(bytes: rest)) }
          rest = []
        }
        rest += piece
      }
    }
    if !rest.isEmpty { paths.append(FilePath(bytes: rest)) }
    return paths
  }

  private static func reason(_ code: Int32) -> String { String(cString: strerror(code)) }
}
