import SafelightStorage

extension PhotoEditor {
  /// Drops a photo's edit: the sidecar, the render and the base photo. The original stays as it
  /// always was. Reverting a photo without an edit is ``EditResult/Status/unchanged``.
  ///
  /// A sidecar of another program that the first edit took the place of comes back with the same
  /// bytes, as a new file with the mode 0644 less the umask; the result names it as the record. One
  /// that is all there is stays, with a warning.
  ///
  /// - Parameters:
  ///   - asset: The photo.
  ///   - keepingRender: Whether the render stays as a file of its own, for example because
  ///     somebody retouched it.
  ///   - droppingVersions: Whether the photo's named versions go too. Without it they keep it from
  ///     being reverted, as they would be lost.
  ///   - dryRun: Whether only to find out what would happen.
  /// - Throws: ``EditError``, such as a render that somebody retouched, named versions that may not be
  ///   dropped, or the sidecar of a photo of another name and content; the edit stands then. An original of the same name that has
  ///   changed is no reason: reverting is the way out.
  @discardableResult
  public func revertAssetContentToOriginal(
    _ asset: Photo, keepingRender: Bool = false, droppingVersions: Bool = false,
    dryRun: Bool = false
  ) async throws(EditError) -> EditResult {
    try await working(on: asset.path) { _ in
      if dryRun {
        return try files(of: asset).reading(timeout: configuration.lockTimeout) { snapshot in
          if let result = nothingToRevert(snapshot) { return result }
          try snapshot.checkOwnRecord()
          try snapshot.checkRevertible(droppingVersions: droppingVersions)
          if !keepingRender {
            for file in snapshot.record?.files ?? [] { try snapshot.check(file.role) }
          }
          let sidecar = snapshot.record?.replacedSidecar.map { _ in snapshot.recordPath }
          return EditResult(status: .reverted, rendered: nil, record: sidecar, warnings: [])
        }
      }
      let transaction = try begin(asset)
      defer { end(transaction, of: asset) }
      if let result = nothingToRevert(transaction.snapshot) { return result }
      try transaction.snapshot.checkOwnRecord()
      let kept = keepingRender ? transaction.snapshot.render : nil
      let outcome = try transaction.revert(
        keepingRender: keepingRender, droppingVersions: droppingVersions)
      let sidecar = outcome.record.map { _ in transaction.snapshot.recordPath }
      return EditResult(
        status: .reverted, rendered: kept, record: sidecar, warnings: outcome.warnings)
    }
  }

  /// The result for a photo that has no edit of Safelight's keeping; `nil` when it has one.
  private func nothingToRevert(_ snapshot: PhotoSnapshot) -> EditResult? {
    guard let record = snapshot.record else {
      return EditResult(status: .unchanged, rendered: nil, record: nil, warnings: [])
    }
    guard record.isForeign else { return nil }
    let error = StorageError.foreignSidecar(snapshot.recordPath)
    return EditResult(
      status: .unchanged, rendered: nil, record: snapshot.recordPath,
      warnings: [[error.description, error.hint].compactMap(\.self).joined(separator: " ")])
  }
}

extension PhotoSnapshot {
  /// Throws when the sidecar is about a photo of another name and content: it is that one's to drop.
  func checkOwnRecord() throws(StorageError) {
    guard let recorded = record?.original, recorded.name != original.name else { return }
    try checkOriginal()
  }
}
