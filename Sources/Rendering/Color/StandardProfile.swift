import SafelightCLCMS

/// Small ICC profiles made by lcms2, for pictures that carry none of their own.
enum StandardProfile: CaseIterable {
  case sRGB
  case displayP3
  case rec2020

  /// The profile of H.273 color primaries, which HEIF and AVIF state instead of a profile; `nil`
  /// for sRGB's own and for those no photo has.
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
    var size: UInt32 = 0
    guard cmsSaveProfileToMem(handle, nil, &size) != 0 else { return [] }
    var bytes = [UInt8](repeating: 0, count: Int(size))
    guard cmsSaveProfileToMem(handle, &bytes, &size) != 0 else { return [] }
    // Bytes 24 to 35 are the date of creation; the same edit must give the same file.
    bytes.replaceSubrange(24..<36, with: [0x07, 0xE8, 0, 1, 0, 1, 0, 0, 0, 0, 0, 0])
    return bytes
  }
}
