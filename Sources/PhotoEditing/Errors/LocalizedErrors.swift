import FoundationEssentials
import SafelightAdjustments
import SafelightFiles
import SafelightLookupTables
import SafelightRendering
import SafelightStorage

// What Foundation's alerts and logs show of each public error: what happened, why, and what can be done.

extension EditError: LocalizedError {
  /// What happened, in one sentence.
  public var errorDescription: String? { description }

  /// Why it happened.
  public var failureReason: String? {
    switch self {
    case .storage(let error): error.description
    case .fileSystem(_, let error): error.description
    case .render(_, let error): error.description
    case .adjustments(_, let error), .cropOutside(_, _, let error): error.description
    case .unusableLookupTable(_, let error): error.description
    case .unusableFilter(_, let detail), .unexpected(_, let detail): detail
    default: description
    }
  }

  /// What can be done about it; `nil` when nothing has to be done.
  public var recoverySuggestion: String? {
    switch self {
    case .storage(let error): error.recoverySuggestion
    case .fileSystem(_, let error): error.recoverySuggestion
    case .render(_, let error): error.recoverySuggestion
    case .unusableLookupTable(_, let error): error.recoverySuggestion
    case .adjustments, .cropOutside: "Correct the values of the edit."
    case .notAdoptable: "Put the other program's picture beside the photo, or translate its edit."
    case .notLossless: "Crop the photo as usual, with a little loss."
    case .outputRefused: "Complete the output, and commit it again."
    case .inputOutdated: "Request the input again, and make the edit from it."
    case .originalTurned: "Render the edit again, which turns it."
    case .originalElsewhere: "Relink the edit, which moves it to the picture that was edited."
    case .targetHasAnEdit: "Name the photo and its edit, and try again."
    case .renderMissing, .baseMissing, .versionUnusable:
      "Bring the missing file back, or revert the photo."
    case .invalidOperation: "Correct the operation."
    case .unknownPreset, .unusablePreset: "Choose another preset, or save it anew."
    case .presetName: "Choose another name."
    case .unknownFilter, .unusableFilter: "Choose another filter, or correct its file."
    case .filterName: "Choose another name."
    case .nothingToCopy, .nothingToCompare: "Choose a photo with an edit."
    case .noVideo: "Choose a Live Photo or a motion photo."
    case .notAConflictCopy: "Name the copy of the sidecar."
    case .stepUnavailable: "Choose another step of the history."
    case .destinationTaken: "Choose another destination."
    case .unexpected: "Try again."
    case .cancelled: nil
    }
  }
}

extension LivePhotoEditingError: LocalizedError {
  /// What happened, in one sentence.
  public var errorDescription: String? { description }

  /// Why it happened.
  public var failureReason: String? {
    if case .video(_, let reason) = self { reason } else { description }
  }

  /// What can be done about it.
  public var recoverySuggestion: String? {
    switch self {
    case .noImage: "Give a picture for each frame."
    case .differentSize: "Give all frames of the video one size."
    case .video: "Edit the still alone."
    case .audioVolume: "Set the volume to 1 or 0."
    case .otherPhoto: "Make the output from the context's input."
    }
  }
}

extension StorageError: LocalizedError {
  /// What happened, in one sentence.
  public var errorDescription: String? { description }
  /// Why it happened.
  public var failureReason: String? { description }
  /// What can be done about it.
  public var recoverySuggestion: String? {
    switch self {
    case .originalMissing: "Check the photo's name and folder."
    case .originalNotAFile: "Name the photos themselves."
    case .busy: "Try again later."
    case .originalUnreadable(let error), .fileSystem(let error): error.recoverySuggestion
    case .originalChanged:
      "Relink the edit to the picture that was edited, or accept the one that is there."
    default: "Check the photo's files, and try again."
    }
  }
}

extension FileSystemError: LocalizedError {
  /// What happened, in one sentence.
  public var errorDescription: String? { description }
  /// Why it happened.
  public var failureReason: String? { description }
  /// What can be done about it.
  public var recoverySuggestion: String? {
    "Check the disk, its free space and the permissions of the file and its folder."
  }
}

extension RenderError: LocalizedError {
  /// What happened, in one sentence.
  public var errorDescription: String? { description }
  /// Why it happened.
  public var failureReason: String? { description }
  /// What can be done about it.
  public var recoverySuggestion: String? {
    switch self {
    case .empty, .damaged: "Copy the photo again."
    case .notAPicture, .unsupportedFormat:
      help ?? "Choose a photo of another format, or convert it."
    case .missingDecoder(_, let package): "Install the package \(package)."
    case .tooManyPixels: "Choose a smaller picture, or raise the limit of pixels."
    case .unknownAdjustment: "Update Safelight."
    case .damagedLookupTable: "Set the lookup table again."
    case .notUpright: "Write the render upright."
    case .cannotEncode: "Choose another format or size."
    case .unusableFile: "Choose another file."
    case .unusableWatermark: "Choose a shorter text, or install a font."
    case .tooManyBytes: "Allow more bytes, or choose a smaller size."
    case .outOfMemory: "Free memory, or allow more of it."
    case .failed, .decoderEnded, .tookTooLong: "Try again; the photo may be damaged."
    case .noDarkroom: "Install the program edit, or render in this process."
    }
  }
}

extension LookupTableError: LocalizedError {
  /// What happened, in one sentence.
  public var errorDescription: String? { description }
  /// Why it happened.
  public var failureReason: String? { description }
  /// What can be done about it.
  public var recoverySuggestion: String? { "Choose another lookup table, or correct its file." }
}

extension CubeFileProblem: LocalizedError {
  /// What happened, in one sentence.
  public var errorDescription: String? { description }
  /// Why it happened.
  public var failureReason: String? { description }
  /// What can be done about it.
  public var recoverySuggestion: String? { "Correct the file." }
}

extension RecordError: LocalizedError {
  /// What happened, in one sentence.
  public var errorDescription: String? { description }
  /// Why it happened.
  public var failureReason: String? { description }
  /// What can be done about it.
  public var recoverySuggestion: String? { "Restore the sidecar from a backup, or remove it." }
}

extension AdjustmentError: LocalizedError {
  /// What happened, in one sentence.
  public var errorDescription: String? { description }
  /// Why it happened.
  public var failureReason: String? { description }
  /// What can be done about it.
  public var recoverySuggestion: String? { "Correct the values of the edit." }
}

extension RelinkError: LocalizedError {
  /// What happened, in one sentence.
  public var errorDescription: String? { description }
  /// Why it happened.
  public var failureReason: String? { description }
  /// What can be done about it.
  public var recoverySuggestion: String? { "Name the photo and its edit, and try again." }
}

extension ParameterProblem: LocalizedError {
  /// What is wrong with the value.
  public var errorDescription: String? {
    switch self {
    case .wrongKind(let expected): "The value must be \(expected)."
    case .outOfRange(let value): "\(value) is outside of the range."
    case .invalid(let rule): "The value \(rule)."
    case .unusable(let sentence, _, _): sentence
    }
  }
  /// What is wrong with the value.
  public var failureReason: String? { errorDescription }
  /// What can be done about it.
  public var recoverySuggestion: String? { "Correct the value." }
}
