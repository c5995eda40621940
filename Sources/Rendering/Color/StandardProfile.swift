import FoundationEssentials
import SafelightCLCMS
import SafelightMetadata

/// A small ICC profile made by lcms2 from primaries and a curve, for pictures without a profile of their own.
struct StandardProfile: Hashable, Sendable {
  /// What the profile is called.
  let name: String
  let primaries: ColorPrimaries
  let curve: TransferCurve

  static let sRGB = StandardProfile(name: "sRGB", primaries: .sRGB, curve: .sRGB)
  static let displayP3 = StandardProfile(name: "Display P3", primaries: .displayP3, curve: .sRGB)
  /// The primaries and white of Rec. 2020 with the curve of sRGB, as photos in it have.
  static let rec2020 = StandardProfile(
    name: "Rec. 2020 with the sRGB curve", primaries: .rec2020, curve: .sRGB)
  /// The exponent is 563/256 (Adobe RGB (1998) color image encoding, 2005-05, 4.3.4.2).
  static let adobeRGB = StandardProfile(
    name: "Compatible with Adobe RGB (1998)", primaries: .adobeRGB, curve: .gamma(563 / 256))

  /// ISO 22028-2 (ROMM RGB), with the plain exponent that the profiles of cameras' raw converters have.
  static let proPhoto = StandardProfile(
    name: "Compatible with ProPhoto RGB", primaries: .proPhoto, curve: .gamma(1.8))

  /// The profiles with names that people know.
  static let named = [sRGB, displayP3, rec2020, adobeRGB, proPhoto]

  init(name: String, primaries: ColorPrimaries, curve: TransferCurve) {
    (self.name, self.primaries, self.curve) = (name, primaries, curve)
  }

  /// The profile of the primaries and the curve, with the name that people know where there is one.
  init(primaries: ColorPrimaries, curve: TransferCurve) {
    self =
      Self.named.first { $0.primaries == primaries && $0.curve == curve }
      ?? StandardProfile(
        name: curve == .sRGB ? "RGB with the sRGB curve" : "RGB", primaries: primaries, curve: curve
      )
  }

  /// The profile of what a file declares; what it does not specify is as in sRGB. `nil` when it specifies nothing, or
  /// what no profile can say.
  init?(_ color: CodedColor) {
    let (primaries, curve) = (ColorPrimaries(color), TransferCurve(color))
    guard primaries != nil || curve != nil else { return nil }
    self.init(primaries: primaries ?? .sRGB, curve: curve ?? .sRGB)
  }

  /// Whether all that a file declares can be taken: primaries and a curve that exist, or are not specified.
  static func canSay(_ color: CodedColor) -> Bool {
    let hasPrimaries = color.chromaticities != nil || color.primaries != CodedColor.unspecified
    let hasCurve = color.exponent != nil || color.transfer != CodedColor.unspecified
    return (!hasPrimaries || ColorPrimaries(color) != nil)
      && (!hasCurve || TransferCurve(color) != nil)
  }

  /// The bytes of a profile for red, green and blue, the same at every call. Empty for primaries that span no colors.
  var bytes: [UInt8] { Self.kept[self] ?? made }

  /// The bytes of a profile for gray with the curve.
  var grayBytes: [UInt8] {
    Self.written(name) { curve in
      var white = primaries.white.lcms
      return cmsCreateGrayProfile(&white, curve)
    } curve: {
      curve.lcms
    }
  }

  private static let kept = Dictionary(uniqueKeysWithValues: named.map { ($0, $0.made) })

  private var made: [UInt8] {
    Self.written(name) { curve in
      var white = primaries.white.lcms
      var colors = cmsCIExyYTRIPLE(
        Red: primaries.red.lcms, Green: primaries.green.lcms, Blue: primaries.blue.lcms)
      var curves: [OpaquePointer?] = [curve, curve, curve]
      return cmsCreateRGBProfile(&white, &colors, &curves)
    } curve: {
      curve.lcms
    }
  }

  private static func written(
    _ name: String, _ make: (OpaquePointer) -> cmsHPROFILE?, curve makeCurve: () -> OpaquePointer?
  ) -> [UInt8] {
    guard let curve = makeCurve() else { return [] }
    defer { cmsFreeToneCurve(curve) }
    guard let handle = make(curve) else { return [] }
    defer { cmsCloseProfile(handle) }
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

  /// Gives a new profile a text.
  private static func write(_ text: String, _ tag: cmsTagSignature, to profile: cmsHPROFILE) {
    guard let texts = cmsMLUalloc(nil, 1) else { return }
    defer { cmsMLUfree(texts) }
    guard cmsMLUsetASCII(texts, "en", "US", text) != 0 else { return }
    cmsWriteTag(profile, tag, UnsafeRawPointer(texts))
  }
}

extension ColorPrimaries.Chromaticity {
  fileprivate var lcms: cmsCIExyY { cmsCIExyY(x: x, y: y, Y: 1) }
}

extension TransferCurve {
  /// The curve for a profile: by its formula where profiles have the formula, and otherwise by 4,096 points.
  fileprivate var lcms: OpaquePointer? {
    if let parts {
      return cmsBuildParametricToneCurve(nil, 4, [parts.g, parts.a, parts.b, parts.c, parts.d])
    }
    if case .gamma(let exponent) = self { return cmsBuildGamma(nil, exponent) }
    let points = (0..<4096).map { UInt16((min(light(Double($0) / 4095), 1) * 65_535).rounded()) }
    return cmsBuildTabulatedToneCurve16(nil, 4096, points)
  }
}
