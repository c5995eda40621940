import Storage

extension PhotoEditor {
  /// Drops a photo's edit: the sidecar, the render and the base photo. The original stays as it
  /// always was. Reverting a photo without an edit is ``EditResult/Status/unchanged``.
  ///
  /// - Parameters:
  ///   - asset: The photo.
  ///   - keepingRender: Whether the render stays as a file of its own, for example because
  ///     somebody retouched it.
  ///   - dryRun: Whether only to find out what would happen.
  /// - Throws: ``EditError``, such as a render that somebody retouched, or the sidecar of a photo
  ///   of another name and content; the edit stands then. An original of the same name that has
  ///   changed is no reason: reverting is the way out.
  public func revertAssetContentToOriginal(
    _ asset: Asset, keepingRender: Bool = false, dryRun: Bool = false
  ) async throws(EditError) -> EditResult {
    try await working(on: asset.path) { _ in
      if dryRun {
        return try files(of: asset).reading(timeout: configuration.lockTimeout) { snapshot in
          try snapshot.checkOwnRecord()
          if !keepingRender {
            try snapshot.checkRender()
            try snapshot.checkBase()
          }
          let status: EditResult.Status = snapshot.record == nil ? .unchanged : .reverted
          return EditResult(status: status, rendered: nil, record: nil, warnings: [])
        }
      }
      let transaction = try files(of: asset).begin(timeout: configuration.lockTimeout)
      defer { transaction.end() }
      guard transaction.record != nil else {
        return EditResult(status: .unchanged, rendered: nil, record: nil, warnings: [])
      }
      try transaction.snapshot.checkOwnRecord()
      let kept = keepingRender ? transaction.snapshot.render : nil
      let outcome = try transaction.revert(keepingRender: keepingRender)
      return EditResult(
        status: .reverted, rendered: kept, record: nil, warnings: outcome.warnings)
    }
  }
}

extension AssetSnapshot {
  /// Throws when the sidecar is about a photo of another name and content: it is that one's to drop.
  fileprivate func checkOwnRecord() throws(StorageError) {
    guard let recorded = record?.original, recorded.name != original.name else { return }
    try checkOriginal()
  }
}
