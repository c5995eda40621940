import FoundationEssentials
import SafelightFiles
import SafelightFormats
import SafelightStorage

/// Something that is not as the record of a photo says, or is left over from work on it.
///
/// ```swift
/// for problem in try await editor.verify(photo).problems {
///   print(problem.code, problem.description)
/// }
/// ```
public struct PhotoProblem: Sendable, Equatable {
  /// What is wrong with a file.
  public enum Kind: Sendable, Equatable {
    /// The original is not the photo that was edited: it was changed or replaced since.
    case originalChanged
    /// Another program wrote metadata into the original, and the render has the earlier ones. Only a
    /// note.
    case metadataWritten
    /// A render has the metadata that the original had before another program wrote into it. Only a
    /// note.
    case metadataOutdated
    /// Another program changed the original's orientation, and the edit turns with the photo when it
    /// is rendered next. Only a note.
    case originalTurned
    /// The original is gone and its record is still there.
    case originalMissing
    /// The original is a symbolic link that leads nowhere, and its record is there.
    case originalLinkBroken
    /// The record is about a photo of another name, given here, and of other content.
    case recordOfAnotherPhoto(recorded: FilePath)
    /// The render is not the one that was rendered: somebody retouched or replaced it.
    case renderChanged
    /// The file is Safelight's render of another edit of the photo than its record says, as while a
    /// folder is being synced: of an earlier one, or of a newer one that the record does not know yet. Only
    /// a note: it counts as missing, and the next edit puts a new render in its place.
    case notSynced(isNewer: Bool)
    /// The render is gone.
    case renderMissing
    /// The render of the version of this name is gone.
    case versionMissing(String)
    /// The base photo, which the edit starts from, is not the one that was kept.
    case baseChanged
    /// The base photo, which the edit starts from, is gone.
    case baseMissing
    /// The record is whole, and one of its edits cannot be read, for the reason given.
    case editUnreadable(EditPart, AdjustmentError)
    /// The sidecar is no record, for the reason given.
    case recordUnreadable(RecordError)
    /// A newer Safelight wrote the record, in this version. Only a note.
    case recordNewer(version: Int)
    /// The sidecar is another program's, and Safelight has no edit on top of it. Only a note.
    case foreignSidecar
    /// Another photo program edited the photo and left that beside it, and Safelight has no edit of the photo. Only a
    /// note.
    case editedElsewhere(ForeignEdit)
    /// The file that has the place of the photo's render is the render of another photo, given here, which has
    /// the same stem. The photo's own is missing.
    case renderOfTwin(FilePath)
    /// Safelight rendered the picture from the original named here, and no record names the
    /// picture. It may be somebody's retouch, or all that is left of a photo.
    case orphanRender(original: String)
    /// The picture has a name of the photo's render, which may be made from the photo's former name, and shows an
    /// edit that the photo had and that Safelight can make again. An edit that needs the name replaces it, and
    /// checks with `fixing` put it into the folder's trash. Only a note.
    case earlierRender(of: FilePath)
    /// A program that syncs folders made the copy of a record or a render, because two machines edited the
    /// photo. When the photo's history has all that is in the copy, checks with `fixing` put the copy into
    /// the folder's trash.
    case conflictCopy(Conflict)
    /// A program that copies or syncs files is still writing the sidecar, or left it behind. Only a note.
    case partialCopy
    /// The picture has the content that a render or base of this photo has or had, under a name that no record
    /// names. Only a note.
    case renderCopy(of: FilePath)
    /// A program died before it finished a change that it had decided. Readers of this library see the
    /// change as done. It can be finished only beside its photo.
    case interrupted(canBeFinished: Bool)
    /// A hidden file of a change or an export that was never finished.
    case leftover(canBeRemoved: Bool)
    /// The file could not be checked, or what was interrupted could not be finished.
    case failed(EditError)
  }

  /// One of the edits in a record.
  public enum EditPart: Sendable, Equatable {
    /// The present edit.
    case present
    /// The version of this name.
    case version(String)
    /// The step of the history with this number.
    case step(Int)
  }

  /// What the copy of a record or of a render is.
  public struct Conflict: Sendable, Equatable {
    /// The photo.
    public let photo: FilePath
    /// The edit in the copy of a record; `nil` for a render, and for an edit that cannot be read.
    public let stack: EditStack?
    /// When that edit was made; `nil` when not recorded.
    public let date: Date?
    /// Whether it is a render.
    public let isRender: Bool
    /// Whether the photo's own record has all that is in the copy.
    public let isContained: Bool
    /// Whether the photo has a record of its own.
    public let isBesideRecord: Bool

    /// Where the photo's own record is or would be.
    package var ownRecord: FilePath { photo.recordPath }
  }

  /// What is wrong.
  public let kind: Kind
  /// The file that it is about.
  public let file: FilePath

  /// A problem of a file.
  package init(_ kind: Kind, _ file: FilePath) {
    self.kind = kind
    self.file = file
  }

  /// Whether the problem is only worth knowing and does not make a check fail.
  public var isNote: Bool {
    switch kind {
    case .recordNewer, .foreignSidecar, .metadataWritten, .metadataOutdated, .originalTurned,
      .notSynced, .partialCopy, .renderCopy, .earlierRender, .editedElsewhere:
      true
    default: false
    }
  }

  /// Whether a check with `fixing` solves the problem.
  public var canBeFixed: Bool {
    switch kind {
    case .interrupted(let canBeFixed), .leftover(let canBeFixed): canBeFixed
    case .conflictCopy, .earlierRender: photoWithoutNeed != nil
    default: false
    }
  }

  /// The photo that does not need the file, so that checks with `fixing` put it into the trash; `nil` when there is
  /// none.
  var photoWithoutNeed: FilePath? {
    switch kind {
    case .conflictCopy(let conflict) where conflict.isContained: conflict.photo
    case .earlierRender(let photo): photo
    default: nil
    }
  }
}

extension PhotoProblem: CustomStringConvertible {
  /// The stable names of the problems.
  package enum Code: String, CaseIterable {
    case originalChanged = "original-changed"
    case metadataWritten = "metadata-written"
    case metadataOutdated = "metadata-outdated"
    case originalTurned = "original-turned"
    case originalMissing = "original-missing"
    case recordOfAnotherPhoto = "record-of-another-photo"
    case renderChanged = "render-changed"
    case notSynced = "not-synced-yet"
    case renderMissing = "render-missing"
    case versionMissing = "version-missing"
    case baseChanged = "base-changed"
    case baseMissing = "base-missing"
    case editUnreadable = "edit-unreadable"
    case recordUnreadable = "record-unreadable"
    case recordNewer = "record-newer"
    case foreignSidecar = "foreign-sidecar"
    case editedElsewhere = "edited-elsewhere"
    case orphanRender = "orphan-render"
    case conflictCopy = "conflict-copy"
    case renderCopy = "render-copy"
    case earlierRender = "earlier-render"
    case interrupted
    case leftover
  }

  /// A stable word for programs, such as `render-changed`.
  public var code: String {
    let code: Code
    switch kind {
    case .originalChanged: code = .originalChanged
    case .metadataWritten: code = .metadataWritten
    case .metadataOutdated: code = .metadataOutdated
    case .originalTurned: code = .originalTurned
    case .originalMissing, .originalLinkBroken: code = .originalMissing
    case .recordOfAnotherPhoto: code = .recordOfAnotherPhoto
    case .renderChanged: code = .renderChanged
    case .notSynced, .partialCopy: code = .notSynced
    case .conflictCopy: code = .conflictCopy
    case .renderMissing, .renderOfTwin: code = .renderMissing
    case .versionMissing: code = .versionMissing
    case .baseChanged: code = .baseChanged
    case .baseMissing: code = .baseMissing
    case .editUnreadable: code = .editUnreadable
    case .recordUnreadable: code = .recordUnreadable
    case .recordNewer: code = .recordNewer
    case .foreignSidecar: code = .foreignSidecar
    case .editedElsewhere: code = .editedElsewhere
    case .orphanRender: code = .orphanRender
    case .earlierRender: code = .earlierRender
    case .renderCopy: code = .renderCopy
    case .interrupted: code = .interrupted
    case .leftover: code = .leftover
    case .failed(let error): return error.code
    }
    return code.rawValue
  }

  /// What happened, in one sentence that names the file.
  public var description: String {
    switch kind {
    case .metadataWritten:
      "Another program wrote metadata into \(file); the render has the earlier ones."
    case .metadataOutdated: "\(file) has metadata that the original had before."
    case .originalTurned:
      "Another program turned \(file); its edit turns with it, and the render is not turned yet."
    case .editUnreadable(.present, let error): "\(file): the edit cannot be read. \(error)"
    case .editUnreadable(.version(let name), let error):
      "\(file): the version \(name) cannot be read. \(error)"
    case .editUnreadable(.step(let number), let error):
      "\(file): step \(number) of the history cannot be read. \(error)"
    case .originalMissing: "\(file) is gone, and its edit is still there."
    case .originalLinkBroken: "\(file) is a symbolic link that leads nowhere; its edit is there."
    case .notSynced(isNewer: false):
      "\(file) shows an earlier edit of the photo; the render of the present one is not there yet."
    case .notSynced(isNewer: true):
      "\(file) shows an edit of the photo that its sidecar does not have yet."
    case .renderMissing: "\(file), the render, is missing."
    case .versionMissing(let name): "\(file), the render of the version \(name), is missing."
    case .baseMissing: "\(file), which the edit starts from, is missing."
    case .recordNewer(let version):
      "\(file) is a record of version \(version), which is newer, and was not checked."
    case .foreignSidecar: "\(file) is another program's edit."
    case .editedElsewhere(let edit): "\(file) was \(edit.description)."
    case .renderOfTwin(let photo):
      "\(file) is the render of \(photo); the render that had this name is missing."
    case .orphanRender(let original):
      "\(file) was rendered from \(original), and no record names it."
    case .earlierRender(let photo):
      "\(file) is the render of an earlier edit of \(photo), which nothing needs."
    case .conflictCopy(let conflict): "\(file) \(conflict.description)"
    case .partialCopy: "\(file) is a sidecar that another program is still writing, or left behind."
    case .renderCopy(let photo):
      "\(file) is a copy of a render or base photo of \(photo), under another name."
    case .interrupted: "A change was interrupted before all its files were in place: \(file)."
    case .leftover: "\(file) was left behind by a program that died."
    case .failed(let error): error.description
    case .originalChanged, .recordOfAnotherPhoto, .renderChanged, .baseChanged, .recordUnreadable:
      storageError?.description ?? code
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

extension PhotoProblem {
  /// The problem behind an error; `nil` when checks do not report errors of that kind.
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

extension PhotoProblem.Conflict: CustomStringConvertible {
  /// What the copy is, as the rest of a sentence that begins with the file.
  public var description: String {
    let known = isContained ? ", which the photo's history has" : ""
    if isRender { return "is another machine's render of \(photo)\(known)." }
    let names = stack?.inPipelineOrder.map { entry in
      entry.layer?.name ?? entry.id
    }
    let what = names.map { $0.isEmpty ? ", no adjustments" : ", \($0.joined(separator: ", "))" }
    let made = date.map { " of \(ClockTime.text(utc: $0))" }
    return "is another machine's edit of \(photo)\(made ?? "")\(what ?? "")\(known)."
  }
}
