import SafelightAdjustments
import SafelightMetadata
import SafelightVips

/// A photo with an edit, and what a picture of several calls it.
public struct LabeledEdit: Sendable {
  /// The photo, or the pixels that the edit starts from.
  public let source: PhotoSource
  /// The edit; an empty one shows the photo as it is, upright.
  public let edit: EditStack
  /// What stands below it.
  public let label: String

  /// A photo with an edit and a label.
  public init(_ source: PhotoSource, edit: EditStack, label: String) {
    self.source = source
    self.edit = edit
    self.label = label
  }
}

extension Renderer {
  /// Renders two states of a photo as one picture, labeled, in one color profile: that of both, or
  /// sRGB where they differ.
  ///
  /// - Parameters:
  ///   - before: The first; split, it is cropped and turned like the second.
  ///   - after: The second.
  ///   - arrangement: How they lie. Two pictures that differ in shape cannot be split, and lie beside
  ///     each other with ``RenderWarning/shapesDiffer``.
  ///   - output: Format and quality, and the longer side of the whole; without it, what both need at
  ///     full size.
  ///   - original: What the picture's metadata names as what it derives from.
  ///   - cancellation: Ends the work early when it is cancelled from another thread.
  ///   - sink: Called with each run of bytes.
  /// - Throws: ``RenderError``, `CancellationError`, or what `sink` threw.
  public func comparison(
    of before: LabeledEdit, and after: LabeledEdit, _ arrangement: ComparisonArrangement,
    as output: RenderOutput, derivedFrom original: OriginalReference,
    cancellation: RenderCancellation? = nil,
    to sink: @escaping (UnsafeRawBufferPointer) throws -> Void
  ) throws -> Report {
    _ = Library.takeWarnings()
    var drawing = try ComparisonDrawing(before, after, longestSide: output.longestSide)
    if case .split(let share) = arrangement, drawing.canSplit {
      try drawing.drawSplit(at: share, unless: cancellation)
    } else {
      try drawing.draw(arrangement, unless: cancellation)
    }
    return try encode(
      drawing.canvas, profile: drawing.profile, as: output, derivedFrom: original,
      warnings: drawing.warnings, cancellation: cancellation, to: sink)
  }
}
