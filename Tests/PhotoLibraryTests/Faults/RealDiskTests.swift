import Foundation
import Glibc
import PhotoEditing
import SafelightTestSupport
import Testing

@testable import PhotoLibraryKit
@testable import SafelightCatalog
@testable import SafelightFiles

/// A small disk in memory, which only root can make.
private final class SmallDisk {
  let path: FilePath

  /// - Returns: `nil` where no disk can be mounted.
  init?(megabytes: Int) {
    path = FilePath(NSTemporaryDirectory()).appending("safelight-disk-\(UUID().uuidString)")
    path.makeFolder()
    guard mount("tmpfs", path.string, "tmpfs", 0, "size=\(megabytes)m") == 0 else {
      rmdir(path.string)
      return nil
    }
  }

  /// Makes the disk read-only, or writable again.
  func setReadOnly(_ isReadOnly: Bool) -> Bool {
    let flags = UInt(MS_REMOUNT) | (isReadOnly ? UInt(MS_RDONLY) : 0)
    return mount("tmpfs", path.string, "tmpfs", flags, nil) == 0
  }

  /// Fills the disk except for some kilobytes.
  func fill(leaving kilobytes: Int) {
    var facts = statvfs()
    statvfs(path.string, &facts)
    let free = Int(facts.f_bavail) * Int(facts.f_frsize) - kilobytes * 1024
    path.appending("ballast").write([UInt8](repeating: 1, count: max(0, free)))
  }

  func makeRoom() { unlink(path.appending("ballast").string) }

  deinit {
    umount2(path.string, Int32(MNT_DETACH))
    rmdir(path.string)
  }
}

@Suite struct RealDiskTests {
  private static let canMount = SmallDisk(megabytes: 1) != nil

  @Test(.enabled(if: canMount, "only root can mount a disk"), arguments: [0, 40, 200])
  func aFullDiskRefusesChangesAndLosesNone(kilobytes: Int) async throws {
    let disk = try #require(SmallDisk(megabytes: 24))
    let place = disk.path.appending("library")
    var done = 0
    do {
      let library = try PhotoLibrary(at: place)
      let assets = try await library.addRows(200)
      disk.fill(leaving: kilobytes)
      var refusal: PhotoLibraryError?
      for asset in assets where refusal == nil {
        do {
          try await library.performChanges { AssetChangeRequest(for: asset).isFavorite = true }
          done += 1
        } catch {
          refusal = error
        }
      }
      let isFull = if case .notEnoughSpace = refusal { true } else { false }
      #expect(isFull, "\(String(describing: refusal))")
      #expect(try await library.lines("SELECT sum(favorite) FROM asset") == ["\(done)"])
      disk.makeRoom()
      try await library.performChanges { AssetChangeRequest(for: assets[199]).isFavorite = true }
    }
    let library = try PhotoLibrary(at: place)
    #expect(try await library.lines("SELECT sum(favorite) FROM asset") == ["\(done + 1)"])
    #expect(try await library.lines("PRAGMA integrity_check") == ["ok"])
    #expect(library.exportProblem == nil)
  }

  // SQLite would read a catalog with a log without an error.
  @Test(.enabled(if: canMount, "only root can mount a disk"), arguments: [false, true])
  func aDiskThatMayNotBeWrittenIsAnErrorAndIsLeftAsItIs(hasLog: Bool) async throws {
    let disk = try #require(SmallDisk(megabytes: 24))
    let place = disk.path.appending("library")
    if hasLog {
      let other = try TestLibrary()
      try await other.library.addRows(3)
      try FileManager.default.copyItem(at: other.library.path.fileURL, to: place.fileURL)
    } else {
      try await PhotoLibrary(at: place).addRows(3)
    }
    // The disk cannot be unmounted while the export is being written.
    try #require(await eventually { disk.setReadOnly(true) })
    let before = try contents(of: place)
    #expect(throws: PhotoLibraryError.self) { try PhotoLibrary(at: place) }
    #expect(try contents(of: place) == before)
    try #require(disk.setReadOnly(false))
    #expect(try PhotoLibrary(at: place).fetchAssets().count == 3)
  }

  @Test(.enabled(if: canMount, "only root can mount a disk"), arguments: [false, true])
  func aLibraryOnADiskThatMayNotBeWrittenCanBeLookedAt(isOlder: Bool) async throws {
    let disk = try #require(SmallDisk(megabytes: 24))
    let place = disk.path.appending("library")
    if isOlder {
      place.makeFolder()
      let database = try Database(place.appending("catalogue.sqlite"), .create)
      try Catalog.prepare(database)
      try Migrations(list: Schema.migrations.list.dropLast()).run(on: database)
    } else {
      try await PhotoLibrary(at: place).addRows(3)
    }
    try #require(await eventually { disk.setReadOnly(true) })
    let before = try contents(of: place)
    if isOlder {
      let error = #expect(throws: PhotoLibraryError.self) {
        try PhotoLibrary(at: place, readOnly: true)
      }
      #expect(error == .olderCatalog(place.appending("catalogue.sqlite")))
    } else {
      let library = try PhotoLibrary(at: place, readOnly: true)
      #expect(try library.fetchAssets().allObjects().count == 3)
      #expect(try await library.verify().problems.allSatisfy { $0.code != "catalog-damaged" })
    }
    #expect(try contents(of: place) == before)
    try #require(disk.setReadOnly(false))
  }

  @Test(.enabled(if: canMount, "only root can mount a disk"))
  func aLogThatCannotBeReadThereIsToldAndNotPassedOver() async throws {
    let disk = try #require(SmallDisk(megabytes: 24))
    let place = disk.path.appending("library")
    place.makeFolder()
    do {
      let other = try TestLibrary()
      try await other.library.addRows(3)
      for name in ["catalogue.sqlite", "catalogue.sqlite-wal"] {
        try FileManager.default.copyItem(
          at: other.library.path.appending(FilePath(name)).fileURL,
          to: place.appending(FilePath(name)).fileURL)
      }
    }
    try #require(await eventually { disk.setReadOnly(true) })
    let error = #expect(throws: PhotoLibraryError.self) {
      try PhotoLibrary(at: place, readOnly: true)
    }
    #expect(error?.description.contains("Copy the whole folder") == true)
    try #require(disk.setReadOnly(false))
    #expect(try PhotoLibrary(at: place, readOnly: true).fetchAssets().count == 3)
  }

  private func contents(of folder: FilePath) throws -> [String: Data] {
    var contents: [String: Data] = [:]
    for name in try FileManager.default.contentsOfDirectory(atPath: folder.string) {
      contents[name] = try? Data(contentsOf: folder.appending(name).fileURL)
    }
    return contents
  }
}
