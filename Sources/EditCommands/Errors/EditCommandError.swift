import Glibc
import PhotoLibraryKit

/// Why a command failed, where no library has an error for it.
enum EditCommandError: Error, Equatable, CustomStringConvertible {
  // Batches.

  /// A folder was named, and its photos were not asked for.
  case folder(FilePath)
  /// The command was interrupted before the photo was done.
  case interrupted(FilePath)
  /// The photo took longer than `--timeout` allows.
  case timedOut(FilePath, after: Duration)
  /// A line is not a job, for this reason.
  case badJob(String)

  // A library as a whole.

  /// The work on a library was interrupted.
  case cancelled
  /// There is no library in the folder. `isNamed` is `false` for the usual folder.
  case noLibrary(FilePath, isNamed: Bool)
  /// The catalog in the folder is gone, and its export is there.
  case catalogMissing(FilePath)
  /// The folder for a new library holds other files.
  case libraryFolderTaken(FilePath)
  /// The export cannot be brought up to date, for this reason.
  case exportUnreadable(String)
  /// There is no terminal for this question; `instead` says how to answer it.
  case cannotAsk(String, instead: String)
  /// No program of this name has asked for the library.
  case noSuchClient(String, nearest: String?)

  // Photos of a library.

  /// The library has no photo at this path or of this identifier.
  case notInLibrary(FilePath)
  /// The photo is not in the library's trash.
  case notInTrash(FilePath)
  /// The text after `--where` is no predicate.
  case invalidPredicate(String, PredicateFormatError)
  /// The text after `--sort` is no order.
  case invalidOrder(String)
  /// There is no such key to sort by.
  case invalidSortKey(String, PredicateFormatError)

  // Albums.

  /// The library has no album of this name.
  case noSuchAlbum(String, nearest: String?)
  /// The library has no folder of albums of this name.
  case noSuchAlbumFolder(String, nearest: String?)
  /// Several albums, of these identifiers, have the name.
  case ambiguousAlbum(String, identifiers: [String])
  /// An album or folder has the name already.
  case albumExists(String)
  /// A folder that is to be deleted has albums in it.
  case albumFolderNotEmpty(String, count: Int)
  /// The photo does not show in the album.
  case notInAlbum(FilePath, album: String)
  /// The album fills itself and cannot be arranged.
  case fillsItself(album: String)

  /// A stable word for programs, such as `no-library`.
  var code: String { said.code.rawValue }

  /// What happened, in one sentence.
  var description: String { said.message }

  private var said: (code: Code, message: String) {
    switch self {
    case .folder(let path): return (.folder, "\(path) is a folder.")
    case .interrupted(let photo): return (.interrupted, "The work on \(photo) was interrupted.")
    case .timedOut(let photo, let time):
      let seconds = JSONValue.number(time.milliseconds / 1000).text
      return (.timedOut, "\(photo) took longer than \(seconds) s and was given up.")
    case .badJob(let reason): return (.badJob, "The line is not a job: \(reason)")
    case .cancelled: return (.cancelled, "Interrupted; what was done so far stays.")
    case .noLibrary(let folder, _): return (.noLibrary, "There is no library in \(folder).")
    case .catalogMissing(let folder):
      return (.catalogMissing, "The catalog in \(folder) is gone, but its export is there.")
    case .libraryFolderTaken(let folder):
      return (.libraryFolderTaken, "\(folder) holds other files already.")
    case .exportUnreadable(let problem):
      return (.exportUnreadable, "The export cannot be brought up to date: \(problem).")
    case .cannotAsk(let question, _):
      return (.cannotAsk, "There is no terminal to ask on: \(question)")
    case .noSuchClient(let name, _):
      return (.noSuchClient, "No program called “\(name)” has asked for the library.")
    case .notInLibrary(let path): return (.notInLibrary, "\(path) is not in the library.")
    case .notInTrash(let path): return (.notInTrash, "\(path) is not in the library's trash.")
    case .invalidPredicate(_, let error):
      return (.invalidPredicate, "--where cannot be read. \(error.description)")
    case .invalidOrder(let text):
      return (.invalidPredicate, "“\(text)” is not an order to sort by.")
    case .invalidSortKey(let key, _):
      return (.invalidPredicate, "There is no key “\(key)” to sort by.")
    case .noSuchAlbum(let name, _):
      return (.noSuchAlbum, "The library has no album called “\(name)”.")
    case .noSuchAlbumFolder(let name, _):
      return (.noSuchAlbum, "The library has no folder of albums called “\(name)”.")
    case .ambiguousAlbum(let name, let identifiers):
      return (.ambiguousAlbum, "\(identifiers.count) albums are called “\(name)”.")
    case .albumExists(let name):
      return (.albumExists, "There is an album or folder called “\(name)” already.")
    case .albumFolderNotEmpty(let name, let count):
      return (.folderNotEmpty, "The folder “\(name)” has \(counted(count, "album")) in it.")
    case .notInAlbum(let photo, let album):
      return (.notInAlbum, "\(photo) does not show in \(album).")
    case .fillsItself(let album):
      return (.changeRefused, "“\(album)” fills itself and cannot be arranged.")
    }
  }
}

extension EditCommandError {
  /// The stable names of the errors.
  enum Code: String, CaseIterable {
    case folder
    case interrupted
    case timedOut = "timed-out"
    case badJob = "bad-job"
    case cancelled
    case noLibrary = "no-library"
    case catalogMissing = "catalog-missing"
    case libraryFolderTaken = "library-folder-taken"
    case exportUnreadable = "export-unreadable"
    case cannotAsk = "cannot-ask"
    case noSuchClient = "no-such-client"
    case notInLibrary = "not-in-library"
    case notInTrash = "not-in-trash"
    case invalidPredicate = "invalid-predicate"
    case noSuchAlbum = "no-such-album"
    case ambiguousAlbum = "ambiguous-album"
    case albumExists = "album-exists"
    case folderNotEmpty = "folder-not-empty"
    case notInAlbum = "not-in-album"
    case changeRefused = "change-refused"
  }
}
