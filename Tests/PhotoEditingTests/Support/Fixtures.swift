import Foundation
import PhotoEditing
import SafelightTestSupport

@testable import SafelightFiles
@testable import SafelightStorage

/// The pictures and sidecars of the repository.
enum Fixtures {
  static let folder = FilePath(Fixture.folder.path)

  static func path(_ name: String) -> FilePath { folder.appending(name) }

  static func bytes(_ name: String) throws -> [UInt8] {
    try FileSystem.real.contents(of: path(name), limit: 1 << 24)
  }
}

extension Date {
  /// When everything in these tests happens: 1 August 2025, 12:34:56 UTC.
  static let test = Date(timeIntervalSince1970: 1_754_051_696)
}

extension PhotoEditor {
  /// An editor whose clock stands still.
  static func test(
    through fileSystem: FileSystem = .real, lockTimeout: Duration = .seconds(20)
  ) -> PhotoEditor {
    var configuration = Configuration()
    configuration.now = { .test }
    configuration.lockTimeout = lockTimeout
    return PhotoEditor(configuration, fileSystem: fileSystem)
  }
}

extension Photo {
  /// The original's own name.
  var name: FilePath { path.lastComponent ?? path }
}

extension AppliedFilter {
  static func named(_ name: String, intensity: Double = 1) throws -> AppliedFilter {
    try Filter.named(name).applied(intensity: intensity)
  }
}

extension ContentEditingInputRequestOptions {
  /// The options of an editor that reads one format, in any version.
  static func reading(_ identifier: String) -> ContentEditingInputRequestOptions {
    .init { $0.formatIdentifier == identifier }
  }
}

extension EditResult {
  /// The warnings that are surely about this photo: a decoder's come to the whole process, and
  /// other tests render at the same time.
  var ownWarnings: [String] { warnings.filter { !$0.hasPrefix("The decoder warned") } }
}
