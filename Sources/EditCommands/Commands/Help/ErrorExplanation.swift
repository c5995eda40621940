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
  static let all: [ErrorExplanation] =
    EditError.Code.allCases.map { ErrorExplanation($0) } + others + library

  /// Codes of the command line that no call of the library throws.
  static let others: [ErrorExplanation] = [
    ErrorExplanation(
      "original-not-found",
      "“edit relink” found no file with the content of the photo that the sidecar is about.",
      "Name with --in another folder to look in."),
    ErrorExplanation(
      "ambiguous-original",
      "“edit relink” found several files with the content of the photo that the sidecar is about.",
      "Move all but one of them elsewhere, and put them back afterwards."),
    ErrorExplanation(
      "target-has-an-edit",
      "“edit relink” found the photo that the sidecar is about, and it has another edit already.",
      "Drop the other edit with “edit revert” to give the photo this one, or move the sidecar away."
    ),
    ErrorExplanation(
      "base-missing",
      "“edit verify” misses the “_base.jpg” that an edit starts from, so it cannot be rendered again.",
      "Restore it from a backup, or drop the edit with “edit revert”."),
    ErrorExplanation(
      "version-missing", "“edit verify” misses the render of a named version.",
      "Make it again with “edit version use NAME” and “edit version save --replace NAME”."),
    ErrorExplanation(
      "record-newer",
      "“edit verify” found a sidecar that a newer Safelight wrote, and did not check it.",
      "Update Safelight."),
    ErrorExplanation(
      "orphan-render", "“edit verify” found a render that no sidecar names.",
      "Put its sidecar back, remove it, or rename it to keep it as a photo of its own."),
    ErrorExplanation(
      "leftover", "“edit verify” found a hidden file that a program left behind when it died.",
      "Remove it with “edit verify --fix”."),
    ErrorExplanation(
      "folder", "The name is that of a folder.",
      "Take the photos in it with --recursive, or name them as “folder/*.jpg”."),
    ErrorExplanation(
      "interrupted", "The command was interrupted before the photo was done. The old edit stands.",
      "Give the same command again; photos that are done already are left as they are."),
    ErrorExplanation(
      "timed-out", "The photo took longer than --timeout allows, and was given up.",
      "Allow it more seconds with --timeout; 0 is for ever."),
    ErrorExplanation(
      "worker-crashed",
      """
      The process that worked on the photo ended early: a decoder crashed, or the memory that \
      --memory-limit allows was used up. Other photos are not touched by it.
      """,
      """
      Allow more with --memory-limit if the photo is a large one. If not, its file may be damaged: \
      see whether another program opens it.
      """),
    ErrorExplanation(
      "worker-unavailable", "The system let no process be started for the photo.",
      "Free memory, or work on fewer photos at the same time with --jobs."),
    ErrorExplanation(
      "bad-job", "A line that “edit worker” read is not a job that it can do.",
      "Write a line as “edit worker --help” shows it, with a command on photos."),
  ]

  /// The explanation as JSON has it.
  var json: JSONValue {
    .object([
      JSONValue.Member("code", .string(code)), JSONValue.Member("meaning", .string(meaning)),
      JSONValue.Member("advice", .string(advice)),
    ])
  }
}
