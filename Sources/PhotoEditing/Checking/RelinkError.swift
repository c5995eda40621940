import SafelightStorage

/// Why an edit could not follow its photo. Whatever it was, all files stand as they did.
public enum RelinkError: Error, Equatable, CustomStringConvertible {
  /// No file in the folders that were searched has the original's content.
  case originalNotFound(record: FilePath)
  /// Several files have the original's content, and nothing tells which of them is meant.
  case ambiguous(record: FilePath, candidates: [FilePath])
  /// The file that has the original's content has an edit of its own, which stays.
  case targetHasAnEdit(record: FilePath, target: FilePath)
  /// The files could not be read or changed, or one of them is not as recorded.
  case failed(EditError)

  /// What happened, in one sentence.
  public var description: String {
    switch self {
    case .originalNotFound(let record): "The original of \(record) was not found."
    case .ambiguous(let record, let candidates):
      "The original of \(record) may be \(Self.list(candidates))."
    case .targetHasAnEdit(let record, let target):
      "The original of \(record) is now \(target), which has an edit already."
    case .failed(let error): error.description
    }
  }

  /// What can be done about it, in one sentence; `nil` when the description says it all.
  public var hint: String? {
    switch self {
    case .originalNotFound: "Say with --in where else to look."
    case .ambiguous: "Move all but one of them elsewhere, and put them back afterwards."
    case .targetHasAnEdit: "Revert that photo to give it this edit, or move this sidecar away."
    case .failed(let error): error.hint
    }
  }

  /// A stable word for programs.
  public var code: String {
    switch self {
    case .originalNotFound: "original-not-found"
    case .ambiguous: "ambiguous-original"
    case .targetHasAnEdit: "target-has-an-edit"
    case .failed(let error): error.code
    }
  }

  private static func list(_ paths: [FilePath]) -> String {
    let first = paths.dropLast().map(\.string).joined(separator: ", ")
    return [first, paths.last?.string ?? ""].filter { !$0.isEmpty }.joined(separator: " or ")
  }
}
