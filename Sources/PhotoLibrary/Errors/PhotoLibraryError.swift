import PhotoEditing

/// Why a library could not be read or changed. Whatever was thrown, the library is as it was.
///
/// The cases are PhotoKit's where it has them; ``code`` gives its numbers.
public enum PhotoLibraryError: Error, Equatable {
  /// The catalog was made by a newer Safelight, which did what is named; nothing was touched.
  case newerCatalog(FilePath, unknown: [String])
  /// The catalog's file is damaged or no catalog. What only it knew stands in the export beside
  /// it, and a rebuild reads that.
  case damagedCatalog(FilePath, detail: String)
  /// Another process writes, and went on longer than was waited for.
  case busy(FilePath)
  /// The disk is full.
  case notEnoughSpace(FilePath)
  /// The catalog's file could not be read or written.
  case catalog(FilePath, detail: String)
  /// No asset, album or list has this identifier, or none that may be seen; or no client has it.
  case identifierNotFound(String)
  /// Such objects have no such key, so they cannot be filtered or sorted by it.
  case predicateNotSupported(key: String, of: String)
  /// The request cannot be made of such an object, or not with such values.
  case changeNotSupported(String)
  /// Two requests of a change set contradict each other, or one names an asset twice.
  case operationInterrupted(String)
  /// A file of a creation request is no photo.
  case invalidResource(FilePath, detail: String)
  /// A creation request has no photo, or its file is missing.
  case missingResource(String)
  /// The user did not allow it.
  case accessUserDenied
  /// The user cannot allow it.
  case accessRestricted
  /// The user has not been asked: request authorization first.
  case accessNotDetermined(client: String)
  /// The client gave no reason for wanting access, so the user was not asked: say one in
  /// ``Client/usageDescription`` or ``Client/addUsageDescription``.
  case missingUsageDescription(client: String)
  /// The library was opened without a prompt, so nobody can be asked: open it with one, or let the
  /// owner grant access.
  case cannotAsk(client: String)
  /// The token is older than the history that is kept, or of another catalog; fetch everything
  /// anew.
  case persistentChangeTokenExpired
  /// The details of the changes are no longer known.
  case persistentChangeDetailsUnavailable
  /// The work was cancelled.
  case userCancelled
  /// A photo could not be edited or read.
  case editing(EditError)

  /// PhotoKit's code of the error in `PHPhotosErrorDomain`; -1 for those that it does not have.
  public var code: Int {
    switch self {
    case .userCancelled: 3072
    case .persistentChangeTokenExpired: 3105
    case .identifierNotFound: 3201
    case .persistentChangeDetailsUnavailable: 3210
    case .changeNotSupported: 3300
    case .operationInterrupted: 3301
    case .invalidResource: 3302
    case .missingResource: 3303
    case .notEnoughSpace: 3305
    case .accessRestricted: 3310
    case .accessUserDenied, .accessNotDetermined: 3311
    case .newerCatalog, .damagedCatalog, .busy, .catalog, .missingUsageDescription,
      .cannotAsk, .predicateNotSupported, .editing:
      -1
    }
  }

  init(_ error: DatabaseError, _ path: FilePath) {
    self =
      if error.isDamaged {
        .damagedCatalog(path, detail: error.message)
      } else if error.isBusy {
        .busy(path)
      } else if error.isDiskFull {
        .notEnoughSpace(path)
      } else {
        .catalog(path, detail: error.message)
      }
  }
}
