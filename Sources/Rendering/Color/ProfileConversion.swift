import SafelightCLCMS
import SafelightVips

/// lcms2's way from the codes of a profile to sRGB, for profiles that are more than curves and a matrix.
///
/// It is one step. By way of Lab, as `vips_icc_transform` goes, whites brighter than the profile's own would be cut off.
final class ProfileConversion: @unchecked Sendable {
  // `@unchecked`: the transform has no cache, and then lcms2 lets several threads use it.
  private let transform: cmsHTRANSFORM
  private let channels: Int

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

  /// The picture in 16-bit sRGB; bands beyond those of the profile are left out.
  ///
  /// - Parameter image: Whole numbers of 8 or 16 bits.
  func applied(to image: Image) throws(VipsError) -> Image {
    let (bands, channels) = (image.bands, channels)
    let isWide = image.sampleFormat == .uint16
    return try image.mappingScanlines(bands: 3, format: .uint16) { line in
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
        cmsDoTransform(self.transform, codes.baseAddress!, line.output, UInt32(line.count))
      }
    }
  }
}
