import Dispatch
import Foundation
import Glibc
import SafelightTestSupport
import Testing

@testable import PhotoLibraryKit
@testable import SafelightCatalog
@testable import SafelightFiles

@Suite struct FileMoveTests {
  private let test: TestLibrary

  init() throws { test = try TestLibrary() }

  /// Moves an asset's file back to the staged files, as if the process had died before it moved the file.
  private static let stage = "01234567-89AB-CDEF-0123-456789ABCDEF"

  private func unmove(_ asset: Asset, in test: TestLibrary, keepingFile: Bool) async throws {
    let stage = test.library.originals.appending(".incoming/\(Self.stage)/0")
    try FileManager.default.createDirectory(
      atPath: stage.string, withIntermediateDirectories: true)
    let staged = stage.appending("beach.jpg")
    _ = try FileSystem.real.link(asset.path, to: staged)
    if !keepingFile { try FileSystem.real.unlink(asset.path) }
    try await test.library.catalog.update { database in
      try database.run(
        "INSERT INTO fileMove (kind, source, target, seal) VALUES (0, ?, ?, ?)", staged.bytes,
        asset.path.bytes,
        LibrarySecret.user.seal(
          FileMove(.intoPlace, from: staged, to: asset.path.bytes), of: database.identity()))
    }
  }

  @Test(arguments: [false, true])
  func openingFinishesWhatWasDecided(hasNewNameAlready: Bool) async throws {
    let asset = try await test.create()
    try await unmove(asset, in: test, keepingFile: hasNewNameAlready)
    let library = try test.reopened()
    let original = try Data(contentsOf: Fixture.url("beach.jpg"))
    #expect(try Data(contentsOf: asset.path.fileURL) == original)
    #expect(test.stagedFiles.isEmpty)
    #expect(try library.rows("SELECT count(*) FROM fileMove") { $0[0] as Int } == [0])
    #expect(library.recovery.finished == [asset.path])
  }

  @Test func openingToReadFinishesNothingAndSaysIt() async throws {
    let asset = try await test.create()
    try await unmove(asset, in: test, keepingFile: false)
    let library = try PhotoLibrary(at: test.library.path, readOnly: true)
    #expect(library.recovery.waiting == [asset.path])
    #expect(try !FileSystem.real.exists(asset.path))
    #expect(!test.stagedFiles.isEmpty)
    let problems = try await library.verify().problems
    #expect(problems.contains(LibraryProblem(.changeUnfinished, asset.path)))
    await #expect(throws: PhotoLibraryError.self) { try await library.scan() }
    #expect(throws: PhotoLibraryError.self) {
      try library.performChangesAndWait { AssetChangeRequest.emptyTrash() }
    }
  }

  @Test func aRebuildKeepsStagedFilesThatTheOldCatalogDecidedAbout() async throws {
    let asset = try await test.create()
    try await unmove(asset, in: test, keepingFile: false)
    try await test.library.write("UPDATE fileMove SET seal = NULL")
    let rebuilt = try await PhotoLibrary.rebuild(at: test.library.path)
    let original = try Data(contentsOf: Fixture.url("beach.jpg"))
    let found = try rebuilt.assets()
    #expect(found.count == 1)
    #expect(try found.allSatisfy { try Data(contentsOf: $0.path.fileURL) == original })
  }

  @Test func aFileThatTookThePlaceMeanwhileIsNotReplaced() async throws {
    let asset = try await test.create()
    try await unmove(asset, in: test, keepingFile: false)
    try Data("other".utf8).write(to: asset.path.fileURL)
    let library = try test.reopened()
    #expect(try Data(contentsOf: asset.path.fileURL) == Data("other".utf8))
    #expect(test.stagedFiles.contains("\(Self.stage)/0/beach.jpg"))
    #expect(try library.rows("SELECT count(*) FROM fileMove") { $0[0] as Int } == [1])
  }

  @Test func openingRemovesWhatWasNeverDecided() async throws {
    try await test.create()
    let stage = test.library.originals.appending(".incoming/\(Self.stage)")
    try FileManager.default.createDirectory(
      atPath: stage.string, withIntermediateDirectories: true)
    try Data("half".utf8).write(to: stage.appending("photo").fileURL)
    _ = try test.reopened()
    #expect(test.stagedFiles.isEmpty)
  }

  @Test(arguments: [1, 4, 9, 16, 25, 36, 49, 64, 100, 150])
  func killedProcessesLeaveAllOrNothing(milliseconds: Int) async throws {
    let (library, photo) = (test.library.path.string, Fixture.url("beach.jpg").path)
    await #expect(processExitsWith: .signal(SIGKILL)) {
      [library = library as String, photo = photo as String, milliseconds] in
      DispatchQueue.global().asyncAfter(deadline: .now() + .milliseconds(milliseconds)) {
        kill(getpid(), SIGKILL)
      }
      let opened = try PhotoLibrary(at: FilePath(library))
      while true {
        try opened.performChangesAndWait {
          let album = AssetCollectionChangeRequest.creationRequestForAssetCollection(
            withTitle: "Two")
          for _ in 0..<2 {
            let request = AssetCreationRequest.creationRequestForAsset(
              fromImageAt: FilePath(photo))
            album.addAssets([request.placeholderForCreatedAsset])
          }
        }
      }
    }
    let opened = try test.reopened()
    let original = try Data(contentsOf: Fixture.url("beach.jpg"))
    let assets = try opened.assets()
    for asset in assets { #expect(try Data(contentsOf: asset.path.fileURL) == original) }
    let members = try opened.rows("SELECT count(*) FROM member GROUP BY album") { $0[0] as Int }
    #expect(members.allSatisfy { $0 == 2 } && members.count * 2 == assets.count)
    #expect(test.stagedFiles.isEmpty)
    #expect(try opened.rows("PRAGMA integrity_check") { $0[0] as String } == ["ok"])
  }
}
