import PhotoEditing
import PhotoLibraryKit
import SafelightArguments

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

  init(_ error: EditError) {
    self.init(code: error.code, message: error.description, hint: error.hint)
  }

  init(_ error: RelinkError) {
    let hint = if case .failed(let error) = error { error.hint } else { error.advice }
    self.init(code: error.code, message: error.description, hint: hint)
  }

  init(_ error: PhotoLibraryError) {
    switch error {
    case .editing(let error): self.init(error)
    case .userCancelled: self.init(EditCommandError.cancelled)
    default: self.init(code: error.code, message: error.description, hint: error.hint)
    }
  }

  init(_ error: EditCommandError) {
    self.init(code: error.code, message: error.description, hint: error.hint)
  }

  /// Both sentences.
  var text: String { [message, hint].compactMap(\.self).joined(separator: " ") }

  /// As JSON's `error`.
  var json: JSONValue {
    var members = [
      JSONValue.Member("code", .string(code)), JSONValue.Member("message", .string(message)),
    ]
    if let hint { members.append(JSONValue.Member("hint", .string(hint))) }
    return .object(members)
  }

  /// What ``json`` says; `nil` when it is no such object.
  init?(_ json: JSONValue) {
    guard let code = json["code"]?.string, let message = json["message"]?.string else { return nil }
    self.init(code: code, message: message, hint: json["hint"]?.string)
  }
}
