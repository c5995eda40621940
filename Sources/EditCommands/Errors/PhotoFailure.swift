import PhotoEditing
import PhotoLibraryKit
import SafelightArguments
import SafelightEditServer

/// An error or a problem that the command line explains.
protocol Explained: CustomStringConvertible {
  /// A stable word for programs; “edit help errors” lists them.
  var code: String { get }
  /// What can be done; `nil` when there is nothing to be said.
  var hint: Advice? { get }
}

/// What can be done about an error. Where that takes an option of the command line, other surfaces say something else,
/// or nothing.
struct Advice: Sendable, Hashable, ExpressibleByStringInterpolation {
  /// For people at the command line.
  let text: String
  /// For programs over HTTP, agents and the page, which have no options; `nil` when there is nothing to be said.
  let elsewhere: String?

  init(_ text: String, elsewhere: String?) { (self.text, self.elsewhere) = (text, elsewhere) }

  /// The same everywhere.
  init(stringLiteral text: String) { self.init(text, elsewhere: text) }

  /// The question whether another name was meant; `nil` without one.
  init?(meaning name: String?) {
    guard let question = didYouMean(name) else { return nil }
    self.init(stringLiteral: question)
  }
}

extension Explained {
  var hint: Advice? { ErrorExplanation.advice(for: code) }

  /// What happened and what can be done, in two sentences.
  var message: String { [description, hint?.text].compactMap(\.self).joined(separator: " ") }

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
  var hint: Advice? {
    if case .unknownName(_, let name, let known) = self,
      let meant = Advice(meaning: nearest(to: name, among: known))
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
  let advice: Advice?
  /// What can be done at the command line; `nil` when there is nothing to be said.
  var hint: String? { advice?.text }

  init(code: String, message: String, hint: Advice?) {
    self.code = code
    self.message = message
    advice = hint
  }

  init(_ error: some Explained) {
    switch error as? PhotoLibraryError {
    case .editing(let error): self.init(error)
    case .userCancelled: self.init(EditCommandError.cancelled)
    default: self.init(code: error.code, message: error.description, hint: error.hint)
    }
  }

  /// The same where there are no options.
  var elsewhere: PhotoFailure {
    PhotoFailure(
      code: code, message: message, hint: advice?.elsewhere.map { Advice(stringLiteral: $0) })
  }

  /// Both sentences.
  var text: String { [message, hint].compactMap(\.self).joined(separator: " ") }

  /// As JSON's `error`.
  var json: JSONValue { .object(["code": code, "message": message, "hint": hint]) }
}
