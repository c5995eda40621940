import SafelightRendering
import SafelightStorage

extension PhotoEditor {
  /// Writes a photo with each of several filters as labeled thumbnails on one picture, the photo
  /// without any filter first.
  ///
  /// A filter takes the place of those that the photo has; its other adjustments stay, as when the
  /// filter is applied. The first thumbnail shows the same part of the photo, otherwise as it was
  /// taken. The photo is decoded once, and neither it nor its record or render is touched.
  ///
  /// - Parameters:
  ///   - asset: The photo, edited or not.
  ///   - filters: The filters, labeled with their names.
  ///   - columns: Thumbnails in a row; `nil` takes as many as make a sheet of a good shape.
  ///   - originalLabel: What stands below the first thumbnail.
  ///   - path: Where the picture goes.
  ///   - output: Format, quality, and the longer side of a thumbnail, 360 pixels without it.
  ///   - replacing: Whether a file of that name may be replaced.
  ///   - dryRun: Whether only to find out what would happen.
  /// - Throws: ``EditError``; no file is left behind then.
  @discardableResult
  public func exportContactSheet(
    of asset: Photo, with filters: [Filter], columns: Int? = nil,
    originalLabel: String = "Original", to path: FilePath, as output: RenderOutput,
    replacing: Bool = false, dryRun: Bool = false
  ) async throws(EditError) -> EditResult {
    try await exportPicture(of: asset, to: path, replacing: replacing, dryRun: dryRun) {
      photo, target in
      let geometry = photo.edit.entries.compactMap { $0.isGeometry ? $0.adjustment : nil }
      var edits = [(label: originalLabel, edit: try EditStack(geometry))]
      for filter in filters {
        var edit = photo.edit
        try edit.setFilter(filter.applied())
        edits.append((filter.name, edit))
      }
      return try photo.withSource { source in
        try renderer.contactSheet(
          of: source, with: edits, columns: columns, as: output, derivedFrom: target.original,
          cancellation: target.cancellation, to: target.sink)
      }
    }
  }
}
