import Foundation
import Glibc
import SafelightFiles

/// A folder for one test. The folder and its contents are removed with the last reference to this
/// object.
package final class TemporaryFolder: Sendable {
  /// The folder's path.
  package let path: FilePath

  /// Makes an empty folder, in memory where that is possible, because tests of faults flush
  /// thousands of files.
  package init() {
    let parent = access("/dev/shm", W_OK) == 0 ? "/dev/shm" : NSTemporaryDirectory()
    // Some tests compare paths, and a temporary folder may be a link.
    let resolved = URL(fileURLWithPath: parent).resolvingSymlinksInPath().path
    path = FilePath(resolved).appending("safelight-\(UUID().uuidString)")
    precondition(path.withCString { mkdir($0, 0o755) } == 0, "\(path) could not be made")
  }

  deinit {
    try? FileSystem.real.removeTree(path)
  }

  /// The path of a file in the folder.
  package subscript(name: FilePath) -> FilePath { path.appending(name) }

  /// All names in the folder, hidden ones too, sorted.
  package var names: [FilePath] {
    ((try? FileSystem.real.names(in: path)) ?? []).sorted(by: <)
  }

  /// Writes a file, in place of one that is there.
  package func put(_ text: String, at name: FilePath) { put(Array(text.utf8), at: name) }

  /// Writes a file, in place of one that is there.
  package func put(_ bytes: [UInt8], at name: FilePath) { self[name].write(bytes) }

  /// The bytes of a file; `nil` when there is none.
  package func bytes(_ name: FilePath) -> [UInt8]? { self[name].contents }

  /// The text in a file; `nil` when there is none.
  package func text(_ name: FilePath) -> String? {
    bytes(name).map { String(decoding: $0, as: UTF8.self) }
  }
}

extension FilePath {
  /// The bytes of a file; `nil` when there is none.
  package var contents: [UInt8]? {
    try? FileSystem.real.contents(of: self, limit: 1 << 30)
  }

  /// Makes a folder, and the folders above it that are missing.
  package func makeFolder() {
    try? FileManager.default.createDirectory(at: fileURL, withIntermediateDirectories: true)
  }

  /// Writes a file, in place of one that is there.
  package func write(_ bytes: [UInt8], mode: UInt32 = 0o644) {
    let descriptor = withCString { open($0, O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC, mode) }
    precondition(descriptor >= 0, "\(self): \(String(cString: strerror(errno)))")
    defer { close(descriptor) }
    let written = bytes.withUnsafeBytes { Glibc.write(descriptor, $0.baseAddress, $0.count) }
    precondition(written == bytes.count, "\(self) could not be written")
  }
}

/// Names of files that are legal on Linux and hard to handle.
package enum FileNames {
  /// Names with spaces, line ends, bytes that are no UTF-8, and as long as a name may be.
  package static let hard: [[UInt8]] = [
    Array("beach.jpg".utf8), Array("IMG 0001 (1).JPG".utf8), Array("two\nlines.jpg".utf8),
    Array("🏖️ Ünï.jpg".utf8), [0xFF, 0xFE, 0x2E, 0x6A, 0x70, 0x67], [0x61, 0x80, 0xC3],
    [0xED, 0xA0, 0x80], [0xC0, 0xAF], Array("\u{10FF41}\u{10FF00}\u{10FFFF}".utf8),
    Array("100%.jpg".utf8), Array("a#b?c.jpg".utf8), [UInt8](repeating: 0x78, count: 255),
    Array(1...46) + Array(48...255),
  ]
}
