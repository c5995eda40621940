import SafelightFiles

/// Why a photo's files could not be read or changed. Whatever was thrown, the old edit stands.
///
/// ```swift
/// do { … } catch StorageError.busy(let photo, _) { print("\(photo) is in use") }
/// ```
public enum StorageError: Error, Equatable, CustomStringConvertible {
  /// There is no file of this name, or its symbolic link leads nowhere. Check the name.
  case originalMissing(FilePath)
  /// It is a folder, a device or a pipe, not a photo. Name the photos themselves.
  case originalNotAFile(FilePath)
  /// The system does not let the original be read, for the reason given.
  case originalUnreadable(FileSystemError)
  /// Another program worked on the photo for as long as this one waited. `process` is its number,
  /// when the system tells it. Try again later.
  case busy(FilePath, waited: Duration, process: Int32?)
  /// The disk does not know locks, as some network disks do not; the reason is an `errno` value.
  case lockingUnavailable(FilePath, errno: Int32)

  /// The sidecar is not a record; it is left as it is.
  case recordUnreadable(FilePath, RecordError)
  /// Another program replaced the sidecar at the same time. Look at it, then try again.
  case recordChanged(FilePath)
  /// There is no edit to revert: the sidecar is another program's.
  case foreignSidecar(FilePath)
  /// The record with its history would have more bytes than are allowed. Store a smaller edit.
  case recordTooLarge(FilePath, size: Int, limit: Int)
  /// The original is not the photo that was edited: same name, other content.
  case originalChanged(FilePath)
  /// Another program wrote into the original, replaced it or set its time while it was edited.
  case originalTouched(FilePath)
  /// The sidecar is about a photo of another name and content.
  case recordBelongsToAnotherPhoto(record: FilePath, recorded: FilePath)

  /// The render is not as recorded: somebody retouched or replaced it.
  case renderChanged(FilePath)
  /// The base is not as recorded.
  case baseChanged(FilePath)
  /// There is no render to make a base of.
  case renderMissing(FilePath)
  /// A revert would drop the named versions of the photo. Say that they may go, or keep the edit.
  case hasVersions(FilePath, [String])
  /// A version cannot be called so: 1 to 64 letters, digits, hyphens, underscores and dots are
  /// allowed, with no dot in front.
  case invalidVersionName(String)
  /// The photo has a version of this name already. Choose another, or allow that it is replaced.
  case versionExists(FilePath, String)
  /// The photo has no version of this name, but those given.
  case versionMissing(FilePath, String, present: [String])
  /// A change was decided by a user who is neither the caller nor the original's owner, so it is not
  /// carried out.
  case changeOfAnotherUser(FilePath)
  /// The file belongs to another user, and only its owner may replace or remove it in this folder.
  case fileOfAnotherUser(FilePath)
  /// A file of a change that was decided is missing or has other content, so the change cannot be
  /// carried out. The path is where the file was to go.
  case stagedFileLost(FilePath)
  /// Other files have every name that the new file may have.
  case nameTaken([FilePath])
  /// The file's name would have more bytes than Linux allows.
  case nameTooLong(FilePath, limit: Int)
  /// Something that Safelight did not make has the hidden name of a file that a change needs.
  case hiddenNameTaken(FilePath)

  /// An edit without data, or with too much. `limit` is in bytes.
  case invalidAdjustmentDataSize(Int, limit: Int)
  /// A text of the edit has characters that a sidecar cannot carry.
  case unwritableText(String)
  /// The edit is not the one to undo, to redo, or to render again.
  case historyMismatch(FilePath)
  /// The file handed to the commit was not staged by this transaction, or not last.
  case notStaged(FilePath)
  /// The transaction was committed, reverted or ended before.
  case transactionOver(FilePath)
  /// An operation on one of the files failed.
  case fileSystem(FileSystemError)

  /// What happened, in one sentence.
  public var description: String {
    switch self {
    case .originalMissing(let path): "\(path) does not exist."
    case .originalNotAFile(let path): "\(path) is no file but a folder, a device or a pipe."
    case .originalUnreadable(let error): error.description
    case .busy(let path, let waited, let process?):
      "\(path) was in use by another program, process \(process), for \(waited.formatted)."
    case .busy(let path, .zero, nil): "\(path) was in use by another program."
    case .busy(let path, let waited, nil):
      "\(path) was in use by another program for \(waited.formatted)."
    case .lockingUnavailable(let path, _): "\(path) is on a disk that does not allow locks."
    case .recordUnreadable(let path, let error):
      "\(path) cannot be read as a sidecar: \(error.description.continued)"
    case .recordChanged(let path): "\(path) was changed by another program at the same time."
    case .foreignSidecar(let path): "\(path) was written by another program and is not removed."
    case .recordTooLarge(let path, let size, let limit):
      "\(path) would have \(size) bytes, and at most \(limit) are allowed."
    case .originalChanged(let path): "\(path) is not the photo that was edited: it has changed."
    case .originalTouched(let path): "\(path) was touched by another program at the same time."
    case .recordBelongsToAnotherPhoto(let record, let recorded):
      "\(record) belongs to another photo, which was called \(recorded)."
    case .renderChanged(let path): "\(path) was changed by another program since it was rendered."
    case .baseChanged(let path): "\(path) was changed by another program since it was kept."
    case .renderMissing(let path): "\(path) has no rendered picture to start from."
    case .changeOfAnotherUser(let path):
      """
      \(path) holds a change that another user decided, who is neither you nor the owner of the \
      original.
      """
    case .fileOfAnotherUser(let path):
      "\(path) belongs to another user, and this folder lets only a file's owner replace it."
    case .stagedFileLost(let path):
      "A decided change cannot be finished: the hidden file to become \(path) is lost."
    case .hasVersions(let path, let names):
      "\(path) has \(names.count == 1 ? "a saved version" : "saved versions"), "
        + "\(names.joined(separator: ", "))."
    case .invalidVersionName(let name): "“\(name)” cannot be a version's name."
    case .versionExists(let path, let name): "\(path) has a version “\(name)” already."
    case .versionMissing(let path, let name, _): "\(path) has no version “\(name)”."
    case .nameTaken(let paths):
      """
      No name is free for the picture: \(paths.map(\.description).joined(separator: " and ")) are other \
      files.
      """
    case .nameTooLong(let path, let limit):
      "The name of \(path) would be longer than \(limit) bytes."
    case .hiddenNameTaken(let path):
      """
      \(path) is no file of Safelight's, which needs the name to change the photo.
      """
    case .invalidAdjustmentDataSize(let size, let limit):
      "The adjustment data has \(size) bytes; 1 to \(limit) are allowed."
    case .unwritableText(let text):
      "The text \(text.debugDescription) has characters that a sidecar cannot carry."
    case .historyMismatch(let path): "The edit is not the one that the record of \(path) expects."
    case .notStaged(let path): "The file for \(path) was not staged by this transaction."
    case .transactionOver(let path): "The transaction on \(path) is over."
    case .fileSystem(let error): error.description
    }
  }
}

extension StorageError {
  /// The stable names of the errors.
  package enum Code: String, CaseIterable {
    case originalMissing = "original-missing"
    case originalNotAFile = "original-not-a-file"
    case originalUnreadable = "original-unreadable"
    case busy
    case lockingUnavailable = "locking-unavailable"
    case recordUnreadable = "record-unreadable"
    case recordChanged = "record-changed"
    case foreignSidecar = "foreign-sidecar"
    case recordTooLarge = "record-too-large"
    case originalChanged = "original-changed"
    case originalTouched = "original-touched"
    case recordOfAnotherPhoto = "record-of-another-photo"
    case renderChanged = "render-changed"
    case baseChanged = "base-changed"
    case renderMissing = "render-missing"
    case hasVersions = "has-versions"
    case invalidVersionName = "invalid-version-name"
    case versionExists = "version-exists"
    case versionMissing = "no-such-version"
    case nameTaken = "name-taken"
    case nameTooLong = "name-too-long"
    case hiddenNameTaken = "hidden-name-taken"
    case changeOfAnotherUser = "change-of-another-user"
    case fileOfAnotherUser = "file-of-another-user"
    case stagedFileLost = "staged-file-lost"
    case outputRefused = "output-refused"
    case `internal`
  }

  /// A stable word for programs, such as `original-missing`.
  public var code: String {
    if case .fileSystem(let error) = self { return error.code }
    return kind.rawValue
  }

  private var kind: Code {
    switch self {
    case .originalMissing: .originalMissing
    case .originalNotAFile: .originalNotAFile
    case .originalUnreadable: .originalUnreadable
    case .busy: .busy
    case .lockingUnavailable: .lockingUnavailable
    case .recordUnreadable: .recordUnreadable
    case .recordChanged: .recordChanged
    case .foreignSidecar: .foreignSidecar
    case .recordTooLarge: .recordTooLarge
    case .originalChanged: .originalChanged
    case .originalTouched: .originalTouched
    case .recordBelongsToAnotherPhoto: .recordOfAnotherPhoto
    case .renderChanged: .renderChanged
    case .baseChanged: .baseChanged
    case .renderMissing: .renderMissing
    case .hasVersions: .hasVersions
    case .invalidVersionName: .invalidVersionName
    case .versionExists: .versionExists
    case .versionMissing: .versionMissing
    case .nameTaken: .nameTaken
    case .nameTooLong: .nameTooLong
    case .hiddenNameTaken: .hiddenNameTaken
    case .changeOfAnotherUser: .changeOfAnotherUser
    case .fileOfAnotherUser: .fileOfAnotherUser
    case .stagedFileLost: .stagedFileLost
    case .invalidAdjustmentDataSize, .unwritableText: .outputRefused
    case .historyMismatch, .notStaged, .transactionOver, .fileSystem: .internal
    }
  }
}

extension Duration {
  /// The duration in seconds, for people: `0.5 seconds`.
  fileprivate var formatted: String {
    let seconds = Double(components.seconds) + Double(components.attoseconds) / 1e18
    return "\((seconds * 10).rounded() / 10) seconds"
  }
}

extension StorageError {
  /// Whether there was no room on the disk, or in the user's quota.
  var isDiskFull: Bool { if case .fileSystem(let error) = self { error.isDiskFull } else { false } }
}

/// Does operations on files. Their errors become errors of the photo.
func onDisk<Result>(
  _ operations: () throws(FileSystemError) -> Result
) throws(StorageError) -> Result {
  do {
    return try operations()
  } catch {
    throw .fileSystem(error)
  }
}

extension String {
  /// A sentence as it goes on after a colon: with a small first letter.
  package var continued: String { prefix(1).lowercased() + dropFirst() }

  /// The end of a sentence as a sentence of its own.
  package var asSentence: String { prefix(1).uppercased() + dropFirst() + "." }
}
