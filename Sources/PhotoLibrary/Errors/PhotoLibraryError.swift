import FoundationEssentials
import PhotoEditing
import SafelightCatalog
import SafelightFiles

/// Why a library could not be read or changed. The call that throws it has changed nothing.
///
/// Cases that PhotoKit has too have its names; ``errorCode`` gives its numbers.
public enum PhotoLibraryError: Error, Equatable {
  /// A newer Safelight changed the catalog's tables; `unknown` has the names of its migrations. Nothing was
  /// touched.
  case newerCatalog(FilePath, unknown: [String])
  /// An older Safelight wrote the catalog, and it was opened only to be read. Opening it to change it brings it up to
  /// date.
  case olderCatalog(FilePath)
  /// The catalog's file is damaged, or is no catalog. The export beside it has what only the catalog knew,
  /// and a rebuild reads the export.
  case damagedCatalog(FilePath, detail: String)
  /// The catalog was to be made again, and a file of the export is damaged. A rebuild with `salvaging` takes
  /// what is left.
  case damagedExport(FilePath, detail: String)
  /// Another process has been writing for longer than the library waits.
  case busy(FilePath)
  /// The disk is full.
  case notEnoughSpace(FilePath)
  /// The catalog's file could not be read or written.
  case catalog(FilePath, detail: String)
  /// The library belongs to another user. Open it with `trustingOwner` when you trust that user.
  case libraryOfAnotherUser(FilePath)
  /// No asset, album, list or client has this identifier, or this client may not see it.
  case identifierNotFound(String)
  /// The object with this identifier was fetched from another library, where the identifier may stand for
  /// another photo.
  case objectOfAnotherLibrary(String)
  /// A value that the program passed has no meaning, such as the size of a picture without pixels.
  case invalidValue(String)
  /// Objects of this kind cannot be filtered or sorted by this key.
  case predicateNotSupported(key: String, of: String)
  /// The object cannot be changed in this way, or not with these values.
  case changeNotSupported(String)
  /// Two requests of a change set contradict each other, or one names an asset twice.
  case operationInterrupted(String)
  /// A file of a creation request is no photo.
  case invalidResource(FilePath, detail: String)
  /// A creation request has no photo, or its file is missing.
  case missingResource(String)
  /// The user did not allow it.
  case accessUserDenied
  /// The user may not decide this; the library's owner forbade it.
  case accessRestricted
  /// The user has not been asked: request authorization first.
  case accessNotDetermined(client: String)
  /// The client gave no reason for wanting access, so the user was not asked. The reason belongs into
  /// ``Client/usageDescription`` or ``Client/addUsageDescription``.
  case missingUsageDescription(client: String)
  /// The library was opened without a prompt, so nobody can be asked. Open the library with a prompt, or let
  /// the owner grant access.
  case cannotAsk(client: String)
  /// The history no longer has the change sets after the token, or the token is of another catalog. Fetch
  /// everything again.
  case persistentChangeTokenExpired
  /// The details of the changes cannot be read.
  case persistentChangeDetailsUnavailable
  /// The work was cancelled.
  case userCancelled
  /// A photo could not be edited or read.
  case editing(EditError)

  /// PhotoKit's code of the error in `PHPhotosErrorDomain`; -1 for an error that PhotoKit does not have.
  public var errorCode: Int {
    switch self {
    case .userCancelled: 3072
    case .persistentChangeTokenExpired: 3105
    case .identifierNotFound, .objectOfAnotherLibrary: 3201
    case .persistentChangeDetailsUnavailable: 3210
    case .changeNotSupported: 3300
    case .operationInterrupted: 3301
    case .invalidResource: 3302
    case .missingResource: 3303
    case .notEnoughSpace: 3305
    case .accessRestricted: 3310
    case .accessUserDenied, .accessNotDetermined: 3311
    case .newerCatalog, .olderCatalog, .damagedCatalog, .damagedExport, .libraryOfAnotherUser,
      .busy, .catalog,
      .missingUsageDescription, .invalidValue, .cannotAsk, .predicateNotSupported, .editing:
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

extension PhotoLibraryError {
  init(_ error: CatalogError, _ path: FilePath) {
    self =
      switch error {
      case .newer(let unknown): .newerCatalog(path, unknown: unknown)
      case .older: .olderCatalog(path)
      case .unusable(let file, let reason): .catalog(file, detail: reason)
      case .database(let error): PhotoLibraryError(error, path)
      }
  }
}

extension PhotoLibraryError {
  /// The library's error for one of a part below; an error of the library stays as it is.
  ///
  /// - Parameter path: What was worked on.
  init(_ error: any Error, at path: FilePath) {
    self =
      switch error {
      case let error as PhotoLibraryError: error
      case let error as DatabaseError: PhotoLibraryError(error, path)
      case let error as CatalogError: PhotoLibraryError(error, path)
      case let error as FileSystemError: PhotoLibraryError(error, path)
      case let error as EditError: PhotoLibraryError(error)
      case let error as StorageError: .editing(.storage(error))
      default: .catalog(path, detail: "\(error)")
      }
  }
}

/// Does work in which only parts below can fail; their errors become the library's.
///
/// - Parameter path: What is worked on.
func withLibraryErrors<Result>(
  at path: FilePath, _ work: () throws -> Result
) throws(PhotoLibraryError) -> Result {
  do { return try work() } catch { throw PhotoLibraryError(error, at: path) }
}

extension PhotoLibraryError: CustomStringConvertible {
  /// What happened, in one sentence.
  public var description: String {
    switch self {
    case .newerCatalog(let path, let unknown):
      "\(path) was written by a newer Safelight, which knows \(unknown.joined(separator: ", "))."
    case .olderCatalog(let path):
      "\(path) was written by an older Safelight, and was opened only to be read."
    case .damagedCatalog(let path, let detail): "\(path) is damaged: \(detail)."
    case .damagedExport(let path, let detail): "\(path) cannot be read: \(detail)."
    case .libraryOfAnotherUser(let path): "\(path) belongs to another user."
    case .busy(let path): "Another program has been writing to \(path) for too long."
    case .notEnoughSpace(let path): "There is no room left on the disk of \(path)."
    case .catalog(let path, let detail): "\(path) cannot be used: \(detail)."
    case .identifierNotFound(let identifier): "The library has nothing called \(identifier)."
    case .objectOfAnotherLibrary(let identifier): "\(identifier) belongs to another library."
    case .predicateNotSupported(let key, let owner):
      "There is no “\(key)” of \(owner) to filter or sort by."
    case .changeNotSupported(let reason), .operationInterrupted(let reason),
      .invalidValue(let reason):
      reason
    case .invalidResource(let path, let detail): "\(path) cannot be used: \(detail)"
    case .missingResource(let reason): "A photo to add is missing: \(reason)."
    case .accessUserDenied: "The user has not allowed this program to use the library in this way."
    case .accessRestricted:
      "This program may not use the library in this way, and the user cannot allow it."
    case .accessNotDetermined(let client):
      "The user has not decided whether \(client) may use the library."
    case .cannotAsk(let client):
      "The user cannot be asked here whether \(client) may use the library."
    case .missingUsageDescription(let client):
      "\(client) gives no reason for using the library."
    case .persistentChangeTokenExpired: "The history of changes does not go back to this token."
    case .persistentChangeDetailsUnavailable: "The details of the change can no longer be read."
    case .userCancelled: "The work was interrupted."
    case .editing(let error): error.description
    }
  }
}

extension PhotoLibraryError {
  /// The stable names of the errors.
  package enum Code: String, CaseIterable {
    case libraryNewer = "library-newer"
    case libraryOlder = "library-older"
    case libraryDamaged = "library-damaged"
    case exportDamaged = "export-damaged"
    case libraryOfAnotherUser = "library-of-another-user"
    case libraryBusy = "library-busy"
    case diskFull = "disk-full"
    case libraryUnusable = "library-unusable"
    case notInLibrary = "not-in-library"
    case invalidPredicate = "invalid-predicate"
    case invalidValue = "invalid-value"
    case changeRefused = "change-refused"
    case folderUnusable = "folder-unusable"
    case accessDenied = "access-denied"
    case accessUndecided = "access-undecided"
    case accessRestricted = "access-restricted"
    case cannotAsk = "cannot-ask"
    case usageMissing = "usage-missing"
    case tokenExpired = "token-expired"
    case cancelled
  }

  /// A stable word for programs, such as `library-busy`.
  public var code: String {
    let code: Code
    switch self {
    case .newerCatalog: code = .libraryNewer
    case .olderCatalog: code = .libraryOlder
    case .damagedCatalog: code = .libraryDamaged
    case .damagedExport: code = .exportDamaged
    case .libraryOfAnotherUser: code = .libraryOfAnotherUser
    case .busy: code = .libraryBusy
    case .notEnoughSpace: code = .diskFull
    case .catalog, .persistentChangeDetailsUnavailable: code = .libraryUnusable
    case .identifierNotFound, .objectOfAnotherLibrary: code = .notInLibrary
    case .invalidValue: code = .invalidValue
    case .predicateNotSupported: code = .invalidPredicate
    case .changeNotSupported, .operationInterrupted: code = .changeRefused
    case .invalidResource, .missingResource: code = .folderUnusable
    case .accessUserDenied: code = .accessDenied
    case .accessNotDetermined: code = .accessUndecided
    case .accessRestricted: code = .accessRestricted
    case .cannotAsk: code = .cannotAsk
    case .missingUsageDescription: code = .usageMissing
    case .persistentChangeTokenExpired: code = .tokenExpired
    case .userCancelled: code = .cancelled
    case .editing(let error): return error.code
    }
    return code.rawValue
  }
}

// What Foundation's alerts and logs show: what happened, why, and what can be done.

extension PhotoLibraryError: LocalizedError {
  /// What happened, in one sentence.
  public var errorDescription: String? { description }

  /// Why it happened.
  public var failureReason: String? {
    switch self {
    case .damagedCatalog(_, let detail), .damagedExport(_, let detail), .catalog(_, let detail),
      .invalidResource(_, let detail):
      detail
    case .editing(let error): error.failureReason
    default: description
    }
  }

  /// What can be done about it; `nil` when nothing has to be done.
  public var recoverySuggestion: String? {
    switch self {
    case .newerCatalog: "Update Safelight."
    case .olderCatalog:
      """
      Open the library once to change it, which brings its catalog up to date; when its disk may not be written to, \
      open a copy on another disk.
      """
    case .damagedCatalog: "Rebuild the library: its export has what only the catalog knew."
    case .damagedExport: "Restore the export from a backup, or rebuild the library with salvaging."
    case .busy: "Try again when the other program is done."
    case .notEnoughSpace: "Free some space on the disk."
    case .catalog: "Check the disk, and the permissions of the library's folder."
    case .libraryOfAnotherUser: "Open the library with trustingOwner when you trust that user."
    case .identifierNotFound: "Fetch again: the object may have left the library."
    case .objectOfAnotherLibrary: "Fetch the object from the library that it is used with."
    case .invalidValue, .changeNotSupported, .operationInterrupted: "Correct the value."
    case .predicateNotSupported: "Use a key that such objects have."
    case .invalidResource, .missingResource: "Choose another file."
    case .accessUserDenied, .accessRestricted:
      "The owner of the library can allow it with “edit library access grant”."
    case .accessNotDetermined: "Request authorization, and try again."
    case .missingUsageDescription: "Give the client a usage description."
    case .cannotAsk: "Open the library with a prompt, or let its owner grant access."
    case .persistentChangeTokenExpired, .persistentChangeDetailsUnavailable:
      "Fetch everything again."
    case .userCancelled: nil
    case .editing(let error): error.recoverySuggestion
    }
  }
}

extension SelectionError: LocalizedError {
  /// What happened, in one sentence that names the item.
  public var errorDescription: String? { description }

  /// Why it happened.
  public var failureReason: String? {
    switch reason {
    case .fetch(let error): error.failureReason
    case .type(let error): error.failureReason
    case .cancelled: description
    }
  }

  /// What can be done about it; `nil` when nothing has to be done.
  public var recoverySuggestion: String? {
    switch reason {
    case .fetch(let error): error.recoverySuggestion
    case .type(let error): error.recoverySuggestion
    case .cancelled: nil
    }
  }
}

extension PredicateFormatError: LocalizedError {
  /// What is wrong, and in which column.
  public var errorDescription: String? { description }
  /// What is wrong, and in which column.
  public var failureReason: String? { description }
  /// What can be done about it.
  public var recoverySuggestion: String? {
    if case .unknownKey(_, let nearest?) = reason { return "Write \(nearest)." }
    return "Correct the text in this column."
  }
}

extension LibraryProblem: LocalizedError {
  /// What is wrong.
  public var errorDescription: String? { description }
  /// What is wrong.
  public var failureReason: String? { errorDescription }
  /// What can be done about it.
  public var recoverySuggestion: String? {
    switch kind {
    case .catalogDamaged, .countsWrong: "Rebuild the library."
    case .exportUnreadable, .exportOutdated: "Write the export again."
    case .folderMissing: "Check that the disk is mounted."
    case .photoMissing, .photoChanged, .editOutdated: "Scan the library."
    case .changeUnfinished: "Open the library to change it, which finishes the change."
    case .changeUnproven:
      "Open the library on the computer, and as the user, that made the change, or accept the change."
    }
  }
}
