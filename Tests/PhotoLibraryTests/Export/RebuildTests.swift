import Foundation
import Glibc
import PhotoEditing
import Testing

@testable import PhotoLibraryKit
@testable import SafelightCatalog
@testable import SafelightFiles

@Suite struct RebuildTests {
  private let tree = PhotoTree()

  /// A library with every kind of thing that only the catalog knows.
  private func library() async throws -> PhotoLibrary {
    for number in 0..<12 { tree.photo(FilePath("2024/\(number % 3)/\(number).jpg")) }
    tree.photo(FilePath(bytes: [0x66, 0xFF, 0x2E, 0x6A]))
    tree.photo("gone.jpg")
    let library = try tree.open()
    try await library.add([tree.photos])
    try await library.write(
      """
      UPDATE asset SET favorite = 1 WHERE id % 3 = 0;
      UPDATE asset SET hidden = 1 WHERE id % 5 = 0;
      UPDATE asset SET creationDate = 1000.25 WHERE id = 2;
      UPDATE asset SET creationDate = NULL WHERE id = 4;
      UPDATE asset SET latitude = 1.5, longitude = -2.5 WHERE id = 7;
      UPDATE asset SET trashedDate = 77 WHERE id = 8;
      UPDATE asset SET favorite = 0 WHERE id = 9;
      INSERT INTO collection (id, identifier, isList, title, list, position, creationDate) VALUES
        (1, 'list', 1, 'Journeys', NULL, 0, 10), (2, 'one', 0, 'Sea “1”', 1, 0, 11),
        (3, 'two', 0, 'Mountains', NULL, 1, 12), (4, 'dropped', 0, 'Dropped', NULL, 2, 13);
      INSERT INTO member (album, position, asset) SELECT 2, 100 - id, id FROM asset WHERE id < 10;
      INSERT INTO member (album, position, asset) SELECT 3, id, id FROM asset;
      INSERT INTO member (album, position, asset) SELECT 4, id, id FROM asset;
      DELETE FROM collection WHERE id = 4;
      DELETE FROM member WHERE album = 3 AND position = 3;
      UPDATE collection SET title = 'Hills' WHERE id = 3;
      INSERT INTO client VALUES ('org.example.app', 3, 4, 'to show them', 99.5);
      INSERT INTO selected SELECT 'org.example.app', id FROM asset WHERE id < 4;
      """)
    tree.move("2024/0/0.jpg", to: "elsewhere/moved.jpg")
    tree.photo("2024/0/0.jpg", SmallJPEG(width: 77))
    try await library.scan()
    tree.remove("gone.jpg")
    try await library.scan()
    return library
  }

  private func drop(_ files: [String]) {
    for file in files { unlink(tree.library.appending(file).string) }
  }

  @Test func remembersWhenAMarkThatIsGoneWasChanged() async throws {
    tree.photo("a.jpg")
    var before: [String] = []
    do {
      let library = try tree.open()
      try await library.add([tree.photos])
      for isFavorite in [true, false] {
        let asset = try #require(library.fetchAssets().firstObject)
        try await library.performChanges { AssetChangeRequest(for: asset).isFavorite = isFavorite }
      }
      before = try await library.contents
    }
    let rebuilt = try await PhotoLibrary.rebuild(at: tree.library)
    #expect(try await rebuilt.contents == before)
  }

  @Test(arguments: [true, false])
  func bringsBackEverythingButRowNumbers(afterFolding: Bool) async throws {
    var before: [String] = []
    do {
      let library = try await library()
      before = try await library.contents
      if afterFolding {
        try library.catalog.export?.fold(library.catalog.path)
        try await library.write("UPDATE asset SET favorite = 0 WHERE id = 6")
        before = try await library.contents
      }
    }
    drop(["catalogue.sqlite", "catalogue.sqlite-wal", "catalogue.sqlite-shm"])
    let rebuilt = try await PhotoLibrary.rebuild(at: tree.library)
    #expect(try await rebuilt.contents == before)
    #expect(try await rebuilt.lines("PRAGMA integrity_check") == ["ok"])
    #expect(try await rebuilt.scan().isUnchanged)
    // The new export can be used for another rebuild.
    let again = try await PhotoLibrary.rebuild(at: tree.library)
    #expect(try await again.contents == before)
  }

  @Test func aDamagedCatalogIsMadeAnewAndTheDamagedOneKept() async throws {
    var before: [String] = []
    do {
      let library = try await library()
      before = try await library.contents
    }
    let damaged = Array("this is no database, but was one".utf8)
    tree.library.appending("catalogue.sqlite").write(damaged)
    drop(["catalogue.sqlite-wal", "catalogue.sqlite-shm"])
    #expect(throws: PhotoLibraryError.self) { try tree.open() }
    let rebuilt = try await PhotoLibrary.rebuild(at: tree.library)
    #expect(try await rebuilt.contents == before)
    let kept = tree.library.appending("catalogue.before-rebuild.sqlite")
    #expect([UInt8](try Data(contentsOf: kept.fileURL)) == damaged)
  }

  @Test func photosThatAreNotThereNowComeBackLaterWithWhatWasSaidOfThem() async throws {
    // Only its path would say which asset the new photo under an old name was; it is 77 pixels wide. It comes back as
    // another asset, and what was said of it waits.
    var lost = ""
    func isKept(_ line: String) -> Bool {
      !line.contains("gone") && !line.contains(" | 77 | ") && !line.hasPrefix(lost)
    }
    var before: [String] = []
    do {
      let library = try await library()
      let contents = try await library.contents
      lost = try #require(
        contents.first { $0.contains(" | 77 | ") }?.components(separatedBy: " | ").first)
      before = contents.filter(isKept)
    }
    tree.move("2024", to: ".aside")
    _ = try await PhotoLibrary.rebuild(at: tree.library)
    tree.move(".aside", to: "2024")
    let library = try tree.open()
    try await library.scan()
    let after = try await library.contents.filter(isKept)
    #expect(after == before, "\(Set(after).symmetricDifference(before))")
  }

  @Test func photosInFoldersThatNobodyAddedAreFoundByTheirNames() async throws {
    var before: [String] = []
    do {
      tree.photo("2024/05/a.jpg")
      let library = try tree.open()
      try await library.add([tree.photos])
      // The library's own originals are in such a folder, too.
      try await library.write(
        "UPDATE folder SET isRoot = 0; UPDATE asset SET isDerived = 0, identifier = 'OWN/L0/001'")
      before = try await library.contents
    }
    let rebuilt = try await PhotoLibrary.rebuild(at: tree.library)
    #expect(try await rebuilt.contents == before)
    #expect(before.contains { $0.hasPrefix("OWN/L0/001") })
  }

  /// A library whose catalog is lost, with its favorites before.
  private func lostLibrary() async throws -> [String] {
    var favorites: [String] = []
    do {
      let library = try await library()
      try library.catalog.export?.fold(library.catalog.path)
      try await library.write("UPDATE asset SET favorite = 1 WHERE id = 5")
      favorites = try await library.lines("SELECT name FROM asset WHERE favorite = 1")
    }
    drop(["catalogue.sqlite", "catalogue.sqlite-wal", "catalogue.sqlite-shm"])
    return favorites
  }

  @Test func fromADamagedExportIsTakenWhatIsLeftWhenThatIsWanted() async throws {
    let favorites = try await lostLibrary()
    let file = tree.library.appending("catalogue.json")
    var lines = try String(contentsOf: file.fileURL, encoding: .utf8).split(separator: "\n")
    let damaged = try #require(
      lines.firstIndex { $0.hasPrefix("{\"asset\"") && $0.contains("\"favorite\":true") })
    lines[damaged] = lines[damaged].dropLast(20)
    let bytes = Array(lines.joined(separator: "\n").utf8)
    file.write(bytes)
    let error = await #expect(throws: PhotoLibraryError.self) {
      try await PhotoLibrary.rebuild(at: tree.library)
    }
    #expect(error?.code == "export-damaged")
    #expect(error?.description.contains("Decod") == false)
    let rebuilt = try await PhotoLibrary.rebuild(at: tree.library, salvaging: true)
    let left = try await rebuilt.lines("SELECT name FROM asset WHERE favorite = 1")
    #expect(left.count == favorites.count - 1 && Set(left).isSubset(of: favorites))
    #expect(try await rebuilt.lines("SELECT title FROM collection").count == 3)
    let kept = tree.library.appending("catalogue.before-rebuild.json")
    #expect([UInt8](try Data(contentsOf: kept.fileURL)) == bytes)
  }

  @Test func anExportWhoseEndIsMissingIsKept() async throws {
    let favorites = try await lostLibrary()
    let journal = tree.library.appending("catalogue.journal.ndjson")
    let bytes = [UInt8](try Data(contentsOf: journal.fileURL)).dropLast(9)
    journal.write(Array(bytes))
    #expect(PhotoLibrary.unreadFiles(ofExportIn: tree.library) == [journal])
    let rebuilt = try await PhotoLibrary.rebuild(at: tree.library)
    let left = try await rebuilt.lines("SELECT name FROM asset WHERE favorite = 1")
    #expect(left.count == favorites.count - 1)
    let kept = tree.library.appending("catalogue.before-rebuild.journal.ndjson")
    #expect([UInt8](try Data(contentsOf: kept.fileURL)) == Array(bytes))
    #expect(PhotoLibrary.unreadFiles(ofExportIn: tree.library).isEmpty)
  }

  @Test func anExportThatCannotBeReadReplacesNothing() async throws {
    _ = try await library()
    tree.library.appending("catalogue.json").write(Array("{".utf8))
    let before = try Data(contentsOf: tree.library.appending("catalogue.sqlite").fileURL)
    await #expect(throws: PhotoLibraryError.self) {
      try await PhotoLibrary.rebuild(at: tree.library)
    }
    #expect(try Data(contentsOf: tree.library.appending("catalogue.sqlite").fileURL) == before)
  }
}
