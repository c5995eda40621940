import Glibc
import PhotoEditing
import SafelightFiles

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
    func failure(_ errno: Int32) -> Failure {
      Failure(name: path.string, reason: SystemCallError(code: errno).reason)
    }
    var file: OpenFile?
    if name != "-" {
      // The list may be a pipe of the shell's, which has no path of its own to be resolved to.
      let descriptor = path.withCString { open($0, O_RDONLY | O_CLOEXEC) }
      guard descriptor >= 0 else { throw failure(errno) }
      file = OpenFile(descriptor: descriptor, path: path)
    }
    let reader = LineReader(file?.descriptor ?? STDIN_FILENO, separator: separator)
    var paths: [FilePath] = []
    while let line = reader.next() {
      if !line.isEmpty { paths.append(FilePath(bytes: line)) }
    }
    if let errno = reader.failure { throw failure(errno) }
    withExtendedLifetime(file) {}
    return paths
  }
}
