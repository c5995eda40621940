import Foundation
import Glibc
import PhotoEditing
import SafelightTestSupport
import Testing

@testable import PhotoLibraryKit
@testable import SafelightCatalog

/// A catalog that is removed or damaged while the library is open ends no process.
@Suite struct AvailabilityTests {
  enum Loss: CaseIterable {
    case removed, renamed, truncated, overwritten
  }

  private final class Observer: PhotoLibraryAvailabilityObserver {
    let told = Box(0)
    func photoLibraryDidBecomeUnavailable(_ library: PhotoLibrary) { told.value += 1 }
  }

  private func lose(_ file: FilePath, _ loss: Loss) throws {
    switch loss {
    case .removed: #expect(unlink(file.string) == 0)
    case .renamed: #expect(rename(file.string, file.string + ".away") == 0)
    case .truncated: #expect(truncate(file.string, 5000) == 0)
    case .overwritten:
      let size = try FileManager.default.attributesOfItem(atPath: file.string)[.size] as? Int
      let handle = try FileHandle(forWritingTo: file.fileURL)
      try handle.write(contentsOf: Data(repeating: 0x5A, count: size ?? 0))
      try handle.close()
    }
  }

  @Test(arguments: Loss.allCases)
  func resultsKeepWhatTheyHadAndCallsThrow(loss: Loss) async throws {
    let sample = try await SampleLibrary(random: 4000)
    // Everything is in the file, and no page of it in memory.
    try await sample.library.catalog.writeBack()
    let library = try PhotoLibrary(at: sample.path)
    let observer = Observer()
    library.register(observer as any PhotoLibraryAvailabilityObserver)
    let result = try library.fetchAssets()
    let first = result[0]
    let count = result.count
    try lose(sample.path.appending("catalogue.sqlite"), loss)

    // None of these calls may end the process.
    #expect(result.count == count)
    #expect(result[0] == first)
    #expect(result.map(\.localIdentifier).count == count)
    #expect(Array(result).count == count)
    _ = result.index(of: first)
    _ = result.countOfAssets(with: .photoPanorama)
    _ = try? library.fetchAssets(with: FetchOptions(predicate: .filename.contains("a"))).count
    for _ in 0..<3 {
      _ = try? library.fetchAssets(with: FetchOptions(predicate: .camera == "x")).firstObject
      _ = try? library.fetchTopLevelUserCollections()
    }
    if loss == .removed || loss == .renamed {
      #expect(throws: PhotoLibraryError.self) { try library.fetchAssets() }
      await #expect(throws: PhotoLibraryError.self) { try await library.scan() }
      #expect(throws: PhotoLibraryError.self) {
        try library.performChangesAndWait {
          AssetChangeRequest(for: first).isFavorite = true
        }
      }
      for _ in 0..<500 where observer.told.value == 0 {
        try await Task.sleep(for: .milliseconds(10))
      }
      #expect(observer.told.value == 1)
      #expect(library.unavailabilityReason != nil)
    }
  }

  @Test func aResultThatWasNeverReadIsEmpty() async throws {
    let sample = try await SampleLibrary(random: 4000)
    try await sample.library.catalog.writeBack()
    let library = try PhotoLibrary(at: sample.path)
    let result = try library.fetchAssets(
      with: FetchOptions(predicate: .filename.contains("7", .caseInsensitive)))
    truncate(sample.path.appending("catalogue.sqlite").string, 0)
    let found = Array(result)
    #expect(result.count == found.count)
    if found.isEmpty { #expect(result.firstObject == nil) }
  }

  @Test func aRowThatTheTablesDoNotAllowIsAnError() async throws {
    let sample = try await SampleLibrary(random: 10)
    #expect(throws: PhotoLibraryError.self) {
      try sample.read { (database) throws(DatabaseError) in
        try database.rows("SELECT NULL UNION ALL SELECT 'text'") { $0[0] as Int }
      }
    }
  }
}
