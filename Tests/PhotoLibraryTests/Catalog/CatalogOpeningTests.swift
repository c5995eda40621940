import Foundation
import Glibc
import PhotoEditing
import SafelightCSQLite
import Testing

@testable import PhotoLibraryKit
@testable import SafelightCatalog
@testable import SafelightFiles

/// What SQLite is told about a catalog, and what is looked at before a catalog is trusted.
@Suite struct CatalogOpeningTests {
  private let tree = PhotoTree()
  private var file: FilePath { tree.library.appending("catalogue.sqlite") }

  private func library() async throws -> PhotoLibrary {
    for number in 0..<50 { tree.photo(FilePath("\(number).jpg")) }
    let library = try tree.open()
    try await library.add([tree.photos])
    return library
  }

  /// Copies a catalog with a log, as a machine leaves them that goes down.
  ///
  /// - Parameter isDamaged: Whether the copy's last page has other bytes.
  private func copyInUse(isDamaged: Bool) async throws -> FilePath {
    // Closing moves everything into the file; the next change is in the log alone.
    do { _ = try await library() }
    let library = try tree.open()
    try await library.write("UPDATE asset SET favorite = 1 WHERE id = 1")
    let copy = tree.path.appending("copy")
    copy.makeFolder()
    for ending in ["", "-wal"] {
      var bytes = [UInt8](try Data(contentsOf: file.suffixed(ending).fileURL))
      if ending.isEmpty, isDamaged {
        bytes.replaceSubrange((bytes.count - 4096)..., with: repeatElement(0xEE, count: 4096))
      }
      copy.appending("catalogue.sqlite" + ending).write(bytes)
    }
    return copy
  }

  @Test func onlyItsOwnerMayReadANewCatalog() async throws {
    let library = try await library()
    try await library.write("UPDATE asset SET favorite = 1 WHERE id = 1")
    for ending in ["", "-wal", "-shm"] {
      #expect(try #require(file.suffixed(ending).status).mode & 0o777 == 0o600)
    }
  }

  @Test(arguments: [0, 1, 100])
  func aCatalogThatWasCutOffIsDamagedAndItsExportStays(size: Int) async throws {
    do {
      let library = try await library()
      try await library.write("UPDATE asset SET favorite = 1 WHERE id = 1")
      await library.finishExport()
    }
    let export = ["catalogue.json", "catalogue.journal.ndjson"].map {
      tree.library.appending(FilePath($0))
    }
    let before = export.map { try? Data(contentsOf: $0.fileURL) }
    let bytes = [UInt8](try Data(contentsOf: file.fileURL))
    file.write(Array(bytes.prefix(size)))
    expectDamage { try tree.open() }
    #expect(export.map { try? Data(contentsOf: $0.fileURL) } == before)
    _ = try await PhotoLibrary.rebuild(at: tree.library)
    let favorites = try tree.open().fetchAssets().count { $0.isFavorite }
    #expect(favorites == 1)
  }

  @Test(arguments: [false, true])
  func aCatalogThatTheMachineWentDownWithIsChecked(isDamaged: Bool) async throws {
    let copy = try await copyInUse(isDamaged: isDamaged)
    let log = copy.appending("catalogue.sqlite-wal")
    let size = try #require(log.status?.size)
    #expect(size > 0)
    var times = [
      timeval(tv_sec: 978_307_200, tv_usec: 0), timeval(tv_sec: 978_307_200, tv_usec: 0),
    ]
    _ = utimes(log.string, &times)
    if isDamaged {
      expectDamage { try PhotoLibrary(at: copy) }
    } else {
      let library = try PhotoLibrary(at: copy)
      #expect(log.status?.size == 0)
      #expect(try await library.lines("SELECT favorite FROM asset WHERE id = 1") == ["1"])
    }
  }

  @Test func aLogOfThisSystemRunIsTrusted() async throws {
    let copy = try await copyInUse(isDamaged: true)
    let library = try PhotoLibrary(at: copy)
    #expect(try await library.lines("SELECT favorite FROM asset WHERE id = 1") == ["1"])
  }

  @Test func connectionsDoNotTrustTheFile() async throws {
    let library = try await library()
    let reader = try Database(library.catalog.path, .read)
    #expect(try reader.value("PRAGMA trusted_schema") == 0)
    #expect(throws: DatabaseError.self) { try reader.run("ATTACH ':memory:' AS other") }
    #expect(sqlite3_limit(reader.connection, SQLITE_LIMIT_LENGTH, -1) == 64 << 20)
    // A connection that is not defensive could write the schema itself.
    let writer = try Database(library.catalog.path, .write)
    try writer.run(script: "PRAGMA writable_schema = ON")
    #expect(throws: DatabaseError.self) {
      try writer.run("UPDATE sqlite_schema SET sql = '' WHERE name = 'asset'")
    }
    #expect(try await library.lines("PRAGMA journal_size_limit") == ["16777216"])
    #expect(try await library.lines("PRAGMA journal_mode") == ["wal"])
  }

  @Test func theDatabaseOfAnotherProgramIsNotTouched() async throws {
    tree.library.makeFolder()
    do {
      let other = try Database(file, .create)
      try other.run(script: "CREATE TABLE messages (text); INSERT INTO messages VALUES ('hello')")
    }
    expectDamage { try tree.open() }
    let tables: Int? = try Database(file, .read).value("SELECT count(*) FROM sqlite_schema")
    #expect(tables == 1)
  }

  @Test func aCatalogOnANetworkDiskIsRefusedInASentence() {
    let error = PhotoLibraryError(
      CatalogError.unusable(file, Catalog.refusal(of: "NFS")), tree.library)
    #expect(error.code == "library-unusable")
    #expect(error.description.hasPrefix("\(file) cannot be used: it is on a network disk (NFS)"))
    #expect(FileSystem.real.networkDisk(of: tree.path) == nil)
  }

  @Test(arguments: [
    ("nfs4 host:/x rw", nil), ("fuse.sshfs host:/x rw", "sshfs"), ("fuse.gocryptfs /x rw", nil),
  ])
  func disksOfProgramsAreKnownByTheirKind(end: String, kind: String?) {
    let mounts = """
      22 1 253:1 / / rw,relatime shared:1 - ext4 /dev/vda1 rw
      36 22 0:42 / /mnt/a\\040b rw shared:1 master:2 - \(end)
      """
    #expect(FileSystem.programDisk(mounts, device: 42) == kind)
    #expect(FileSystem.programDisk(mounts, device: 253 << 8 | 1) == nil)
  }
}
