import SafelightRendering

extension PhotoEditor {
  /// What to do with a photo's filters.
  public enum FilterPlacement: Sendable, Hashable {
    /// The filter takes the place of those that are there, as in Photos.
    case replacing
    /// The filter goes on top of those that are there.
    case adding
  }

  /// Gives a photo a filter: renders it beside the original and stores the edit.
  ///
  /// Doing it again changes nothing: the same edit of the same original by the same renderer with
  /// the same settings is ``EditResult/Status/unchanged``.
  ///
  /// - Parameters:
  ///   - filter: The look and its intensity, 0 to 1.
  ///   - placement: Whether it replaces the photo's filters or goes on top.
  ///   - asset: The photo.
  ///   - quality: 1 to 100, of the rendered JPEG.
  ///   - dryRun: Whether only to find out what would happen; nothing is rendered or written.
  /// - Throws: ``EditError``; the old edit stands then.
  @discardableResult
  public func apply(
    _ filter: AppliedFilter, _ placement: FilterPlacement = .replacing, to asset: Photo,
    quality: Int = RenderOutput.standard.quality, dryRun: Bool = false
  ) async throws(EditError) -> EditResult {
    try await adjust(asset, quality: quality, dryRun: dryRun) { stack throws(AdjustmentError) in
      switch placement {
      case .replacing: try stack.setFilter(filter)
      case .adding: try stack.addFilter(filter)
      }
    }
  }
}
