import SafelightTestSupport
import Testing

@testable import PhotoLibraryKit
@testable import SafelightCatalog
@testable import SafelightFiles

/// The numbers that triggers keep are what counting gives, whatever was written.
@Suite struct TallyTests {
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
      "DELETE FROM asset WHERE id = ?",
      "DELETE FROM member WHERE position % 40 = ?",
      "UPDATE member SET album = 3 - album WHERE asset = ?",
      "UPDATE member SET position = -position WHERE asset % 9 = ?",
    ]
    for _ in 0..<40 {
      let change = changes.randomElement(using: &generator)!
      try? await sample.run(change, Int.random(in: 0..<100, using: &generator))
      try check(sample)
    }
  }

  private func check(_ sample: SampleLibrary) throws {
    try sample.read { (database) throws(DatabaseError) in
      for tally in AssetKind.allCases {
        let hidden = tally == .hidden ? 1 : 0
        let sql = tally.condition.sql
        let counted = try database.rows(
          """
          SELECT count(*) FROM asset WHERE trashedDate IS NULL AND hidden = \(hidden)
            AND (\(sql.text))
          """, sql.values
        ) { $0[0] as Int }
        let kept = try database.rows("SELECT \(tally.rawValue) FROM tally") { $0[0] as Int }
        #expect(kept == counted, "\(tally)")
      }
      let kept = try database.rows("SELECT album, visible FROM albumTally ORDER BY album") {
        [$0[0] as Int, $0[1] as Int]
      }
      let counted = try database.rows(
        """
        SELECT id, (SELECT count(*) FROM member JOIN asset ON asset.id = member.asset
          WHERE member.album = collection.id AND trashedDate IS NULL AND hidden = 0)
        FROM collection ORDER BY id
        """
      ) { [$0[0] as Int, $0[1] as Int] }
      #expect(kept == counted)
      let days = try database.rows("SELECT day, visible FROM dayTally WHERE visible > 0") {
        [$0[0] as Int, $0[1] as Int]
      }
      let countedDays = try database.rows(
        """
        SELECT CAST((creationDate + coalesce(timeZoneOffset, 0)) / 86400 AS INTEGER), count(*) FROM asset
        WHERE trashedDate IS NULL AND hidden = 0 AND creationDate IS NOT NULL GROUP BY 1 ORDER BY 1
        """
      ) { [$0[0] as Int, $0[1] as Int] }
      #expect(days == countedDays)
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
