import SafelightAdjustments
import SafelightMetadata
import SafelightVips

extension Renderer {
  /// Counts the codes of a photo with its edit, every pixel of the whole size, as a JPEG would be
  /// given them: in the photo's profile, or in sRGB where the photo is gray or its colors can only be
  /// edited there.
  ///
  /// - Parameters:
  ///   - source: The photo, or the pixels that the edit starts from.
  ///   - stack: The edit; an empty one counts the photo as it is.
  ///   - cancellation: Ends the work early when it is cancelled from another thread.
  /// - Throws: ``RenderError`` or `CancellationError`.
  public func histogram(
    of source: PhotoSource, edit stack: EditStack, cancellation: RenderCancellation? = nil
  ) throws -> PhotoHistogram {
    let plan = try RenderPlan(stack)
    let opened = try OpenedPhoto(source)
    do {
      let photo = try DecodedPhoto(
        opened,
        for: DecodedPhoto.Purpose(
          orientation: opened.orientation.followed(by: plan.turn),
          inAnyOrder: plan.needsAnyOrder(as: .jpeg)))
      let picture = try plan.picture(
        of: photo, opened, as: .jpeg, in: photo.image.bands == 1 ? .sRGB : nil)
      try cancellation?.watch(picture.image)
      defer { cancellation?.watchNothing() }
      var counts = PhotoHistogram.Counts()
      try picture.forEachStrip(rows: 64, unless: cancellation) {
        { rows in
          var counts = PhotoHistogram.Counts()
          for row in 0..<rows.count {
            let start = (rows.start + row * rows.stride).assumingMemoryBound(to: UInt8.self)
            counts.add(start, count: rows.width)
          }
          return counts
        }
      } deliver: { strip in
        counts.add(strip)
      }
      return PhotoHistogram(counts)
    } catch let error as VipsError {
      if cancellation?.isCancelled == true { throw CancellationError() }
      throw RenderError(error, decoding: opened.format)
    }
  }

  /// Draws a histogram: red, green, blue and luma, and the luma before as a thin line.
  ///
  /// - Parameters:
  ///   - histogram: What is drawn.
  ///   - before: The histogram of the photo without its edit; `nil` leaves it out.
  ///   - output: Format and quality.
  ///   - original: What the picture's metadata names as what it derives from.
  ///   - sink: Called with each run of bytes.
  /// - Throws: ``RenderError``, or what `sink` threw.
  public func draw(
    _ histogram: PhotoHistogram, before: PhotoHistogram?, as output: RenderOutput,
    derivedFrom original: OriginalReference,
    to sink: @escaping (UnsafeRawBufferPointer) throws -> Void
  ) throws -> Report {
    let canvas: Canvas
    do {
      canvas = try HistogramDrawing(histogram, before: before).canvas
    } catch {
      throw RenderError.cannotEncode(detail: error.description)
    }
    return try encode(
      canvas, profile: nil, as: output, derivedFrom: original,
      warnings: Lettering.hasFont ? [] : [.noFont], cancellation: nil, to: sink)
  }
}
