import Glibc
import SafelightAdjustments
import SafelightMetadata
import SafelightVips

extension Renderer {
  /// Renders a photo with several edits as labeled thumbnails on one picture. The photo is decoded
  /// only once.
  ///
  /// - Parameters:
  ///   - source: The photo, or the pixels that the edits start from.
  ///   - edits: The edits with their labels, from the top left corner row by row.
  ///   - columns: The number of thumbnails in a row; `nil` chooses the number that gives the sheet
  ///     a good shape.
  ///   - output: Format, quality and the longer side of a thumbnail; `nil` means 360 pixels.
  ///   - original: The photo that the metadata names as the original.
  ///   - cancellation: Ends the work early when it is cancelled from another thread.
  ///   - sink: Called with each run of bytes.
  /// - Throws: ``RenderError``, `CancellationError`, or what `sink` threw.
  package func contactSheet(
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
      thumbnail: PixelSize(
        width: sizes.map(\.width).max() ?? 1, height: sizes.map(\.height).max() ?? 1),
      columns: columns, longestSide: longestSide, isLabeled: Lettering.hasFont)
    try checkRoom(
      for: PixelSize(width: layout.width, height: layout.height), in: output.format)
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

/// The places of the thumbnails of a contact sheet and of their labels.
struct ContactSheetLayout: Sendable, Hashable {
  /// The size of the whole.
  let width, height: Int
  /// The size of the labels' font in pixels.
  let textSize: Int
  /// The number of thumbnails in a row.
  let columns: Int

  private let gap: Int
  private let cell: PixelSize
  private let labelHeight: Int

  /// The width divided by the height that a sheet should come near to.
  private static let wantedAspect = 1.5

  /// - Parameters:
  ///   - count: The number of thumbnails, at least 1.
  ///   - thumbnail: The size of the largest thumbnail.
  ///   - columns: The number of thumbnails in a row; `nil` chooses the number that gives the sheet
  ///     a good shape.
  ///   - longestSide: The most pixels along the longer side of a thumbnail. The size of the labels
  ///     follows from it.
  ///   - isLabeled: Whether there is room for labels.
  init(
    count: Int, thumbnail: PixelSize, columns: Int?, longestSide: Int, isLabeled: Bool
  ) {
    textSize = min(max(longestSide / 20, 12), 64)
    gap = textSize / 2
    labelHeight = isLabeled ? Lettering(size: textSize).lineHeight + gap / 2 : 0
    // Wide enough for the longest name of a shipped filter.
    cell = PixelSize(
      width: max(thumbnail.width, isLabeled ? 8 * textSize : 1), height: thumbnail.height)
    let (across, down) = (cell.width + gap, cell.height + labelHeight + gap)
    func aspect(_ columns: Int) -> Double {
      Double(columns * across) / Double((count + columns - 1) / columns * down)
    }
    self.columns =
      columns.map { min(max($0, 1), count) }
      ?? (1...count).min {
        abs(log(aspect($0) / Self.wantedAspect)) < abs(log(aspect($1) / Self.wantedAspect))
      } ?? 1
    width = self.columns * across + gap
    height = (count + self.columns - 1) / self.columns * down + gap
  }

  /// The frame of a thumbnail; the first thumbnail has the index 0.
  func picture(_ index: Int) -> PictureFrame {
    PictureFrame(
      left: gap + index % columns * (cell.width + gap),
      top: gap + index / columns * (cell.height + labelHeight + gap), width: cell.width,
      height: cell.height)
  }

  /// The frame of the label of a thumbnail.
  func label(_ index: Int) -> PictureFrame {
    let picture = picture(index)
    return PictureFrame(
      left: picture.left, top: picture.bottom, width: cell.width, height: labelHeight)
  }
}
