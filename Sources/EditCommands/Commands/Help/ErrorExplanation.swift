import PhotoEditing

/// What an error code that JSON has under `error.code` means, and what to do about it.
struct ErrorExplanation: Sendable, Hashable {
  /// The code, such as `original-missing`.
  let code: String
  /// What happened, and what is as before.
  let meaning: String
  /// What to do.
  let advice: String

  init(_ code: String, _ meaning: String, _ advice: String) {
    self.code = code
    self.meaning = meaning
    self.advice = advice
  }

  init(_ code: EditError.Code) {
    let (meaning, advice) = code.explanation
    self.init(code.rawValue, meaning, advice)
  }

  /// Every code, those that belong together beside each other.
  static let all: [ErrorExplanation] = EditError.Code.allCases.map { ErrorExplanation($0) } + others

  /// Codes of the command line that no call of the library throws.
  static let others: [ErrorExplanation] = []

  /// The explanation as JSON has it.
  var json: JSONValue {
    .object([
      JSONValue.Member("code", .string(code)), JSONValue.Member("meaning", .string(meaning)),
      JSONValue.Member("advice", .string(advice)),
    ])
  }
}
