import SafelightRendering
import SafelightStorage

/// The histograms of a photo.
public struct PhotoHistograms: Sendable, Hashable {
  /// Of the photo as it is now, its edit included.
  public let now: PhotoHistogram
  /// Of the original; `nil` when the photo has no edit.
  public let before: PhotoHistogram?
}

extension PhotoEditor {
  /// Counts the codes of a photo as it is now and, when it is edited, of its original.
  ///
  /// Every pixel counts, at full size, which takes as long as rendering the photo without writing it.
  /// Another program's edit is taken from its render.
  ///
  /// - Throws: ``EditError``.
  public func histograms(of asset: Photo) async throws(EditError) -> PhotoHistograms {
    try await showing(asset) { photo, cancellation in
      let now = try photo.withSource { source in
        try renderer.histogram(of: source, edit: photo.edit, cancellation: cancellation)
      }
      guard photo.isEdited else { return PhotoHistograms(now: now, before: nil) }
      let before = try renderer.histogram(
        of: photo.original, edit: EditStack(), cancellation: cancellation)
      return PhotoHistograms(now: now, before: before)
    }
  }

  /// Draws a photo's histograms to a file of its own, 1,088 pixels wide.
  ///
  /// - Parameters:
  ///   - histograms: What ``histograms(of:)`` counted.
  ///   - asset: The photo.
  ///   - path: Where the picture goes.
  ///   - output: Format and quality; its size is not used.
  ///   - replacing: Whether a file of that name may be replaced.
  /// - Throws: ``EditError``; no file is left behind then.
  @discardableResult
  public func exportHistogram(
    _ histograms: PhotoHistograms, of asset: Photo, to path: FilePath, as output: RenderOutput,
    replacing: Bool = false
  ) async throws(EditError) -> EditResult {
    try await exportPicture(of: asset, to: path, replacing: replacing, dryRun: false) { _, target in
      try renderer.draw(
        histograms.now, before: histograms.before, as: output, derivedFrom: target.original,
        to: target.sink)
    }
  }
}
