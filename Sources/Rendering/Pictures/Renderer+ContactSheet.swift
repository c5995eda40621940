import Adjustments
import Metadata
import Vips

extension Renderer {
  /// Renders a photo with several edits as labelled thumbnails on one picture. The photo is decoded
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
    let proofs = try plans.map { plan in
      let proof = try maker.proof(of: plan, unless: cancellation)
      if cancellation?.isCancelled == true { throw CancellationError() }
      return proof
    }
    let layout = ContactSheetLayout(
      count: proofs.count,
      thumbnail: PixelDimensions(
        width: proofs.map(\.width).max() ?? 1, height: proofs.map(\.height).max() ?? 1),
      columns: columns, longestSide: longestSide, isLabelled: Lettering.hasFont)
    guard layout.width <= PhotoSource.defaultPixelLimit / layout.height else {
      throw RenderError.cannotEncode(
        detail: "a sheet of \(layout.width) × \(layout.height) pixels is too large")
    }
    var canvas = Canvas(width: layout.width, height: layout.height)
    for (index, proof) in proofs.enumerated() {
      canvas.draw(proof, in: layout.picture(index))
      guard Lettering.hasFont else { continue }
      try canvas.write(edits[index].label, in: layout.label(index), size: layout.textSize)
    }
    return try encode(
      canvas, profile: maker.profile, as: output, derivedFrom: original,
      warnings: (Lettering.hasFont ? [] : [.noFont]) + maker.warnings,
      cancellation: cancellation, to: sink)
  }
}
