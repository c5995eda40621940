import Glibc
import SafelightFiles
import SafelightTestSupport
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

  /// A photo with an edit's name beside it, in a folder of the library.
  private func photo() async throws -> (path: FilePath, target: FilePath) {
    let folder = library.folder.appending("pictures")
    try FileSystem.real.createFolders(folder)
    let path = folder.appending("holiday.jpg")
    try FileSystem.real.replace(path, with: SmallJPEG().bytes)
    try await library.library.add([folder])
    return (path, folder.appending(".safelight-trash/01234567-89AB-CDEF-0123-456789ABCDEF"))
  }

  @Test(arguments: [false, true])
  func aMoveThatNobodyDecidedHereIsNotMadeEvenInAFolderOfTheLibrary(readOnly: Bool) async throws {
    let (path, target) = try await photo()
    try await library.library.catalog.plant(1, path, target)
    for _ in 0..<2 {
      let opened = try PhotoLibrary(at: library.library.path, readOnly: readOnly)
      #expect(opened.recovery.unproven == [path])
      #expect(try FileSystem.real.exists(path) && !FileSystem.real.exists(target))
      #expect(
        try await opened.verify().problems.contains(LibraryProblem(.changeUnproven, path)))
    }
  }

  @Test func aSealOfAnotherCatalogOrOfAnotherMoveProvesNothing() async throws {
    let (path, target) = try await photo()
    let move = FileMove(.intoTrash, from: path, to: target.bytes)
    let identity = try library.library.rows("SELECT identifier FROM identity") { $0[0] as String }
    let other = FileMove(.intoTrash, from: path.suffixed("x"), to: target.bytes)
    let secret = LibrarySecret.user
    for seal in [
      secret.seal(move, of: "another"), secret.seal(other, of: identity[0]), [],
      [UInt8](repeating: 0, count: 32),
    ] {
      try await library.library.catalog.plant(1, path, target, seal)
    }
    #expect(try PhotoLibrary(at: library.library.path).recovery.unproven == [path])
    #expect(try FileSystem.real.exists(path))
    try await library.library.catalog.plant(1, path, target, secret.seal(move, of: identity[0]))
    #expect(try PhotoLibrary(at: library.library.path).recovery.finished == [path])
    #expect(try !FileSystem.real.exists(path) && FileSystem.real.exists(target))
  }

  @Test func whatTheUserAcceptsIsMadeWithinTheLibrary() async throws {
    let (path, target) = try await photo()
    let key = library.folder.appending("private/key.jpg")
    try FileSystem.real.createFolders(key.removingLastComponent())
    try FileSystem.real.replace(key, with: SmallJPEG().bytes)
    let outside = key.removingLastComponent().appending(".safelight-trash")
      .appending(target.lastComponent ?? "")
    let opened = library.library
    try await opened.catalog.plant(1, path, target)
    try await opened.catalog.plant(1, key, outside)
    #expect(try await opened.finishUnprovenChanges() == [path])
    #expect(try !FileSystem.real.exists(path) && FileSystem.real.exists(target))
    #expect(try FileSystem.real.exists(key))
  }

  @Test func aLinkInThePlaceOfTheOriginalsLeadsNowhere() async throws {
    let elsewhere = library.folder.appending("elsewhere")
    let staged = elsewhere.appending(".incoming/01234567-89AB-CDEF-0123-456789ABCDEF")
    try FileSystem.real.createFolders(staged)
    try FileSystem.real.replace(staged.appending("mine"), with: [1])
    let originals = library.library.path.appending("originals")
    #expect(symlink(elsewhere.string, originals.string) == 0)
    let opened = try PhotoLibrary(at: library.library.path)
    #expect(try FileSystem.real.exists(staged.appending("mine")))
    await #expect(throws: PhotoLibraryError.self) {
      let photo = FilePath(Fixture.url("beach.jpg").path)
      try await opened.performChanges {
        _ = AssetCreationRequest.creationRequestForAsset(fromImageAt: photo)
      }
    }
    #expect(try FileSystem.real.names(in: elsewhere) == [".incoming"])
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
  fileprivate func plant(
    _ kind: Int, _ source: FilePath, _ target: FilePath, _ seal: [UInt8]? = nil
  ) throws {
    try update { database in
      try database.run(
        "INSERT INTO fileMove (kind, source, target, seal) VALUES (?, ?, ?, ?)", kind,
        source.bytes, target.bytes, seal)
    }
  }
}
