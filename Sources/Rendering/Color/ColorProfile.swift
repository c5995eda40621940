import Glibc
import SafelightCLCMS

/// The parts of an ICC profile that rendering needs.
struct ColorProfile: Sendable {
  /// How the profile describes its colors.
  enum Model: Sendable {
    /// Codes are sRGB's, within half a code of 255 on gray and 0.2 % of the primaries.
    case sRGB
    /// A curve for each channel and a matrix: Display P3, Adobe RGB, ProPhoto RGB.
    case matrix(MatrixProfile)
    /// A curve from gray codes to linear light.
    case gray(ToneResponse)
    /// Red, green and blue that only lcms2 converts: by tables, or by curves that fall.
    case table(ProfileConversion)
    /// Gray that only lcms2 converts.
    case grayTable(ProfileConversion)
    /// Cyan, magenta, yellow and black; only lcms2 converts these.
    case cmyk(ProfileConversion)
    /// Channels that no photo has, such as those of a profile of Lab.
    case other
  }

  let model: Model

  /// Reads a profile; `nil` when lcms2 cannot read it or cannot convert from it.
  init?(_ bytes: [UInt8]) {
    guard let handle = cmsOpenProfileFromMem(bytes, UInt32(bytes.count)) else { return nil }
    defer { cmsCloseProfile(handle) }
    let model: Model? =
      switch cmsGetColorSpace(handle) {
      case cmsSigRgbData:
        Self.matrix(handle)
          ?? Self.conversion(handle, PT_RGB, channels: 3).map(Model.table)
      case cmsSigGrayData:
        Self.grayCurve(handle)
          ?? Self.conversion(handle, PT_GRAY, channels: 1).map(Model.grayTable)
      case cmsSigCmykData: Self.conversion(handle, PT_CMYK, channels: 4).map(Model.cmyk)
      default: .other
      }
    guard let model else { return nil }
    self.model = model
  }

  /// The codes of a profile whose colors Safelight's own curves and matrix give as lcms2 does: white and black are those of
  /// the connection space, and there are no tables. `nil` for others.
  static func plainCoding(_ bytes: [UInt8]) -> PixelCoding? {
    guard let handle = cmsOpenProfileFromMem(bytes, UInt32(bytes.count)) else { return nil }
    defer { cmsCloseProfile(handle) }
    guard cmsGetColorSpace(handle) == cmsSigRgbData,
      [cmsSigDisplayClass, cmsSigColorSpaceClass].contains(cmsGetDeviceClass(handle)),
      let model = matrix(handle, within: 0.0005)
    else { return nil }
    switch model {
    case .sRGB: return .sRGB
    case .matrix(let profile):
      return profile.responses.allSatisfy { $0.linear(0) == 0 && $0.linear(1) == 1 }
        ? .matrix(profile) : nil
    default: return nil
    }
  }

  /// Whether a profile has the codes of sRGB; says it sooner than ``init(_:)`` of a profile of tables.
  static func isSRGB(_ bytes: [UInt8]) -> Bool {
    guard let handle = cmsOpenProfileFromMem(bytes, UInt32(bytes.count)) else { return false }
    defer { cmsCloseProfile(handle) }
    guard cmsGetColorSpace(handle) == cmsSigRgbData, case .sRGB? = matrix(handle) else {
      return false
    }
    return true
  }

  /// Whether a profile has the codes of Adobe RGB (1998), within the same bounds.
  static func isAdobeRGB(_ bytes: [UInt8]) -> Bool {
    guard let handle = cmsOpenProfileFromMem(bytes, UInt32(bytes.count)) else { return false }
    defer { cmsCloseProfile(handle) }
    guard cmsGetColorSpace(handle) == cmsSigRgbData, case .matrix(let profile)? = matrix(handle),
      case .matrix(let adobe)? = RenderOutput.Profile.adobeRGB.coding
    else { return false }
    return zip(profile.toSRGB.elements, adobe.toSRGB.elements).allSatisfy { abs($0 - $1) < 0.002 }
      && profile.responses.allSatisfy { response in
        (0...255).allSatisfy { code in
          let encoded = Double(code) / 255
          return abs(adobe.responses[0].code(response.linear(encoded)) - encoded) < 0.5 / 255
        }
      }
  }

  /// The way to sRGB by lcms2; `nil` when lcms2 cannot convert.
  private static func conversion(
    _ handle: cmsHPROFILE, _ kind: Int32, channels: Int
  ) -> ProfileConversion? {
    ProfileConversion(
      handle, kind, channels: channels, hasTables: channels == 4 || prefersTables(handle))
  }

  /// Whether lcms2 takes tables for relative colorimetric colors, where a profile also has curves.
  private static func prefersTables(_ handle: cmsHPROFILE) -> Bool {
    [cmsSigDToB1Tag, cmsSigAToB0Tag, cmsSigAToB1Tag].contains { cmsIsTag(handle, $0) != 0 }
  }

  /// Curves that rise and a matrix that keeps white white; `nil` for what only lcms2 can convert, such as the white
  /// of a camera or scanner.
  ///
  /// - Parameter tolerance: How far white may be from white.
  private static func matrix(_ handle: cmsHPROFILE, within tolerance: Double = 0.1) -> Model? {
    guard !prefersTables(handle),
      let red = curve(handle, cmsSigRedTRCTag).flatMap(ToneResponse.init),
      let green = curve(handle, cmsSigGreenTRCTag).flatMap(ToneResponse.init),
      let blue = curve(handle, cmsSigBlueTRCTag).flatMap(ToneResponse.init),
      let r = colorant(handle, cmsSigRedColorantTag),
      let g = colorant(handle, cmsSigGreenColorantTag),
      let b = colorant(handle, cmsSigBlueColorantTag)
    else { return nil }
    let toXYZ = ColorMatrix([r.X, g.X, b.X, r.Y, g.Y, b.Y, r.Z, g.Z, b.Z])
    guard let fromXYZ = ColorMatrix.sRGBToXYZ.inverse,
      let toSRGB = (fromXYZ * toXYZ).keepingWhite(within: tolerance), let fromSRGB = toSRGB.inverse
    else { return nil }
    let responses = [red, green, blue]
    if toSRGB.distanceFromIdentity < 0.002, responses.allSatisfy(\.isSRGB) { return .sRGB }
    return .matrix(MatrixProfile(responses: responses, toSRGB: toSRGB, fromSRGB: fromSRGB))
  }

  /// A curve that rises; `nil` for what only lcms2 can convert. With a connection space of Lab the curve gives L*
  /// (ICC.1:2022, F.2).
  private static func grayCurve(_ handle: cmsHPROFILE) -> Model? {
    guard !prefersTables(handle), let samples = curve(handle, cmsSigGrayTRCTag) else { return nil }
    let isLightness = cmsGetPCS(handle) == cmsSigLabData
    return ToneResponse(isLightness ? samples.map(Self.luminance) : samples).map(Model.gray)
  }

  /// Luminance of a lightness; both from 0 to 1. Source: CIE 15:2018, 8.2.1.
  private static func luminance(ofLightness lightness: Double) -> Double {
    let l = 100 * lightness
    return l > 8 ? pow((l + 16) / 116, 3) : l * 27 / 24_389
  }

  /// Linear light for each of 4,097 codes, evenly spaced; `nil` when the profile has no such curve.
  private static func curve(_ handle: cmsHPROFILE, _ tag: cmsTagSignature) -> [Double]? {
    guard let raw = cmsReadTag(handle, tag) else { return nil }
    let curve = OpaquePointer(raw)
    return (0...4096).map { Double(cmsEvalToneCurveFloat(curve, Float($0) / 4096)) }
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

  init(responses: [ToneResponse], toSRGB: ColorMatrix, fromSRGB: ColorMatrix) {
    (self.responses, self.toSRGB, self.fromSRGB) = (responses, toSRGB, fromSRGB)
  }

  /// Primaries with the curve of sRGB; `nil` for primaries that span no colors.
  init?(_ primaries: ColorPrimaries) {
    let profile = StandardProfile(primaries: primaries, curve: .sRGB)
    switch ColorProfile(profile.bytes)?.model {
    case .matrix(let matrix)?: self = matrix
    case .sRGB?:
      self.init(
        responses: [ToneResponse](repeating: ToneResponse(.sRGB), count: 3), toSRGB: .identity,
        fromSRGB: .identity)
    default: return nil
    }
  }

  /// The same primaries with other curves.
  func with(_ response: ToneResponse) -> MatrixProfile {
    MatrixProfile(
      responses: [response, response, response], toSRGB: toSRGB, fromSRGB: fromSRGB)
  }
}

/// A curve from codes (0 to 1) to linear light (0 to 1).
struct ToneResponse: Sendable, Equatable {
  /// Linear light for each of some codes, evenly spaced.
  private let samples: [Double]

  /// Takes a curve that rises from dark to light; `nil` for any other.
  ///
  /// Curves of good profiles fall by a hair: those by the constants of Rec. 709 where their two parts meet, measured ones
  /// by a code of 65,535. They count as level there.
  init?(_ samples: [Double]) {
    guard samples.allSatisfy(\.isFinite), let first = samples.first, let last = samples.last,
      last - first > 0.5
    else { return nil }
    var highest = first
    let risen = samples.map { sample in
      highest = max(highest, sample)
      return highest
    }
    guard zip(risen, samples).allSatisfy({ $0 - $1 < Self.hair }) else { return nil }
    self.samples = risen
  }

  /// The largest step down that nobody sees: near black a fifth of a unit of L*.
  private static let hair = 1 / 4096.0

  /// A curve of a standard. Whole numbers of video leave room for the signal below black and above white.
  ///
  /// - Parameter range: The codes of black and white.
  init(_ curve: TransferCurve, between range: ClosedRange<Double> = 0...1) {
    samples = (0...4096).map { index in
      let code = (Double(index) / 4096 - range.lowerBound) / (range.upperBound - range.lowerBound)
      return curve.light(min(max(code, 0), 1))
    }
  }

  /// Whether equal steps of codes look about equal, so that 8 bits are enough: middle gray is a code in the middle.
  /// Linear light and logarithms are not.
  var isPerceptual: Bool { (0.33...0.6).contains(code(0.18)) }

  /// Linear light of a code; codes below 0 count as 0, codes above 1 as 1.
  func linear(_ code: Double) -> Double {
    let position = min(max(code, 0), 1) * Double(samples.count - 1)
    let index = min(Int(position), samples.count - 2)
    let share = position - Double(index)
    return samples[index] + (samples[index + 1] - samples[index]) * share
  }

  /// Whether the curve differs from that of sRGB by less than half a code of 255.
  var isSRGB: Bool {
    (0...255).allSatisfy { code in
      let encoded = Double(code) / 255
      return abs(SRGBTransfer.encoded(linear(encoded)) - encoded) < 0.5 / 255
    }
  }

  /// The code whose linear light is `linear`, by bisection and a straight line between two samples;
  /// 0 or 1 for light beyond the ends of the curve.
  func code(_ linear: Double) -> Double {
    var (low, high) = (0, samples.count - 1)
    while high - low > 1 {
      let middle = (low + high) / 2
      if samples[middle] <= linear { low = middle } else { high = middle }
    }
    let step = samples[high] - samples[low]
    let share = step > 0 ? min(max((linear - samples[low]) / step, 0), 1) : 0
    return (Double(low) + share) / Double(samples.count - 1)
  }
}

/// How the whole numbers of a file stand for colors.
enum PixelCoding: Sendable {
  /// sRGB codes, as in a photo without a profile.
  case sRGB
  /// Codes of a profile of curves and a matrix.
  case matrix(MatrixProfile)
  /// Gray codes of a profile; pixels have one band.
  case gray(ToneResponse)
  /// Codes of a high dynamic range; only photos have them, never renders.
  case hdr(HDRCoding)

  /// The space that decoding gives without a further conversion.
  var nativeSpace: ColorSpace {
    switch self {
    case .sRGB: .encoded
    case .matrix, .gray, .hdr: .linear
    }
  }

  /// Whether equal channels have equal codes.
  var keepsGray: Bool {
    if case .matrix(let profile) = self {
      profile.responses.allSatisfy { $0 == profile.responses[0] }
    } else {
      true
    }
  }

  /// From codes, as shares of the largest code, to colors in ``nativeSpace``.
  var decoding: [ColorStep] {
    switch self {
    case .sRGB: []
    case .matrix(let profile):
      [.curves(profile.linearizing, in: .linear), .matrix(profile.toSRGB, in: .linear)]
    case .gray(let response): [.curves(ChannelCurves { response.linear($0) }, in: .linear)]
    case .hdr(let hdr): hdr.decoding
    }
  }

  /// From colors in ``nativeSpace`` to codes, as shares of the largest code.
  var encoding: [ColorStep] {
    switch self {
    case .sRGB, .gray, .hdr: []
    case .matrix(let profile):
      [.matrix(profile.fromSRGB, in: .linear), .curves(profile.encoding, in: .linear)]
    }
  }
}

extension PixelCoding {
  /// The curves from codes to light, in the primaries of the codes, and back; 1 is the largest code.
  ///
  /// Light of a high dynamic range spans so much that a lamp would outweigh everything around it, so
  /// its codes count as light.
  var light: (fromCodes: ChannelCurves, toCodes: ChannelCurves) {
    switch self {
    case .sRGB: (.linearizing, .encoding)
    case .matrix(let profile): (profile.linearizing, profile.encoding)
    case .gray(let response):
      (ChannelCurves { response.linear($0) }, ChannelCurves { response.code($0) })
    case .hdr: (ChannelCurves { $0 }, ChannelCurves { $0 })
    }
  }
}

extension MatrixProfile {
  fileprivate var linearizing: ChannelCurves {
    let (red, green, blue) = (responses[0], responses[1], responses[2])
    return ChannelCurves(
      red: { red.linear($0) }, green: { green.linear($0) }, blue: { blue.linear($0) })
  }

  fileprivate var encoding: ChannelCurves {
    let (red, green, blue) = (responses[0], responses[1], responses[2])
    return ChannelCurves(
      red: { red.code($0) }, green: { green.code($0) }, blue: { blue.code($0) })
  }
}

/// What the profile of a picture means for the screen.
package enum DisplayProfile {
  /// Whether an ICC profile has the codes of sRGB.
  package static func isSRGB(_ profile: [UInt8]) -> Bool {
    ColorProfile.isSRGB(profile)
  }
}
