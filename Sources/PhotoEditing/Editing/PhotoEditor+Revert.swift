import Storage

extension PhotoEditor {
  /// Drops a photo's edit: the sidecar, the render and the base photo. The original stays as it
  /// always was. Reverting a photo without an edit is ``EditResult/Status/unchanged``.
  ///
  /// A sidecar of another program that the first edit took the place of comes back with the same
  /// bytes, as a new file with the mode 0644 less the umask. The result names it as the record.
  ///
  /// - Parameters:
  ///   - asset: The photo.
  ///   - keepingRender: Whether the render stays as a file of its own, for example because
  ///     somebody retouched it.
  ///   - dryRun: Whether only to find out what would happen.
  /// - Throws: ``EditError``, such as a render that somebody retouched, or
  ///   ``EditError/foreignSidecar(_:)`` when all there is is another program's sidecar. Nothing
  ///   changes then.
  public func revertAssetContentToOriginal(
    _ asset: Asset, keepingRender: Bool = false, dryRun: Bool = false
  ) async throws(EditError) -> EditResult {
    try await working(on: asset.path) { _ in
      if dryRun {
        return try files(of: asset).reading(timeout: configuration.lockTimeout) { snapshot in
          try snapshot.checkRevertible()
          if !keepingRender { try snapshot.checkRender() }
          let status: EditResult.Status = snapshot.record == nil ? .unchanged : .reverted
          let sidecar = snapshot.record?.replacedSidecar.map { _ in snapshot.recordPath }
          return EditResult(status: status, rendered: nil, record: sidecar, warnings: [])
        }
      }
      let transaction = try files(of: asset).begin(timeout: configuration.lockTimeout)
      defer { transaction.end() }
      guard transaction.record != nil else {
        return EditResult(status: .unchanged, rendered: nil, record: nil, warnings: [])
      }
      let kept = keepingRender ? transaction.snapshot.render : nil
      let outcome = try transaction.revert(keepingRender: keepingRender)
      let sidecar = outcome.record.map { _ in transaction.snapshot.recordPath }
      return EditResult(
        status: .reverted, rendered: kept, record: sidecar, warnings: outcome.warnings)
    }
  }
}
