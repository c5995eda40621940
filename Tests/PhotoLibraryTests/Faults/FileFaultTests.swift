import Foundation
import SafelightFiles
import SafelightTestSupport
import Testing

@testable import PhotoEditing
@testable import PhotoLibraryKit
@testable import SafelightCatalog

/// Files and edits of change sets, and the pictures on disk, when files cannot be written.
@Suite(.timeLimit(.minutes(10))) struct FileFaultTests {
  @Test func trashAndRestoreTouchNoFile() async throws {
    let test = try TestLibrary()
    let asset = try await test.create("orientation/1.jpg")
    let before = try OriginalState(asset.path)
    let path = test.library.path
    let library = try PhotoLibrary(
      at: path, file: "catalogue.sqlite", export: ExportJournal(in: path),
      fileSystem: FaultInjection(.crash, at: 1).fileSystem)
    try await library.performChanges { AssetChangeRequest.deleteAssets([asset]) }
    #expect(try library.trashedAssets().count == 1)
    try await library.performChanges { AssetChangeRequest.restoreAssets([asset]) }
    #expect(try library.assets().count == 1)
    #expect(try OriginalState(asset.path) == before)
  }

  @Test func anEditDoesNotStandWhenTheCatalogCannotCommit() async throws {
    let test = try TestLibrary()
    let asset = try await test.create("orientation/1.jpg")
    let output = try await ContentEditingOutput.ofAnotherProgram(for: asset.photo)
    let library = test.library
    // SQLite finds the wrong foreign key when the transaction ends.
    try await library.catalog.update { database in
      try database.run(
        script: """
          CREATE TABLE shelf (id INTEGER PRIMARY KEY);
          CREATE TABLE book (shelf REFERENCES shelf (id) DEFERRABLE INITIALLY DEFERRED);
          CREATE TRIGGER fails AFTER INSERT ON fileMove BEGIN INSERT INTO book VALUES (1); END;
          """)
    }
    let folder = asset.path.removingLastComponent()
    let names = Set(try FileSystem.real.names(in: folder))
    await #expect(throws: PhotoLibraryError.self) {
      try await library.performChanges {
        AssetChangeRequest(for: asset).contentEditingOutput = output
      }
    }
    #expect(try await PhotoEditor().state(of: asset.photo).edit == nil)
    #expect(Set(try FileSystem.real.names(in: folder)) == names)
    #expect(try library.asset(asset.localIdentifier) == asset)
  }

  @Test func keepingAPictureOnDisk() async throws {
    let key = PictureKey(digest: Digest(bytes: [UInt8](repeating: 7, count: 32)))
    let image = DisplayImage.plain([10, 20, 30])
    try await FaultInjection.forEachFault(sample: 3) { faults, kind in
      let folder = TemporaryFolder()
      PictureDisk(in: folder.path, faults.fileSystem).store(image, for: key)
      let cache = PictureDisk(in: folder.path)
      let kept = cache.image(for: key)
      if !faults.wasReached || kind?.isHarmless == true { #expect(kept != nil) }
      let files = (try? FileManager.default.subpathsOfDirectory(atPath: cache.folder.string)) ?? []
      let left = files.filter { $0.contains(".writing-") }
      // A disk that always fails cannot be cleaned up.
      if kind?.staysBroken != true { #expect(left.isEmpty, "\(kind as Any)") }
      // A picture that is not in the cache is made again.
      cache.store(image, for: key)
      #expect(cache.image(for: key) != nil)
    }
  }

  @Test func removingOldPicturesFromTheDisk() async throws {
    let image = DisplayImage.plain([10, 20, 30])
    let keys = (0..<4).map { number in
      PictureKey(digest: Digest(bytes: [UInt8](repeating: UInt8(number), count: 32)))
    }
    try await FaultInjection.forEachFault(sample: 3) { faults, kind in
      let folder = TemporaryFolder()
      let cache = PictureDisk(in: folder.path)
      for key in keys { cache.store(image, for: key) }
      let trimming = PictureDisk(in: folder.path, faults.fileSystem)
      trimming.limit = 1
      trimming.trim()
      // What could not be removed is whole.
      let kept = keys.compactMap { cache.image(for: $0) }
      #expect(kept.allSatisfy { $0 == kept.first })
      if !faults.wasReached || kind?.isHarmless == true { #expect(kept.isEmpty) }
      PictureDisk(in: folder.path).removeAll()
      #expect(keys.allSatisfy { cache.image(for: $0) == nil })
    }
  }
}

/// The export and the end of a rebuild, while each operation on files fails in turn.
@Suite struct ExportFaultTests {
  private func favorites(_ export: ExportJournal) throws -> Set<String> {
    let entries = try ExportReader().entries(export.whole, export.journal)
    return Set(entries.compactMap { $0.asset?.favorite == true ? $0.asset?.identifier : nil })
  }

  @Test func whatTheJournalMissedComesWithTheNextChange() async throws {
    try await FaultInjection.forEachFault(sample: 3) { faults, _ in
      let sample = try SampleLibrary()
      try await sample.add([Sample("a"), Sample("b")])
      let file = sample.library.catalog.path
      let journal = ExportJournal(in: sample.path, through: faults.fileSystem)
      // This connection and this journal take the place of another process.
      let database = try Database(file, .write)
      try database.run("UPDATE asset SET favorite = 1 WHERE identifier = 'a'")
      journal.update(from: database, file)
      try? journal.fold(file)
      // Whatever failed, the files can be read, and the next change completes them.
      try await sample.run("UPDATE asset SET favorite = 1 WHERE identifier = 'b'")
      #expect(try favorites(ExportJournal(in: sample.path)) == ["a", "b"])
    }
  }

  /// Each round makes a library and rebuilds it.
  @Test func aRebuildThatIsDecidedIsFinishedByTheNextOpening() async throws {
    try await FaultInjection.forEachFault(sample: 3) { faults, _ in
      let tree = PhotoTree()
      tree.photo("a.jpg")
      var library: PhotoLibrary? = try tree.open()
      try await library?.add([tree.photos])
      try await library?.write("UPDATE asset SET favorite = 1")
      await library?.finishExport()
      library = nil
      _ = try? await PhotoLibrary.rebuild(at: tree.library, through: faults.fileSystem)
      // At no moment is there no export.
      #expect(try favorites(ExportJournal(in: tree.library)).count == 1)
      let opened = try tree.open()
      #expect(try await opened.lines("SELECT favorite FROM asset") == ["1"])
      #expect(try await opened.lines("PRAGMA integrity_check") == ["ok"])
      #expect(try favorites(ExportJournal(in: tree.library)).count == 1)
    }
  }
}
