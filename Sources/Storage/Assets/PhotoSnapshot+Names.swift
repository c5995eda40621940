extension PhotoSnapshot {
  /// Where the render of a new edit will go.
  ///
  /// - Throws: ``StorageError/nameTaken(_:)``, ``StorageError/nameTooLong(_:limit:)`` or
  ///   ``StorageError/renderChanged(_:)`` when no render can be written.
  public func plannedRenderPath() throws(StorageError) -> FilePath {
    try plannedPath(Record.FileRole.render)
  }

  /// Where a staged file will go. A sidecar has but one place.
  func plannedPath(_ role: StagedFile.Role) throws(StorageError) -> FilePath {
    switch role {
    case .file(let role): return try plannedPath(role)
    case .sidecar:
      try checkRecordName()
      return names.record
    }
  }

  /// Where a new file of the edit will go: over the one that the record names, else to a free name.
  func plannedPath(_ role: Record.FileRole) throws(StorageError) -> FilePath {
    try checkRecordName()
    if let present = try presentPath(role) { return present }
    let candidates = names.candidates(role.suffix).map(names.path)
    for path in candidates {
      guard path.nameFits else { throw .nameTooLong(path, limit: PhotoNames.limit) }
      if try !contents.exists(path) { return path }
    }
    throw .nameTaken(candidates)
  }

  private func checkRecordName() throws(StorageError) {
    guard names.record.nameFits else {
      throw .nameTooLong(names.record, limit: PhotoNames.limit)
    }
  }

  /// The file that the record names, if it is there and this asset's own.
  private func presentPath(_ role: Record.FileRole) throws(StorageError) -> FilePath? {
    guard let record,
      let recorded = try names.ownFiles(of: record, contents.fileSystem)
        .first(where: { $0.role == role })?.file
    else { return nil }
    let path = names.path(of: recorded.name)
    switch try contents.content(of: path) {
    case .missing: return nil
    case .file(recorded.sha256): return path
    // What the render replaced: left when a commit could not put the new one into place.
    case .file(let digest) where role == .render && digest == record.replaces: return path
    case .file, .somethingElse: throw role.changed(path)
    }
  }
}

extension FilePath {
  var nameFits: Bool { (lastComponent?.bytes.count ?? 0) <= PhotoNames.limit }
}
