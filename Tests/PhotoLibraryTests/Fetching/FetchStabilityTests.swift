import Foundation
import Testing

@testable import PhotoLibraryKit
@testable import SafelightCatalog
@testable import SafelightFiles

/// A result shows the library as it was at the fetch, whoever writes.
@Suite struct FetchStabilityTests {
  @Test func staysAsItWasWhileOthersWrite() async throws {
    let sample = try await SampleLibrary(random: 3000)
    let newest = FetchOptions(
      sortDescriptors: [FetchSortDescriptor(.creationDate, ascending: false)])
    let before = Array(try sample.library.fetchAssets(with: newest))
    let result = try sample.library.fetchAssets(with: newest)
    _ = result.firstObject
    try await withThrowingTaskGroup(of: Void.self) { group in
      for writer in 0..<3 {
        group.addTask {
          for step in 0..<30 {
            try await sample.run(
              "UPDATE asset SET favorite = 1 - favorite, hidden = 1 - hidden, creationDate = ? "
                + "WHERE id % 90 = ?", Double(step), writer * 30 + step)
            try await sample.run("DELETE FROM asset WHERE id = ?", writer * 1000 + step + 1)
          }
        }
      }
      for _ in 0..<3 {
        group.addTask { #expect(Array(result) == before) }
      }
      try await group.waitForAll()
    }
    #expect(result.count == before.count && Array(result) == before)
    #expect(Array(try sample.library.fetchAssets(with: newest)) != before)
  }

  @Test func staysAsItWasWhileAnotherProcessWrites() async throws {
    let sample = try await SampleLibrary(random: 2000)
    let result = try sample.library.fetchAssets()
    let before = Array(try sample.library.fetchAssets())
    let path: String = sample.path.string
    await #expect(processExitsWith: .success) { [path = path as String] in
      let library = try PhotoLibrary(at: FilePath(path))
      try await library.catalog.change { (database) throws(PhotoLibraryError) in
        do throws(DatabaseError) {
          try database.run("DELETE FROM asset WHERE id % 2 = 0")
          try database.run("UPDATE asset SET favorite = 1")
        } catch {
          throw PhotoLibraryError(error, library.path)
        }
        return [Catalog.ChangedObject(kind: .asset, identifier: "*", how: .updated)]
      }
    }
    #expect(Array(result) == before)
    let now = try sample.library.fetchAssets()
    #expect(now.count < before.count && now.allSatisfy(\.isFavorite))
  }
}
