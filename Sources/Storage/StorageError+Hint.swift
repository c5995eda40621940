import Glibc

extension StorageError {
  /// What can be done about it; `nil` when the sentence on what happened says it all.
  public var hint: String? {
    switch self {
    case .originalMissing: "Check the name, and that the disk is mounted."
    case .originalNotAFile: "Name a photo."
    case .originalUnreadable(let error): error.hint
    case .busy: "Try again when the other program is done."
    case .lockingUnavailable(_, EACCES), .lockingUnavailable(_, EROFS):
      "This disk locks only photos that may be written to: give yourself that right, or copy the "
        + "photo to a local disk. The original is not written even so."
    case .lockingUnavailable: "Copy the photo to a local disk."
    case .recordUnreadable(_, let error): error.hint
    case .recordChanged: "Look at what the other program did, then try again."
    case .foreignSidecar: "Remove it yourself if its edit is not wanted."
    case .recordTooLarge: "Store a smaller edit, or revert the photo to drop its history."
    case .originalChanged:
      "Put the original back, or revert the photo to drop the edit and start anew."
    case .recordBelongsToAnotherPhoto(let record, let recorded):
      "Move \(record) back beside \(recorded), or away."
    case .renderChanged(let path):
      "Move \(path) away to keep it; the photo can then be edited or reverted."
    case .baseChanged(let path): "Restore \(path) from a backup, or move it away."
    case .renderMissing: "Render the current edit again first."
    case .hasVersions:
      "“edit revert --versions” drops them too; “edit history --to 0” shows the original and keeps "
        + "them."
    case .invalidVersionName:
      "Use 1 to 64 letters, digits, hyphens, underscores and dots, with no dot in front."
    case .versionExists: "Choose another name, or allow it with --replace."
    case .versionMissing(_, _, let present):
      present.isEmpty
        ? "“edit version save” makes one of the present edit."
        : "There is \(present.joined(separator: ", "))."
    case .nameTaken: "Rename one of these files."
    case .nameTooLong: "Give the photo a shorter name."
    case .invalidAdjustmentDataSize: "Store parameters rather than pixels."
    case .unwritableText: "Leave out control characters."
    case .historyMismatch: "Read the record again and try once more."
    case .notStaged: "Commit the file that was staged last."
    case .transactionOver: "Begin a new transaction."
    case .fileSystem(let error): error.hint
    }
  }
}
