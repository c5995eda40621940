import SafelightStorage

/// What a check of one photo, or of a file that belongs to none, came to.
public struct PhotoCheck: Sendable, Equatable {
  /// What was checked: the original, or a file that has no photo.
  public let path: FilePath
  /// Whether there is an edit to compare with; a photo without one is fine as it is.
  public let isEdited: Bool
  /// What is wrong now.
  public let problems: [PhotoProblem]
  /// What is worth knowing and not wrong.
  public let notes: [PhotoProblem]
  /// What was wrong and has been put right.
  public let fixed: [PhotoProblem]

  /// Whether nothing is wrong.
  public var isSound: Bool { problems.isEmpty }

  init(
    _ path: FilePath, isEdited: Bool, _ findings: [PhotoProblem], fixed: [PhotoProblem] = []
  ) {
    self.path = path
    self.isEdited = isEdited
    self.fixed = fixed
    problems = findings.filter { !$0.isNote }
    notes = findings.filter(\.isNote)
  }

  /// The same after something was put right.
  func fixing(_ fixed: [PhotoProblem]) -> PhotoCheck {
    PhotoCheck(path, isEdited: isEdited, problems + notes, fixed: fixed)
  }

  /// The same with one more problem.
  func adding(_ problem: PhotoProblem) -> PhotoCheck {
    PhotoCheck(path, isEdited: isEdited, problems + [problem] + notes, fixed: fixed)
  }
}
