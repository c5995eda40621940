import Glibc
import SafelightFiles
import Testing

@testable import PhotoLibraryKit
@testable import SafelightCatalog

/// What a catalog that somebody else wrote may lead to.
@Suite struct PlantedMoveTests {
  private let library: TestLibrary

  init() throws { library = try TestLibrary() }

  /// Opens the library again with a move in the catalog that no change set decided.
  private func reopen(planting kind: Int, from source: FilePath, to target: FilePath) async throws {
    let opened = try PhotoLibrary(at: library.folder.appending("library"))
    try await opened.catalog.plant(kind, source, target)
    _ = try PhotoLibrary(at: opened.path)
  }

  @Test(arguments: [0, 1])
  func aMoveOutsideOfTheLibrarysFoldersIsNotMade(kind: Int) async throws {
    let victim = library.folder.appending("private")
    let key = victim.appending("key.jpg")
    try FileSystem.real.createFolders(victim)
    try FileSystem.real.replace(key, with: Array("private".utf8))
    let taken = library.folder.appending("taken")
    let originals = library.folder.appending("library/originals")
    for target in [
      taken.appending("key.jpg"), originals.appending("key.jpg"),
      originals.appending("../../taken/key.jpg"),
      victim.appending(".safelight-trash/../../taken/1"),
    ] {
      try await reopen(planting: kind, from: key, to: target)
      #expect(try FileSystem.real.contents(of: key, limit: 100) == Array("private".utf8))
      #expect(try !FileSystem.real.exists(target))
    }
    #expect(try !FileSystem.real.exists(taken))
  }

  @Test func aFileThatIsNoPhotoStaysWhereItIs() async throws {
    let key = library.folder.appending("private/key.txt")
    try FileSystem.real.createFolders(key.removingLastComponent())
    try FileSystem.real.replace(key, with: Array("private".utf8))
    let target = library.folder.appending("private/.safelight-trash/1")
    try await reopen(planting: 1, from: key, to: target)
    #expect(try FileSystem.real.contents(of: key, limit: 100) == Array("private".utf8))
    #expect(try !FileSystem.real.exists(target))
  }

  @Test func aLibraryOfAnotherUserIsNotOpenedUntold() throws {
    guard geteuid() == 0 else { return }
    let path = library.folder.appending("library")
    _ = try PhotoLibrary(at: path)
    let file = path.appending("catalogue.sqlite")
    #expect(chown(file.string, 12_345, 12_345) == 0)
    let error = #expect(throws: PhotoLibraryError.self) { try PhotoLibrary(at: path) }
    #expect(error?.code == "library-of-another-user")
    _ = try PhotoLibrary(at: path, trustingOwner: true)
  }
}

extension Catalog {
  fileprivate func plant(_ kind: Int, _ source: FilePath, _ target: FilePath) throws {
    let path = path
    try change { (database) throws(PhotoLibraryError) in
      do throws(DatabaseError) {
        try database.run(
          "INSERT INTO fileMove (kind, source, target) VALUES (?, ?, ?)", kind, source.bytes,
          target.bytes)
      } catch {
        throw PhotoLibraryError(error, path)
      }
      return []
    }
  }
}
