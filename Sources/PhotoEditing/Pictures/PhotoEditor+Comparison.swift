import SafelightRendering
import SafelightStorage

/// What a comparison shows and how.
public struct Comparison: Sendable {
  /// How the two pictures lie.
  public var arrangement: ComparisonArrangement
  /// A filter to try: the second picture has it in place of the photo's own. `nil` shows the photo as
  /// it is now.
  public var filter: AppliedFilter?
  /// What stands below the original.
  public var originalLabel: String
  /// Says what an edit does, for below the second picture.
  public var caption: @Sendable (EditStack) -> String

  /// A comparison; without a caption, an edit is called by the names of its adjustments.
  public init(
    _ arrangement: ComparisonArrangement = .automatic, filter: AppliedFilter? = nil,
    originalLabel: String = "Original",
    caption: @escaping @Sendable (EditStack) -> String = { edit in
      edit.inPipelineOrder.map { ($0.adjustment as? AppliedFilter)?.title ?? $0.id }
        .joined(separator: ", ")
    }
  ) {
    self.arrangement = arrangement
    self.filter = filter
    self.originalLabel = originalLabel
    self.caption = caption
  }
}

extension PhotoEditor {
  /// Writes a photo before and after its edit as one labeled picture.
  ///
  /// Side by side the original is whole, whatever the edit crops; split, both show the same part. The
  /// photo, its record and its render are not touched.
  ///
  /// - Parameters:
  ///   - asset: The photo, edited or not.
  ///   - comparison: What is shown and how.
  ///   - path: Where the picture goes.
  ///   - output: Format, quality, and the longer side of the whole.
  ///   - replacing: Whether a file of that name may be replaced.
  ///   - dryRun: Whether only to find out what would happen.
  /// - Throws: ``EditError/nothingToCompare(_:)`` for a photo without an edit, when no filter is
  ///   given, or another ``EditError``; no file is left behind then.
  @discardableResult
  public func exportComparison(
    of asset: Photo, _ comparison: Comparison = Comparison(), to path: FilePath,
    as output: RenderOutput, replacing: Bool = false, dryRun: Bool = false
  ) async throws(EditError) -> EditResult {
    try await exportPicture(of: asset, to: path, replacing: replacing, dryRun: dryRun) {
      photo, target in
      var edit = photo.edit
      if let filter = comparison.filter {
        try edit.setFilter(filter)
      } else if !photo.isEdited {
        throw EditError.nothingToCompare(asset.path)
      }
      let labels = [photo.foreignFormat, edit.isEmpty ? nil : comparison.caption(edit)]
      let label = labels.compactMap(\.self).joined(separator: ", ")
      return try photo.withSource { source in
        try renderer.comparison(
          of: LabeledEdit(photo.original, edit: EditStack(), label: comparison.originalLabel),
          and: LabeledEdit(source, edit: edit, label: label), comparison.arrangement, as: output,
          derivedFrom: target.original, cancellation: target.cancellation, to: target.sink)
      }
    }
  }
}
