import SafelightAdjustments
import SafelightMetadata
import SafelightVips

extension Renderer {
  /// Renders a photo with several edits as labeled thumbnails on one picture. The photo is decoded
  /// once.
  ///
  /// - Parameters:
  ///   - source: The photo, or the pixels that the edits start from.
  ///   - edits: The edits with their labels, the first on the left at the top.
  ///   - columns: How many thumbnails lie in a row; `nil` takes as many as make a sheet of a good
  ///     shape.
  ///   - output: Format and quality, and the longer side of a thumbnail, 360 pixels without it.
  ///   - original: What the picture's metadata names as what it derives from.
  ///   - cancellation: Ends the work early when it is cancelled from another thread.
  ///   - sink: Called with each run of bytes.
  /// - Throws: ``RenderError``, `CancellationError`, or what `sink` threw.
  public func contactSheet(
    of source: PhotoSource, with edits: [(label: String, edit: EditStack)], columns: Int?,
    as output: RenderOutput, derivedFrom original: OriginalReference,
    cancellation: RenderCancellation? = nil,
    to sink: @escaping (UnsafeRawBufferPointer) throws -> Void
  ) throws -> Report {
    _ = Library.takeWarnings()
    let plans = try edits.map { try RenderPlan($0.edit) }
    guard let first = plans.first else {
      throw RenderError.cannotEncode(detail: "a contact sheet needs a thumbnail")
    }
    let longestSide = output.longestSide ?? 360
    let maker = try ProofMaker(try OpenedPhoto(source), for: first, longestSide: longestSide)
    let sizes = plans.map(maker.size)
    let layout = ContactSheetLayout(
      count: plans.count,
      thumbnail: PixelDimensions(
        width: sizes.map(\.width).max() ?? 1, height: sizes.map(\.height).max() ?? 1),
      columns: columns, longestSide: longestSide, isLabeled: Lettering.hasFont)
    try checkRoom(for: layout.width, layout.height, in: output.format)
    var canvas = Canvas(width: layout.width, height: layout.height)
    for (index, plan) in plans.enumerated() {
      if cancellation?.isCancelled == true { throw CancellationError() }
      canvas.draw(
        try maker.proof(of: plan, unless: cancellation), in: layout.picture(index))
      guard Lettering.hasFont else { continue }
      try canvas.write(edits[index].label, in: layout.label(index), size: layout.textSize)
    }
    return try encode(
      canvas, profile: maker.profile, as: output, derivedFrom: original,
      warnings: (Lettering.hasFont ? [] : [.noFont]) + maker.warnings,
      cancellation: cancellation, to: sink)
  }
}
