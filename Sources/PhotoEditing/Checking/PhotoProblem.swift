import SafelightStorage

/// Something that is not as the record of a photo says, or is left over from work on it.
public struct PhotoProblem: Sendable, Equatable {
  /// What is wrong with a file.
  public enum Kind: Sendable, Equatable {
    /// The original is not the photo that was edited: it was changed or replaced since.
    case originalChanged
    /// The original is gone and its record is still there.
    case originalMissing
    /// The record is about a photo of another name, given here, and of other content.
    case recordOfAnotherPhoto(recorded: FilePath)
    /// The render is not the one that was rendered: somebody retouched or replaced it.
    case renderChanged
    /// The render is gone.
    case renderMissing
    /// The render of the version of this name is gone.
    case versionMissing(String)
    /// The base photo, which the edit starts from, is not the one that was kept.
    case baseChanged
    /// The base photo, which the edit starts from, is gone.
    case baseMissing
    /// The sidecar is no record, for the reason given.
    case recordUnreadable(RecordError)
    /// A newer Safelight wrote the record, in this version. A note: nothing need be wrong.
    case recordNewer(version: Int)
    /// The sidecar is another program's, and no edit is over it. A note: nothing is wrong.
    case foreignSidecar
    /// A picture that Safelight rendered from the original named here, and that no record names.
    case orphanRender(original: String)
    /// A change was decided and not carried out to its end, because a program died. Readers of this
    /// library see it as done. Only beside its photo can it be finished.
    case interrupted(canBeFinished: Bool)
    /// A hidden file of a change or an export that was never finished.
    case leftover(canBeRemoved: Bool)
    /// The file could not be checked, or what was interrupted could not be finished.
    case failed(EditError)
  }

  /// What is wrong.
  public let kind: Kind
  /// The file that it is about.
  public let file: FilePath

  /// A problem of a file.
  public init(_ kind: Kind, _ file: FilePath) {
    self.kind = kind
    self.file = file
  }

  /// Whether it is only worth knowing, and no reason to call a check failed.
  public var isNote: Bool {
    switch kind {
    case .recordNewer, .foreignSidecar: true
    default: false
    }
  }

  /// Whether a check that fixes takes it away.
  public var canBeFixed: Bool {
    switch kind {
    case .interrupted(let canBeFixed), .leftover(let canBeFixed): canBeFixed
    default: false
    }
  }
}

extension PhotoProblem {
  /// The problem that an error of the files tells of, if it is one that a check reports.
  init?(_ error: StorageError) {
    switch error {
    case .originalChanged(let path): self.init(.originalChanged, path)
    case .recordBelongsToAnotherPhoto(let record, let recorded):
      self.init(.recordOfAnotherPhoto(recorded: recorded), record)
    case .recordUnreadable(let path, .newerVersion(let version)):
      self.init(.recordNewer(version: version), path)
    case .recordUnreadable(let path, let error): self.init(.recordUnreadable(error), path)
    default: return nil
    }
  }
}
