import SafelightRendering
import SafelightStorage

extension PhotoEditor {
  /// Looks for adjustments that suit a photo, without changing anything.
  ///
  /// The values come from the pixels that the photo's edit starts from and not from its present
  /// adjustments, so looking again finds the same. They are ordinary parameters:
  ///
  /// ```swift
  /// let found = try await editor.automaticAdjustments(for: photo)
  /// try await editor.adjust(photo) { edit throws(AdjustmentError) in try edit.set(found.settings) }
  /// ```
  ///
  /// - Parameters:
  ///   - asset: The photo.
  ///   - kinds: What to look for.
  /// - Throws: ``EditError``.
  public func automaticAdjustments(
    for asset: Photo, _ kinds: Set<AutomaticAdjustment> = [.tone, .whiteBalance]
  ) async throws(EditError) -> AutomaticAdjustments {
    try await working(on: asset.path) { _ in
      try files(of: asset).reading(timeout: configuration.lockTimeout) { snapshot in
        try snapshot.checkOriginal()
        let start = try StartingPoint(snapshot, canHandle: EditStack.canHandle)
        if start.start == .render { try snapshot.checkRender() }
        if start.start == .base { try snapshot.checkBase() }
        let edit = try start.adjustmentData.map { data throws(AdjustmentError) in
          try EditStack(data)
        }
        return try StartingPicture(start: start, original: snapshot.original, editor: self)
          .automaticAdjustments(kinds, with: edit ?? EditStack())
      }
    }
  }
}
