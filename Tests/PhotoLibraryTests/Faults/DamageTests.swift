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

  @Test func aNewerCatalogIsRefusedWithoutTouchingAnything() async throws {
    try await prepare("INSERT INTO migration VALUES ('holograms')")
    let before = try traces
    #expect(throws: PhotoLibraryError.newerCatalog(file, unknown: ["holograms"])) {
      try tree.open()
    }
    #expect(try traces == before)
  }

  @Test func aNewerCatalogThatIsInUseIsRefusedToo() async throws {
    try await prepare()
    let newer = try Database(file, .write)
    try newer.run(script: "INSERT INTO migration VALUES ('holograms')")
    let before = try Data(contentsOf: file.fileURL)
    #expect(throws: PhotoLibraryError.newerCatalog(file, unknown: ["holograms"])) {
      try tree.open()
    }
    #expect(try Data(contentsOf: file.fileURL) == before)
  }

  @Test func aFileThatIsNoDatabaseIsRefusedWithoutTouchingIt() async throws {
    try await prepare()
    var generator = SeededGenerator(seed: 1)
    file.write((0..<5000).map { _ in UInt8.random(in: 0...255, using: &generator) })
    let before = try traces
    #expect {
      try tree.open()
    } throws: { error in
      if case PhotoLibraryError.damagedCatalog = error { true } else { false }
    }
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
}
