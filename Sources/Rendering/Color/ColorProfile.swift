import FoundationEssentials
import SafelightCLCMS
import SafelightVips

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
    /// Tables for red, green and blue; only lcms2 converts these, with the intent given.
    case table(Image.ConversionIntent)
    /// Cyan, magenta, yellow and black; only lcms2 converts these, with the intent given.
    case cmyk(Image.ConversionIntent)
  }

  let model: Model

  /// Reads a profile; `nil` when it is damaged, of a kind that no photo has, or when lcms2 cannot
  /// convert from it.
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
    case cmsSigCmykData:
      guard let intent = Self.intent(handle, UInt32(PT_CMYK), channels: 4) else { return nil }
      model = .cmyk(intent)
    default: return nil
    }
  }

  /// The first intent that the profile has colors for: relative colorimetric where it can be, and
  /// otherwise the table that lcms2 takes instead; `nil` when lcms2 cannot convert at all.
  private static func intent(
    _ handle: cmsHPROFILE, _ colors: UInt32, channels: UInt32
  ) -> Image.ConversionIntent? {
    let intents = [
      (INTENT_RELATIVE_COLORIMETRIC, Image.ConversionIntent.relative),
      (INTENT_PERCEPTUAL, .perceptual), (INTENT_SATURATION, .saturation),
    ]
    guard let sRGB = cmsCreate_sRGBProfile() else { return nil }
    defer { cmsCloseProfile(sRGB) }
    // lcms2 describes samples in bits: the kind of color, the number of channels, two bytes each.
    let (input, output) = (colors << 16 | channels << 3 | 2, UInt32(PT_RGB) << 16 | 3 << 3 | 2)
    return intents.first { intent, _ in
      guard cmsIsIntentSupported(handle, UInt32(intent), UInt32(LCMS_USED_AS_INPUT)) != 0,
        let transform = cmsCreateTransform(
          handle, input, sRGB, output, UInt32(intent), UInt32(cmsFLAGS_NOOPTIMIZE))
      else { return false }
      cmsDeleteTransform(transform)
      return true
    }?.1
  }

  private static func rgbModel(_ handle: cmsHPROFILE) -> Model? {
    // When a profile has tables beside its matrix, the tables count.
    guard ![cmsSigAToB0Tag, cmsSigAToB1Tag].contains(where: { cmsIsTag(handle, $0) != 0 }) else {
      return intent(handle, UInt32(PT_RGB), channels: 3).map(Model.table)
    }
    guard cmsIsMatrixShaper(handle) != 0 else {
      return intent(handle, UInt32(PT_RGB), channels: 3).map(Model.table)
    }
    guard
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
      // The white of this profile is not white: it belongs to a camera or scanner. lcms2 converts
      // it.
      return intent(handle, UInt32(PT_RGB), channels: 3).map(Model.table)
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

/// A profile's curve from codes (0 to 1) to linear light (0 to 1).
struct ToneResponse: Sendable, Equatable {
  /// Linear light for each of 4,097 codes, evenly spaced.
  private let samples: [Double]

  /// Reads a curve from an open profile; `nil` when the curve is missing or does not rise from dark
  /// to light.
  init?(_ profile: cmsHPROFILE, _ tag: cmsTagSignature) {
    guard let raw = cmsReadTag(profile, tag) else { return nil }
    let curve = OpaquePointer(raw)
    self.init((0...4096).map { Double(cmsEvalToneCurveFloat(curve, Float($0) / 4096)) })
  }

  init?(_ samples: [Double]) {
    guard samples.allSatisfy(\.isFinite), let first = samples.first, let last = samples.last,
      last - first > 0.5, zip(samples, samples.dropFirst()).allSatisfy({ $0 <= $1 })
    else { return nil }
    self.samples = samples
  }

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

/// Small ICC profiles made by lcms2, for pictures without a profile of their own.
enum StandardProfile: String, CaseIterable {
  case sRGB
  case displayP3 = "Display P3"
  /// The primaries and white of Rec. 2020 with the curve of sRGB, as photos in it have.
  case rec2020 = "Rec. 2020 with the sRGB curve"

  /// The profile of H.273 color primaries, which HEIF and AVIF files may name instead of carrying a
  /// profile; `nil` for the primaries of sRGB and for primaries that no photo has.
  init?(codedPrimaries code: Int) {
    switch code {
    case 9: self = .rec2020
    case 12: self = .displayP3
    default: return nil
    }
  }

  /// The profile's bytes, the same at every call.
  var bytes: [UInt8] {
    switch self {
    case .sRGB: Self.sRGBBytes
    case .displayP3: Self.displayP3Bytes
    case .rec2020: Self.rec2020Bytes
    }
  }

  private static let sRGBBytes = make(.sRGB)
  private static let displayP3Bytes = make(.displayP3)
  private static let rec2020Bytes = make(.rec2020)

  /// Chromaticities of red, green and blue: IEC 61966-2-1, SMPTE EG 432-1, ITU-R BT.2020-2.
  private var primaries: [(x: Double, y: Double)] {
    switch self {
    case .sRGB: [(0.64, 0.33), (0.30, 0.60), (0.15, 0.06)]
    case .displayP3: [(0.680, 0.320), (0.265, 0.690), (0.150, 0.060)]
    case .rec2020: [(0.708, 0.292), (0.170, 0.797), (0.131, 0.046)]
    }
  }

  /// A profile with white D65 and the sRGB curve, which photos in these spaces use.
  private static func make(_ profile: StandardProfile) -> [UInt8] {
    var white = cmsCIExyY(x: 0.3127, y: 0.3290, Y: 1)
    let colors = profile.primaries.map { cmsCIExyY(x: $0.x, y: $0.y, Y: 1) }
    var primaries = cmsCIExyYTRIPLE(Red: colors[0], Green: colors[1], Blue: colors[2])
    let parameters = [2.4, 1 / 1.055, 0.055 / 1.055, 1 / 12.92, 0.04045]
    guard let curve = cmsBuildParametricToneCurve(nil, 4, parameters) else { return [] }
    defer { cmsFreeToneCurve(curve) }
    var curves: [OpaquePointer?] = [curve, curve, curve]
    guard let handle = cmsCreateRGBProfile(&white, &primaries, &curves) else { return [] }
    defer { cmsCloseProfile(handle) }
    return saved(handle, named: profile.rawValue)
  }

  /// The bytes of a new profile, the same at every call.
  static func saved(_ handle: cmsHPROFILE, named name: String) -> [UInt8] {
    write(name, cmsSigProfileDescriptionTag, to: handle)
    write("No copyright, use freely", cmsSigCopyrightTag, to: handle)
    var size: UInt32 = 0
    guard cmsSaveProfileToMem(handle, nil, &size) != 0 else { return [] }
    var bytes = [UInt8](repeating: 0, count: Int(size))
    guard cmsSaveProfileToMem(handle, &bytes, &size) != 0 else { return [] }
    // Bytes 24 to 35 are the date of creation. It is fixed, because the same edit must give the
    // same file.
    bytes.replaceSubrange(24..<36, with: [0x07, 0xE8, 0, 1, 0, 1, 0, 0, 0, 0, 0, 0])
    return bytes
  }
}

extension StandardProfile {
  /// Gives a new profile a text.
  private static func write(_ text: String, _ tag: cmsTagSignature, to profile: cmsHPROFILE) {
    guard let texts = cmsMLUalloc(nil, 1) else { return }
    defer { cmsMLUfree(texts) }
    guard cmsMLUsetASCII(texts, "en", "US", text) != 0 else { return }
    cmsWriteTag(profile, tag, UnsafeRawPointer(texts))
  }
}

/// What the profile of a picture means for the screen.
package enum DisplayProfile {
  /// Whether an ICC profile has the codes of sRGB.
  package static func isSRGB(_ profile: [UInt8]) -> Bool {
    if case .sRGB? = ColorProfile(profile)?.model { true } else { false }
  }
}
