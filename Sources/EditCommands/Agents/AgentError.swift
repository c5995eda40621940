import PhotoEditing

/// Why an agent's call of a tool was refused, where the commands have no error for it.
enum AgentError: Error, Equatable {
  /// The name leads out of the folders that were named at the start, or to a hidden file.
  case outsideFolders(String)
  /// The tool changes photos, and the agent may only look.
  case readOnly(tool: String)
  /// The tool does not take these arguments; the text is one sentence.
  case invalidArguments(String)
  /// The token is not that of a plan for the same call.
  case noSuchPlan
  /// The call drops this, and was not confirmed.
  case notConfirmed(FilePath, drops: String)

  /// The stable names of the errors.
  enum Code: String, CaseIterable {
    case outsideFolders = "outside-folders"
    case readOnly = "read-only"
    case invalidArguments = "invalid-arguments"
    case noSuchPlan = "no-such-plan"
    case notConfirmed = "not-confirmed"
  }
}

extension AgentError: Explained {
  var code: String { said.code.rawValue }
  var description: String { said.message }

  private var said: (code: Code, message: String) {
    switch self {
    case .outsideFolders(let path):
      (
        .outsideFolders,
        "\(path.prefix(300)) is not in the folders that this server may touch, or is hidden."
      )
    case .readOnly(let tool): (.readOnly, "\(tool) changes files, and this server only reads.")
    case .invalidArguments(let reason): (.invalidArguments, reason)
    case .noSuchPlan:
      (
        .noSuchPlan, "There is no plan of this dryRunToken for the same photos and the same change."
      )
    case .notConfirmed(let photo, let drops):
      (.notConfirmed, "This drops \(drops) of \(photo) for good.")
    }
  }
}

extension PhotoFailure {
  /// Any error that a tool throws.
  init(anyError error: any Error) {
    switch error {
    case let failure as PhotoFailure: self = failure
    case EditCommandError.invalidPredicate(let text, let problem):
      let known = PhotoFailure(EditCommandError.invalidPredicate(text, problem))
      let place = "It stops making sense at character \(problem.column)."
      self.init(code: known.code, message: "\(known.message) \(place)", hint: known.advice)
    case let error as any Explained: self.init(error)
    case let error as FileSystemError:
      self.init(code: error.code, message: error.description, hint: error.hint)
    case is CancellationError: self.init(EditCommandError.cancelled)
    default: self.init(AgentError.invalidArguments(EditCommand.message(for: error)))
    }
  }
}
