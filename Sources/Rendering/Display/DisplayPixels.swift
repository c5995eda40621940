import SafelightAdjustments
import SafelightCTurboJPEG
import SafelightVips

/// The part of a picture that is shown, and its size on the screen.
package struct DisplayLayout: Sendable, Hashable, Codable {
  /// A part of a picture in shares of its width and height, 0 to 1.
  package struct Part: Sendable, Hashable, Codable {
    /// Where the part begins, from the left and the top edge.
    package var left = 0.0, top = 0.0
    /// The size of the part.
    package var width = 1.0, height = 1.0

    /// The whole picture.
    package init() {}
  }

  /// The most pixels along the longer side of the whole picture; `nil` means full size.
  package var longestSide: Int?
  /// The part that is kept.
  package var part = Part()
  /// The size that the kept part is stretched to; `nil` keeps the part's own size.
  package var size: PixelSize?

  /// The whole picture at full size.
  package init() {}

  /// The columns and rows of a picture that are kept: whole pixels, at least one.
  func frame(in picture: PixelSize) -> PictureFrame {
    func span(_ start: Double, _ share: Double, of count: Int) -> (first: Int, count: Int) {
      // The same share always has the same number of pixels, wherever it begins.
      let length = min(max(Int((share * Double(count)).rounded()), 1), count)
      let first = Int((start * Double(count)).rounded())
      return (min(max(first, 0), count - length), length)
    }
    let across = span(part.left, part.width, of: picture.width)
    let down = span(part.top, part.height, of: picture.height)
    return PictureFrame(
      left: across.first, top: down.first, width: across.count, height: down.count)
  }
}

/// What a picture of an edit shows, and how it is encoded.
package struct PreviewLayout: Sendable, Hashable, Codable {
  /// The part that is shown; `nil` shows the whole picture at the size that the maker was made for.
  package var tile: DisplayLayout.Part?
  /// The most pixels along the longer side of the picture that the tile is a part of; `nil` is full size.
  package var tiledSide: Int?
  /// 1 to 100, of the JPEG.
  package var quality = 88
  /// Whether the picture's codes are counted.
  package var isCounted = false
  /// Whether a quick picture will do, while a slider moves; tiles are none.
  ///
  /// The edit acts on the photo at the size of the screen alone, which is a fifth of the pixels: hard edges
  /// may look different from the render.
  package var isDraft = false

  /// The whole picture.
  package init() {}
}

/// A picture for the screen: 8-bit red, green and blue codes of sRGB, row after row.
package struct DisplayPixels: Sendable {
  /// Pixels from left to right.
  package let width: Int
  /// Pixels from top to bottom.
  package let height: Int
  /// `width × height × 3` codes.
  package let bytes: [UInt8]

  /// A picture of codes, as many as its size says.
  package init(width: Int, height: Int, bytes: [UInt8]) {
    (self.width, self.height, self.bytes) = (width, height, bytes)
  }
}

/// A picture of an edit that is tried, as a JPEG in sRGB without metadata.
package struct EncodedPreview: Sendable {
  /// Pixels from left to right.
  package let width: Int
  /// Pixels from top to bottom.
  package let height: Int
  /// The bytes of the JPEG.
  package let bytes: [UInt8]
  /// The counts of the picture's codes; `nil` when nobody asked for them.
  package let histogram: PhotoHistogram?

  /// A picture that was encoded before.
  package init(width: Int, height: Int, bytes: [UInt8], histogram: PhotoHistogram? = nil) {
    (self.width, self.height, self.bytes) = (width, height, bytes)
    self.histogram = histogram
  }
}

extension Renderer {
  /// Width and height of a render.
  ///
  /// - Parameters:
  ///   - stack: The edit.
  ///   - photo: Width and height of the upright photo.
  package func size(of stack: EditStack, on photo: PixelSize) throws(RenderError) -> PixelSize {
    try RenderPlan(stack).size(of: photo)
  }

  /// Renders a photo with an edit for the screen: upright, in sRGB, on white where it is
  /// transparent.
  ///
  /// Blocks until the picture is done. The JPEG decoder makes halves, quarters and eighths itself, as
  /// long as four times the size is left to be averaged as light. Several threads may call this; the
  /// text of an error may then be about the file of another thread.
  ///
  /// - Parameters:
  ///   - source: The original, or the pixels that the edit starts from.
  ///   - stack: The edit.
  ///   - cancellation: Ends the work early when it is cancelled from another thread.
  ///   - layout: Chooses what to show, given the size of the edited photo.
  /// - Throws: ``RenderError``, `CancellationError`.
  package func displayPixels(
    of source: PhotoSource, edit stack: EditStack, cancellation: RenderCancellation? = nil,
    layout: (PixelSize) throws -> DisplayLayout
  ) throws -> DisplayPixels {
    let plan = try RenderPlan(stack)
    let opened = try OpenedPhoto(source)
    let whole = plan.size(of: opened.uprightSize)
    let layout = try layout(whole)
    if let size = layout.size {
      guard size.width <= source.pixelLimit / max(size.height, 1) else {
        throw RenderError.tooManyPixels(
          width: size.width, height: size.height, limit: source.pixelLimit)
      }
    }
    if cancellation?.isCancelled == true { throw CancellationError() }
    let maker = try ProofMaker(
      opened, for: plan, longestSide: layout.longestSide ?? whole.longestSide)
    let proof = try maker.proof(of: plan, inSRGB: !maker.isInSRGB, unless: cancellation)
    do {
      return try proof.arranged(by: layout)
    } catch {
      throw RenderError(error, decoding: opened.format)
    }
  }
}

extension Proof {
  /// The part of the proof that a layout keeps, at the layout's size.
  fileprivate func arranged(by layout: DisplayLayout) throws(VipsError) -> DisplayPixels {
    let whole = PixelSize(width: width, height: height)
    let frame = layout.frame(in: whole)
    let size = layout.size ?? frame.size
    if frame.size == whole, size == whole {
      return DisplayPixels(width: width, height: height, bytes: pixels)
    }
    var image = try Image.fromMemory(pixels, width: width, height: height, bands: 3, format: .uint8)
    image = try image.part(
      left: frame.left, top: frame.top, width: frame.width, height: frame.height)
    if size != frame.size {
      image = try PictureResizing(to: size, from: frame.size, coding: .sRGB).applied(to: image)
    }
    return DisplayPixels(width: image.width, height: image.height, bytes: try image.pixelBytes())
  }
}

/// JPEGs of pixels in memory: without metadata, with color at full resolution (4:4:4), and without
/// a profile, which means sRGB.
///
/// libvips is not used here, because its start takes longer than reading a hundred thumbnails.
package enum PlainJPEG {
  /// Encodes 8-bit red, green and blue.
  ///
  /// - Parameter quality: 1 to 100.
  /// - Throws: ``RenderError/cannotEncode(detail:)`` beyond 65,500 pixels along a side.
  package static func encoded(
    _ picture: DisplayPixels, quality: Int
  ) throws(RenderError) -> [UInt8] {
    guard let handle = tjInitCompress() else {
      throw .cannotEncode(detail: "the JPEG encoder did not start")
    }
    defer { tjDestroy(handle) }
    var memory: UnsafeMutablePointer<UInt8>?
    var size: UInt = 0
    let result = picture.bytes.withUnsafeBufferPointer { pixels in
      tjCompress2(
        handle, pixels.baseAddress, Int32(clamping: picture.width), 0,
        Int32(clamping: picture.height), Int32(TJPF_RGB.rawValue), &memory, &size,
        Int32(TJSAMP_444.rawValue), Int32(min(max(quality, 1), 100)), TJFLAG_ACCURATEDCT)
    }
    defer { tjFree(memory) }
    guard result == 0, let memory else {
      let detail = tjGetErrorStr2(handle).map { String(cString: $0) }
      throw .cannotEncode(detail: detail ?? "the JPEG encoder gave no reason")
    }
    return Array(UnsafeBufferPointer(start: memory, count: Int(size)))
  }

  /// Decodes a JPEG of red, green and blue that ``encoded(_:quality:)`` made; `nil` when it is
  /// damaged or has more pixels than the limit.
  package static func decoded(
    _ bytes: UnsafeRawBufferPointer, pixelLimit: Int = 1 << 26
  ) -> DisplayPixels? {
    guard let handle = tjInitDecompress(), let start = bytes.baseAddress else { return nil }
    defer { tjDestroy(handle) }
    let jpeg = start.assumingMemoryBound(to: UInt8.self)
    var (width, height, subsampling, space) = (Int32(0), Int32(0), Int32(0), Int32(0))
    guard
      tjDecompressHeader3(
        handle, jpeg, UInt(bytes.count), &width, &height, &subsampling, &space) == 0,
      width > 0, height > 0, Int(width) <= pixelLimit / Int(height)
    else { return nil }
    let count = Int(width) * Int(height) * 3
    var isWhole = false
    let pixels = [UInt8](unsafeUninitializedCapacity: count) { buffer, filled in
      isWhole =
        tjDecompress2(
          handle, jpeg, UInt(bytes.count), buffer.baseAddress, width, 0, height,
          Int32(TJPF_RGB.rawValue), TJFLAG_ACCURATEDCT | TJFLAG_STOPONWARNING) == 0
      filled = isWhole ? count : 0
    }
    guard isWhole else { return nil }
    return DisplayPixels(width: Int(width), height: Int(height), bytes: pixels)
  }
}
