extension PhotoLibraryError: CustomStringConvertible {
  /// One sentence on what happened.
  public var description: String {
    switch self {
    case .newerCatalogue(let path, let unknown):
      "The library in \(path) was made by a newer Safelight (\(unknown.joined(separator: ", ")))."
    case .damagedCatalogue(let path, let detail):
      "The catalogue in \(path) is damaged: \(detail)."
    case .busy(let path): "Another program is writing to the library in \(path)."
    case .notEnoughSpace(let path): "The disk is full: nothing can be written in \(path)."
    case .catalogue(let path, let detail): "The library in \(path) cannot be used: \(detail)."
    case .identifierNotFound(let identifier):
      "The library has nothing with the identifier \(identifier)."
    case .predicateNotSupported(let key, let owner): "Of \(owner), there is no key “\(key)”."
    case .changeNotSupported(let detail), .operationInterrupted(let detail): detail
    case .missingResource(let asset): "There is no file of a photo for \(asset)."
    case .invalidResource(let path, let detail): "\(path) cannot be used. \(detail)"
    case .accessUserDenied: "This program may not use the library."
    case .accessRestricted: "This program may not use the library, and cannot ask for it."
    case .missingUsageDescription(let client):
      "\(client) gives no reason for wanting to use the library."
    case .persistentChangeTokenExpired: "The history of changes does not go back that far."
    case .persistentChangeDetailsUnavailable: "The details of these changes are no longer known."
    case .userCancelled: "It was cancelled."
    case .editing(let error): error.description
    }
  }

  /// What can be done about it; `nil` when the sentence on what happened says it all.
  public var hint: String? {
    switch self {
    case .newerCatalogue: "Use the newer program; nothing was changed."
    case .damagedCatalogue:
      "Make it anew from the photos and the export beside it: “edit library rebuild”."
    case .busy: "Try again when the other program is done."
    case .notEnoughSpace: "Make room on the disk; nothing was changed."
    case .catalogue: "Check that the folder is there and can be written."
    case .identifierNotFound: "It may have been deleted since: fetch again."
    case .accessUserDenied:
      "Ask for access; once it was denied, the user can grant it: “edit library access grant”."
    case .accessRestricted: "Whoever keeps the library can lift it: “edit library access grant”."
    case .missingUsageDescription: "Tell what the photos are wanted for when opening the library."
    case .persistentChangeTokenExpired, .persistentChangeDetailsUnavailable:
      "Fetch everything anew, and go on from the current token."
    case .invalidResource: "Name a photo or a folder that can be read."
    case .editing(let error): error.hint
    case .predicateNotSupported, .changeNotSupported, .operationInterrupted, .missingResource,
      .userCancelled:
      nil
    }
  }
}
