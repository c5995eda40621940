import SafelightStorage

/// What became of one edit whose photo has another name or folder than the record says.
public struct Relinking: Sendable, Equatable {
  /// What was done.
  public enum Status: String, Sendable, Hashable {
    /// The edit is beside its photo, under the photo's name.
    case relinked
    /// There was nothing to do any more.
    case unchanged
  }

  /// Where the photo should be by the place and the name of its record.
  public let former: FilePath
  /// What was done.
  public let status: Status
  /// Where the photo is; `nil` when there was nothing to do.
  public let photo: FilePath?
  /// Its sidecar.
  public let record: FilePath?
  /// Its render; `nil` when it has none.
  public let rendered: FilePath?
  /// What could not be done, one sentence each.
  public let warnings: [String]

  init(_ former: FilePath, to photo: FilePath, _ adoption: Adoption) {
    self.former = former
    guard adoption.outcome == .moved else {
      (status, self.photo, record, rendered, warnings) = (.unchanged, nil, nil, nil, [])
      return
    }
    status = .relinked
    self.photo = photo
    record = photo.recordPath
    rendered = adoption.render
    warnings = adoption.warnings
  }
}

extension Adoption {
  fileprivate var warnings: [String] {
    var warnings: [String] = []
    if isRenderMissing {
      warnings.append("Its render is missing; “edit render --stale” makes it again.")
    }
    if let unfinished {
      warnings.append(
        "The edit has moved, but not all files are in place; relinking again finishes that. "
          + unfinished.description)
    }
    return warnings
  }
}
