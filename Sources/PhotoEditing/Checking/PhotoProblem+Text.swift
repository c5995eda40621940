import SafelightStorage

extension PhotoProblem: CustomStringConvertible {
  /// A stable word for programs, such as `render-changed`.
  public var code: String {
    switch kind {
    case .originalChanged: "original-changed"
    case .originalMissing: "original-missing"
    case .recordOfAnotherPhoto: "record-of-another-photo"
    case .renderChanged: "render-changed"
    case .renderMissing: "render-missing"
    case .versionMissing: "version-missing"
    case .baseChanged: "base-changed"
    case .baseMissing: "base-missing"
    case .recordUnreadable: "record-unreadable"
    case .recordNewer: "record-newer"
    case .foreignSidecar: "foreign-sidecar"
    case .orphanRender: "orphan-render"
    case .interrupted: "interrupted"
    case .leftover: "leftover"
    case .failed(let error): error.code
    }
  }

  /// What happened, in one sentence that names the file.
  public var description: String {
    switch kind {
    case .originalMissing: "\(file) is gone, and its edit is still there."
    case .renderMissing: "\(file), the render, is missing."
    case .versionMissing(let name): "\(file), the render of the version \(name), is missing."
    case .baseMissing: "\(file), which the edit starts from, is missing."
    case .recordNewer(let version):
      "\(file) is a record of version \(version), which is newer, and was not checked."
    case .foreignSidecar: "\(file) is another program's edit."
    case .orphanRender(let original):
      "\(file) was rendered from \(original), and no record names it."
    case .interrupted: "A change was interrupted before all its files were in place: \(file)."
    case .leftover: "\(file) was left behind by a program that died."
    case .failed(let error): error.description
    case .originalChanged, .recordOfAnotherPhoto, .renderChanged, .baseChanged, .recordUnreadable:
      storageError?.description ?? code
    }
  }

  /// What can be done about it, in one sentence; `nil` when there is nothing to do.
  public var hint: String? {
    switch kind {
    case .originalMissing: "Put it back, or let “edit relink” find it under its new name."
    case .recordOfAnotherPhoto: "Put the two photos back under their names."
    case .renderMissing: "“edit render --stale” makes it again."
    case .versionMissing(let name):
      "“edit version use \(name)” and then “edit version save --replace \(name)” make it again."
    case .baseMissing: "Restore it from a backup, or revert the photo to drop the edit."
    case .recordNewer: "Use a newer Safelight."
    case .foreignSidecar: nil
    case .orphanRender:
      "Put its record back, remove it, or give it a name of its own to keep it as a photo."
    case .interrupted(true): "“edit verify --fix” finishes it, and so does the next edit."
    case .interrupted(false): "Put the photo back, or let “edit relink” find it."
    case .leftover(true): "“edit verify --fix” removes it."
    case .leftover(false): "Remove it unless its photo, which is gone, comes back."
    case .failed(let error): error.hint
    case .originalChanged, .renderChanged, .baseChanged, .recordUnreadable: storageError?.hint
    }
  }

  /// The error that an edit of the photo would meet for the same reason.
  private var storageError: StorageError? {
    switch kind {
    case .originalChanged: .originalChanged(file)
    case .recordOfAnotherPhoto(let recorded):
      .recordBelongsToAnotherPhoto(record: file, recorded: recorded)
    case .renderChanged: .renderChanged(file)
    case .baseChanged: .baseChanged(file)
    case .recordUnreadable(let error): .recordUnreadable(file, error)
    default: nil
    }
  }
}
