import SafelightTestSupport
import Testing

@testable import PhotoLibraryKit
@testable import SafelightCatalog
@testable import SafelightFiles

@Suite struct CameraTallyTests {
  /// What is kept of cameras, and what their photos say.
  private func compare(_ sample: SampleLibrary) throws {
    let (kept, counted) = try sample.read { (database) throws(DatabaseError) in
      let columns = "camera, visible, hidden, favorites, edited"
      func rows(_ text: String) throws(DatabaseError) -> [String] {
        try database.rows(text) { row in
          "\(row[0] as String) \(row[1] as Int) \(row[2] as Int) \(row[3] as Int) \(row[4] as Int)"
        }
      }
      return (
        try rows("SELECT \(columns) FROM cameraTally WHERE visible + hidden > 0 ORDER BY 1"),
        try rows(
          """
          SELECT camera, sum(hidden = 0), sum(hidden), sum(hidden = 0 AND favorite),
            sum(hidden = 0 AND adjustmentFormat IS NOT NULL)
          FROM asset WHERE trashedDate IS NULL AND camera IS NOT NULL GROUP BY 1 ORDER BY 1
          """)
      )
    }
    #expect(kept == counted)
  }

  @Test func followsEveryChange() async throws {
    let sample = try await SampleLibrary(random: 300)
    try compare(sample)
    for change in [
      "UPDATE asset SET hidden = 1 - hidden WHERE id % 3 = 0",
      "UPDATE asset SET trashedDate = 5 WHERE id % 7 = 0",
      "UPDATE asset SET favorite = 1 - favorite WHERE id % 2 = 0",
      "UPDATE asset SET trashedDate = NULL WHERE id % 14 = 0",
      "UPDATE asset SET adjustmentFormat = 'x' WHERE id % 5 = 0",
      "UPDATE asset SET camera = 'New' WHERE id % 4 = 0",
      "UPDATE asset SET camera = NULL WHERE id % 8 = 0",
      "DELETE FROM asset WHERE id % 6 = 0",
    ] {
      try await sample.run(change)
      try compare(sample)
    }
  }

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
        try AssetPlan(query, in: database)
      }
      #expect(plan.tally != nil)
    }
  }
}
