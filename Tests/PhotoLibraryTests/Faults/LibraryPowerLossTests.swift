import Foundation
import SafelightTestSupport
import Testing

@testable import PhotoEditing
@testable import PhotoLibraryKit
@testable import SafelightCatalog
@testable import SafelightFiles

/// Every change of a library on a disk that keeps only what was flushed.
@Suite(.timeLimit(.minutes(15))) struct LibraryPowerLossTests {
  /// Some of the states.
  private func sample(
    _ states: Set<VolatileDisk.State>, _ count: Int
  ) -> [VolatileDisk.State] {
    Array(states.shuffled().prefix(Rounds.sample(count)))
  }

  @Test(arguments: LibraryChange.allCases)
  func aPowerCutAtAnyMomentLeavesTheOldLibraryOrTheNew(change: LibraryChange) async throws {
    let scene = try await LibraryScene(change)
    try scene.reset()
    let disk = VolatileDisk(scene.folder.path)
    try await scene.perform(through: disk.fileSystem)
    let (possible, present) = (disk.possibleStates, disk.presentStates)
    for state in sample(possible, 2) {
      try disk.restore(state)
      var seen = scene.settled(try await scene.view())
      let expected = [scene.old, scene.new].map { scene.settled($0) }
      // These are several transactions, and go on when they are made again.
      if [.addFolder, .removeFolder, .rebuild].contains(change), !expected.contains(seen) {
        try await scene.perform(through: .real)
        seen = scene.settled(try await scene.view())
      }
      #expect(expected.contains(seen), "\(state.names)")
    }
    // What was reported as done stays done.
    for state in sample(present, 1) {
      try disk.restore(state)
      let seen = scene.settled(try await scene.view())
      #expect(seen == scene.settled(scene.new), "\(state.names)")
    }
  }

  /// A process dies, the next opening of the library finishes its change, and then the power goes.
  @Test(arguments: [LibraryChange.create, .createByMoving, .emptyTrash, .edit, .rebuild])
  func whatAnOpeningFinishedStaysFinished(change: LibraryChange) async throws {
    let scene = try await LibraryScene(change)
    let first = try await scene.firstCrashAfterDecision()
    for number in first..<(first + Rounds.count(3, long: 20)) {
      try scene.reset()
      let disk = VolatileDisk(scene.folder.path)
      let isReached = await scene.performDying(at: number, on: disk)
      try await scene.open(through: disk.fileSystem)
      for state in sample(disk.presentStates, 1) {
        try disk.restore(state)
        let seen = scene.settled(try await scene.view())
        #expect(seen == scene.settled(scene.new), "operation \(number), \(state.names)")
      }
      if !isReached { break }
    }
  }

  @Test func aPictureOnDiskIsWholeOrMadeAgain() async throws {
    let key = PictureKey(digest: Digest(bytes: [UInt8](repeating: 7, count: 32)))
    let image = DisplayImage.plain([10, 20, 30])
    let folder = TemporaryFolder()
    let disk = VolatileDisk(folder.path)
    PictureDisk(in: folder.path, disk.fileSystem).store(image, for: key)
    let kept = try #require(PictureDisk(in: folder.path).image(for: key))
    for state in disk.possibleStates {
      try disk.restore(state)
      let cache = PictureDisk(in: folder.path)
      let found = cache.image(for: key)
      #expect(found == nil || found == kept, "\(state.names)")
      cache.store(image, for: key)
      #expect(cache.image(for: key) == kept, "\(state.names)")
    }
  }

  @Test func theExportHasEveryReportedChangeWhenTheCatalogIsLost() async throws {
    let sample = try SampleLibrary()
    try await sample.add([Sample("a"), Sample("b")])
    await sample.library.finishExport()
    let disk = VolatileDisk(sample.path)
    let journal = ExportJournal(in: sample.path, through: disk.fileSystem)
    let file = sample.library.catalog.path
    let database = try Database(file, .write)
    func expectFavorites(_ wanted: Set<String>) throws {
      for state in disk.presentStates {
        let folder = TemporaryFolder()
        for (name, bytes) in disk.files(of: state) where name.removingLastComponent().isEmpty {
          folder.put(bytes, at: name)
        }
        let export = ExportJournal(in: folder.path)
        let entries = try ExportReader().entries(export.whole, export.journal)
        let favorites = entries.compactMap(\.asset).filter { $0.favorite == true }
        #expect(Set(favorites.map(\.identifier)) == wanted, "\(state.names)")
      }
    }
    try database.run("UPDATE asset SET favorite = 1 WHERE identifier = 'a'")
    _ = try journal.append(from: database)
    try expectFavorites(["a"])
    try journal.fold(file)
    try expectFavorites(["a"])
    try database.run("UPDATE asset SET favorite = 1 WHERE identifier = 'b'")
    _ = try journal.append(from: database)
    try expectFavorites(["a", "b"])
  }
}
