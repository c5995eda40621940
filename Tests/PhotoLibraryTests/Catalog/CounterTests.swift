import SafelightTestSupport
import Testing

@testable import PhotoLibraryKit
@testable import SafelightCatalog
@testable import SafelightFiles

/// The triggers' counters agree with the counted numbers after every kind of change.
@Suite struct CounterTests {
  @Test(arguments: [1, 2, 3] as [UInt64])
  func staysRightThroughAnyChanges(seed: UInt64) async throws {
    let sample = try await SampleLibrary(random: 200, seed: seed)
    try await sample.fill("one", with: (1...60).map { "asset-\($0)" })
    try await sample.fill("two", with: (40...90).map { "asset-\($0)" })
    var generator = SeededGenerator(seed: seed)
    let changes = [
      "UPDATE asset SET hidden = 1 - hidden WHERE id % 7 = ?",
      "UPDATE asset SET trashedDate = 5 WHERE id % 11 = ?",
      "UPDATE asset SET trashedDate = NULL WHERE id % 11 = ?",
      "UPDATE asset SET favorite = 1 - favorite, hidden = 0 WHERE id % 5 = ?",
      "UPDATE asset SET pixelWidth = pixelHeight, pixelHeight = pixelWidth WHERE id % 6 = ?",
      "UPDATE asset SET adjustmentFormat = iif(adjustmentFormat IS NULL, 'x', NULL) WHERE id % 4 = ?",
      "UPDATE asset SET creationDate = creationDate + 86400 * 3 WHERE id % 13 = ?",
      "UPDATE asset SET creationDate = NULL, hidden = 0 WHERE id % 29 = ?",
      "UPDATE asset SET mediaSubtypes = mediaSubtypes + 1 WHERE id % 3 = ?",
      "UPDATE asset SET camera = 'New' WHERE id % 8 = ?",
      "UPDATE asset SET camera = NULL WHERE id % 9 = ?",
      "DELETE FROM asset WHERE id = ?",
      "DELETE FROM member WHERE position % 40 = ?",
      "UPDATE member SET album = 3 - album WHERE asset = ?",
      "UPDATE member SET position = -position WHERE asset % 9 = ?",
    ]
    for _ in 0..<40 {
      let change = changes.randomElement(using: &generator)!
      try? await sample.run(change, Int.random(in: 0..<100, using: &generator))
      try await check(sample)
    }
  }

  /// Queries of kept numbers, and of the numbers that are counted.
  private static let counters =
    [
      (
        "SELECT album, visible FROM albumTally",
        """
        SELECT id, (SELECT count(*) FROM member JOIN asset ON asset.id = member.asset
          WHERE member.album = collection.id AND trashedDate IS NULL AND hidden = 0) FROM collection
        """
      ),
      (
        "SELECT day, visible FROM dayTally WHERE visible > 0",
        """
        SELECT day, count(*) FROM (
          SELECT CAST((creationDate + coalesce(timeZoneOffset, 0)) / 86400 AS INTEGER) AS day FROM asset
          WHERE trashedDate IS NULL AND hidden = 0 AND creationDate IS NOT NULL) GROUP BY day
        """
      ),
      (
        """
        SELECT camera, visible, hidden, favorites, edited FROM cameraTally WHERE visible + hidden > 0
        """,
        """
        SELECT camera, sum(hidden = 0), sum(hidden), sum(hidden = 0 AND favorite),
          sum(hidden = 0 AND adjustmentFormat IS NOT NULL)
        FROM asset WHERE trashedDate IS NULL AND camera IS NOT NULL GROUP BY camera
        """
      ),
    ]
    + AssetKind.allCases.map { kind in
      (
        "SELECT \(kind.rawValue) FROM tally",
        """
        SELECT count(*) FROM asset WHERE trashedDate IS NULL
          AND hidden = \(kind == .hidden ? 1 : 0) AND (\(kind.condition.sql.text))
        """
      )
    }

  private func check(_ sample: SampleLibrary) async throws {
    for (kept, counted) in Self.counters {
      #expect(try await sample.library.lines(kept) == sample.library.lines(counted), "\(kept)")
    }
  }

  @Test func countsRangesOfDaysAsTheyAre() async throws {
    let sample = try SampleLibrary()
    try await sample.add((0..<500).map { Sample("\($0)", seconds: Double($0) * 3_601 - 10) })
    let dates = [-1e6, 0, 3_600, 40_000, 86_400, 100_000, 300_000, 1_700_000, 1e7].map {
      SampleLibrary.start.addingTimeInterval($0)
    }
    for first in dates {
      for last in dates {
        for predicate in [
          .creationDate > first, .creationDate <= last,
          .creationDate >= first && .creationDate < last,
        ] as [FetchPredicate] {
          let options = FetchOptions(predicate: predicate)
          let counted = try sample.library.fetchAssets(with: options).count
          #expect(counted == Array(try sample.library.fetchAssets(with: options)).count)
        }
      }
    }
  }
}

@Suite struct CameraCounterTests {
  static let counted: [FetchPredicate] = [
    .camera == "Pixel 8", .camera.contains("EOS"), .camera.contains("i"),
    .camera == "Pixel 8" && .isFavorite == true, .hasAdjustments == true && .camera.contains("D7"),
    .isFavorite == true || .hasAdjustments == true, .isFavorite == true || .camera == "Pixel 8",
    .camera.contains("Pix") || .hasAdjustments == true, .camera.contains("nobody"),
    .hasAdjustments == true || .mediaSubtypes.contains(.photoPanorama),
  ]

  @Test(arguments: counted, [true, false])
  func countsWithoutLookingAtPhotos(predicate: FetchPredicate, includesHidden: Bool) async throws {
    let sample = try await SampleLibrary(random: 800)
    let options = FetchOptions(predicate: predicate, includeHiddenAssets: includesHidden)
    let everything = try sample.library.fetchAssets(
      with: FetchOptions(includeHiddenAssets: includesHidden))
    #expect(
      try sample.library.fetchAssets(with: options).count
        == everything.count { predicate.condition.holds(for: $0) })
    if !includesHidden {
      let query = AssetQuery(.library, options, visibility: .all)
      let plan = try sample.read { (database) throws(DatabaseError) in
        try QueryPlan(query, in: database)
      }
      #expect(plan.counter != nil)
    }
  }
}
