import Foundation
import PhotoEditing
import SafelightTestSupport
import Testing

@testable import PhotoLibraryKit
@testable import SafelightCatalog
@testable import SafelightFiles

@Suite struct FullAndBusyTests {
  private let tree = PhotoTree()

  @Test func aFullDiskChangesNothingAndIndexingGoesOnWhenThereIsRoom() async throws {
    for number in 0..<1200 { tree.photo(FilePath("\(number % 7)/\(number).jpg")) }
    let library = try tree.open()
    let pages = try await library.lines("PRAGMA page_count")[0]
    var limit = try #require(Int(pages)) + 1
    var refusals = 0
    while true {
      _ = try await library.lines("PRAGMA max_page_count = \(limit)")
      do {
        try await library.add([tree.photos])
        break
      } catch {
        try #require(error == .notEnoughSpace(library.catalog.path))
        refusals += 1
      }
      #expect(try await library.lines("PRAGMA integrity_check") == ["ok"])
      // Batches are written completely or not at all.
      let count = try #require(Int(try await library.lines("SELECT count(*) FROM asset")[0]))
      #expect(count < 1200)
      limit += 40
    }
    #expect(refusals > 2)
    #expect(try await library.names.count == 1200)
    #expect(try await library.lines("SELECT DISTINCT identifier FROM asset").count == 1200)
  }

  @Test func anotherWriterThatGoesOnIsWaitedForAndThenAnError() async throws {
    tree.photo("a.jpg")
    let library = try tree.open()
    _ = try await library.lines("PRAGMA busy_timeout = 50")
    let other = try Database(library.catalog.path, .write)
    try other.run(script: "BEGIN IMMEDIATE")
    await #expect(throws: PhotoLibraryError.busy(library.catalog.path)) {
      try await library.add([tree.photos])
    }
    try other.run(script: "ROLLBACK")
    #expect(try await library.add([tree.photos]).added == 1)
  }

  @Test func twoLibrariesMayIndexTheSameFoldersAtOnce() async throws {
    for number in 0..<300 { tree.photo(FilePath("\(number).jpg")) }
    let (one, two) = (try tree.open(), try tree.open())
    async let first = one.add([tree.photos])
    async let second = two.add([tree.photos])
    _ = try await (first, second)
    #expect(try await one.names.count == 300)
    #expect(try await one.lines("SELECT count(*) FROM asset WHERE isDerived = 0") == ["0"])
    #expect(try await two.scan().isUnchanged)
  }
}

/// Two processes that change one library at the same time; the other process is this test program again.
@Suite struct TwoProcessesTests {
  private static let folder = ProcessInfo.processInfo.environment["SAFELIGHT_WRITER_FOLDER"]
  private static let changes = 200

  /// Makes change sets; each makes an album with the writer's name.
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
    let environment = ProcessInfo.processInfo.environment.merging(
      ["SAFELIGHT_WRITER_FOLDER": test.library.path.string]
    ) { $1 }
    let printed = try PrintedText()
    let program = try StartedProgram(
      [
        try FileManager.default.destinationOfSymbolicLink(atPath: "/proc/self/exe"),
        "--testing-library", "swift-testing", "--filter", "TwoProcessesTests/otherWriter",
      ], environment: environment, output: printed.descriptor, errors: printed.descriptor)
    try await write("own", test.library)
    #expect(program.wait() == 0, "\(printed.text)")
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
