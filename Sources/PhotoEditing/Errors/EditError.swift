import SafelightFiles
import SafelightFormats
import SafelightLookupTables
import SafelightRendering
import SafelightStorage

/// Why a photo could not be edited, shown or reverted. Whatever was thrown, the original and the
/// edit that was there are as before.
///
/// ```swift
/// do {
///   try await PhotoEditor().apply(noir, to: photo)
/// } catch .storage(.busy(let path, _)) {
///   print("\(path) is in use; try again later.")
/// }
/// ```
public enum EditError: Error, Equatable, CustomStringConvertible {
  /// The photo's files could not be read or changed.
  case storage(StorageError)
  /// An operation on one of the photo's files failed, for instance because the disk is full or the folder
  /// may not be written.
  case fileSystem(path: FilePath, FileSystemError)
  /// The photo could not be read as a picture, or not rendered.
  case render(path: FilePath, RenderError)
  /// The stored edit, or the one to be stored, is not valid.
  case adjustments(path: FilePath, AdjustmentError)
  /// The output of an editor was refused at commit.
  case outputRefused(path: FilePath, problem: OutputProblem)
  /// The part of the photo to keep does not lie inside the picture, which has a size before it is
  /// cropped.
  case cropOutside(path: FilePath, size: PixelSize, AdjustmentError)
  /// A crop without loss was asked for, and the photo cannot have it; nothing was changed.
  case notLossless(FilePath, LossReason)
  /// What another program did cannot be taken over in this way; nothing was changed.
  case notAdoptable(FilePath, AdoptionProblem)
  /// Somebody edited, reverted or replaced the photo since the input was requested.
  case inputOutdated(FilePath)
  /// The render that the edit should start from is missing.
  case renderMissing(FilePath)
  /// The base photo that the edit starts from is not there: a sync may still bring it. Another program made it, so it
  /// cannot be made again.
  case baseMissing(FilePath, base: FilePath)
  /// Another program turned the original since, and the render is not turned yet. Rendering again
  /// turns it.
  case originalTurned(FilePath)
  /// Another picture has the photo's name, and the picture that was edited is where `found` says. The edit
  /// belongs to that one.
  case originalElsewhere(FilePath, found: FilePath)
  /// The photo whose edit was left behind with `record` is `target`, which has an edit of its own. Both stay.
  case targetHasAnEdit(record: FilePath, target: FilePath)
  /// What was asked for is no operation on a photo's edit.
  case invalidOperation(OperationError)
  /// No filter of this name ships, and it names no filter's file.
  case unknownFilter(String)
  /// The filter's file could not be read or is not a filter.
  case unusableFilter(path: FilePath, detail: String)
  /// The file of a look is no lookup table that can be used.
  case unusableLookupTable(path: FilePath, LookupTableError)
  /// A filter cannot be saved or removed under this name.
  case filterName(String, FilterNameProblem)
  /// There is no preset of this name.
  case unknownPreset(String)
  /// The file of a preset cannot be used; `reason` says of it why.
  case unusablePreset(path: FilePath, reason: String)
  /// No preset can have this name.
  case presetName(String, PresetNameProblem)
  /// The photo has no edit that could be copied to others or saved as a filter.
  case nothingToCopy(path: FilePath, reason: CopyProblem)
  /// The photo cannot be brought to a step of its history.
  case stepUnavailable(path: FilePath, StepProblem)
  /// The photo has a version of this name, but cannot be given its edit.
  case versionUnusable(path: FilePath, name: String, VersionProblem)
  /// The file is no copy of the photo's record that a sync made of a conflict.
  case notAConflictCopy(FilePath, photo: FilePath)
  /// The picture would be written over something that must stay.
  case destinationTaken(FilePath, DestinationProblem)
  /// The photo has no edit, so there is nothing to compare it with.
  case nothingToCompare(FilePath)
  /// The photo is no Live Photo or motion photo: it has no video.
  case noVideo(FilePath)
  /// The surrounding task was cancelled; the old edit stands.
  case cancelled(path: FilePath)
  /// An error that this version does not know; `detail` is its own text.
  case unexpected(path: FilePath, detail: String)

  /// What is wrong with an output.
  public enum OutputProblem: Sendable, Equatable {
    /// It has no adjustment data, or empty data.
    case noAdjustmentData
    /// Its adjustment data is larger than `AdjustmentData.maximumSize`; the number is its size.
    case adjustmentDataTooLarge(Int)
    /// Its format identifier or version is empty.
    case noFormat
    /// There is no file, or an empty one, at its URL.
    case noRender
    /// The file at its URL is not an upright JPEG that decodes to the end.
    case badRender(RenderError)
    /// Its video is not that of the photo with other frames; the text says why, as the end of a sentence.
    case badVideo(String)
    /// No temporary folder could be made for it.
    case noTemporaryFolder
    /// It is for a photo that a change set creates, and was not given to that creation request.
    case noInput
    /// A render cannot have this uniform type identifier.
    case unsupportedType(String)
  }

  /// Why a filter of the user cannot have or lose a name.
  public enum FilterNameProblem: Sendable, Hashable {
    /// It is not made of lower case letters, digits and hyphens, or longer than 100.
    case invalid
    /// A filter of this name ships with Safelight.
    case shipped
    /// The user has a filter of this name already.
    case exists
  }

  /// Why no preset can have a name.
  public enum PresetNameProblem: Sendable, Hashable {
    /// It is not made of lower case letters, digits and hyphens, or longer than 100.
    case invalid
    /// There is a preset of this name already.
    case exists
  }

  /// Why another program's edit cannot be taken over.
  public enum AdoptionProblem: Sendable, Hashable {
    /// Its picture is not beside the photo.
    case noRender
    /// Nothing of ours is known to do what it did.
    case nothingKnown
    /// Its picture is not beside the photo, and these adjustments are not translated exactly.
    case notExact([String])
  }

  /// Why nothing of a photo's edit can be copied.
  public enum CopyProblem: Sendable, Hashable {
    /// It has no edit.
    case noEdit
    /// The edit is another program's.
    case anotherProgramsEdit
    /// The edit only crops, turns or straightens.
    case onlyGeometry
  }

  /// Why a step of a photo's history cannot be gone to.
  public enum StepProblem: Sendable, Hashable {
    /// There is no step of this number; they end with `last`.
    case missing(Int, last: Int)
    /// On the way there is another program's edit, of this format, which nobody but that program
    /// can render again.
    case anotherProgramsEdit(String)
    /// On the way there is an entry of a form that this version does not know.
    case unknownForm
    /// It starts from pixels that are no longer there: another program's edit was below it.
    case otherBase
  }

  /// Why a version cannot become the photo's edit.
  public enum VersionProblem: Sendable, Hashable {
    /// It and the present edit start from different pixels, because another program's edit is below
    /// one of them. Those of the present edit would be lost, and those of the version are.
    case otherBase
    /// The present edit is another program's, of this format: its pixels would be lost.
    case presentNotSaved(String)
    /// It is another program's edit, and its render is missing.
    case renderMissing
  }

  /// Why an exported picture may not go where it should.
  public enum DestinationProblem: Sendable, Hashable {
    /// A file of that name exists.
    case exists
    /// It is a picture of another photo, of this name; the name is empty where the picture does not say it.
    case exportOf(FilePath)
    /// It is the photo itself, or a file of its edit.
    case belongsToThePhoto
    /// It is another photo.
    case original
    /// It is a file of another photo's edit.
    case belongsTo(FilePath)
    /// It is a folder, a device or a pipe.
    case noFile
    /// It has the name of a sidecar, of Safelight's or of another program's, whether or not there is
    /// such a file.
    case sidecarName
  }

  /// The editor's form of whatever a module threw.
  package init(_ error: any Error, path: FilePath) {
    self =
      switch error {
      case let error as EditError: error
      // The operation may have been on a hidden file whose name tells nobody which photo it is about.
      case let error as FileSystemError: .fileSystem(path: path, error)
      case StorageError.fileSystem(let error): .fileSystem(path: path, error)
      case let error as StorageError: .storage(error)
      case let error as RenderError: .render(path: path, error)
      case let error as LookupTableError: .unusableLookupTable(path: path, error)
      case AdjustmentError.newerVersion(let id, let version):
        .render(path: path, .unknownAdjustment(id: id, version: version))
      case let error as OperationError: .invalidOperation(error)
      case let error as AdjustmentError: .adjustments(path: path, error)
      case is CancellationError: .cancelled(path: path)
      default: .unexpected(path: path, detail: "\(error)")
      }
  }

  /// What happened, in one sentence that names the file.
  public var description: String {
    switch self {
    case .storage(let error): error.description
    case .fileSystem(let path, let error):
      error.operation.path == path ? error.description : "\(path): \(error.description)"
    case .render(let path, let error): "\(path): \(error.description)"
    case .adjustments(let path, let error): "\(path): \(error.description)"
    case .outputRefused(let path, let problem):
      "The edit of \(path) was refused: \(problem.description)"
    case .cropOutside(let path, _, let error): "\(path): \(Self.crop(error))"
    case .notLossless(let path, let reason):
      "\(path): The photo cannot be cropped without loss: \(reason)."
    case .notAdoptable(let path, .noRender):
      "The picture that the other program rendered is not beside \(path)."
    case .notAdoptable(let path, .nothingKnown):
      "Nothing is known of the other program's edit of \(path) that could be done to the original."
    case .notAdoptable(let path, .notExact(let parts)):
      "The edit of \(path) cannot be taken over exactly: \(parts.isEmpty ? "it cannot be read" : parts.joined(separator: ", "))."
    case .inputOutdated(let path): "\(path) was changed by somebody else meanwhile."
    case .originalTurned(let path):
      "\(path) was turned by another program since it was edited, and its render is not turned yet."
    case .originalElsewhere(let path, let found):
      "\(path) is another picture; the one that was edited is \(found) now."
    case .targetHasAnEdit(let record, let target):
      "The original of \(record) is now \(target), which has an edit already."
    case .renderMissing(let path): "The render that \(path)'s edit starts from is missing."
    case .baseMissing(let path, let base):
      "The base photo \(base), which the edit of \(path) starts from, is not there."
    case .invalidOperation(let error): error.description
    case .unknownFilter(let name): "There is no filter called “\(name)”."
    case .unusableFilter(let path, let detail): "\(path) is not a usable filter: \(detail)"
    case .unusableLookupTable(let path, let error): "\(path): \(error.description)"
    case .filterName(let name, .invalid): "“\(name)” cannot be a filter's name."
    case .filterName(let name, .shipped): "The filter “\(name)” ships with Safelight."
    case .filterName(let name, .exists): "There is a filter called “\(name)” already."
    case .unknownPreset(let name): "There is no preset “\(name)”."
    case .unusablePreset(let path, let reason): "\(path) \(reason)."
    case .presetName(let name, .invalid): "“\(name)” cannot be a preset's name."
    case .presetName(let name, .exists): "There is a preset called “\(name)” already."
    case .nothingToCopy(let path, .noEdit): "\(path) has no edit."
    case .nothingToCopy(let path, .anotherProgramsEdit): "\(path) has another program's edit."
    case .nothingToCopy(let path, .onlyGeometry):
      "The edit of \(path) has nothing but geometry."
    case .stepUnavailable(let path, let problem): "\(path) \(problem.description)"
    case .versionUnusable(let path, let name, .otherBase):
      "The version “\(name)” of \(path) starts from other pixels than the present edit."
    case .versionUnusable(let path, _, .presentNotSaved(let format)):
      "\(path) has another program's edit, \(format), whose pixels would be lost."
    case .versionUnusable(let path, let name, .renderMissing):
      "The render of the version “\(name)” of \(path) is missing."
    case .notAConflictCopy(let path, let photo):
      "\(path) is no copy of the sidecar of \(photo) that a sync made of a conflict."
    case .destinationTaken(let path, .exists): "\(path) exists already."
    case .destinationTaken(let path, .exportOf(let photo)):
      "\(path) was made of another photo\(photo.isEmpty ? "" : ", \(photo)")."
    case .destinationTaken(let path, .belongsToThePhoto):
      "\(path) belongs to the photo and is not overwritten."
    case .destinationTaken(let path, .original): "\(path) is a photo and is not overwritten."
    case .destinationTaken(let path, .belongsTo(let photo)):
      "\(path) belongs to the photo \(photo) and is not overwritten."
    case .destinationTaken(let path, .noFile):
      "\(path) is no file but a folder, a device or a pipe."
    case .destinationTaken(let path, .sidecarName):
      "\(path) would have the name of a sidecar, and programs would read it as an edit."
    case .nothingToCompare(let path): "\(path) has no edit to compare it with."
    case .noVideo(let path): "\(path) has no video."
    case .cancelled(let path): "The work on \(path) was cancelled."
    case .unexpected(let path, let detail): "\(path): Something unexpected failed: \(detail)"
    }
  }
}

extension EditError {
  /// The stable names of the errors that no other module throws.
  package enum Code: String, CaseIterable {
    case outputRefused = "output-refused"
    case cropOutside = "crop-outside"
    case notLossless = "not-lossless"
    case notAdoptable = "not-adoptable"
    case inputOutdated = "input-outdated"
    case renderMissing = "render-missing"
    case baseMissing = "base-missing"
    case originalTurned = "original-turned"
    case originalElsewhere = "original-elsewhere"
    case targetHasAnEdit = "target-has-an-edit"
    case invalidAdjustments = "invalid-adjustments"
    case invalidOperation = "invalid-operation"
    case unknownFilter = "unknown-filter"
    case unusableFilter = "unusable-filter"
    case unusableLookupTable = "unusable-lookup-table"
    case invalidFilterName = "invalid-filter-name"
    case filterNameTaken = "filter-name-taken"
    case unknownPreset = "unknown-preset"
    case unusablePreset = "unusable-preset"
    case invalidPresetName = "invalid-preset-name"
    case presetNameTaken = "preset-name-taken"
    case nothingToCopy = "nothing-to-copy"
    case nothingToCompare = "nothing-to-compare"
    case noVideo = "no-video"
    case stepMissing = "no-such-step"
    case stepUnavailable = "step-unavailable"
    case versionUnusable = "version-unusable"
    case notAConflictCopy = "not-a-conflict-copy"
    case destinationTaken = "destination-taken"
    case cancelled
    case unexpected
  }

  /// Every word that ``code`` can be.
  package static let codes: [String] =
    StorageError.Code.allCases.map(\.rawValue) + FileSystemError.Code.allCases.map(\.rawValue)
    + RenderError.Code.allCases.map(\.rawValue) + Code.allCases.map(\.rawValue)

  /// A stable word for programs, such as `original-missing`.
  public var code: String {
    switch self {
    case .storage(let error): error.code
    case .fileSystem(_, let error): error.code
    case .render(_, let error): error.code
    default: kind.rawValue
    }
  }

  private var kind: Code {
    switch self {
    case .adjustments: .invalidAdjustments
    case .outputRefused: .outputRefused
    case .cropOutside: .cropOutside
    case .notLossless: .notLossless
    case .notAdoptable: .notAdoptable
    case .inputOutdated: .inputOutdated
    case .renderMissing: .renderMissing
    case .baseMissing: .baseMissing
    case .originalTurned: .originalTurned
    case .originalElsewhere: .originalElsewhere
    case .targetHasAnEdit: .targetHasAnEdit
    case .invalidOperation: .invalidOperation
    case .unknownFilter: .unknownFilter
    case .unusableFilter: .unusableFilter
    case .unusableLookupTable: .unusableLookupTable
    case .filterName(_, .invalid): .invalidFilterName
    case .filterName: .filterNameTaken
    case .unknownPreset: .unknownPreset
    case .unusablePreset: .unusablePreset
    case .presetName(_, .invalid): .invalidPresetName
    case .presetName(_, .exists): .presetNameTaken
    case .nothingToCopy: .nothingToCopy
    case .nothingToCompare: .nothingToCompare
    case .noVideo: .noVideo
    case .stepUnavailable(_, .missing): .stepMissing
    case .stepUnavailable: .stepUnavailable
    case .versionUnusable: .versionUnusable
    case .notAConflictCopy: .notAConflictCopy
    case .destinationTaken: .destinationTaken
    case .cancelled: .cancelled
    case .unexpected, .storage, .fileSystem, .render: .unexpected
    }
  }
}

extension EditError.StepProblem: CustomStringConvertible {
  /// What is wrong, as the rest of a sentence that begins with the photo.
  public var description: String {
    switch self {
    case .missing(let number, let last):
      "has no step \(number) in its history, which ends with \(last)."
    case .anotherProgramsEdit(let format):
      "has another program's edit on the way there, \(format), which only that program can render."
    case .unknownForm: "has an entry in its history that needs a newer Safelight."
    case .otherBase: "no longer has the pixels that the edit there starts from."
    }
  }
}

extension EditError {
  /// Why a crop does not fit, as a sentence without the digits of computed limits.
  private static func crop(_ error: AdjustmentError) -> String {
    guard case .parameter(_, let name, let range, .outOfRange(let value)) = error else {
      return error.description
    }
    return """
      The crop does not lie inside the picture: its \(name) is \(value.decimal(digits: 3)) and may \
      be from \(range.lowerBound.decimal(digits: 3)) to \(range.upperBound.decimal(digits: 3)).
      """
  }
}

extension EditError.OutputProblem: CustomStringConvertible {
  /// What is wrong, as a sentence.
  public var description: String {
    switch self {
    case .noAdjustmentData: "it has no adjustment data."
    case .adjustmentDataTooLarge(let size):
      "its adjustment data has \(size) bytes; \(AdjustmentData.maximumSize) are allowed."
    case .noFormat: "its adjustment data has no format identifier or version."
    case .noRender: "there is no rendered picture at its URL."
    case .badRender(let error): "its picture is not usable: \(error.description.continued)"
    case .badVideo(let reason): "its video is not usable: \(reason)."
    case .noTemporaryFolder: "no temporary folder could be made."
    case .noInput: "it is for a photo that is to be created, and no edit of this photo."
    case .unsupportedType(let type): "a render is a JPEG, and not of the type \(type)."
    }
  }
}
