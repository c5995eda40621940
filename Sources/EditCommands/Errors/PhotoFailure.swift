import PhotoEditing
import PhotoLibraryKit
import SafelightArguments
import SafelightEditServer

/// An error or a problem that the command line explains.
protocol Explained: CustomStringConvertible {
  /// A stable word for programs; “edit help errors” lists them.
  var code: String { get }
  /// What can be done; `nil` when there is nothing to be said.
  var hint: String? { get }
}

extension Explained {
  var hint: String? { ErrorExplanation.advice(for: code) }

  /// What happened and what can be done, in two sentences.
  var message: String { [description, hint].compactMap(\.self).joined(separator: " ") }

  /// The code as words: `render missing`.
  var words: String { code.replacing("-", with: " ") }
}

extension EditError: Explained {}
extension RelinkError: Explained {}
extension PhotoProblem: Explained {}
extension PhotoLibraryError: Explained {}
extension LibraryProblem: Explained {}
extension EditCommandError: Explained {}
extension ServerError: Explained {
  package var hint: String? {
    if case .unknownName(_, let name, let known) = self,
      let meant = didYouMean(nearest(to: name, among: known))
    {
      return meant
    }
    return ErrorExplanation.advice(for: code)
  }
}

/// An error as it is printed and as it travels between processes: for a photo that failed, or for a
/// command that could do nothing.
struct PhotoFailure: Error, Sendable, Equatable {
  /// A stable word for programs; “edit help errors” lists them.
  let code: String
  /// What happened, in one sentence.
  let message: String
  /// What can be done; `nil` when there is nothing to be said.
  let hint: String?

  init(code: String, message: String, hint: String?) {
    self.code = code
    self.message = message
    self.hint = hint
  }

  init(_ error: some Explained) {
    switch error as? PhotoLibraryError {
    case .editing(let error): self.init(error)
    case .userCancelled: self.init(EditCommandError.cancelled)
    default: self.init(code: error.code, message: error.description, hint: error.hint)
    }
  }

  /// Both sentences.
  var text: String { [message, hint].compactMap(\.self).joined(separator: " ") }

  /// As JSON's `error`.
  var json: JSONValue { .object(["code": code, "message": message, "hint": hint]) }
}
