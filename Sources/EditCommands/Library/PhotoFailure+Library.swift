import PhotoLibraryKit

extension PhotoFailure {
  init(_ error: PhotoLibraryError) {
    if case .editing(let error) = error {
      self.init(error)
    } else if case .userCancelled = error {
      self = .cancelled
    } else if case .missingUsageDescription = error {
      self.init(
        code: error.word, message: error.description,
        hint: "Say it in one sentence with --usage, which the user is shown.")
    } else {
      self.init(code: error.word, message: error.description, hint: error.hint)
    }
  }

  init(_ invalid: InvalidPredicate) {
    self.init(
      code: "invalid-predicate", message: "--where cannot be read. \(invalid.error.description)",
      hint: invalid.error.hint)
  }

  static let cancelled = PhotoFailure(
    code: EditError.Code.cancelled.rawValue, message: "Interrupted; what was done so far stands.",
    hint: nil)

  /// - Parameter isNamed: Whether the folder was given, rather than the usual one taken.
  static func noLibrary(_ folder: FilePath, isNamed: Bool) -> PhotoFailure {
    let option = isNamed ? " --library \(folder)" : ""
    return PhotoFailure(
      code: "no-library", message: "There is no library in \(folder).",
      hint: "Make one with “edit library init\(option)”.")
  }

  static func catalogMissing(_ folder: FilePath) -> PhotoFailure {
    PhotoFailure(
      code: "catalog-missing",
      message: "The catalog in \(folder) is gone, its export is there.",
      hint: "Make the catalog anew with “edit library rebuild”.")
  }

  static func libraryFolderTaken(_ folder: FilePath) -> PhotoFailure {
    PhotoFailure(
      code: "library-folder-taken", message: "\(folder) holds other files already.",
      hint: "A library has a folder of its own, new or empty; add the folders with photos to it.")
  }

  static func notInLibrary(_ path: FilePath) -> PhotoFailure {
    PhotoFailure(
      code: "not-in-library", message: "\(path) is not in the library.",
      hint: "Take its folder in with “edit library add”, or look again with “edit library scan”.")
  }

  static func notInTrash(_ path: FilePath) -> PhotoFailure {
    PhotoFailure(
      code: "not-in-trash", message: "\(path) is not in the library's trash.",
      hint: "“edit library trash list” lists what is.")
  }

  static func cannotAsk(_ question: String, instead: String) -> PhotoFailure {
    PhotoFailure(
      code: "cannot-ask", message: "There is no terminal to ask on: \(question)", hint: instead)
  }
}

extension PhotoLibraryError {
  /// A stable word for programs.
  fileprivate var word: String {
    switch self {
    case .newerCatalog: "library-newer"
    case .damagedCatalog: "library-damaged"
    case .busy: "library-busy"
    case .notEnoughSpace: EditError.Code.diskFull.rawValue
    case .catalog: "library-unusable"
    case .identifierNotFound: "not-in-library"
    case .predicateNotSupported: "invalid-predicate"
    case .changeNotSupported, .operationInterrupted: "change-refused"
    case .invalidResource, .missingResource: "folder-unusable"
    case .accessUserDenied: "access-denied"
    case .accessNotDetermined: "access-undecided"
    case .cannotAsk: "cannot-ask"
    case .accessRestricted: "access-restricted"
    case .missingUsageDescription: "usage-missing"
    case .persistentChangeTokenExpired: "token-expired"
    case .persistentChangeDetailsUnavailable: "library-unusable"
    case .userCancelled: EditError.Code.cancelled.rawValue
    case .editing(let error): error.code
    }
  }
}
