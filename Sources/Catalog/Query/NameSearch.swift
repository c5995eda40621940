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
    func isFew(_ match: String) throws(DatabaseError) -> Bool {
      try database.isFew(Self.candidates(match), atMost: bound)
    }
    let pieces = Self.pieces(of: query)
    guard !pieces.isEmpty else { return nil }
    // Pieces that many names have, such as those of “.jpg”, take more time than they save.
    var rare: [String] = []
    for piece in pieces where try isFew(Self.quoted(piece)) { rare.append(piece) }
    match = (rare.isEmpty ? pieces : rare).map(Self.quoted).joined(separator: " AND ")
    if rare.isEmpty, pieces.count == 1 { return nil }
    if rare.isEmpty, try !isFew(match) { return nil }
  }

  /// Selects the candidates' rows, as `id`.
  var candidates: SQLText { Self.candidates(match) }

  private static func candidates(_ match: String) -> SQLText {
    SQLText("SELECT rowid AS id FROM nameIndex WHERE nameIndex MATCH ?", [.text(match)])
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
}
