import Foundation
import PhotoEditing
import SafelightTestSupport
import Testing

@testable import PhotoLibraryKit
@testable import SafelightFiles

/// Two processes that change one library at the same time; the other one is this test program again.
@Suite struct TwoProcessesTests {
  private static let folder = ProcessInfo.processInfo.environment["SAFELIGHT_WRITER_FOLDER"]
  private static let changes = 200

  /// Makes change sets of an album each, called after the writer.
  private func write(_ name: String, _ library: PhotoLibrary) async throws {
    for number in 0..<Self.changes {
      try await library.performChanges {
        _ = AssetCollectionChangeRequest.creationRequestForAssetCollection(
          withTitle: "\(name) \(number)")
      }
    }
  }

  @Test(.enabled(if: folder != nil)) func otherWriter() async throws {
    let library = try PhotoLibrary(at: FilePath(try #require(Self.folder)))
    try await write("other", library)
  }

  @Test(.enabled(if: folder == nil)) func noChangeSetOfEitherIsLost() async throws {
    let test = try TestLibrary()
    let process = Process()
    process.executableURL = URL(
      fileURLWithPath: try FileManager.default.destinationOfSymbolicLink(atPath: "/proc/self/exe"))
    process.arguments = [
      "--testing-library", "swift-testing", "--filter", "TwoProcessesTests/otherWriter",
    ]
    process.environment = ProcessInfo.processInfo.environment.merging(
      ["SAFELIGHT_WRITER_FOLDER": test.library.path.string]
    ) { $1 }
    process.standardOutput = FileHandle.nullDevice
    process.standardError = FileHandle.nullDevice
    try process.run()
    try await write("own", test.library)
    process.waitUntilExit()
    #expect(process.terminationStatus == 0)
    let titles = try await test.library.lines("SELECT title FROM collection")
    let wanted = ["own", "other"].flatMap { name in (0..<Self.changes).map { "\(name) \($0)" } }
    #expect(titles == wanted.sorted())
    #expect(try await test.library.lines("SELECT count(*) FROM change") == ["400"])
    #expect(try await test.library.lines("SELECT count(DISTINCT origin) FROM change") == ["2"])
    #expect(try await test.library.lines("PRAGMA integrity_check") == ["ok"])
    let before = try await test.library.contents
    let rebuilt = try await PhotoLibrary.rebuild(at: test.library.path)
    #expect(try await rebuilt.contents == before)
  }
}
