/// Finds photos by parts of their names, in the index of the names' three-letter pieces.
///
/// The index finds candidates, whose names the query must still compare.
struct NameSearch: Sendable, Hashable {
  /// The largest number of pieces to search.
  private static let mostPieces = 24

  /// The expression for `MATCH`.
  private let match: String

  /// `nil` when the query searches no text of three letters or more, or when there are more candidates than
  /// the bound.
  init?(
    _ query: AssetQuery, in database: Database, atMost bound: Int64
  ) throws(DatabaseError) {
    let pieces = Self.pieces(of: query)
    guard !pieces.isEmpty else { return nil }
    // Pieces that many names have, such as those of “.jpg”, take more time than they save.
    var rare: [String] = []
    for piece in pieces
    where try Self.isFew(Self.quoted(piece), in: database, atMost: bound) {
      rare.append(piece)
    }
    match = (rare.isEmpty ? pieces : rare).map(Self.quoted).joined(separator: " AND ")
    if rare.isEmpty, pieces.count == 1 { return nil }
    if rare.isEmpty, try !Self.isFew(match, in: database, atMost: bound) { return nil }
  }

  /// The candidates' rows, as a table called `wanted`.
  var table: SQLText {
    SQLText("(SELECT rowid AS id FROM nameIndex WHERE nameIndex MATCH ?) AS wanted", [.text(match)])
  }

  private static func pieces(of query: AssetQuery) -> [String] {
    var pieces: [String] = []
    var seen: Set<String> = []
    for case .text(.filename, let match) in query.conjuncts where !match.isPrefix {
      for text in match.necessary {
        let letters = Array(text.unicodeScalars)
        // A search of the index would end at a NUL, which no name has.
        guard letters.count >= 3, !letters.contains("\0") else { continue }
        for start in 0...(letters.count - 3) {
          let piece = String(String.UnicodeScalarView(letters[start..<start + 3]))
          if seen.insert(piece).inserted { pieces.append(piece) }
        }
      }
    }
    return Array(pieces.prefix(mostPieces))
  }

  private static func quoted(_ piece: String) -> String {
    var quoted = "\""
    for scalar in piece.unicodeScalars {
      quoted.unicodeScalars.append(scalar)
      if scalar == "\"" { quoted.unicodeScalars.append(scalar) }
    }
    return quoted + "\""
  }

  private static func isFew(
    _ match: String, in database: Database, atMost bound: Int64
  ) throws(DatabaseError) -> Bool {
    let count: Int64? = try database.value(
      "SELECT count(*) FROM (SELECT 1 FROM nameIndex WHERE nameIndex MATCH ? LIMIT ?)", match,
      bound + 1)
    return count ?? 0 <= bound
  }
}
