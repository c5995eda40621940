import CVips

/// One run of pixels from a row, as the body of ``Image/mappingScanlines(bands:format:body:)``
/// sees it.
public struct Scanline {
  /// The input's samples: `count` pixels, bands side by side, in the input's sample format.
  public let input: UnsafeRawPointer
  /// Where the output's samples go, in the output's format; every one must be written.
  public let output: UnsafeMutableRawPointer
  /// How many pixels there are.
  public let count: Int
  /// The column of the first.
  public let x: Int
  /// The row.
  public let y: Int
}

extension Image {
  /// An image of the same size whose pixels come from a function of the pixel in the same place.
  ///
  /// libvips calls `body` for parts of rows, from several threads at once and in any order; it
  /// must depend on nothing but its scanline.
  ///
  /// - Parameters:
  ///   - bands: Numbers in a pixel of the result; 1 is taken as grey and 3 as RGB.
  ///   - format: How the result's numbers are stored: `.uint8`, `.uint16` or `.float`.
  ///   - body: Fills one scanline.
  public func mappingScanlines(
    bands: Int, format: SampleFormat, body: @escaping @Sendable (Scanline) -> Void
  ) throws(VipsError) -> Image {
    let result = Image(taking: vips_image_new())
    var inputs: [UnsafeMutablePointer<VipsImage>?] = [pointer, nil]
    guard
      vips_image_pipeline_array(result.pointer, VIPS_DEMAND_STYLE_THINSTRIP, &inputs) == 0
    else { throw .last("pipeline") }
    let (vipsFormat, interpretation) =
      switch format {
      case .uint8:
        (VIPS_FORMAT_UCHAR, bands < 3 ? VIPS_INTERPRETATION_B_W : VIPS_INTERPRETATION_sRGB)
      case .uint16:
        (VIPS_FORMAT_USHORT, bands < 3 ? VIPS_INTERPRETATION_GREY16 : VIPS_INTERPRETATION_RGB16)
      case .float, .other: (VIPS_FORMAT_FLOAT, VIPS_INTERPRETATION_scRGB)
      }
    result.pointer.pointee.Bands = Int32(bands)
    result.pointer.pointee.BandFmt = vipsFormat
    result.pointer.pointee.Type = interpretation
    result.pointer.pointee.Coding = VIPS_CODING_NONE

    // The result owns its input and the body for as long as it lives.
    let work = Unmanaged.passRetained(ScanlineWork(input: self, body: body))
    g_object_set_data_full(
      safelight_object(result.pointer), "safelight-scanlines", work.toOpaque(),
      { Unmanaged<ScanlineWork>.fromOpaque($0!).release() })

    let generate: VipsGenerateFn = { region, sequence, _, work, _ in
      let work = Unmanaged<ScanlineWork>.fromOpaque(work!).takeUnretainedValue()
      guard let region, let sequence else { return -1 }
      let input = sequence.assumingMemoryBound(to: VipsRegion.self)
      var area = region.pointee.valid
      guard vips_region_prepare(input, &area) == 0 else { return -1 }
      for y in area.top..<(area.top + area.height) {
        work.body(
          Scanline(
            input: UnsafeRawPointer(safelight_region_address(input, area.left, y)!),
            output: UnsafeMutableRawPointer(safelight_region_address(region, area.left, y)!),
            count: Int(area.width), x: Int(area.left), y: Int(y)))
      }
      return 0
    }
    guard
      vips_image_generate(
        result.pointer, vips_start_one, generate, vips_stop_one, pointer, work.toOpaque()) == 0
    else { throw .last("generate") }
    return result
  }
}

private final class ScanlineWork: Sendable {
  let input: Image
  let body: @Sendable (Scanline) -> Void

  init(input: Image, body: @escaping @Sendable (Scanline) -> Void) {
    self.input = input
    self.body = body
  }
}
