import SafelightCVips

/// A rectangle of an image's pixels in memory.
package struct PixelArea {
  /// The column of the first pixel of each row.
  package let left: Int
  /// The row that comes first.
  package let top: Int
  /// Pixels in a row.
  package let width: Int
  /// The number of rows.
  package let height: Int

  private let start: UnsafeMutableRawPointer
  /// Bytes from the start of a row to the start of the next.
  package let stride: Int

  init(_ region: UnsafeMutablePointer<VipsRegion>, _ area: VipsRect) {
    left = Int(area.left)
    top = Int(area.top)
    width = Int(area.width)
    height = Int(area.height)
    start = UnsafeMutableRawPointer(safelight_region_address(region, area.left, area.top)!)
    stride = Int(safelight_region_stride(region))
  }

  /// The address of the samples of a row of the image, from the column ``left`` on: bands side by
  /// side, in the image's sample format.
  package func address(row y: Int) -> UnsafeMutableRawPointer { start + (y - top) * stride }

  /// A part of an image, in the coordinates of the image; what lies beyond the edges is cut off.
  package struct Bounds: Sendable, Hashable {
    /// The first column and the first row.
    package var left, top: Int
    /// The number of columns and rows.
    package var width, height: Int

    /// A part that begins at a column and a row.
    package init(left: Int, top: Int, width: Int, height: Int) {
      (self.left, self.top, self.width, self.height) = (left, top, width, height)
    }
  }
}

extension Image {
  /// Fills an area of a computed image from areas of its inputs; `false` ends the computation with
  /// an error. Called from several threads at once.
  package typealias AreaBody = @Sendable (_ inputs: [PixelArea], _ output: PixelArea) -> Bool

  /// An image whose pixels come from areas of other images.
  ///
  /// - Parameters:
  ///   - inputs: The images that the body reads.
  ///   - model: The image whose format, bands and interpretation the result has.
  ///   - format: The sample format; `nil` means the model's.
  ///   - bands: The numbers in a pixel when a format is given; 1 means gray and 3 means RGB.
  ///   - width: Pixels from left to right of the result.
  ///   - height: Pixels from top to bottom of the result.
  ///   - blocks: The largest width and height of an area for one call of the body; `nil` means the
  ///     areas that libvips asks for, often whole rows.
  ///   - needing: The part of every input that is needed for a part of the result; by default the
  ///     same part. The body gets the part of it that lies inside the input.
  ///   - body: Fills an area. The result must depend only on the places of the pixels and the
  ///     inputs.
  package static func computed(
    from inputs: [Image], like model: Image, format: SampleFormat? = nil, bands: Int? = nil,
    width: Int, height: Int, blocks: (width: Int, height: Int)? = nil,
    needing: @escaping @Sendable (PixelArea.Bounds) -> PixelArea.Bounds = { $0 },
    _ body: @escaping AreaBody
  ) throws(VipsError) -> Image {
    let result = Image(taking: vips_image_new())
    var pointers: [UnsafeMutablePointer<VipsImage>?] = inputs.map(\.pointer) + [nil]
    // The first image of a call gives its header, and all are ordered below the result.
    if inputs.first !== model {
      var models: [UnsafeMutablePointer<VipsImage>?] = [model.pointer, nil]
      guard vips_image_pipeline_array(result.pointer, VIPS_DEMAND_STYLE_THINSTRIP, &models) == 0
      else { throw .last("pipeline") }
    }
    if !inputs.isEmpty {
      guard vips_image_pipeline_array(result.pointer, VIPS_DEMAND_STYLE_THINSTRIP, &pointers) == 0
      else { throw .last("pipeline") }
    }
    result.pointer.pointee.Xsize = Int32(width)
    result.pointer.pointee.Ysize = Int32(height)
    if let format { result.setFormat(format, bands: bands ?? model.bands) }

    // The result owns its inputs and the body for as long as it lives.
    let work = Unmanaged.passRetained(
      AreaWork(inputs: inputs, blocks: blocks, needing: needing, body: body))
    g_object_set_data_full(
      safelight_object(result.pointer), "safelight-areas", work.toOpaque(),
      { Unmanaged<AreaWork>.fromOpaque($0!).release() })
    guard
      vips_image_generate(
        result.pointer, AreaWork.start, AreaWork.generate, AreaWork.stop, nil,
        work.toOpaque()) == 0
    else { throw .last("generate") }
    return result
  }
}

extension Image {
  /// Says how the samples of a new image are stored.
  private func setFormat(_ format: SampleFormat, bands: Int) {
    let (vipsFormat, interpretation) =
      switch format {
      case .uint8:
        (VIPS_FORMAT_UCHAR, bands < 3 ? VIPS_INTERPRETATION_B_W : VIPS_INTERPRETATION_sRGB)
      case .uint16:
        (VIPS_FORMAT_USHORT, bands < 3 ? VIPS_INTERPRETATION_GREY16 : VIPS_INTERPRETATION_RGB16)
      case .float, .other: (VIPS_FORMAT_FLOAT, VIPS_INTERPRETATION_scRGB)
      }
    pointer.pointee.Bands = Int32(bands)
    pointer.pointee.BandFmt = vipsFormat
    pointer.pointee.Type = interpretation
    pointer.pointee.Coding = VIPS_CODING_NONE
  }
}

/// What a computed image needs while its pixels are computed.
private final class AreaWork: Sendable {
  let inputs: [Image]
  let blocks: (width: Int, height: Int)?
  let needing: @Sendable (PixelArea.Bounds) -> PixelArea.Bounds
  let body: Image.AreaBody

  init(
    inputs: [Image], blocks: (width: Int, height: Int)?,
    needing: @escaping @Sendable (PixelArea.Bounds) -> PixelArea.Bounds,
    body: @escaping Image.AreaBody
  ) {
    self.inputs = inputs
    self.blocks = blocks
    self.needing = needing
    self.body = body
  }

  /// The regions that one thread reads the inputs through.
  private final class Sequence {
    let regions: [UnsafeMutablePointer<VipsRegion>]

    init(_ work: AreaWork) {
      regions = work.inputs.map { vips_region_new($0.pointer) }
    }

    deinit {
      for region in regions { g_object_unref(region) }
    }
  }

  static let start: VipsStartFn = { _, _, work in
    let work = Unmanaged<AreaWork>.fromOpaque(work!).takeUnretainedValue()
    return Unmanaged.passRetained(Sequence(work)).toOpaque()
  }

  static let stop: VipsStopFn = { sequence, _, _ in
    Unmanaged<Sequence>.fromOpaque(sequence!).release()
    return 0
  }

  static let generate: VipsGenerateFn = { region, sequence, _, work, _ in
    let work = Unmanaged<AreaWork>.fromOpaque(work!).takeUnretainedValue()
    let sequence = Unmanaged<Sequence>.fromOpaque(sequence!).takeUnretainedValue()
    guard let region else { return -1 }
    let area = PixelArea.Bounds(region.pointee.valid)
    let block = work.blocks ?? (area.width, area.height)
    for top in stride(from: area.top, to: area.top + area.height, by: block.height) {
      for left in stride(from: area.left, to: area.left + area.width, by: block.width) {
        let part = PixelArea.Bounds(
          left: left, top: top, width: min(block.width, area.left + area.width - left),
          height: min(block.height, area.top + area.height - top))
        guard work.fill(part, of: region, through: sequence) else { return -1 }
      }
    }
    return 0
  }

  private func fill(
    _ area: PixelArea.Bounds, of region: UnsafeMutablePointer<VipsRegion>,
    through sequence: Sequence
  ) -> Bool {
    let needed = needing(area)
    var parts: [PixelArea] = []
    for (image, input) in zip(inputs, sequence.regions) {
      var part = VipsRect(needed.clipped(width: image.width, height: image.height))
      guard vips_region_prepare(input, &part) == 0 else { return false }
      parts.append(PixelArea(input, part))
    }
    return body(parts, PixelArea(region, VipsRect(area)))
  }
}

extension PixelArea.Bounds {
  fileprivate init(_ area: VipsRect) {
    self.init(
      left: Int(area.left), top: Int(area.top), width: Int(area.width), height: Int(area.height))
  }

  /// The part that lies inside an image; at least one pixel.
  fileprivate func clipped(width: Int, height: Int) -> PixelArea.Bounds {
    let left = min(max(self.left, 0), width - 1)
    let top = min(max(self.top, 0), height - 1)
    return PixelArea.Bounds(
      left: left, top: top,
      width: max(min(self.left + self.width, width) - left, 1),
      height: max(min(self.top + self.height, height) - top, 1))
  }
}

extension VipsRect {
  fileprivate init(_ bounds: PixelArea.Bounds) {
    self.init(
      left: Int32(bounds.left), top: Int32(bounds.top), width: Int32(bounds.width),
      height: Int32(bounds.height))
  }
}

/// A run of pixels of one row, for the body of ``Image/mappingScanlines(bands:format:body:)``.
package struct Scanline {
  /// The input's samples: `count` pixels, bands side by side, in the input's sample format.
  package let input: UnsafeRawPointer
  /// Memory for the output's samples, in the output's format. Every sample must be written.
  package let output: UnsafeMutableRawPointer
  /// The number of pixels.
  package let count: Int
  /// The column of the first pixel.
  package let x: Int
  /// The row.
  package let y: Int

  /// Describes a run of pixels.
  package init(
    input: UnsafeRawPointer, output: UnsafeMutableRawPointer, count: Int, x: Int, y: Int
  ) {
    (self.input, self.output, self.count) = (input, output, count)
    (self.x, self.y) = (x, y)
  }
}

extension Image {
  /// An image of the same size in which each pixel is a function of the pixel at the same place.
  ///
  /// libvips calls `body` for parts of rows, from several threads at once and in any order. The
  /// result must depend only on the scanline.
  ///
  /// - Parameters:
  ///   - bands: The numbers in a pixel of the result; 1 means gray and 3 means RGB.
  ///   - format: How the numbers of the result are stored: `.uint8`, `.uint16` or `.float`.
  ///   - body: Fills one scanline.
  package func mappingScanlines(
    bands: Int, format: SampleFormat, body: @escaping @Sendable (Scanline) -> Void
  ) throws(VipsError) -> Image {
    try Image.computed(
      from: [self], like: self, format: format, bands: bands, width: width, height: height
    ) { inputs, output in
      for y in output.top..<(output.top + output.height) {
        body(
          Scanline(
            input: UnsafeRawPointer(inputs[0].address(row: y)), output: output.address(row: y),
            count: output.width, x: output.left, y: y))
      }
      return true
    }
  }
}
