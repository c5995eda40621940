import SafelightRendering
import SafelightStorage

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
      "Choose a part of the uncropped picture, which has \(size.width) × \(size.height) pixels."
    case .inputOutdated: "Request a new input and make the edit again."
    case .renderMissing: "Put the render back, or revert the photo and edit it anew."
    case .unknownFilter:
      "“edit filters” lists them; a file is named with its ending, such as look.cube."
    case .unusableFilter: "“edit filters noir --json” shows what a filter looks like."
    case .unusableLookupTable(_, let error): error.hint
    case .filterName(_, .invalid):
      "Use lower case letters, digits and hyphens, such as “my-look”; at most 100."
    case .filterName(_, .shipped): "Shipped filters stay as they are; choose another name."
    case .filterName(_, .exists): "Choose another name, or allow it with --replace."
    case .nothingToCopy(_, .noEdit): "Name a photo that “edit apply” or “edit adjust” has edited."
    case .nothingToCopy(_, .anotherProgramsEdit): "Only edits made with Safelight can be copied."
    case .nothingToCopy(_, .onlyGeometry):
      "Give it a filter or adjustments, or copy its geometry with “edit sync --geometry”."
    case .stepUnavailable(_, let problem): problem.hint
    case .versionUnusable(_, _, .otherBase):
      "Another program's edit lies between them; the version's render can be used as a picture."
    case .versionUnusable(_, _, .presentNotSaved):
      "Keep it with “edit version save”, then try again."
    case .versionUnusable(_, _, .renderMissing): "Put the render back; it cannot be made again."
    case .destinationTaken(_, .exists): "Choose another name, or allow it with --overwrite."
    case .destinationTaken(_, .belongsToThePhoto): "Choose another name or folder."
    case .nothingToCompare: "Name a look with --filter, or edit the photo first."
    case .cancelled: "The same call again does it."
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
    case .unknownForm: "Use the Safelight that made it."
    }
  }
}
