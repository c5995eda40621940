import Foundation
import Glibc
import PhotoEditing
import Synchronization
import Testing

@testable import PhotoLibraryKit
@testable import SafelightCatalog
@testable import SafelightFiles

@Suite struct ExportTests {
  private let tree = PhotoTree()

  private func library() async throws -> PhotoLibrary {
    for number in 0..<5 { tree.photo(FilePath("\(number).jpg")) }
    let library = try tree.open()
    try await library.add([tree.photos])
    return library
  }

  /// The entries that a reader finds in the two files, without their numbers.
  private var read: Set<ExportEntry> {
    get throws {
      let export = ExportJournal(in: tree.library)
      return Set(
        try ExportReader().entries(export.whole, export.journal).map { entry in
          var entry = entry
          entry.sequence = 0
          return entry
        })
    }
  }

  private func expected(_ library: PhotoLibrary) async throws -> Set<ExportEntry> {
    Set(
      try await library.catalog.read { (database) throws(DatabaseError) in
        try database.entries(sequence: 0)
      })
  }

  @Test func bothFilesTogetherAlwaysSayWhatTheCatalogKnows() async throws {
    let library = try await library()
    for script in [
      "UPDATE asset SET favorite = 1 WHERE id < 3", "UPDATE asset SET favorite = 0 WHERE id = 2",
      """
      INSERT INTO collection (id, identifier, title, position, creationDate)
        VALUES (1, 'album', 'Album', 0, 0);
      INSERT INTO member (album, position, asset) SELECT 1, id, id FROM asset
      """,
      "UPDATE member SET position = position + 100",
      "UPDATE member SET asset = 5 WHERE asset = 1 AND 0; DELETE FROM member WHERE asset = 2",
      "DELETE FROM asset WHERE id = 3", "INSERT INTO client (identifier) VALUES ('one')",
      "INSERT INTO selected SELECT 'one', id FROM asset WHERE id > 3",
      "DELETE FROM asset WHERE id = 4",
      "DELETE FROM client", "INSERT INTO client (identifier) VALUES ('one')",
      "INSERT INTO selected VALUES ('one', 1)", "DELETE FROM selected",
      "UPDATE asset SET creationDate = NULL WHERE id = 1",
      "UPDATE asset SET creationDate = fileCreationDate WHERE id = 1",
      "UPDATE asset SET creationDate = 7 WHERE id = 2",
      "UPDATE asset SET fileCreationDate = 7 WHERE id = 2",
      "UPDATE asset SET latitude = 1, longitude = 2 WHERE id = 2",
      "UPDATE asset SET fileLatitude = 1, fileLongitude = 2 WHERE id = 2",
      "DELETE FROM collection",
    ] {
      try await library.write(script)
      let differing = try await expected(library).symmetricDifference(read.filter(isPresent))
      #expect(differing.isEmpty, "\(script)")
      #expect(library.exportProblem == nil)
    }
  }

  /// The entries with something that the file and the path do not say.
  private func isPresent(_ entry: ExportEntry) -> Bool {
    entry.asset?.isPlain != true
  }

  /// Later versions read what this one writes, so the form stays.
  @Test func eachKindOfEntryHasItsForm() async throws {
    let library = try await library()
    await library.finishExport()
    try await library.write(
      """
      UPDATE asset SET favorite = 1, settingsDate = 9.5 WHERE name = CAST('0.jpg' AS BLOB);
      UPDATE asset SET creationDate = 7.25, latitude = 1.5, longitude = -2.5
        WHERE name = CAST('1.jpg' AS BLOB);
      INSERT INTO collection (id, identifier, isList, title, list, position, creationDate)
        VALUES (1, 'list', 1, 'Trips', NULL, 3, 10), (2, 'album', 0, 'Sea', 1, 4, 11);
      INSERT INTO member (album, position, asset)
        SELECT 2, 5, id FROM asset WHERE name = CAST('0.jpg' AS BLOB);
      INSERT INTO client VALUES ('app', 3, 4, 'To see.', 99.5);
      INSERT INTO selected SELECT 'app', id FROM asset WHERE name = CAST('0.jpg' AS BLOB);
      DELETE FROM member;
      """)
    let journal = tree.library.appending("catalogue.journal.ndjson").fileURL
    let lines = try String(contentsOf: journal, encoding: .utf8)
      .replacing(tree.photos.string, with: "/photos")
      .replacing(/[0-9A-F-]{36}\/L0\/001/, with: "ID").split(separator: "\n")
    #expect(
      lines.filter { !$0.contains("root") } == [
        """
        {"asset":{"favorite":true,"identifier":"ID","isDerived":true,"path":"/photos/0.jpg",\
        "settingsDate":9.5},"sequence":2}
        """,
        """
        {"asset":{"creationDate":7.25,"identifier":"ID","isDateSet":true,"isDerived":true,\
        "isPlaceSet":true,"latitude":1.5,"longitude":-2.5,"path":"/photos/1.jpg"},"sequence":3}
        """,
        """
        {"collection":{"creationDate":10,"identifier":"list","isList":true,"position":3,\
        "title":"Trips"},"sequence":4}
        """,
        """
        {"collection":{"creationDate":11,"identifier":"album","isList":false,"list":"list",\
        "position":4,"title":"Sea"},"sequence":5}
        """,
        """
        {"client":{"addOnly":3,"answered":99.5,"identifier":"app","readWrite":4,\
        "usageDescription":"To see."},"sequence":7}
        """,
        #"{"selected":{"asset":"ID","client":"app"},"sequence":8}"#,
        #"{"member":{"album":"album","position":5},"removed":true,"sequence":9}"#,
      ])
  }

  @Test func foldingKeepsWhatBothSayAndEmptiesTheJournal() async throws {
    let library = try await library()
    try await library.write("UPDATE asset SET favorite = 1")
    let before = try read
    try library.catalog.export?.fold(library.catalog.path)
    #expect(try read == before)
    let journal = tree.library.appending("catalogue.journal.ndjson")
    #expect(journal.status?.size == 0)
    try await library.write("UPDATE asset SET favorite = 0 WHERE id = 1")
    #expect(try read.count == before.count)
    #expect(try read != before)
  }

  @Test func aLineThatACrashCutOffIsWrittenAgain() async throws {
    let journal = tree.library.appending("catalogue.journal.ndjson")
    do {
      let library = try await library()
      try await library.write("UPDATE asset SET favorite = 1 WHERE id = 1")
      try await library.write("UPDATE asset SET hidden = 1 WHERE id = 2")
    }
    let whole = [UInt8](try Data(contentsOf: journal.fileURL))
    journal.write(Array(whole.dropLast(20)))
    let library = try tree.open()
    #expect([UInt8](try Data(contentsOf: journal.fileURL)) == whole)
    #expect(try read.filter(isPresent) == (try await expected(library)))
  }

  @Test func twoLibrariesOnOneCatalogWriteEachLineOnce() async throws {
    let one = try await library()
    let two = try tree.open()
    for round in 0..<6 {
      try await (round % 2 == 0 ? one : two)
        .write("UPDATE asset SET favorite = 1 - favorite WHERE id = \(round % 3 + 1)")
    }
    let export = ExportJournal(in: tree.library)
    let numbers = try ExportReader().lines(of: export.journal).map(\.sequence)
    #expect(numbers == numbers.sorted() && Set(numbers).count == numbers.count)
    #expect(try read.filter(isPresent) == (try await expected(one)))
  }

  @Test func linesAreOnTheDiskWhenAChangeSetIsDone() async throws {
    let library = try await library()
    await library.finishExport()
    let done = Mutex<[FileSystem.Operation]>([])
    let fileSystem = FileSystem { operation in
      done.withLock { $0.append(operation) }
      return nil
    }
    let export = ExportJournal(in: tree.library, through: fileSystem)
    let database = try Database(library.catalog.path, .write)
    _ = try export.append(from: database)
    #expect(!done.withLock { $0.contains { $0.kind == .sync } })
    try database.run("UPDATE asset SET favorite = 1 WHERE id = 1")
    _ = try export.append(from: database)
    let changes = done.withLock { $0.filter { $0.kind == .write || $0.kind == .sync } }
    #expect(changes.map(\.kind) == [.write, .sync])
    #expect(changes.allSatisfy { $0.path == export.journal })
    // The whole export is on the disk before the journal is emptied.
    done.withLock { $0 = [] }
    try export.fold(library.catalog.path)
    let steps = done.withLock { $0.filter { [.sync, .rename, .syncFolder].contains($0.kind) } }
    #expect(
      steps.map(\.kind) == [.sync, .rename, .syncFolder, .sync, .rename, .syncFolder])
    #expect(steps[1].path == export.whole && steps[4].path == export.journal)
  }

  @Test func indexingLeavesNoLinesForOrdinaryPhotos() async throws {
    _ = try await library()
    #expect(try read.map { $0.root?.path } == [tree.photos])
  }

  @Test(arguments: [1, 40, 100, 1 << 16])
  func theLastLineOfAJournalIsFoundFromItsEnd(length: Int) async throws {
    let library = try await library()
    try await library.write("UPDATE asset SET favorite = 1 WHERE id < 4")
    await library.finishExport()
    let journal = ExportJournal(in: tree.library).journal
    let lines = try ExportReader().lines(of: journal)
    let size = try #require(journal.status?.size)
    var last = try ExportReader().last(of: journal, within: length)
    #expect(last.entry == lines.last)
    #expect(last.end == size)
    // The line that a crash cut off is gone.
    let handle = try FileHandle(forWritingTo: journal.fileURL)
    try handle.seekToEnd()
    try handle.write(contentsOf: Data(#"{"sequence":99,"root":"/ph"#.utf8))
    try handle.close()
    last = try ExportReader().last(of: journal, within: length)
    #expect(last.entry == lines.last)
    #expect(last.end == size)
    try Data("cut".utf8).write(to: journal.fileURL)
    #expect(try ExportReader().last(of: journal, within: length).entry == nil)
    #expect(try ExportReader().last(of: "/nowhere/journal", within: length).end == 0)
  }
}
