import SafelightCLCMS
import SafelightVips

/// lcms2's way from the codes of a profile to those of another one, for profiles that are more than curves and a matrix.
///
/// To sRGB it is one step. By way of Lab, as `vips_icc_transform` goes, whites brighter than the profile's own would be cut off.
///
/// To an output's profile Safelight goes the first part of the way, to XYZ, and lcms2 the rest in floats, which takes a
/// quarter of its own time for all; ``ConversionMemory`` keeps what it gave.
final class ProfileConversion: @unchecked Sendable {
  // `@unchecked`: the transform has no cache, and then lcms2 lets several threads use it.
  private let transform: cmsHTRANSFORM
  private let channels: Int
  /// The channels of the result.
  private let results: Int
  /// The way to what an output's transform takes; `nil` for a transform that takes codes.
  private var way: LightWay?
  /// What an output's transform gave before.
  private var memory: ConversionMemory?

  /// From red, green and blue to an output's profile.
  ///
  /// - Parameters:
  ///   - coding: What the codes mean. Their white is that of the connection space, as in profiles of displays.
  ///   - file: The output's profile, which may be anything.
  ///   - isGray: Whether all pixels are gray, which a profile of gray needs.
  ///   - format: The format of the file, which a profile of gray needs to hold gray.
  /// - Throws: ``RenderError/unusableFile(name:reason:)`` for a profile that cannot be converted to.
  init(
    from coding: PixelCoding, to file: OutputAttachment, _ intent: RenderOutput.Intent,
    _ blackPoint: RenderOutput.BlackPoint, isGray: Bool, for format: RenderOutput.Format
  ) throws(RenderError) {
    func refuse(_ reason: String) -> RenderError {
      .unusableFile(name: file.name, reason: reason)
    }
    guard let bytes = file.bytes else { throw refuse("was not read") }
    guard let target = cmsOpenProfileFromMem(bytes, UInt32(bytes.count)) else {
      throw refuse("is no ICC profile")
    }
    defer { cmsCloseProfile(target) }
    switch cmsGetDeviceClass(target) {
    case cmsSigInputClass, cmsSigDisplayClass, cmsSigOutputClass, cmsSigColorSpaceClass: break
    default: throw refuse("is no profile of a device or a color space")
    }
    let kind: Int32
    switch cmsGetColorSpace(target) {
    case cmsSigRgbData: (kind, results) = (PT_RGB, 3)
    case cmsSigGrayData:
      guard isGray else { throw refuse("is a profile of gray, and the picture has colors") }
      guard format.file.holdsGray else {
        throw refuse("is a profile of gray, and \(format.file.title) holds gray as colors")
      }
      (kind, results) = (PT_GRAY, 1)
    case cmsSigCmykData:
      throw refuse(
        "is a profile of cyan, magenta, yellow and black; pictures have red, green and blue")
    default: throw refuse("is a profile of other channels than red, green and blue")
    }
    guard let origin = cmsCreateXYZProfile() else {
      throw .cannotEncode(detail: "lcms2 has no memory")
    }
    defer { cmsCloseProfile(origin) }
    // Tables of its own would round where colors leave a gamut: by 0.8 dE2000 in dark tones of a paper.
    var flags = cmsFLAGS_NOCACHE | cmsFLAGS_NOOPTIMIZE
    if blackPoint == .compensate { flags |= cmsFLAGS_BLACKPOINTCOMPENSATION }
    // lcms2 describes samples in bits: floats, the kind of color, the number of channels, four bytes each.
    let float = UInt32(1) << 22 | 4
    guard
      let found = cmsCreateTransform(
        origin, float | UInt32(PT_XYZ) << 16 | 3 << 3, target,
        float | UInt32(kind) << 16 | UInt32(results) << 3, intent.number, UInt32(flags))
    else { throw refuse("has no way from other colors to its own") }
    transform = found
    channels = 3
    way = LightWay(coding)
    memory = results == 3 ? ConversionMemory() : nil
  }

  /// Takes relative colorimetric colors with compensation of black where the profile has them, and otherwise those that
  /// lcms2 takes instead; `nil` when lcms2 cannot convert at all, or to one color only.
  ///
  /// - Parameters:
  ///   - kind: lcms2's number for red, green and blue, for gray or for inks.
  ///   - hasTables: Whether lcms2 may put all steps into one table, as it does by itself. Tables of inks take 0.8 µs for a
  ///     pixel without that and 0.1 µs with it, and differ by 0.1 to 0.5 units of L* in the mean.
  init?(_ profile: cmsHPROFILE, _ kind: Int32, channels: Int, hasTables: Bool) {
    guard let sRGB = cmsCreate_sRGBProfile() else { return nil }
    defer { cmsCloseProfile(sRGB) }
    // lcms2 describes samples in bits: the kind of color, the number of channels, two bytes each.
    let (input, output) = (
      UInt32(kind) << 16 | UInt32(channels) << 3 | 2, UInt32(PT_RGB) << 16 | 3 << 3 | 2
    )
    let flags =
      cmsFLAGS_NOCACHE | cmsFLAGS_BLACKPOINTCOMPENSATION
      | (hasTables ? 0 : cmsFLAGS_NOOPTIMIZE)
    var found: cmsHTRANSFORM?
    for intent in [INTENT_RELATIVE_COLORIMETRIC, INTENT_PERCEPTUAL, INTENT_SATURATION]
    where found == nil
      && cmsIsIntentSupported(profile, UInt32(intent), UInt32(LCMS_USED_AS_INPUT)) != 0
    {
      found = cmsCreateTransform(
        profile, input, sRGB, output, UInt32(intent), UInt32(flags))
    }
    guard let found else { return nil }
    transform = found
    self.channels = channels
    results = 3
    if !tellsCodesApart { return nil }
  }

  /// Whether the smallest and the largest codes are different colors. Those of a curve that is level are not.
  private var tellsCodesApart: Bool {
    let ends =
      [UInt16](repeating: 0, count: channels) + [UInt16](repeating: 65_535, count: channels)
    var colors = [UInt16](repeating: 0, count: 6)
    cmsDoTransform(transform, ends, &colors, 2)
    return colors[..<3] != colors[3...]
  }

  deinit {
    cmsDeleteTransform(transform)
  }

  /// The picture in 16-bit codes of the result; bands beyond those of the profile are left out.
  ///
  /// - Parameter image: Whole numbers of 8 or 16 bits.
  func applied(to image: Image) throws(VipsError) -> Image {
    let (bands, channels) = (image.bands, channels)
    let isWide = image.sampleFormat == .uint16
    return try image.mappingScanlines(bands: results, format: .uint16) { line in
      withUnsafeTemporaryAllocation(of: UInt16.self, capacity: line.count * channels) { codes in
        for pixel in 0..<line.count {
          for channel in 0..<channels {
            let place = pixel * bands + channel
            codes[pixel * channels + channel] =
              isWide
              ? line.input.load(fromByteOffset: 2 * place, as: UInt16.self)
              : 257 * UInt16(line.input.load(fromByteOffset: place, as: UInt8.self))
          }
        }
        let output = line.output.assumingMemoryBound(to: UInt16.self)
        if let memory = self.memory {
          memory.convert(codes.baseAddress!, to: output, count: line.count, by: self.convert)
        } else {
          self.convert(codes.baseAddress!, to: output, count: line.count)
        }
      }
    }
  }

  /// Converts codes by lcms2.
  private func convert(
    _ codes: UnsafePointer<UInt16>, to output: UnsafeMutablePointer<UInt16>, count: Int
  ) {
    guard let way else { return cmsDoTransform(transform, codes, output, UInt32(count)) }
    withUnsafeTemporaryAllocation(of: Float.self, capacity: 6 * count) { floats in
      let (light, found) = (floats.baseAddress!, floats.baseAddress! + 3 * count)
      way.convert(codes, to: light, count: count)
      cmsDoTransform(transform, light, found, UInt32(count))
      for index in 0..<(results * count) {
        // What is no number becomes 0.
        output[index] = UInt16((found[index] > 0 ? min(found[index], 1) : 0) * 65_535 + 0.5)
      }
    }
  }
}

/// From 16-bit codes to XYZ relative to D50.
private struct LightWay {
  /// The light of each code, for red, green and blue.
  private let light: [[Float]]
  /// From that light to XYZ, row after row.
  private let toXYZ: [Float]

  init(_ coding: PixelCoding) {
    let functions = coding.light.fromCodes.functions
    light = (0..<3).map { channel in
      (0...65_535).map { Float(functions[min(channel, functions.count - 1)](Double($0) / 65_535)) }
    }
    var matrix = ColorMatrix.sRGBToXYZ
    if case .matrix(let profile) = coding { matrix = matrix * profile.toSRGB }
    toXYZ = matrix.elements.map { Float($0) }
  }

  func convert(
    _ codes: UnsafePointer<UInt16>, to output: UnsafeMutablePointer<Float>, count: Int
  ) {
    for pixel in 0..<count {
      let red = light[0][Int(codes[3 * pixel])]
      let green = light[1][Int(codes[3 * pixel + 1])]
      let blue = light[2][Int(codes[3 * pixel + 2])]
      for row in 0..<3 {
        output[3 * pixel + row] =
          toXYZ[3 * row] * red + toXYZ[3 * row + 1] * green + toXYZ[3 * row + 2] * blue
      }
    }
  }
}

extension RenderedPicture {
  /// The way of the picture to the profile of a file.
  ///
  /// - Parameter coding: What the picture's 16-bit codes mean.
  func conversion(
    from coding: PixelCoding, to target: OutputAttachment, for output: RenderOutput
  ) throws(RenderError) -> ProfileConversion {
    try ProfileConversion(
      from: coding, to: target, output.intent, output.blackPoint,
      isGray: isGray, for: output.format)
  }

  /// The picture in the profile of a file, 8 or 16 bits a channel.
  func converted(by conversion: ProfileConversion, wide: Bool) throws(VipsError) -> RenderedPicture
  {
    let codes = try conversion.applied(to: image)
    return replacing(try wide ? codes : codes.roundedToEightBits())
  }
}
