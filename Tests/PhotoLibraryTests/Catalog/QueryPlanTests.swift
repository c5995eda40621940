import Foundation
import Testing

@testable import PhotoLibraryKit
@testable import SafelightCatalog
@testable import SafelightFiles

/// No usual fetch reads or sorts the whole table, according to SQLite's `EXPLAIN QUERY PLAN`.
@Suite struct QueryPlanTests {
  private static let newest = [FetchSortDescriptor(.localDate, ascending: false)]
  private static let instants = [FetchSortDescriptor(.creationDate, ascending: false)]
  private static let modified = [FetchSortDescriptor(.modificationDate, ascending: false)]

  struct Usual: CustomTestStringConvertible {
    let name: String
    let options: FetchOptions
    let index: String
    var testDescription: String { name }

    init(
      _ name: String, _ predicate: FetchPredicate?, sort: [FetchSortDescriptor], by index: String,
      hidden: Bool = false
    ) {
      self.name = name
      options = FetchOptions(
        predicate: predicate, sortDescriptors: sort, includeHiddenAssets: hidden)
      self.index = index
    }
  }

  /// All dates of the samples are later.
  private static let early = SampleLibrary.start.addingTimeInterval(-1)

  static let usual = [
    Usual("default", nil, sort: [], by: "assetByClock"),
    Usual("newest first", nil, sort: newest, by: "assetByClock"),
    Usual("with hidden", nil, sort: newest, by: "assetByClock", hidden: true),
    Usual("images", .mediaType == .image, sort: newest, by: "assetByClock"),
    Usual("by instant", nil, sort: instants, by: "assetByCreation"),
    Usual("since, by instant", .creationDate > early, sort: instants, by: "assetByCreation"),
    Usual("last changed", nil, sort: modified, by: "assetByModification"),
    Usual("by name", nil, sort: [FetchSortDescriptor(.filename)], by: "assetByName"),
    Usual(
      "last added", nil, sort: [FetchSortDescriptor(.addedDate, ascending: false)],
      by: "assetByAddition"),
    Usual("favorites", .isFavorite == true, sort: newest, by: "assetFavorite"),
    Usual("hidden ones", .isHidden == true, sort: newest, by: "assetHidden", hidden: true),
    Usual("edited", .hasAdjustments == true, sort: newest, by: "assetEdited"),
    Usual(
      "edited by format", .adjustmentFormatIdentifier != nil, sort: newest, by: "assetEdited"),
    Usual("panoramas", .mediaSubtypes.contains(.photoPanorama), sort: newest, by: "assetPanorama"),
    Usual(
      "screenshots", .mediaSubtypes.contains(.photoScreenshot), sort: newest, by: "assetScreenshot"),
    Usual("live", .mediaSubtypes.contains(.photoLive), sort: newest, by: "assetLive"),
    Usual("one camera", .camera == "Pixel 8", sort: newest, by: "assetByCamera"),
    Usual("camera contains", .camera.contains("Pixel"), sort: newest, by: "assetByCamera"),
    Usual(
      "edited, one camera", .camera == "Pixel 8" && .hasAdjustments == true, sort: newest,
      by: "assetEdited"),
    Usual(
      "either", .isFavorite == true || .hasAdjustments == true, sort: newest, by: "assetByClock"),
    Usual("since", .creationDate > early, sort: newest, by: "assetByClock"),
    Usual("since, last changed", .creationDate > early, sort: modified, by: "assetByModification"),
    Usual("upright", .pixelHeight > .pixelWidth, sort: newest, by: "assetUpright"),
    Usual("name contains", .filename.contains("IMG"), sort: newest, by: "assetByClock"),
    Usual(
      "favorites since", .isFavorite == true && .creationDate > early, sort: newest,
      by: "assetFavorite"),
  ]

  /// A library for tests that only read.
  private static let sample = Task { try await SampleLibrary(random: 3000) }

  private func explained(_ query: AssetQuery, _ sample: SampleLibrary) throws -> [String] {
    try sample.read { (database) throws(DatabaseError) in
      let rows = try QueryPlan(query, in: database).rows
      return try database.rows(
        "EXPLAIN QUERY PLAN \(rows.text) LIMIT 256", rows.values
      ) { $0[3] as String }
    }
  }

  @Test(arguments: usual)
  func isReadFromAnIndexInItsOrder(usual: Usual) async throws {
    let sample = try await Self.sample.value
    let plan = try explained(AssetQuery(.library, usual.options, visibility: .all), sample)
    #expect(plan.contains { $0.contains("INDEX \(usual.index)") }, "\(plan)")
    #expect(!plan.contains { $0.contains("TEMP B-TREE") }, "\(plan)")
  }

  static let rare: [(String, FetchPredicate, String)] = [
    (
      "since lately", .creationDate > SampleLibrary.start.addingTimeInterval(195), "assetByCreation"
    ),
    ("one name", .filename.begins(with: "IMG_77"), "assetByName"),
    ("near the pole", .latitude > 80, "assetByPlace"),
  ]

  @Test(arguments: rare)
  func whatIsRareIsFoundAndThenSorted(
    name: String, predicate: FetchPredicate, index: String
  ) async throws {
    let sample = try await Self.sample.value
    let options = FetchOptions(predicate: predicate, sortDescriptors: Self.modified)
    let plan = try explained(AssetQuery(.library, options, visibility: .all), sample)
    #expect(plan.contains { $0.contains("SEARCH asset USING") && $0.contains(index) }, "\(plan)")
  }

  @Test func alternativesAreFoundByAnIndexEach() async throws {
    let sample = try await SampleLibrary(random: 3000)
    try await sample.run("UPDATE asset SET mediaSubtypes = 0 WHERE id > 900")
    let options = FetchOptions(
      predicate: .mediaSubtypes.contains(.photoPanorama) || .mediaSubtypes.contains(.photoLive),
      sortDescriptors: Self.newest)
    let plan = try explained(AssetQuery(.library, options, visibility: .all), sample)
    #expect(plan.contains { $0.contains("assetPanorama") }, "\(plan)")
    #expect(plan.contains { $0.contains("assetLive") }, "\(plan)")
  }

  @Test func anIndexByChangesIsEnteredWhereTheCreationsBegin() async throws {
    let sample = try SampleLibrary()
    let day = 86_400.0
    try await sample.add(
      (0..<2000).map {
        var asset = Sample("\($0)", seconds: Double($0) * day)
        // Every 300th was changed before it was taken, by the clock.
        asset.modificationDate = SampleLibrary.start + Double($0 - ($0 % 300 == 0 ? 90 : 0)) * day
        return asset
      })
    let since = SampleLibrary.start + 1000 * day
    let options = FetchOptions(
      predicate: .creationDate >= since, sortDescriptors: [FetchSortDescriptor(.modificationDate)])
    let plan = try explained(AssetQuery(.library, options, visibility: .all), sample)
    #expect(plan.contains { $0.contains("assetByModification (modificationDate>?") }, "\(plan)")
    let result = try sample.library.fetchAssets(with: options)
    #expect(Set(result.map(\.localIdentifier)) == Set((1000..<2000).map(String.init)))
    #expect(result.map(\.modificationDate) == result.map(\.modificationDate).sorted())
  }

  @Test func whatAnIndexIsMadeByNeedsNoLookAtRows() async throws {
    let sample = try await SampleLibrary(random: 300)
    for (predicate, index) in [
      (.mediaSubtypes.contains(.photoScreenshot), "assetScreenshot"),
      (.isFavorite == true, "assetFavorite"), (.hasAdjustments == true, "assetEdited"),
    ] as [(FetchPredicate, String)] {
      let options = FetchOptions(predicate: predicate)
      let query = AssetQuery(.library, options, visibility: .all)
      let driver = try #require(AssetDriver.all(for: query).first)
      #expect(driver.index.name == index)
      let codes = try sample.read { (database) throws(DatabaseError) in
        try database.rows("EXPLAIN \(driver.select("1").text)") { $0[1] as String }
      }
      // Columns come from the index; the table is never read.
      #expect(codes.contains("Rewind") && !codes.contains("Column"), "\(codes)")
    }
  }

  @Test func identifiersAreLookedUpOneByOne() async throws {
    let sample = try await Self.sample.value
    for query in [
      AssetQuery(.identifiers(["asset-1"]), nil, visibility: .all),
      AssetQuery(
        .library, FetchOptions(predicate: .localIdentifier.isIn(["asset-1", "asset-2"])),
        visibility: .all),
    ] {
      let plan = try explained(query, sample)
      #expect(plan.contains { $0.contains("SEARCH asset USING") && $0.contains("identifier=") })
    }
  }

  @Test func anAlbumIsReadInItsOrder() async throws {
    let sample = try await SampleLibrary(random: 3000)
    try await sample.fill("album", with: (1...100).map { "asset-\($0)" })
    let plan = try explained(AssetQuery(.album(1), nil, visibility: .all), sample)
    #expect(plan.contains { $0.contains("SEARCH member USING PRIMARY KEY (album=?)") }, "\(plan)")
    #expect(!plan.contains { $0.contains("TEMP B-TREE") || $0.contains("SCAN asset") }, "\(plan)")
  }

  @Test func aLargeAlbumIsSortedByPassingAllAssets() async throws {
    let sample = try await SampleLibrary(random: 3000)
    try await sample.fill("album", with: (1...2000).map { "asset-\($0)" })
    let options = FetchOptions(sortDescriptors: Self.newest)
    let plan = try explained(AssetQuery(.album(1), options, visibility: .all), sample)
    #expect(plan.contains { $0.contains("INDEX assetByClock") }, "\(plan)")
    #expect(plan.contains { $0.contains("memberByAsset (asset=? AND album=?)") }, "\(plan)")
  }

  @Test func favoritesOfALargeAlbumAreFoundAsFavorites() async throws {
    let sample = try await SampleLibrary(random: 3000)
    try await sample.fill("album", with: (1...2500).map { "asset-\($0)" })
    for sort in [Self.newest, []] {
      let options = FetchOptions(predicate: .isFavorite == true, sortDescriptors: sort)
      let plan = try explained(AssetQuery(.album(1), options, visibility: .all), sample)
      #expect(plan.contains { $0.contains("INDEX assetFavorite") }, "\(plan)")
      #expect(plan.contains { $0.contains("memberByAsset (asset=? AND album=?)") }, "\(plan)")
    }
    let album = try sample.library.fetchAssetCollections(with: .album, subtype: nil, options: nil)
    let favorites = FetchOptions(predicate: .isFavorite == true)
    let found = try sample.library.fetchAssets(in: album[0], options: favorites)
    let all = try sample.library.fetchAssets(in: album[0])
    #expect(Array(found) == all.filter(\.isFavorite))
    #expect(try sample.library.fetchAssets(in: album[0], options: favorites).count == found.count)
  }

  @Test func whatAnIndexKnowsAllOfIsFoundByItThoughItIsLong() async throws {
    let sample = try await SampleLibrary(random: 6000)
    try await sample.run("UPDATE asset SET favorite = id % 3 = 0, adjustmentFormat = NULL")
    try await sample.run("UPDATE asset SET adjustmentFormat = 'x' WHERE id % 150 = 0")
    let options = FetchOptions(
      predicate: .isFavorite == true && .camera == "Pixel 8" && .pixelWidth == 9000,
      sortDescriptors: Self.modified)
    let plan = try explained(AssetQuery(.library, options, visibility: .all), sample)
    #expect(plan.contains { $0.contains("INDEX assetFavorite") }, "\(plan)")
  }

  @Test func aClientsSelectionIsAllThatShows() async throws {
    let sample = try await SampleLibrary(random: 3000)
    try await sample.run("INSERT INTO client (identifier) VALUES ('app')")
    try await sample.run(
      "INSERT INTO selected SELECT 'app', id FROM asset WHERE id IN (5, 7, 9) AND trashedDate IS NULL"
    )
    for scope in [AssetQuery.Scope.library, .identifiers(["asset-5", "asset-6", "asset-7"])] {
      let query = AssetQuery(
        scope, FetchOptions(includeHiddenAssets: true), visibility: .selected("app"))
      let assets = FetchedAssets(query, in: try sample.library.snapshots.now())
      let rows = try assets.rows()
      #expect(!rows.isEmpty && Set(rows).isSubset(of: [5, 7, 9]))
      let fresh = FetchedAssets(query, in: try sample.library.snapshots.now())
      #expect(try fresh.count() == rows.count)
    }
  }
}
