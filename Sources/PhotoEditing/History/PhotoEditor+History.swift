import SafelightStorage

extension PhotoEditor {
  /// Takes a photo back to an earlier edit of its own, rendered again; ``redo(_:steps:quality:dryRun:)``
  /// brings the later one back.
  ///
  /// Before the first edit is the photo as it was taken: its record and a render stay, so that the
  /// edit can be redone. Use ``revertAssetContentToOriginal(_:keepingRender:droppingVersions:dryRun:)`` to drop them.
  /// With nothing to undo the photo is ``EditResult/Status/unchanged``. The same edit rendered again
  /// by the same renderer is the same file, to the byte.
  ///
  /// - Parameters:
  ///   - asset: The photo.
  ///   - steps: How many edits to go back, from 1; fewer when there are fewer.
  ///   - quality: 1 to 100, of the rendered JPEG; `nil` is the quality that the earlier edit was
  ///     rendered with.
  ///   - dryRun: Whether only to find out what would happen.
  /// - Throws: ``EditError/stepUnavailable(path:_:)`` when another program's edit is in the way, or
  ///   another ``EditError``. Nothing changes then.
  @discardableResult
  public func undo(
    _ asset: Photo, steps: Int = 1, quality: Int? = nil, dryRun: Bool = false
  ) async throws(EditError) -> EditResult {
    precondition(steps > 0, "one step is the least that can be undone")
    return try await go(asset, to: .back(steps), quality: quality, dryRun: dryRun)
  }

  /// Brings back an edit that was undone, as long as no other edit was made since; see
  /// ``undo(_:steps:quality:dryRun:)``.
  @discardableResult
  public func redo(
    _ asset: Photo, steps: Int = 1, quality: Int? = nil, dryRun: Bool = false
  ) async throws(EditError) -> EditResult {
    precondition(steps > 0, "one step is the least that can be redone")
    return try await go(asset, to: .back(-steps), quality: quality, dryRun: dryRun)
  }

  /// Takes a photo to a step of its history, back or forth; see ``undo(_:steps:quality:dryRun:)``.
  ///
  /// - Parameters:
  ///   - step: Its number, as ``history(of:)`` counts them; 0 is the photo without edits.
  ///   - asset: The photo.
  ///   - quality: 1 to 100, of the rendered JPEG; `nil` is what the step was rendered with.
  ///   - dryRun: Whether only to find out what would happen.
  @discardableResult
  public func goToStep(
    _ step: Int, ofHistoryOf asset: Photo, quality: Int? = nil, dryRun: Bool = false
  ) async throws(EditError) -> EditResult {
    try await go(asset, to: .step(step), quality: quality, dryRun: dryRun)
  }

  /// The edits that a photo had, has and can have again. Nothing is written.
  ///
  /// - Throws: ``EditError`` when the photo is missing or its sidecar is unusable.
  public func history(of asset: Photo) async throws(EditError) -> EditHistory {
    try await working(on: asset.path) { _ in
      let timeout = configuration.lockTimeout
      return EditHistory(try files(of: asset).read(timeout: timeout).record)
    }
  }

  private func go(
    _ asset: Photo, to target: HistoryMove.Target, quality: Int?, dryRun: Bool
  ) async throws(EditError) -> EditResult {
    try await working(on: asset.path) { cancellation in
      if dryRun {
        return try files(of: asset).reading(timeout: configuration.lockTimeout) { snapshot in
          try skippedRender(snapshot)
            ?? HistoryMove(snapshot, target, quality: quality, self).preview()
        }
      }
      let transaction = try begin(asset)
      defer { end(transaction, of: asset) }
      if let result = try skippedRender(transaction.snapshot) { return result }
      return try HistoryMove(transaction.snapshot, target, quality: quality, self)
        .commit(in: transaction, cancellation)
    }
  }
}
