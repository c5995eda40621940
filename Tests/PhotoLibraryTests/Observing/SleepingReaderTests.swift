import Foundation
import SafelightTestSupport
import Testing

@testable import PhotoLibraryKit
@testable import SafelightFiles

/// Many changes that a program does not take in, in two processes that share a library. Open files and memory stay as
/// they are. `SAFELIGHT_LONG_TESTS` makes 10,000 changes in each.
@Suite struct SleepingReaderTests {
  private static let count = Rounds.count(200, long: 10_000)

  /// Changes an asset of a library, and never takes a change.
  private struct Work: Sendable {
    let library: PhotoLibrary
    let asset: Asset
    let changes: Changes

    init(_ path: String, asset: String) throws {
      library = try PhotoLibrary(at: FilePath(path))
      self.asset = try library.asset(asset)
      changes = library.changes
    }

    func change(_ number: Int) throws {
      try library.performChangesAndWait {
        AssetChangeRequest(for: asset).isFavorite = number.isMultiple(of: 2)
      }
    }

    /// The size of the catalog in bytes.
    var size: Int64 { library.path.appending("catalogue.sqlite").status?.size ?? 0 }
    /// The size of the catalog's log in bytes.
    var log: Int64 { library.path.appending("catalogue.sqlite-wal").status?.size ?? 0 }
  }

  /// What a process holds.
  private struct Held {
    let files: Int
    /// Memory of its own, without mapped files.
    let kilobytes: Int

    init() throws {
      files = try FileManager.default.contentsOfDirectory(atPath: "/proc/self/fd").count
      let status = try String(contentsOfFile: "/proc/self/status", encoding: .utf8)
      let line = status.split(separator: "\n").first { $0.hasPrefix("RssAnon:") }
      kilobytes = line?.split(separator: " ").dropFirst().first.flatMap { Int($0) } ?? 0
    }
  }

  /// Makes the changes, and compares what the process holds after the first tenth and in the end. SQLite keeps pages
  /// of the catalog, which grows by its history, in memory: at most 16 MiB.
  private static func run(_ work: Work, measured: String) throws {
    var tenths: [Held] = []
    let size = work.size
    for number in 0..<count {
      try work.change(number)
      if (number + 1) % (count / 10) == 0 { tenths.append(try Held()) }
    }
    let (before, after) = (tenths[0], tenths[9])
    let text =
      "\(count) changes: files \(tenths.map(\.files)), KiB \(tenths.map(\.kilobytes)), "
      + "catalog \((work.size - size) / 1024) KiB more, log \(work.log)"
    try text.write(toFile: measured, atomically: true, encoding: .utf8)
    #expect(after.files <= before.files + 4)
    #expect(after.kilobytes < before.kilobytes + 16_384)
    #expect(work.log < 20_000_000)
  }

  private static func runAlone(_ path: String, asset: String) async {
    await #expect(processExitsWith: .success) { [path = path as String, asset = asset as String] in
      let work = try Work(path, asset: asset)
      try SleepingReaderTests.run(work, measured: "\(path)-\(asset).measured")
      // Its own changes, and those of the other process, are one change for a reader that wakes up now.
      let behind = work.changes.feed.behind
      var changes = work.changes.makeAsyncIterator()
      var change = try #require(await changes.next())
      #expect(behind <= ChangeFeed.limit || change.changeToken.number >= behind)
      // A reader that is less behind gets the changes one by one, and the first may be the other process's.
      while behind <= ChangeFeed.limit, change.changeDetails(for: work.asset) == nil {
        change = try #require(await changes.next())
      }
      #expect(change.changeDetails(for: work.asset)?.objectAfterChanges != nil)
    }
  }

  @Test(.timeLimit(.minutes(30))) func twoProcessesOnOneLibrary() async throws {
    let test = try TestLibrary()
    _ = try await test.library.addRows(2)
    let path = test.library.path.string
    let before = try test.library.currentChangeToken.number
    async let first: Void = Self.runAlone(path, asset: "asset-0")
    async let second: Void = Self.runAlone(path, asset: "asset-1")
    _ = await (first, second)
    // Nobody's change is lost.
    #expect(try test.library.currentChangeToken.number == before + Int64(2 * Self.count))
    for asset in ["asset-0", "asset-1"] {
      #expect(try !test.library.asset(asset).isFavorite)
      print((try? String(contentsOfFile: "\(path)-\(asset).measured", encoding: .utf8)) ?? "none")
    }
  }
}
