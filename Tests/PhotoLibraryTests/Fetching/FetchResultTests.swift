import Foundation
import Testing

@testable import PhotoLibraryKit
@testable import SafelightCatalog
@testable import SafelightFiles

@Suite struct FetchResultTests {
  private func filled(_ count: Int) async throws -> SampleLibrary {
    let sample = try SampleLibrary()
    try await sample.add((0..<count).map { Sample("\(10_000 + $0)", seconds: Double($0)) })
    return sample
  }

  @Test(arguments: [0, 1, 255, 256, 257, 1024, 1025, 2600])
  func isAnArrayOfItsAssets(count: Int) async throws {
    let sample = try await filled(count)
    let wanted = (0..<count).map { "\(10_000 + $0)" }
    let result = try sample.library.fetchAssets()
    #expect(result.count == count && result.isEmpty == (count == 0))
    #expect(result.map(\.localIdentifier) == wanted)
    #expect(result.firstObject?.localIdentifier == wanted.first)
    #expect(result.lastObject?.localIdentifier == wanted.last)
    #expect(result.reversed().map(\.localIdentifier) == wanted.reversed())
    #expect(result.indices.map { result[$0].localIdentifier } == wanted)
    #expect(result[(count / 2)...].map(\.localIdentifier) == Array(wanted[(count / 2)...]))
  }

  @Test func assetsThatADamagedCatalogCountsAndDoesNotHaveAreUnreadable() async throws {
    let sample = try await filled(3)
    try await sample.run("UPDATE tally SET visible = 5")
    let result = try sample.library.fetchAssets()
    #expect(result.count == 5)
    #expect(result.map(\.localIdentifier).prefix(3) == ["10000", "10001", "10002"])
    #expect(result[4] == .unreadable)
  }

  /// PhotoKit's results are objects: a program compares them with `===`, or keeps them as keys.
  @Test func aResultIsEqualToItsCopies() async throws {
    let sample = try await filled(3)
    let result = try sample.library.fetchAssets()
    let (copy, again) = (result, try sample.library.fetchAssets())
    #expect(copy == result && again != result && again.elementsEqual(result))
    #expect(Set([result, copy, again]).count == 2)
    #expect(FetchResult<Asset>() == FetchResult() && FetchResult() != result)
    var changes = sample.library.changes.makeAsyncIterator()
    try await sample.library.performChanges {
      AssetChangeRequest(for: result[0]).isFavorite = true
    }
    let details = try #require(await changes.next()?.changeDetails(for: result))
    #expect(details.fetchResultBeforeChanges == result)
    #expect(details.fetchResultAfterChanges != result)
  }

  @Test func readsAnyPlaceFirst() async throws {
    let sample = try await filled(3000)
    for index in [2999, 0, 1500, 1023, 1024, 255, 256] {
      let fresh = try sample.library.fetchAssets()
      #expect(fresh[index].localIdentifier == "\(10_000 + index)")
    }
  }

  @Test func findsWhereAnAssetStands() async throws {
    let sample = try await filled(1500)
    let result = try sample.library.fetchAssets()
    #expect(result.index(of: result[1400]) == 1400)
    let few = try sample.library.fetchAssets(with: FetchOptions(fetchLimit: 10))
    #expect(few.contains(result[9]) && !few.contains(result[10]))
  }

  @Test func knowsALaterStateOfTheSameAsset() async throws {
    let sample = try await filled(20)
    let before = try sample.library.fetchAssets()
    try await sample.run("UPDATE asset SET favorite = 1 WHERE identifier = '10007'")
    let later = try sample.library.fetchAssets()
    #expect(later[7] != before[7] && before.index(of: later[7]) == 7)
  }

  @Test func takesNoAssetForAnotherInItsRow() async throws {
    let sample = try await filled(20)
    let before = try sample.library.fetchAssets()
    try await sample.run("DELETE FROM asset WHERE identifier = '10019'")
    try await sample.add([Sample("another", seconds: 100)])
    let later = try sample.library.fetchAssets()
    let another = try #require(later.lastObject)
    #expect(another.row == before[19].row)
    #expect(before.index(of: another) == nil)
  }

  @Test func givesSeveralAssetsAtOnceAndStopsWhenTold() async throws {
    let sample = try await filled(600)
    let result = try sample.library.fetchAssets()
    #expect(result.objects(at: [599, 3, 3]).map(\.localIdentifier) == ["10599", "10003", "10003"])
    #expect(result.objects(at: IndexSet([5, 300])).map(\.localIdentifier) == ["10005", "10300"])
    var seen: [Int] = []
    result.enumerateObjects { _, index, stop in
      seen.append(index)
      stop = index == 300
    }
    #expect(seen == Array(0...300))
  }

  @Test func countsAssetsOfOneKind() async throws {
    let sample = try await filled(10)
    try await sample.run("UPDATE asset SET mediaSubtypes = 12 WHERE id > 7")
    let result = try sample.library.fetchAssets()
    #expect(result.countOfAssets(with: .image) == 10 && result.countOfAssets(with: .video) == 0)
    #expect(result.countOfAssets(with: .photoScreenshot) == 3)
    #expect(result.countOfAssets(with: [.photoScreenshot, .photoLive]) == 3)
    let limited = try sample.library.fetchAssets(with: FetchOptions(fetchLimit: 8))
    #expect(limited.countOfAssets(with: .photoScreenshot) == 1)
  }

  @Test func sharesTheSnapshotUntilSomebodyWrites() async throws {
    let sample = try await filled(5)
    let (first, second) = (try sample.library.fetchAssets(), try sample.library.fetchAssets())
    #expect(first.snapshot === second.snapshot)
    try await sample.run("UPDATE asset SET favorite = 1")
    #expect(try sample.library.fetchAssets().snapshot !== first.snapshot)
  }

  @Test func indexesBeyondTheEndStopTheProgram() async {
    await #expect(processExitsWith: .failure) {
      // The list is in memory: a stopped process would leave the folder of a library behind.
      let result = FetchResult<UserCollection>(
        storage: .list([], rows: []), snapshot: nil, wantsIncrementalChangeDetails: true,
        fetch: { _ throws(PhotoLibraryError) in throw .userCancelled })
      _ = result[0]
    }
  }
}

/// A result shows the library as it was at the fetch, also when others write.
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
      try await library.catalog.change { database in
        try database.run("DELETE FROM asset WHERE id % 2 = 0")
        try database.run("UPDATE asset SET favorite = 1")
        return [Catalog.ChangedObject(kind: .asset, identifier: "*", how: .updated)]
      }
    }
    #expect(Array(result) == before)
    let now = try sample.library.fetchAssets()
    #expect(now.count < before.count && now.allSatisfy(\.isFavorite))
  }
}
