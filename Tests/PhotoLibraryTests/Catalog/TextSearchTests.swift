import Testing

@testable import PhotoLibraryKit
@testable import SafelightCatalog
@testable import SafelightFiles

@Suite struct TextMatchTests {
  static let matches: [(TextMatch.Place, String, Bool, Bool, String, Bool)] = [
    (.whole, "NIKON", true, false, "nikon", true),
    (.whole, "NIKON", false, false, "nikon", false),
    (.beginning, "été", false, true, "ETE", false),
    (.beginning, "été", true, true, "ETE_1.jpg", true),
    (.end, ".JPG", true, false, "a.jpg", true),
    (.anywhere, "strasse", true, true, "Straße", false),
    (.anywhere, "łódź", true, true, "LODZ 2024", true),
    (.anywhere, "viet", true, true, "Việt Nam", true),
    (.anywhere, "e\u{301}t", false, true, "été", true),
    (.anywhere, "ёлка", true, true, "ЕЛКА", true),
    (.anywhere, "", false, false, "", true),
    (.like, "IMG_??.*", false, false, "IMG_12.jpg", true),
    (.like, "IMG_??.*", false, false, "IMG_123.jpg", false),
    (.like, "*a*b*c*", false, false, "xxaxxbxxbcx", true),
    (.like, "\\*", false, false, "*", true),
    (.like, "\\*", false, false, "x", false),
    (.like, "*", false, false, "", true),
    (.like, "?", false, false, "", false),
  ]

  @Test(arguments: matches)
  func findsWhatItPassesOver(
    place: TextMatch.Place, pattern: String, ignoresCase: Bool, ignoresAccents: Bool, text: String,
    found: Bool
  ) {
    let match = TextMatch(
      place, pattern, ignoresCase: ignoresCase, ignoresAccents: ignoresAccents)
    #expect(match.matches(text) == found)
  }

  @Test func takesNoLongerThanTextTimesPattern() {
    let match = TextMatch(.like, String(repeating: "*a", count: 500) + "*b")
    #expect(!match.matches(String(repeating: "a", count: 2000)))
  }
}

/// The index of three-letter pieces finds all names that match, and no others.
@Suite struct NameSearchTests {
  static let blocks: [ClosedRange<UInt32>] = [
    0...0x24F, 0x250...0x1DFF, 0x1E00...0x1FFF, 0x2000...0xD7FF, 0xE000...0x2FFFF,
  ]

  @Test(arguments: blocks)
  func whatASearchPassesOverIsTheSameInTheIndex(block: ClosedRange<UInt32>) {
    for letter in block.compactMap(Unicode.Scalar.init) {
      let text = String(letter)
      let wanted = TextFolding.searchable(text)
      for (ignoringCase, ignoringAccents) in [(false, true), (true, false), (true, true)] {
        let folded = TextFolding.folded(
          text, ignoringCase: ignoringCase, ignoringAccents: ignoringAccents)
        if TextFolding.searchable(folded) != wanted { Issue.record("U+\(letter.value)") }
      }
    }
  }

  /// A library for tests that only read.
  private static let library = Task { try await filledLibrary() }

  private static func filledLibrary() async throws -> SampleLibrary {
    let sample = try await SampleLibrary(random: 2000)
    try await sample.add(
      [
        "Zürich \"Altstadt\".jpg", "ZURICH 2.JPG", "zu\u{308}rich 3.jpg", "Ελλάδα Ήλιος.jpg",
        "東京タワー.jpg", "IMG_%_x.jpg", "İstanbul.jpg", "ab", "STRAẞE.png",
      ].enumerated().map { number, name in
        var asset = Sample("named-\(number)", seconds: 500)
        asset.name = name
        return asset
      })
    return sample
  }

  static let searches: [(TextMatch, isIndexed: Bool)] = [
    (TextMatch(.anywhere, "zurich", ignoresCase: true, ignoresAccents: true), true),
    (TextMatch(.anywhere, "Zürich"), true),
    (TextMatch(.beginning, "ZÜR", ignoresCase: true), true),
    (TextMatch(.anywhere, "\"alt", ignoresCase: true), true),
    (TextMatch(.anywhere, "ηλιοσ", ignoresCase: true, ignoresAccents: true), true),
    (TextMatch(.anywhere, "Ήλιος"), true),
    (TextMatch(.anywhere, "京タワ"), true),
    (TextMatch(.end, "_x.JPG", ignoresCase: true), true),
    (TextMatch(.whole, "istanbul.jpg", ignoresCase: true, ignoresAccents: true), true),
    (TextMatch(.like, "*rich*2*", ignoresCase: true), true),
    (TextMatch(.like, "??????? \"*", ignoresAccents: true), false),
    (TextMatch(.like, "*a\\*b*"), true),
    (TextMatch(.anywhere, "_17"), true),
    (TextMatch(.anywhere, "straße", ignoresCase: true), true),
    (TextMatch(.anywhere, "17"), false),
    (TextMatch(.whole, "ab"), false),
    (TextMatch(.anywhere, "ric\0"), false),
    (TextMatch(.anywhere, "nothing of the kind"), true),
  ]

  @Test(arguments: searches)
  func findsWhatMatches(match: TextMatch, isIndexed: Bool) async throws {
    let sample = try await Self.library.value
    let options = FetchOptions(includeHiddenAssets: true)
    let everything = Array(try sample.library.fetchAssets(with: options))
    options.predicate = FetchPredicate(.text(.filename, match))
    let found = try sample.library.fetchAssets(with: options)
    #expect(
      found.map(\.path) == everything.map(\.path).filter { match.matches($0.lastComponent!.string) }
    )
    #expect(found.count == found.map(\.path).count)
    let query = AssetQuery(.library, options, visibility: .all)
    let plan = try sample.read { (database) throws(DatabaseError) in
      try QueryPlan(query, in: database)
    }
    #expect(plan.rows.text.contains("nameIndex MATCH") == isIndexed, "\(plan.rows.text)")
  }

  @Test func whatManyNamesHaveIsNotLookedUp() async throws {
    let sample = try SampleLibrary()
    try await sample.add((0..<3000).map { Sample("IMG_\($0)", seconds: Double($0)) })
    let options = FetchOptions(
      predicate: .filename.contains("IMG_"),
      sortDescriptors: [FetchSortDescriptor(.creationDate, ascending: false)])
    let query = AssetQuery(.library, options, visibility: .all)
    let plan = try sample.read { (database) throws(DatabaseError) in
      try QueryPlan(query, in: database)
    }
    #expect(plan.rows.text.contains("INDEXED BY assetByCreation"), "\(plan.rows.text)")
    #expect(try sample.library.fetchAssets(with: options).count == 3000)
  }

  @Test func theIndexFollowsRenamedAndRemovedPhotos() async throws {
    let sample = try await Self.filledLibrary()
    func found(_ text: String) throws -> [String] {
      try sample.library.fetchAssets(with: FetchOptions(predicate: .filename.contains(text)))
        .map(\.localIdentifier)
    }
    #expect(try found("Altstadt") == ["named-0"])
    try await sample.run(
      "UPDATE asset SET name = CAST('Limmat.jpg' AS BLOB) WHERE identifier = 'named-0'")
    try await sample.run("DELETE FROM asset WHERE identifier = 'named-1'")
    #expect(try found("Altstadt").isEmpty && found("ZURICH").isEmpty)
    #expect(try found("Limmat") == ["named-0"])
    let left = try sample.read { (database) throws(DatabaseError) in
      try database.rows("SELECT rowid FROM nameIndex WHERE nameIndex MATCH 'alt OR ric'") {
        $0[0] as Int64
      }
    }
    #expect(left.count == 1)
  }
}
