import Foundation
import PhotoEditing
import SafelightFiles
import SafelightTestSupport
import Testing

@testable import PhotoLibraryKit
@testable import SafelightCatalog

/// The export and the last steps of a rebuild, with each operation on files failing in turn.
@Suite struct ExportFaultTests {
  private func favorites(_ export: ExportJournal) throws -> Set<String> {
    let entries = try ExportReader().entries(export.whole, export.journal)
    return Set(entries.compactMap { $0.asset?.favorite == true ? $0.asset?.identifier : nil })
  }

  @Test(arguments: FaultInjection.Kind.allCases)
  func whatTheJournalMissedComesWithTheNextChange(kind: FaultInjection.Kind) async throws {
    try await FaultInjection.forEachOperation(failing: kind) { faults in
      let sample = try SampleLibrary()
      try await sample.add([Sample("a"), Sample("b")])
      let file = sample.library.catalog.path
      let journal = ExportJournal(in: sample.path, through: faults.fileSystem)
      // Another process, whose journal it is.
      let database = try Database(file, .write)
      try database.run("UPDATE asset SET favorite = 1 WHERE identifier = 'a'")
      journal.update(from: database, file)
      try? journal.fold(file)
      // What stands on the disk can be read, whatever failed, and the next change completes it.
      try await sample.run("UPDATE asset SET favorite = 1 WHERE identifier = 'b'")
      #expect(try favorites(ExportJournal(in: sample.path)) == ["a", "b"])
    }
  }

  @Test(arguments: FaultInjection.Kind.allCases)
  func aRebuildThatIsDecidedIsFinishedByTheNextOpening(kind: FaultInjection.Kind) async throws {
    try await FaultInjection.forEachOperation(failing: kind) { faults in
      let tree = PhotoTree()
      tree.photo("a.jpg")
      var library: PhotoLibrary? = try tree.open()
      try await library?.add([tree.photos])
      try await library?.write("UPDATE asset SET favorite = 1")
      await library?.finishExport()
      library = nil
      _ = try? await PhotoLibrary.rebuild(at: tree.library, through: faults.fileSystem)
      let opened = try tree.open()
      #expect(try await opened.lines("SELECT favorite FROM asset") == ["1"])
      #expect(try await opened.lines("PRAGMA integrity_check") == ["ok"])
      #expect(try favorites(ExportJournal(in: tree.library)).count == 1)
    }
  }
}
