import Foundation
import Glibc
import PhotoEditing
import SafelightTestSupport
import Testing

@testable import SafelightFiles
@testable import SafelightStorage

/// A folder of its own for one test, gone afterwards.
final class PhotoFolder: Sendable {
  private let folder = TemporaryFolder()

  var path: FilePath { folder.path }

  /// All names in the folder, hidden ones too, sorted.
  var names: [FilePath] { folder.names }

  /// What a file is: two are equal when neither content nor times nor mode differ.
  struct Trace: Equatable {
    let sha256: Digest?
    let modified: FileStatus.Time
    let mode: UInt32
    let inode: UInt64
  }

  /// Everything in the folder, to be compared with later.
  var traces: [FilePath: Trace] {
    get throws {
      var traces: [FilePath: Trace] = [:]
      for name in names {
        let status = try #require(try FileSystem.real.status(of: path.appending(name)))
        traces[name] = Trace(
          sha256: bytes(name).map { SHA256.digest(of: $0) }, modified: status.modified,
          mode: status.mode, inode: status.inode)
      }
      return traces
    }
  }

  /// Copies a fixture into the folder.
  ///
  /// - Parameter name: What it is called here; `nil` keeps its name.
  @discardableResult
  func add(_ fixture: String, as name: FilePath? = nil) throws -> Photo {
    let source = Fixtures.path(fixture)
    let name = try name ?? #require(source.lastComponent)
    put(try Fixtures.bytes(fixture), as: name)
    return Photo(path: path.appending(name))
  }

  func put(_ bytes: [UInt8], as name: FilePath) { folder[name].write(bytes, mode: 0o640) }

  func remove(_ name: FilePath) {
    _ = path.appending(name).withCString { unlink($0) }
  }

  /// The bytes of a file; `nil` when there is none.
  func bytes(_ name: FilePath) -> [UInt8]? { folder.bytes(name) }

  func text(_ name: FilePath) throws -> String {
    String(decoding: try #require(bytes(name)), as: UTF8.self)
  }
}
