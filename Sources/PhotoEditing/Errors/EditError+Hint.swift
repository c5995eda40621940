import Rendering
import Storage

extension EditError {
  /// What can be done about it, in one sentence; `nil` when the description says it all.
  public var hint: String? {
    switch self {
    case .storage(let error): error.hint
    case .fileSystem(_, let error): error.hint
    case .render(_, let error): error.hint
    case .adjustments: "Restore the sidecar from a backup, or revert the photo to start anew."
    case .outputRefused(_, let problem): problem.hint
    case .cropOutside(_, let size, _):
      "The picture has \(size.width) × \(size.height) pixels before it is cropped."
    case .inputOutdated: "Request a new input and make the edit again."
    case .renderMissing: "Put the render back, or revert the photo and edit it anew."
    case .unknownFilter:
      "“edit filters” lists them; a filter's JSON, a .cube file or a HaldCLUT works too."
    case .unusableFilter: "“edit filters noir --json” shows what a filter looks like."
    case .unusableLookupTable(_, let error): error.hint
    case .filterName(_, .invalid):
      "Use lower case letters, digits and hyphens, such as “my-look”; at most 100."
    case .filterName(_, .shipped): "Shipped filters stay as they are; choose another name."
    case .filterName(_, .exists): "Choose another name, or allow it with --replace."
    case .nothingToCopy(_, .noEdit): "Name a photo that “edit apply” or “edit adjust” has edited."
    case .nothingToCopy(_, .anotherProgramsEdit): "Only edits made with Safelight can be copied."
    case .nothingToCopy(_, .onlyGeometry): "“edit sync --geometry” copies that too."
    case .stepUnavailable(_, let problem): problem.hint
    case .versionUnusable(_, _, .otherBase):
      "Its render stays; another program's edit lies between, which only a revert takes away."
    case .versionUnusable(_, _, .presentNotSaved):
      "Keep it with “edit version save”, then try again."
    case .versionUnusable(_, _, .renderMissing): "Put the render back; it cannot be made again."
    case .destinationTaken(_, .exists): "Choose another name, or allow it with --overwrite."
    case .destinationTaken(_, .belongsToThePhoto): "Choose another name or folder."
    case .cancelled: nil
    }
  }

  /// A stable word for programs, such as `original-missing`.
  public var code: String {
    switch self {
    case .storage(let error): error.code
    case .fileSystem(_, let error): error.isDiskFull ? "disk-full" : "file-system"
    case .render(_, let error): error.code
    case .adjustments: "invalid-adjustments"
    case .outputRefused: "output-refused"
    case .cropOutside: "crop-outside"
    case .inputOutdated: "input-outdated"
    case .renderMissing: "render-missing"
    case .unknownFilter: "unknown-filter"
    case .unusableFilter: "unusable-filter"
    case .unusableLookupTable: "unusable-lookup-table"
    case .filterName(_, .invalid): "invalid-filter-name"
    case .filterName: "filter-name-taken"
    case .nothingToCopy: "nothing-to-copy"
    case .stepUnavailable(_, .missing): "no-such-step"
    case .stepUnavailable: "step-unavailable"
    case .versionUnusable: "version-unusable"
    case .destinationTaken: "destination-taken"
    case .cancelled: "cancelled"
    }
  }
}

extension EditError.OutputProblem {
  fileprivate var hint: String? {
    switch self {
    case .noAdjustmentData: "Store the edit's parameters, or an identifier of your own."
    case .adjustmentDataTooLarge: "Store parameters rather than pixels."
    case .noFormat: "Set a reverse DNS identifier and a version of dotted numbers."
    case .noRender, .badRender: "Write an upright JPEG to renderedContentURL before the commit."
    case .noTemporaryFolder: "Set TMPDIR to a folder that can be written."
    }
  }
}

extension EditError.StepProblem {
  fileprivate var hint: String {
    switch self {
    case .missing: "“edit history” lists the steps."
    case .anotherProgramsEdit, .otherBase:
      "“edit revert” gives the original back, and another program's sidecar that was there first."
    case .unknownForm: "Use the version that made it."
    }
  }
}

extension StorageError {
  /// A stable word for programs.
  fileprivate var code: String {
    switch self {
    case .originalMissing: "original-missing"
    case .originalNotAFile: "original-not-a-file"
    case .originalUnreadable: "original-unreadable"
    case .busy: "busy"
    case .lockingUnavailable: "locking-unavailable"
    case .recordUnreadable: "record-unreadable"
    case .recordChanged: "record-changed"
    case .foreignSidecar: "foreign-sidecar"
    case .recordTooLarge: "record-too-large"
    case .originalChanged: "original-changed"
    case .recordBelongsToAnotherPhoto: "record-of-another-photo"
    case .renderChanged: "render-changed"
    case .baseChanged: "base-changed"
    case .renderMissing: "render-missing"
    case .hasVersions: "has-versions"
    case .invalidVersionName: "invalid-version-name"
    case .versionExists: "version-exists"
    case .versionMissing: "no-such-version"
    case .nameTaken: "name-taken"
    case .nameTooLong: "name-too-long"
    case .invalidAdjustmentDataSize, .unwritableText: "output-refused"
    case .historyMismatch, .notStaged, .transactionOver: "internal"
    case .fileSystem(let error): error.isDiskFull ? "disk-full" : "file-system"
    }
  }
}

extension RenderError {
  /// A stable word for programs.
  fileprivate var code: String {
    switch self {
    case .empty: "empty"
    case .notAPicture: "not-a-picture"
    case .unsupportedFormat: "unsupported-format"
    case .missingDecoder: "missing-decoder"
    case .damaged: "damaged"
    case .tooManyPixels: "too-many-pixels"
    case .unknownAdjustment: "unknown-adjustment"
    case .damagedLookupTable: "damaged-lookup-table"
    case .notUpright: "not-upright"
    case .cannotEncode: "cannot-encode"
    }
  }
}
