import SafelightRendering
import SafelightStorage

extension PhotoEditor {
  /// Changes a photo's edit: its adjustments and filters are handed over to be changed, then the
  /// photo is rendered and the edit stored.
  ///
  /// ```swift
  /// try await editor.adjust(photo) { edit throws(AdjustmentError) in
  ///   try edit.adjust(Saturation.self) { $0.amount = 0.2 }
  /// }
  /// ```
  ///
  /// The edit is the present one when that is Safelight's own; on another program's it is empty and
  /// starts from the present render. The same edit again is ``EditResult/Status/unchanged``. When
  /// nothing is left of the edit, the photo is reverted, unless the edit was on top of another
  /// program's, which stays.
  ///
  /// - Parameters:
  ///   - asset: The photo.
  ///   - quality: 1 to 100, of the rendered JPEG.
  ///   - dryRun: Whether only to find out what would happen; nothing is rendered or written.
  ///   - change: Changes the edit.
  /// - Throws: ``EditError``; the old edit stands then.
  @discardableResult
  public func adjust(
    _ asset: Photo, quality: Int = RenderOutput.standard.quality, dryRun: Bool = false,
    _ change: @Sendable (inout EditStack) throws(AdjustmentError) -> Void
  ) async throws(EditError) -> EditResult {
    try await revise(asset, quality: quality, dryRun: dryRun) { edit, _ in try change(&edit) }
  }

  /// ``adjust(_:quality:dryRun:_:)`` with a change that may look at the pixels which the edit starts
  /// from.
  func revise(
    _ asset: Photo, quality: Int, dryRun: Bool,
    _ change: (inout EditStack, StartingPicture) throws -> Void
  ) async throws(EditError) -> EditResult {
    let output = RenderOutput(format: .jpeg, quality: quality)
    return try await working(on: asset.path) { cancellation in
      if dryRun {
        return try files(of: asset).reading(timeout: configuration.lockTimeout) { snapshot in
          try Revision(snapshot, output, change, self).preview()
        }
      }
      let transaction = try begin(asset)
      defer { end(transaction, of: asset) }
      return try Revision(transaction.snapshot, output, change, self)
        .commit(in: transaction, cancellation)
    }
  }

  /// A photo's edit, to be copied to other photos or saved as a filter.
  ///
  /// - Throws: ``EditError/nothingToCopy(path:reason:)`` when the photo has no edit or another
  ///   program's, or another ``EditError``.
  public func edit(of asset: Photo) async throws(EditError) -> EditStack {
    try await working(on: asset.path) { _ in
      try files(of: asset).reading(timeout: configuration.lockTimeout) { snapshot in
        guard let record = snapshot.record else {
          throw EditError.nothingToCopy(path: asset.path, reason: .noEdit)
        }
        guard EditStack.canHandle(record.adjustmentData) else {
          throw EditError.nothingToCopy(path: asset.path, reason: .anotherProgramsEdit)
        }
        try snapshot.checkOriginal()
        let edit = try EditStack(record.adjustmentData)
        if edit.isEmpty { throw EditError.nothingToCopy(path: asset.path, reason: .noEdit) }
        return edit
      }
    }
  }
}
