import SafelightCVips

/// A rectangle of an image's pixels in memory.
public struct PixelArea {
  /// The column of the first pixel of each row.
  public let left: Int
  /// The row that comes first.
  public let top: Int
  /// Pixels in a row.
  public let width: Int
  /// How many rows there are.
  public let height: Int

  private let start: UnsafeMutableRawPointer
  /// Bytes from the start of a row to the start of the next.
  public let stride: Int

  init(_ region: UnsafeMutablePointer<VipsRegion>, _ area: VipsRect) {
    left = Int(area.left)
    top = Int(area.top)
    width = Int(area.width)
    height = Int(area.height)
    start = UnsafeMutableRawPointer(safelight_region_address(region, area.left, area.top)!)
    stride = Int(safelight_region_stride(region))
  }

  /// Where the samples of an image's row begin, at the column ``left``: bands side by side, in the
  /// image's sample format.
  public func address(row y: Int) -> UnsafeMutableRawPointer { start + (y - top) * stride }

  /// A part of the image, in its own coordinates; parts beyond the edges are cut off.
  public struct Bounds: Sendable, Hashable {
    /// The first column and the first row.
    public var left, top: Int
    /// How many columns and rows there are.
    public var width, height: Int

    /// A part from a column and row on.
    public init(left: Int, top: Int, width: Int, height: Int) {
      (self.left, self.top, self.width, self.height) = (left, top, width, height)
    }
  }
}

extension Image {
  /// Fills an area of a computed image from areas of its inputs; false ends the computing with an
  /// error. Called from several threads at once.
  public typealias AreaBody = @Sendable (_ inputs: [PixelArea], _ output: PixelArea) -> Bool

  /// An image whose pixels come from areas of other images.
  ///
  /// - Parameters:
  ///   - inputs: The images that the body reads.
  ///   - model: The image whose format, bands and interpretation the result has.
  ///   - format: Another sample format than the model's.
  ///   - bands: Numbers in a pixel, where a format is given; 1 is taken as gray and 3 as RGB.
  ///   - width: Pixels from left to right of the result.
  ///   - height: Pixels from top to bottom of the result.
  ///   - blocks: The largest width and height of an area that the body gets at once; without it, it
  ///     gets what libvips asks for, often whole rows.
  ///   - needing: The part of every input that a part of the result is made from; the same part
  ///     without it. What lies outside an input is left out of the area that the body gets.
  ///   - body: Fills an area; must depend on nothing but the pixels' places and the inputs.
  public static func computed(
    from inputs: [Image], like model: Image, format: SampleFormat? = nil, bands: Int? = nil,
    width: Int, height: Int, blocks: (width: Int, height: Int)? = nil,
    needing: @escaping @Sendable (PixelArea.Bounds) -> PixelArea.Bounds = { $0 },
    _ body: @escaping AreaBody
  ) throws(VipsError) -> Image {
    let result = Image(taking: vips_image_new())
    var pointers: [UnsafeMutablePointer<VipsImage>?] = inputs.map(\.pointer) + [nil]
    var models: [UnsafeMutablePointer<VipsImage>?] = [model.pointer, nil]
    guard vips_image_pipeline_array(result.pointer, VIPS_DEMAND_STYLE_THINSTRIP, &models) == 0
    else { throw .last("pipeline") }
    if !inputs.isEmpty {
      // The first call copied the model's header; this one orders the inputs below the result.
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

/// What a computed image needs while its pixels are made.
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
