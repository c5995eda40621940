import SafelightStorage

extension PhotoEditor {
  /// The named versions of a photo, in the order in which they were saved. Nothing is written.
  ///
  /// - Throws: ``EditError`` when the photo is missing or its sidecar is unusable.
  public func versions(of asset: Photo) async throws(EditError) -> [PhotoVersion] {
    try await working(on: asset.path) { _ in
      PhotoVersion.all(in: try files(of: asset).read(timeout: configuration.lockTimeout))
    }
  }

  /// Keeps a photo's present edit under a name, with a copy of its render: `beach_edited-NAME.jpg`.
  ///
  /// The present edit and its history stay as they are. Saving the same edit under the same name
  /// again is ``EditResult/Status/unchanged``.
  ///
  /// - Parameters:
  ///   - name: See ``PhotoVersion/isName(_:)``.
  ///   - asset: The photo.
  ///   - replacing: Whether it may take the place of a version of that name; the version keeps the
  ///     spelling that it was saved with first.
  ///   - dryRun: Whether only to find out what would happen.
  /// - Returns: A result whose ``EditResult/rendered`` is the version's render.
  /// - Throws: ``EditError/nothingToCopy(path:reason:)`` for a photo without an edit of Safelight's
  ///   keeping, ``EditError/storage(_:)`` for a name that is taken or not allowed, or another
  ///   ``EditError``. Nothing changes then.
  @discardableResult
  public func saveVersion(
    named name: String, of asset: Photo, replacing: Bool = false, dryRun: Bool = false
  ) async throws(EditError) -> EditResult {
    try await changingVersions(of: asset, dryRun: dryRun) { snapshot, transaction in
      try snapshot.checkOriginal()
      guard let record = snapshot.record else {
        throw EditError.nothingToCopy(path: asset.path, reason: .noEdit)
      }
      guard !record.isForeign else {
        throw EditError.nothingToCopy(path: asset.path, reason: .anotherProgramsEdit)
      }
      try snapshot.checkRender()
      if let version = record.version(named: name), record.isSaved(as: version),
        let render = snapshot.path(of: .version(version.name))
      {
        try snapshot.check(.version(version.name))
        return EditResult(
          status: .unchanged, rendered: render, record: snapshot.recordPath, warnings: [])
      }
      try snapshot.checkNewVersion(named: name, replacing: replacing)
      guard snapshot.render != nil else { throw EditError.renderMissing(asset.path) }
      let path = try snapshot.plannedVersionPath(named: name)
      let outcome = try transaction?.saveVersion(named: name, replacing: replacing)
      return EditResult(
        status: .edited, rendered: path, record: snapshot.recordPath,
        warnings: outcome?.warnings ?? [])
    }
  }

  /// Makes a named version the photo's edit. It is a step in the history like any other, so undoing
  /// goes back; the version stays.
  ///
  /// - Returns: ``EditResult/Status/unchanged`` when it is the photo's edit already.
  /// - Throws: ``EditError/versionUnusable(path:name:_:)`` when pixels would be lost or are missing,
  ///   ``EditError/storage(_:)`` when there is no version of that name, or another ``EditError``.
  ///   Nothing changes then.
  @discardableResult
  public func useVersion(
    named name: String, of asset: Photo, dryRun: Bool = false
  ) async throws(EditError) -> EditResult {
    try await working(on: asset.path) { cancellation in
      if dryRun {
        return try files(of: asset).reading(timeout: configuration.lockTimeout) { snapshot in
          try skippedRender(snapshot) ?? VersionUse(of: name, snapshot, self).preview()
        }
      }
      let transaction = try begin(asset)
      defer { end(transaction, of: asset) }
      if let result = try skippedRender(transaction.snapshot) { return result }
      return try VersionUse(of: name, transaction.snapshot, self)
        .commit(in: transaction, cancellation)
    }
  }

  /// Drops a named version of a photo and its render. The photo's edit stays, also when it is the
  /// same.
  ///
  /// - Throws: ``EditError/storage(_:)`` when there is no version of that name or somebody changed
  ///   its render, or another ``EditError``. Nothing changes then.
  @discardableResult
  public func removeVersion(
    named name: String, of asset: Photo, dryRun: Bool = false
  ) async throws(EditError) -> EditResult {
    try await changingVersions(of: asset, dryRun: dryRun) { snapshot, transaction in
      try snapshot.checkOwnRecord()
      let version = try snapshot.version(named: name)
      if !version.isShared { try snapshot.check(.version(version.name)) }
      let outcome = try transaction?.removeVersion(named: name)
      return EditResult(
        status: .edited, rendered: nil, record: snapshot.recordPath,
        warnings: outcome?.warnings ?? [])
    }
  }

  /// Calls `body` with the photo's files, and with a transaction unless it is a dry run.
  private func changingVersions(
    of asset: Photo, dryRun: Bool, _ body: (PhotoSnapshot, Transaction?) throws -> EditResult
  ) async throws(EditError) -> EditResult {
    try await working(on: asset.path) { _ in
      if dryRun {
        return try files(of: asset).reading(timeout: configuration.lockTimeout) { snapshot in
          try skippedRender(snapshot) ?? body(snapshot, nil)
        }
      }
      let transaction = try begin(asset)
      defer { end(transaction, of: asset) }
      return try skippedRender(transaction.snapshot) ?? body(transaction.snapshot, transaction)
    }
  }
}
