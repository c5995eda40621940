extension PhotoLibraryError: CustomStringConvertible {
  /// What happened, in one sentence.
  public var description: String {
    switch self {
    case .newerCatalog(let path, let unknown):
      "\(path) was written by a newer Safelight, which knows \(unknown.joined(separator: ", "))."
    case .damagedCatalog(let path, let detail): "\(path) is damaged: \(detail)."
    case .busy(let path): "Another program has been writing to \(path) for too long."
    case .notEnoughSpace(let path): "There is no room left on the disk of \(path)."
    case .catalog(let path, let detail): "\(path) cannot be used: \(detail)."
    case .identifierNotFound(let identifier): "The library has nothing called \(identifier)."
    case .predicateNotSupported(let key, let owner):
      "There is no “\(key)” of \(owner) to filter or sort by."
    case .changeNotSupported(let reason), .operationInterrupted(let reason): reason
    case .invalidResource(let path, let detail): "\(path) cannot be used: \(detail)"
    case .missingResource(let reason): "A photo to take in is missing: \(reason)."
    case .accessUserDenied: "The user has not allowed this program to use the library so."
    case .accessRestricted: "This program may not use the library so, and the user cannot allow it."
    case .accessNotDetermined(let client):
      "Nobody has said yet whether \(client) may use the library."
    case .cannotAsk(let client): "Nobody can be asked here whether \(client) may use the library."
    case .missingUsageDescription(let client):
      "\(client) does not say what it wants the library for."
    case .persistentChangeTokenExpired: "The history of changes does not go back to this token."
    case .persistentChangeDetailsUnavailable: "What changed can no longer be read."
    case .userCancelled: "The work was interrupted."
    case .editing(let error): error.description
    }
  }

  /// What can be done, in one sentence; `nil` when there is nothing to be said.
  public var hint: String? {
    switch self {
    case .newerCatalog: "Update Safelight; the library was not touched."
    case .damagedCatalog: "Make it anew from the disk with “edit library rebuild”."
    case .busy: "Try again when the other program is done."
    case .notEnoughSpace: "Free some space and try again."
    case .catalog: "Check that the folder is there and may be written to."
    case .accessUserDenied, .accessRestricted:
      "The owner of the library can allow it with “edit library access grant”."
    case .accessNotDetermined(let client), .cannotAsk(let client):
      "The owner of the library can allow it with “edit library access grant \(client)”."
    case .missingUsageDescription: "Say it in one sentence, which the user is shown."
    case .persistentChangeTokenExpired:
      "Look at everything anew, and go on from what “edit library changes --now” prints."
    case .editing(let error): error.hint
    case .identifierNotFound, .predicateNotSupported, .changeNotSupported, .operationInterrupted,
      .invalidResource, .missingResource, .persistentChangeDetailsUnavailable, .userCancelled:
      nil
    }
  }
}
