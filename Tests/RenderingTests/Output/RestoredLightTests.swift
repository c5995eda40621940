import Foundation
import SafelightAdjustments
import SafelightFormats
import SafelightMetadata
import SafelightTestSupport
import SafelightVips
import Testing

@testable import SafelightRendering
@testable import SafelightRenderingReference

/// The maps of photos whose own pixels are PQ or HLG, against arithmetic in double precision.
@Suite(.serialized) struct RestoredLightTests {
  private static let size = PixelSize(width: 240, height: 160)

  /// Codes from 0 to 1 of a scene without edges: darker on the left, bright on the right, and of some color.
  private static func codes(_ x: Int, _ y: Int, of reference: ReferenceHDR) -> [Double] {
    let (across, down) = (Double(x) / Double(size.width), Double(y) / Double(size.height))
    let gray = 0.45 + (reference.kind == .pq ? 0.28 : 0.5) * across
    return [gray, gray * (1 - 0.1 * down), gray * (1 - 0.15 * down * across)]
  }

  private static func photo(_ reference: ReferenceHDR, orientation: Int = 1) throws -> [UInt8] {
    let bytes = (0..<size.height).flatMap { y in
      (0..<size.width).flatMap { x in
        codes(x, y, of: reference).flatMap { code -> [UInt8] in
          let number = UInt16((code * 65_535).rounded())
          return [UInt8(truncatingIfNeeded: number), UInt8(number >> 8)]
        }
      }
    }
    let image = try Image.fromMemory(
      bytes, width: size.width, height: size.height, bands: 3, format: .uint16)
    var png: [UInt8] = []
    try image.writePNG(to: Target { png += $0 })
    return Array(png[..<33])
      + chunk("cICP", [UInt8(reference.primaries), UInt8(reference.transfer), 0, 1])
      + chunk(
        "eXIf",
        [0x4D, 0x4D, 0, 42, 0, 0, 0, 8, 0, 1, 1, 0x12, 0, 3, 0, 0, 0, 1, 0, UInt8(orientation)]
          + [0, 0, 0, 0, 0, 0])
      + Array(png[33...])
  }

  /// The same photo, whose colors a profile names in place of a chunk.
  private static func photoWithProfile(_ reference: ReferenceHDR) throws -> [UInt8] {
    var profile = StandardProfile.rec2020.bytes
    func number(_ place: Int) -> Int {
      profile[place..<(place + 4)].reduce(0) { $0 << 8 | Int($1) }
    }
    func bytes(_ number: Int) -> [UInt8] {
      [24, 16, 8, 0].map { UInt8(truncatingIfNeeded: number >> $0) }
    }
    let count = number(128)
    for tag in 0..<count {
      let place = 136 + 12 * tag
      profile.replaceSubrange(place..<(place + 4), with: bytes(number(place) + 12))
    }
    profile.replaceSubrange(128..<132, with: bytes(count + 1))
    let end = profile.count + 12
    profile.insert(contentsOf: Array("cicp".utf8) + bytes(end) + bytes(12), at: 132)
    profile += Array("cicp".utf8) + [0, 0, 0, 0]
    profile += [UInt8(reference.primaries), UInt8(reference.transfer), 0, 1]
    profile.replaceSubrange(0..<4, with: bytes(profile.count))
    let plain = try Image.open(try Source(try photo(reference)), as: .png).inMemory()
    var png: [UInt8] = []
    try plain.replacingAttachments([.profile: profile]).writePNG(to: Target { png += $0 })
    return png
  }

  /// The numbers in a profile count as those in a chunk.
  @Test func aProfileMaySayPQ() throws {
    let reference = Self.references[0]
    let (chunk, profile) = (
      try Self.render(try Self.photo(reference)),
      try Self.render(try Self.photoWithProfile(reference))
    )
    #expect(profile.map?.meaning == chunk.map?.meaning && profile.map != nil)
    #expect(try profile.color.pixelBytes() == chunk.color.pixelBytes())
  }

  private static func chunk(_ type: String, _ content: [UInt8]) -> [UInt8] {
    let body = Array(type.utf8) + content
    let checksum = Zlib.checksum(body[...])
    return [0, 0, 0, UInt8(content.count)] + body
      + [24, 16, 8, 0].map { UInt8(truncatingIfNeeded: checksum >> $0) }
  }

  private struct Rendered {
    let report: Renderer.Report
    let color: Image
    let map: GainMap?
    let codes: Image?
  }

  private static func render(
    _ photo: [UInt8], _ edit: [any Adjustment] = [], as output: RenderOutput = .standard
  ) throws -> Rendered {
    final class Collector { var bytes: [UInt8] = [] }
    let collector = Collector()
    let report = try TemporaryFile.holding(photo) { fixture in
      try Renderer().render(
        fixture.source(), edit: try EditStack(edit), as: output,
        derivedFrom: OriginalReference(fileName: "a.png", sha256: "00"),
        to: { collector.bytes += $0 })
    }
    let bytes = collector.bytes
    let map = CarriedMetadata(original: PhotoBytes(Data(bytes))).gainMap
    var codes: Image?
    if case .part(let place) = map?.place {
      codes = try Image.open(try Source(Array(bytes[place])), as: .jpeg).inMemory()
    }
    return Rendered(
      report: report, color: try Image.open(try Source(bytes), as: .jpeg).inMemory(), map: map,
      codes: codes)
  }

  /// The light that the picture and a map of the same size make, in the primaries of the picture.
  private static func light(_ rendered: Rendered) throws -> [[Double]] {
    let (color, codes) = (rendered.color, try #require(rendered.codes))
    let channel = try #require(rendered.map).meaning.channels[0]
    let (fine, stops) = (try color.pixelBytes(), try codes.pixelBytes())
    #expect(color.size == codes.size && codes.bands == 1)
    return (0..<(color.width * color.height)).map { pixel in
      let share = Double(stops[pixel]) / 255
      let gain = exp2(channel.minimum + (channel.maximum - channel.minimum) * share)
      return (0..<3).map { ReferenceColor.linear(Double(fine[3 * pixel + $0]) / 255) * gain }
    }
  }

  private static let references = [
    ReferenceHDR(transfer: 16, primaries: 9, statedPeak: nil),
    ReferenceHDR(transfer: 16, primaries: 12, statedPeak: nil),
    ReferenceHDR(transfer: 18, primaries: 9, statedPeak: nil),
  ]

  /// Picture and map together have the light of the original.
  @Test(arguments: references, [0.0, -1])
  func theLightIsRestored(reference: ReferenceHDR, stops: Double) throws {
    var exposure = Exposure()
    exposure.amount = stops
    let rendered = try Self.render(
      try Self.photo(reference), stops == 0 ? [] : [exposure],
      as: RenderOutput(format: .jpeg, quality: 100))
    #expect(rendered.report.warnings == [])
    let found = try Self.light(rendered)
    var errors: [Double] = []
    var brightest = 0.0
    for y in 0..<Self.size.height {
      for x in 0..<Self.size.width {
        let wanted = reference.light(Self.codes(x, y, of: reference)).map { $0 * exp2(stops) }
        brightest = max(brightest, wanted.max()!)
        for (one, other) in zip(wanted, found[y * Self.size.width + x]) {
          errors.append(abs(other - one) / max(one, 0.05))
        }
      }
    }
    errors.sort()
    #expect(errors[errors.count / 2] < 0.01 && errors[errors.count * 95 / 100] < 0.03)
    if stops == 0 {
      #expect(abs(try #require(rendered.map).headroom - log2(brightest)) < 0.01)
    }
  }

  /// The picture itself is the one of standard range, and `sdr` leaves out the map.
  @Test func theMapIsLeftOutWhereItIsNotWanted() throws {
    let photo = try Self.photo(Self.references[0])
    var plain = RenderOutput.standard
    plain.sdr = true
    let (with, without) = (try Self.render(photo), try Self.render(photo, as: plain))
    #expect(with.map != nil && without.map == nil && without.report.warnings == [])
    #expect(try with.color.pixelBytes() == without.color.pixelBytes())
  }

  /// The map goes where the picture goes.
  @Test func theMapIsTurnedWithThePicture() throws {
    let rendered = try Self.render(
      try Self.photo(Self.references[0], orientation: 6),
      [Crop(x: 0, y: 0.5, width: 1, height: 0.5)])
    let codes = try #require(rendered.codes)
    #expect(codes.size == PixelSize(width: 160, height: 120) && codes.size == rendered.color.size)
    // What was dark on the left is on top.
    let bytes = try codes.pixelBytes()
    #expect(Int(bytes[80 + 160 * 119]) > Int(bytes[80]) + 40)
  }

  /// A screen of less headroom uses a part of the stops.
  @Test func headroomBoundsTheMap() throws {
    let photo = try Self.photo(Self.references[0])
    var bounded = RenderOutput(format: .jpeg, quality: 100)
    let whole = try #require(try Self.render(photo, as: bounded).map).meaning
    bounded.hdrHeadroom = 1
    let less = try Self.render(photo, as: bounded)
    let map = try #require(less.map).meaning
    #expect(abs(map.alternateHeadroom - 1) < 1e-5)
    let share = 1 / whole.alternateHeadroom
    #expect(abs(map.channels[0].maximum - whole.channels[0].maximum * share) < 1e-4)
    bounded.hdrHeadroom = 0
    #expect(try Self.render(photo, as: bounded).map == nil)
  }

  /// A gray ramp of 16 or 8 bits, up to white.
  private static func ramp(isWide: Bool) throws -> [UInt8] {
    let bytes = (0..<64).flatMap { y in
      (0..<256).flatMap { x -> [UInt8] in
        let code = UInt8(x)
        return [UInt8](repeating: code, count: isWide ? 6 : 3)
      }
    }
    let image = try Image.fromMemory(
      bytes, width: 256, height: 64, bands: 3, format: isWide ? .uint16 : .uint8)
    var png: [UInt8] = []
    try image.writePNG(to: Target { png += $0 })
    return png
  }

  /// Light that an edit brings above white stays there, where that is asked for.
  @Test(arguments: [1.0, 2]) func lightAboveWhiteIsMade(stops: Double) throws {
    var output = RenderOutput(format: .jpeg, quality: 100)
    output.hdr = true
    var exposure = Exposure()
    exposure.amount = stops
    let rendered = try Self.render(try Self.ramp(isWide: true), [exposure], as: output)
    let map = try #require(rendered.map).meaning
    #expect(rendered.report.warnings == [] && abs(map.alternateHeadroom - stops) < 0.01)
    let (fine, codes) = (try rendered.color.pixelBytes(), try #require(rendered.codes))
    let coarse = try codes.pixelBytes()
    for x in stride(from: 8, to: 248, by: 5) {
      let one = map.channels[0]
      let share = Double(coarse[(32 * 256 + x) * codes.bands]) / 255
      let gain = exp2(one.minimum + (one.maximum - one.minimum) * share)
      let code = Double(fine[3 * (32 * 256 + x)]) / 255
      let found = (ReferenceColor.linear(code) + one.baseOffset) * gain - one.alternateOffset
      let wanted = ReferenceColor.linear(Double(x) / 255) * exp2(stops)
      #expect(abs(found - wanted) < 0.03 * max(wanted, 0.05), "\(x)")
    }
  }

  /// Why there is no map is said.
  @Test func withoutLightAboveWhiteThereIsNoMap() throws {
    var output = RenderOutput(format: .jpeg)
    output.hdr = true
    var exposure = Exposure()
    exposure.amount = 1
    func warnings(
      isWide: Bool, _ edit: [any Adjustment], _ output: RenderOutput
    ) throws -> [RenderWarning] {
      let rendered = try Self.render(try Self.ramp(isWide: isWide), edit, as: output)
      #expect(rendered.map == nil)
      return rendered.report.warnings
    }
    #expect(try warnings(isWide: false, [exposure], output) == [.noGainMap(.bits)])
    #expect(try warnings(isWide: true, [], output) == [.noGainMap(.light)])
    #expect(
      try warnings(isWide: true, [Crop(x: 0, y: 0, width: 0.5, height: 1)], output)
        == [.noGainMap(.light)])
    var marked = output
    marked.sdr = true
    #expect(try warnings(isWide: true, [exposure], marked) == [.noGainMap(.unwanted)])
  }

  /// A picture no brighter than white has no map.
  @Test func whatIsNotBrightHasNoMap() throws {
    // A code of 0.5 is 92 nits.
    let image = try Image.fromMemory(
      [UInt8](repeating: 128, count: 6 * 64 * 64), width: 64, height: 64, bands: 3, format: .uint16)
    var png: [UInt8] = []
    try image.writePNG(to: Target { png += $0 })
    let photo = Array(png[..<33]) + Self.chunk("cICP", [9, 16, 0, 1]) + Array(png[33...])
    #expect(try Self.render(photo).map == nil)
  }
}
