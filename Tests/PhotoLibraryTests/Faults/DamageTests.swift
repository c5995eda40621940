import Foundation
import Glibc
import PhotoEditing
import SafelightTestSupport
import Testing

@testable import PhotoLibraryKit
@testable import SafelightCatalog
@testable import SafelightFiles

@Suite struct DamageTests {
  private let tree = PhotoTree()
  private var file: FilePath { tree.library.appending("catalogue.sqlite") }

  /// The names, bytes and times of all files of the library.
  private var traces: [String: [UInt8]] {
    get throws {
      var traces: [String: [UInt8]] = [:]
      for name in try FileManager.default.contentsOfDirectory(atPath: tree.library.string) {
        let path = tree.library.appending(name)
        let time = try #require(path.status).modified.inNanoseconds
        traces["\(name) \(time)"] = [UInt8](try Data(contentsOf: path.fileURL))
      }
      return traces
    }
  }

  private func prepare(_ script: String = "") async throws {
    for number in 0..<20 { tree.photo(FilePath("\(number).jpg")) }
    let library = try tree.open()
    try await library.add([tree.photos])
    if !script.isEmpty { try await library.write(script) }
  }

  @Test(arguments: [false, true])
  func aNewerCatalogIsRefusedWithoutTouchingAnything(isInUse: Bool) async throws {
    let migration = "INSERT INTO migration VALUES ('holograms')"
    try await prepare(isInUse ? "" : migration)
    let newer = isInUse ? try Database(file, .write) : nil
    try newer?.run(script: migration)
    // While somebody has the catalog open, each reader notes itself in a file beside it.
    let before = try isInUse ? ["": [UInt8](Data(contentsOf: file.fileURL))] : traces
    #expect(throws: PhotoLibraryError.newerCatalog(file, unknown: ["holograms"])) {
      try tree.open()
    }
    #expect(try (isInUse ? ["": [UInt8](Data(contentsOf: file.fileURL))] : traces) == before)
    withExtendedLifetime(newer) {}
  }

  @Test func aFileThatIsNoDatabaseIsRefusedWithoutTouchingIt() async throws {
    try await prepare()
    var generator = SeededGenerator(seed: 1)
    file.write((0..<5000).map { _ in UInt8.random(in: 0...255, using: &generator) })
    let before = try traces
    expectDamage { try tree.open() }
    #expect(try traces == before)
  }

  @Test(arguments: [100, 4096, 9000, 30_000])
  func aTruncatedDatabaseIsAnErrorAndCanBeRebuilt(length: Int) async throws {
    try await prepare("UPDATE asset SET favorite = 1 WHERE id = 3")
    truncate(file.string, length)
    await #expect(throws: PhotoLibraryError.self) {
      let library = try tree.open()
      _ = try await library.lines("SELECT identifier, name FROM asset ORDER BY addedDate")
      _ = try await library.scan()
    }
    let rebuilt = try await PhotoLibrary.rebuild(at: tree.library)
    #expect(try await rebuilt.lines("SELECT count(*) FROM asset WHERE favorite = 1") == ["1"])
  }

  @Test(arguments: 0..<40)
  func damagedBytesLeadToErrorsAndNeverToACrash(seed: UInt64) async throws {
    try await prepare()
    var generator = SeededGenerator(seed: seed)
    var bytes = [UInt8](try Data(contentsOf: file.fileURL))
    for _ in 0..<200 {
      bytes[Int.random(in: 0..<bytes.count, using: &generator)] = .random(
        in: 0...255, using: &generator)
    }
    file.write(bytes)
    do {
      let library = try tree.open()
      _ = try await library.scan()
    } catch {
      #expect(error is PhotoLibraryError)
    }
  }

  @Test(arguments: [0, 0xFF] as [UInt8])
  func aDamagedPageIsAnErrorOrChangesNothing(filler: UInt8) async throws {
    try await prepare("UPDATE asset SET favorite = 1 WHERE id < 4")
    let whole = [UInt8](try Data(contentsOf: file.fileURL))
    let orders: [[FetchSortDescriptor]] = [
      [], [FetchSortDescriptor(.filename)], [FetchSortDescriptor(.pixelWidth)],
    ]
    var errors = 0
    for page in 1..<whole.count / 4096 {
      var bytes = whole
      for place in page * 4096..<(page + 1) * 4096 { bytes[place] = filler }
      let copy = TemporaryFolder()
      copy.path.appending("catalogue.sqlite").write(bytes)
      do {
        let library = try PhotoLibrary(at: copy.path, readOnly: true)
        for order in orders {
          let all = try library.fetchAssets(with: FetchOptions(sortDescriptors: order))
          #expect(try all.allObjects().count == 20, "page \(page + 1)")
          let favorites = FetchOptions(predicate: .isFavorite == true, sortDescriptors: order)
          #expect(
            try library.fetchAssets(with: favorites).allObjects().count == 3, "page \(page + 1)")
          #expect(try library.fetchAssets(with: favorites).counted() == 3, "page \(page + 1)")
        }
      } catch {
        errors += 1
        let isKnown =
          switch error {
          case .damagedCatalog, .catalog, .olderCatalog, .newerCatalog: true
          default: false
          }
        #expect(isKnown, "page \(page + 1): \(error)")
      }
    }
    #expect(errors > 4)
  }

  @Test func aResultOfADamagedCatalogSaysWhyItIsEmpty() async throws {
    try await prepare()
    let root = try Database(file, .read).rows(
      "SELECT rootpage FROM sqlite_schema WHERE name = 'assetByClock'"
    ) { $0[0] as Int }[0]
    var bytes = [UInt8](try Data(contentsOf: file.fileURL))
    for place in (root - 1) * 4096..<root * 4096 { bytes[place] = 0 }
    file.write(bytes)
    let library = try PhotoLibrary(at: tree.library, readOnly: true)
    let result = try library.fetchAssets()
    #expect(result.failure == nil)
    #expect(Array(result).allSatisfy { $0.localIdentifier.isEmpty })
    #expect(result.failure != nil)
    #expect(throws: PhotoLibraryError.self) { try result.allObjects() }
    #expect(library.unavailabilityReason != nil)
  }

  /// The numbers of photos, and what the counters say of them.
  @Test(arguments: [(300, 200), (300, 299), (256, 300), (256, 255), (512, 300), (1300, 1200)])
  func countersThatAreWrongAreToldWhereverTheListEnds(photos: Int, promised: Int) async throws {
    let sample = try SampleLibrary()
    try await sample.add((1...photos).map { Sample("\($0)") })
    try await sample.run("UPDATE tally SET visible = ?", promised)
    let counted = try sample.library.fetchAssets()
    #expect(try counted.counted() == promised)
    #expect(throws: PhotoLibraryError.self) {
      try counted.preload(0..<promised)
      _ = try counted.allObjects()
    }
    #expect(counted.failure != nil)
    let last = try sample.library.fetchAssets()
    let count = try last.counted()
    try last.preload(count - 1..<count)
    #expect(last.failure != nil)
    // Without a promise nothing is wrong.
    let uncounted = try sample.library.fetchAssets()
    #expect(uncounted.firstObject != nil)
    #expect(try uncounted.allObjects().count == photos)
    #expect(try uncounted.counted() == photos)
  }

  @Test func countersThatSayThereIsNothingAreNotBelieved() async throws {
    let sample = try SampleLibrary()
    try await sample.add([Sample("1")])
    try await sample.run("UPDATE tally SET visible = ?", 0)
    #expect(try sample.library.fetchAssets().counted() == 1)
  }

  @Test func anIndexThatLacksPhotosIsDamage() async throws {
    try await prepare("UPDATE asset SET favorite = 1 WHERE id < 4")
    // An index as it was before some photos came: SQLite itself does not notice it.
    do {
      let root = try Database(file, .read).rows(
        "SELECT rootpage FROM sqlite_schema WHERE name = 'assetFavorite'"
      ) { $0[0] as Int }[0]
      var bytes = [UInt8](try Data(contentsOf: file.fileURL))
      let page = (root - 1) * 4096
      // The number of entries of a page of an index, source: sqlite.org/fileformat2.html, 1.6.
      #expect(bytes[page + 4] == 3)
      bytes[page + 4] = 1
      file.write(bytes)
    }
    let library = try PhotoLibrary(at: tree.library, readOnly: true)
    let favorites = FetchOptions(predicate: .isFavorite == true)
    #expect(throws: PhotoLibraryError.self) {
      try library.fetchAssets(with: favorites).allObjects()
    }
  }
}
