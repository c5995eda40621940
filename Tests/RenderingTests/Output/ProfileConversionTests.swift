import Foundation
import SafelightCLCMS
import SafelightVips
import Testing

@testable import SafelightRendering

/// Conversions to profiles of files, against lcms2 in double precision.
@Suite(.serialized) struct ProfileConversionTests {
  /// Whole tables of a made-up paper: darker and less colorful than sRGB, with a black of its own and hard edges where
  /// colors leave its gamut.
  private static let paper: [UInt8] = {
    let handle = cmsCreateProfilePlaceholder(nil)
    defer { cmsCloseProfile(handle) }
    cmsSetProfileVersion(handle, 2.4)
    cmsSetDeviceClass(handle, cmsSigOutputClass)
    cmsSetColorSpace(handle, cmsSigRgbData)
    cmsSetPCS(handle, cmsSigLabData)
    var white = cmsCIEXYZ(X: 0.9642, Y: 1, Z: 0.8249)
    cmsWriteTag(handle, cmsSigMediaWhitePointTag, &white)
    func write(_ tag: cmsTagSignature, _ sampler: @escaping cmsSAMPLER16) {
      let pipeline = cmsPipelineAlloc(nil, 3, 3)
      defer { cmsPipelineFree(pipeline) }
      let table = cmsStageAllocCLut16bit(nil, 33, 3, 3, nil)
      cmsStageSampleCLut16bit(table, sampler, nil, 0)
      cmsPipelineInsertStage(pipeline, cmsAT_BEGIN, table)
      cmsWriteTag(handle, tag, UnsafeRawPointer(pipeline))
    }
    // Lab of version 2: 100 is 65,280, and 0 of a* and b* 32,768.
    write(cmsSigBToA0Tag) { input, output, _ in
      let lightness = (Double(input![0]) / 652.8 - 12) / 84
      let (a, b) = (Double(input![1]) / 256 - 128, Double(input![2]) / 256 - 128)
      let ink = [lightness + a / 120 + b / 400, lightness - a / 260, lightness - b / 110]
      for band in 0..<3 {
        output![band] = UInt16(65_535 * pow(min(max(ink[band], 0), 1), 0.8))
      }
      return 1
    }
    write(cmsSigAToB0Tag) { input, output, _ in
      let ink = (0..<3).map { pow(Double(input![$0]) / 65_535, 1.25) }
      // The inverse of the three sums above.
      let (p, q, r, s) = (1.0 / 120, 1.0 / 400, -1.0 / 260, -1.0 / 110)
      let lightness =
        (ink[0] - p * ink[1] / r - q * ink[2] / s) / (1 - p / r - q / s)
      let (a, b) = ((ink[1] - lightness) / r, (ink[2] - lightness) / s)
      let numbers = [(12 + 84 * lightness) * 652.8, (a + 128) * 256, (b + 128) * 256]
      for band in 0..<3 { output![band] = UInt16(min(max(numbers[band], 0), 65_535)) }
      return 1
    }
    var size: UInt32 = 0
    cmsSaveProfileToMem(handle, nil, &size)
    var bytes = [UInt8](repeating: 0, count: Int(size))
    cmsSaveProfileToMem(handle, &bytes, &size)
    return bytes
  }()

  /// The gray axis, edges of the cube, a photo-like walk and colors at random; the same colors come again.
  private static let colors: [UInt16] = {
    var state: UInt64 = 7
    func random(_ limit: Int) -> Int {
      state = state &* 6_364_136_223_846_793_005 &+ 1_442_695_040_888_963_407
      return Int(state >> 33) % limit
    }
    var colors: [UInt16] = []
    for code in 0..<4096 {
      let gray = UInt16(code * 65_535 / 4095)
      colors += [gray, gray, gray, gray, 0, 65_535, 65_535, gray, 0]
    }
    var place = [30_000, 20_000, 10_000]
    for _ in 0..<40_000 {
      for band in 0..<3 { place[band] = min(max(place[band] + random(801) - 400, 0), 65_535) }
      colors += place.map { UInt16($0) }
    }
    for _ in 0..<60_000 { colors.append(UInt16(random(65_536))) }
    return colors + colors
  }()

  private static let cases = RenderOutput.Intent.allCases.flatMap { intent in
    RenderOutput.BlackPoint.allCases.flatMap { black in
      ["sRGB", "p3", "prophoto"].map { (intent, black, $0) }
    }
  }

  @Test(arguments: cases)
  func tablesGiveWhatLCMS2GivesInDoubles(
    intent: RenderOutput.Intent, black: RenderOutput.BlackPoint, source: String
  ) throws {
    let profile: StandardProfile =
      switch source {
      case "p3": .displayP3
      case "prophoto": .proPhoto
      default: .sRGB
      }
    let coding: PixelCoding =
      switch ColorProfile(profile.bytes)?.model {
      case .matrix(let matrix)?: .matrix(matrix)
      default: .sRGB
      }
    let count = Self.colors.count / 3
    let image = try Image.fromMemory(
      Self.colors.flatMap { [UInt8($0 & 255), UInt8($0 >> 8)] }, width: 512,
      height: count / 512, bands: 3, format: .uint16)
    let pixels = 512 * (count / 512)
    let conversion = try ProfileConversion(
      from: coding, to: OutputAttachment(name: "paper.icc", bytes: Self.paper), intent, black,
      isGray: false, for: .tiff)
    let found = try conversion.applied(to: image).pixelBytes()

    let (from, to, lab) = (
      cmsOpenProfileFromMem(profile.bytes, UInt32(profile.bytes.count)),
      cmsOpenProfileFromMem(Self.paper, UInt32(Self.paper.count)), cmsCreateLab4Profile(nil)
    )
    defer { for handle in [from, to, lab] { cmsCloseProfile(handle) } }
    // Doubles have the size 0.
    func doubles(_ kind: Int32) -> UInt32 { UInt32(1) << 22 | UInt32(kind) << 16 | 3 << 3 }
    var flags = UInt32(cmsFLAGS_NOCACHE | cmsFLAGS_NOOPTIMIZE)
    let backwards = cmsCreateTransform(to, doubles(PT_RGB), lab, doubles(PT_Lab), 1, flags)
    if black == .compensate { flags |= UInt32(cmsFLAGS_BLACKPOINTCOMPENSATION) }
    let exact = cmsCreateTransform(from, doubles(PT_RGB), to, doubles(PT_RGB), intent.number, flags)
    defer { for transform in [exact, backwards] { cmsDeleteTransform(transform) } }
    let given = Self.colors[..<(3 * pixels)].map { Double($0) / 65_535 }
    var expected = [Double](repeating: 0, count: 3 * pixels)
    cmsDoTransform(exact, given, &expected, UInt32(pixels))
    var codes = (0..<(3 * pixels)).map { index in
      Double(Int(found[2 * index]) | Int(found[2 * index + 1]) << 8) / 65_535
    }
    expected = expected.map { min(max($0, 0), 1) }
    let farthest = zip(expected, codes).map { abs($0 - $1) }.max() ?? 1
    var labs = [[cmsCIELab]](
      repeating: [cmsCIELab](repeating: cmsCIELab(), count: pixels), count: 2)
    cmsDoTransform(backwards, &codes, &labs[0], UInt32(pixels))
    cmsDoTransform(backwards, &expected, &labs[1], UInt32(pixels))
    var worst = 0.0
    for index in 0..<pixels {
      worst = max(worst, cmsCIE2000DeltaE(&labs[0][index], &labs[1][index], 1, 1, 1))
    }
    // Interpolating is within 8 of 65,535 codes where it is tried, and a little more between.
    #expect(worst <= 0.05, "\(worst) dE2000")
    #expect(farthest * 65_535 < 60, "\(farthest * 65_535) of 65,535")
  }

  /// Plain profiles go Safelight's own way, with what lcms2 gives.
  @Test(arguments: ["p3", "adobe-rgb", "prophoto"])
  func plainProfilesNeedNoConversion(name: String) throws {
    let known = try JSONDecoder().decode(
      RenderOutput.self, from: Data(#"{"profile":"\#(name)"}"#.utf8))
    var asked = RenderOutput()
    asked.profile = .file(OutputAttachment(name: "a.icc", bytes: known.profile.bytes))
    #expect(asked.convertedProfile == nil)
    asked.intent = .absolute
    #expect(asked.convertedProfile != nil)
    asked = RenderOutput()
    asked.profile = .file(OutputAttachment(name: "paper.icc", bytes: Self.paper))
    #expect(asked.convertedProfile != nil)
  }
}
