import FoundationEssentials
import SafelightCLCMS

/// What an ICC profile says, as far as rendering needs it.
struct ColorProfile: Sendable {
  /// How the profile describes its colors.
  enum Model: Sendable {
    /// Codes are sRGB's, within half a code of 255 on gray and 0.2 % of the primaries.
    case sRGB
    /// A curve for each channel and a matrix: Display P3, Adobe RGB, ProPhoto RGB.
    case matrix(MatrixProfile)
    /// A curve from gray codes to linear light.
    case gray(ToneResponse)
    /// Tables for red, green and blue; only lcms2 converts these.
    case table
    /// Cyan, magenta, yellow and black; only lcms2 converts these.
    case cmyk
  }

  let model: Model

  /// Reads a profile; `nil` when it is damaged or of a kind that no photo has.
  init?(_ bytes: [UInt8]) {
    guard let handle = cmsOpenProfileFromMem(bytes, UInt32(bytes.count)) else { return nil }
    defer { cmsCloseProfile(handle) }
    switch cmsGetColorSpace(handle) {
    case cmsSigRgbData:
      guard let model = Self.rgbModel(handle) else { return nil }
      self.model = model
    case cmsSigGrayData:
      guard let response = ToneResponse(handle, cmsSigGrayTRCTag) else { return nil }
      model = .gray(response)
    case cmsSigCmykData: model = .cmyk
    default: return nil
    }
  }

  private static func rgbModel(_ handle: cmsHPROFILE) -> Model? {
    // A profile may hold tables beside its matrix; the tables are then what it means.
    guard cmsIsTag(handle, cmsSigAToB0Tag) == 0 else { return .table }
    guard cmsIsMatrixShaper(handle) != 0,
      let red = ToneResponse(handle, cmsSigRedTRCTag),
      let green = ToneResponse(handle, cmsSigGreenTRCTag),
      let blue = ToneResponse(handle, cmsSigBlueTRCTag),
      let r = colorant(handle, cmsSigRedColorantTag),
      let g = colorant(handle, cmsSigGreenColorantTag),
      let b = colorant(handle, cmsSigBlueColorantTag)
    else { return nil }
    let toXYZ = ColorMatrix([r.X, g.X, b.X, r.Y, g.Y, b.Y, r.Z, g.Z, b.Z])
    guard let fromXYZ = ColorMatrix.sRGBToXYZ.inverse,
      let toSRGB = (fromXYZ * toXYZ).keepingWhite, let fromSRGB = toSRGB.inverse
    else {
      // White is not white here: a camera or scanner profile. lcms2 knows what to do with it.
      return .table
    }
    let responses = [red, green, blue]
    if toSRGB.distanceFromIdentity < 0.002, responses.allSatisfy(\.isSRGB) { return .sRGB }
    return .matrix(MatrixProfile(responses: responses, toSRGB: toSRGB, fromSRGB: fromSRGB))
  }

  private static func colorant(_ handle: cmsHPROFILE, _ tag: cmsTagSignature) -> cmsCIEXYZ? {
    cmsReadTag(handle, tag)?.assumingMemoryBound(to: cmsCIEXYZ.self).pointee
  }
}

/// A profile of three curves and a matrix.
struct MatrixProfile: Sendable {
  /// From codes to linear light, for red, green and blue.
  let responses: [ToneResponse]
  /// From the profile's linear light to linear sRGB.
  let toSRGB: ColorMatrix
  /// From linear sRGB to the profile's linear light.
  let fromSRGB: ColorMatrix
}
