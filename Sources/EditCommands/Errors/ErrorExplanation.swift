/// A row of the table of errors: what a code means, and what to do about it.
///
/// Libraries name what happened and give values. The advice that goes with a code stands here, and
/// “edit help errors” prints it. Where an error's values allow better advice, Hints.swift gives that
/// instead. Messages end with the advice.
struct ErrorExplanation: Sendable, Hashable {
  /// The code that JSON has under `error.code`, such as `original-missing`.
  let code: String
  /// What happened, and what is as before.
  let meaning: String
  /// What to do, in one sentence or two.
  let advice: Advice

  var json: JSONValue {
    .object(["code": code, "meaning": meaning, "advice": advice.text])
  }

  /// What to do about an error of a code; `nil` for a code that is not in the table.
  static func advice(for code: String) -> Advice? { byCode[code]?.advice }

  /// Every code. Codes that belong together are beside each other.
  static let all: [ErrorExplanation] = {
    var rows: [String] = []
    for line in table.split(separator: "\n") where !line.hasPrefix("#") {
      if line.hasPrefix(" ") {
        rows[rows.count - 1] += line.dropFirst()
      } else {
        rows.append(String(line))
      }
    }
    return rows.map { row in
      let parts = row.split(separator: ": ", maxSplits: 1)
      let texts = parts[1].split(separator: " → ").map(String.init)
      return ErrorExplanation(code: String(parts[0]), meaning: texts[0], advice: advice(texts[1]))
    }
  }()

  private static func advice(_ text: String) -> Advice {
    let texts = text.split(separator: " ⇒ ").map(String.init)
    guard texts.count == 2 else { return Advice(stringLiteral: text) }
    return Advice(texts[0], elsewhere: texts[1] == "nothing" ? nil : texts[1])
  }

  private static let byCode = Dictionary(uniqueKeysWithValues: all.map { ($0.code, $0) })
}
