import Foundation
import PhotoEditing
import Testing

@testable import PhotoLibraryKit
@testable import SafelightCatalog
@testable import SafelightFiles

@Suite struct FullAndBusyTests {
  private let tree = PhotoTree()

  @Test func aFullDiskChangesNothingAndIndexingGoesOnWhenThereIsRoom() async throws {
    for number in 0..<1200 { tree.photo(FilePath("\(number % 7)/\(number).jpg")) }
    let library = try tree.open()
    let pages = try await library.lines("PRAGMA page_count")[0]
    var limit = try #require(Int(pages)) + 1
    var refusals = 0
    while true {
      _ = try await library.lines("PRAGMA max_page_count = \(limit)")
      do {
        try await library.add([tree.photos])
        break
      } catch {
        try #require(error == .notEnoughSpace(library.catalog.path))
        refusals += 1
      }
      #expect(try await library.lines("PRAGMA integrity_check") == ["ok"])
      // Batches are whole or not there.
      let count = try #require(Int(try await library.lines("SELECT count(*) FROM asset")[0]))
      #expect(count < 1200)
      limit += 40
    }
    #expect(refusals > 2)
    #expect(try await library.names.count == 1200)
    #expect(try await library.lines("SELECT DISTINCT identifier FROM asset").count == 1200)
  }

  @Test func anotherWriterThatGoesOnIsWaitedForAndThenAnError() async throws {
    tree.photo("a.jpg")
    let library = try tree.open()
    _ = try await library.lines("PRAGMA busy_timeout = 50")
    let other = try Database(library.catalog.path, .write)
    try other.run(script: "BEGIN IMMEDIATE")
    await #expect(throws: PhotoLibraryError.busy(library.catalog.path)) {
      try await library.add([tree.photos])
    }
    try other.run(script: "ROLLBACK")
    #expect(try await library.add([tree.photos]).added == 1)
  }

  @Test func twoLibrariesMayIndexTheSameFoldersAtOnce() async throws {
    for number in 0..<300 { tree.photo(FilePath("\(number).jpg")) }
    let (one, two) = (try tree.open(), try tree.open())
    async let first = one.add([tree.photos])
    async let second = two.add([tree.photos])
    _ = try await (first, second)
    #expect(try await one.names.count == 300)
    #expect(try await one.lines("SELECT count(*) FROM asset WHERE isDerived = 0") == ["0"])
    #expect(try await two.scan().isUnchanged)
  }
}
