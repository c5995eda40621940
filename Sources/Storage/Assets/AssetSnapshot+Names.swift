extension AssetSnapshot {
  /// Where the render of a new edit will go.
  ///
  /// - Throws: ``StorageError/nameTaken(_:)``, ``StorageError/nameTooLong(_:limit:)`` or
  ///   ``StorageError/renderChanged(_:)`` when no render can be written.
  public func plannedRenderPath() throws(StorageError) -> FilePath {
    try plannedPath(.render)
  }

  /// Where a new render or base will go: over the one that the record names, else to a free name.
  /// A sidecar has but one.
  func plannedPath(_ role: StagedFile.Role) throws(StorageError) -> FilePath {
    guard names.record.nameFits else {
      throw .nameTooLong(names.record, limit: AssetNames.limit)
    }
    let suffix: String
    switch role {
    case .render: suffix = AssetNames.renderSuffix
    case .base: suffix = AssetNames.baseSuffix
    case .sidecar: return names.record
    }
    if let present = try presentPath(role) { return present }
    let candidates = names.candidates(suffix).map(names.path)
    for path in candidates {
      guard path.nameFits else { throw .nameTooLong(path, limit: AssetNames.limit) }
      if try !contents.exists(path) { return path }
    }
    throw .nameTaken(candidates)
  }

  /// The file that the record names, if it is there and this asset's own.
  private func presentPath(_ role: StagedFile.Role) throws(StorageError) -> FilePath? {
    guard let record, try names.ownsFiles(of: record, contents.fileSystem) else { return nil }
    guard let recorded = role == .render ? record.render?.file : record.base else { return nil }
    let path = names.path(of: recorded.name)
    switch try contents.content(of: path) {
    case .missing: return nil
    case .file(recorded.sha256): return path
    // What the render replaced: left when a commit could not put the new one into place.
    case .file(let digest) where role == .render && digest == record.replaces: return path
    case .file, .somethingElse: throw role == .render ? .renderChanged(path) : .baseChanged(path)
    }
  }
}

extension FilePath {
  var nameFits: Bool { (lastComponent?.bytes.count ?? 0) <= AssetNames.limit }
}
