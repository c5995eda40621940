import SafelightTestSupport
import Testing

@testable import PhotoLibraryKit
@testable import SafelightCatalog
@testable import SafelightFiles

/// SQLite finds exactly the assets for which the condition is true in memory.
@Suite struct PredicateOracleTests {
  @Test(arguments: [11, 12, 13] as [UInt64])
  func anyTextIsRefusedOrFetchesWhatItSays(seed: UInt64) async throws {
    let sample = try await SampleLibrary(random: 60, seed: seed)
    let everything = try sample.library.fetchAssets()
    var random = RandomPredicates(seed: seed)
    var accepted = 0
    for round in 0..<Rounds.count(600, long: 4000) {
      let text =
        round % 2 == 0
        ? random.words()
        : random.damaged(random.pick(PredicateFormatTests.spellings.map(\.0)))
      guard
        let predicate = try? FetchPredicate(
          format: text, arguments: (0..<text.count { $0 == "%" }).map { _ in .integer(1) })
      else { continue }
      accepted += 1
      guard predicate.condition.keys.allSatisfy({ $0.belongs(to: .asset) }) else { continue }
      let found = try sample.library.fetchAssets(with: FetchOptions(predicate: predicate))
      #expect(
        Array(found) == everything.filter { predicate.condition.holds(for: $0) }, "\(text)")
    }
    #expect(accepted > Rounds.count(12, long: 30))
  }

  @Test func saysTheSameAfterSimplifying() async throws {
    let sample = try await SampleLibrary(random: 100)
    let assets = Array(try sample.library.fetchAssets())
    var random = RandomPredicates(seed: 5)
    for _ in 0..<Rounds.count(150, long: 1000) {
      let condition = random.condition(depth: 4)
      let simplified = condition.simplified
      let differing = assets.filter { condition.holds(for: $0) != simplified.holds(for: $0) }
      #expect(differing.isEmpty, "\(condition) became \(simplified)")
    }
  }
}

/// The values of a fetched asset for all keys.
extension Asset: FetchSubject {
  public func value(of key: FetchKey) -> DatabaseValue {
    switch key {
    case .localIdentifier: .text(localIdentifier)
    case .creationDate: creationDate.databaseValue
    case .modificationDate: modificationDate.databaseValue
    case .addedDate: addedDate.databaseValue
    case .mediaType: mediaType.rawValue.databaseValue
    case .mediaSubtypes: mediaSubtypes.rawValue.databaseValue
    case .duration: .real(0)
    case .pixelWidth: pixelWidth.databaseValue
    case .pixelHeight: pixelHeight.databaseValue
    case .favorite: isFavorite.databaseValue
    case .hidden: isHidden.databaseValue
    case .hasAdjustments: hasAdjustments.databaseValue
    case .adjustmentFormatIdentifier: adjustmentFormatIdentifier.databaseValue
    case .latitude: (location?.latitude).databaseValue
    case .longitude: (location?.longitude).databaseValue
    case .filename: (path.lastComponent?.string).databaseValue
    case .path: .text(path.string)
    case .localDate: localDate.databaseValue
    case .column(.timeZoneOffset): timeZoneOffset.databaseValue
    case .title: title.databaseValue
    case .column(.caption): caption.databaseValue
    case .keywords: KeywordText.joined(keywords).databaseValue
    case .rating: rating.databaseValue
    case .camera: camera.databaseValue
    case .column(.lens): lens.databaseValue
    case .column(.iso): iso.databaseValue
    case .column(.exposureTime): exposureTime.databaseValue
    case .column(.aperture): aperture.databaseValue
    case .column(.focalLength): focalLength.databaseValue
    case .estimatedAssetCount, .burstIdentifier, .column: .null
    }
  }
}
