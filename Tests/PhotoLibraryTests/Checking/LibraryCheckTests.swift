import Glibc
import PhotoEditing
import SafelightFiles
import Testing

@testable import PhotoLibraryKit
@testable import SafelightCatalog
@testable import SafelightFiles

@Suite struct LibraryCheckTests {
  private let tree = PhotoTree()

  private func filled() async throws -> PhotoLibrary {
    for name in ["a.jpg", "sub/b.jpg"] { tree.photo(FilePath(name)) }
    let library = try tree.open()
    try await library.add([tree.photos])
    return library
  }

  private func kinds(_ library: PhotoLibrary) async throws -> [LibraryProblem.Kind] {
    try await library.verify().problems.map(\.kind)
  }

  @Test func nothingIsWrongWithANewLibrary() async throws {
    let library = try await filled()
    let check = try await library.verify(fixing: true)
    #expect(check.problems.isEmpty)
    #expect(check.fixed.isEmpty)
    #expect(check.photos == 2)
  }

  @Test func anEditThatTheCatalogDoesNotKnowIsFoundAndRead() async throws {
    let library = try await filled()
    // The times are those in the catalog, but the files differ.
    try await library.write(
      "UPDATE asset SET adjustmentFormat = 'org.other' WHERE name = x'612E6A7067'")
    #expect(try await kinds(library) == [.editOutdated])
    #expect(try await library.verify(fixing: true).problems.isEmpty)
    #expect(try await library.lines("SELECT count(adjustmentFormat) FROM asset") == ["0"])
  }

  @Test func wrongCountsAndStraysAreFound() async throws {
    let library = try await filled()
    try await library.write("UPDATE tally SET visible = 99")
    #expect(try await kinds(library) == [.countsWrong])
    try await library.write("UPDATE tally SET visible = 2")
    // A new connection does not check foreign keys.
    try Database(library.catalog.path, .write).run(
      "INSERT INTO member (album, position, asset) VALUES (77, 1, 99)")
    let found = try await kinds(library)
    #expect(found.count == 1)
    guard case .catalogDamaged = found.first else {
      Issue.record("\(found)")
      return
    }
  }

  @Test func aFolderThatIsGoneIsOneProblemAndNotOneForEachPhoto() async throws {
    let library = try await filled()
    let elsewhere = tree.path.appending("elsewhere")
    _ = tree.photos.withCString { from in
      elsewhere.withCString { rename(from, $0) }
    }
    let check = try await library.verify(fixing: true)
    #expect(check.problems == [LibraryProblem(.folderMissing, tree.photos)])
    #expect(try library.fetchAssets().count == 2)
  }

  @Test func aMovedPhotoIsFoundAgainByFixing() async throws {
    let library = try await filled()
    let identifier = try await library.identifier("a.jpg")
    tree.move("a.jpg", to: "sub/moved.jpg")
    let check = try await library.verify(fixing: true)
    #expect(check.fixed == [LibraryProblem(.photoMissing, tree.photos.appending("a.jpg"))])
    #expect(try await library.identifier("moved.jpg") == identifier)
  }

  @Test func aLineOfTheExportThatIsLostIsWrittenAgain() async throws {
    let library = try await filled()
    let asset = try #require(try library.fetchAssets().first)
    try await library.performChanges { AssetChangeRequest(for: asset).isFavorite = true }
    let export = try #require(library.catalog.export)
    try export.fold(library.catalog.path)
    try await library.performChanges { AssetChangeRequest(for: asset).isHidden = true }
    let text = String(decoding: try ExportReader.bytes(of: export.journal), as: UTF8.self)
    export.journal.write(Array(text.replacing("\"hidden\":true,", with: "").utf8))
    #expect(try await kinds(library) == [.exportOutdated])
    #expect(try await library.verify(fixing: true).problems.isEmpty)
    #expect(
      try ExportReader().entries(export.whole, export.journal).contains { $0.asset?.hidden == true }
    )
  }

  @Test func aProgramThatEndsAtOnceCanWaitForTheExport() async throws {
    let library = try await filled()
    await library.finishExport()
    let export = try #require(library.catalog.export)
    #expect(try ExportReader().sequence(of: export.whole) >= 0)
    #expect(export.whole.status != nil)
    // Each opening of the library folds a journal that is too long.
    let line = Array("{\"sequence\":0,\"removed\":true}\n".utf8)
    let padding = Array(repeating: line, count: ExportJournal.limit / line.count + 1).joined()
    let written = export.journal.withCString { open($0, O_WRONLY | O_APPEND) }
    _ = Array(padding).withUnsafeBytes { write(written, $0.baseAddress, $0.count) }
    close(written)
    let reopened = try tree.open()
    await reopened.finishExport()
    #expect(try #require(export.journal.status).size < ExportJournal.limit)
  }

  @Test func presenceTellsWhatAFolderHolds() async throws {
    #expect(PhotoLibrary.presence(at: tree.library) == .nothing)
    _ = try await filled()
    #expect(PhotoLibrary.presence(at: tree.library) == .catalog)
    for ending in ["", "-wal", "-shm"] {
      _ = (tree.library.appending("catalogue.sqlite" + ending)).withCString { unlink($0) }
    }
    #expect(PhotoLibrary.presence(at: tree.library) == .exportOnly)
  }
}

extension ExportReader {
  fileprivate static func bytes(of path: FilePath) throws -> [UInt8] {
    let descriptor = path.withCString { open($0, O_RDONLY) }
    defer { close(descriptor) }
    var bytes = [UInt8](repeating: 0, count: 1 << 16)
    let count = read(descriptor, &bytes, bytes.count)
    return Array(bytes.prefix(max(0, count)))
  }
}
