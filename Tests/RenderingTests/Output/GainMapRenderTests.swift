import Foundation
import SafelightAdjustments
import SafelightTestSupport
import SafelightVips
import Testing

@testable import SafelightMetadata
@testable import SafelightRendering

/// Renders of photos with a gain map.
@Suite(.serialized) struct GainMapRenderTests {
  private static let size = PixelSize(width: 400, height: 280)
  private static let mapSize = PixelSize(width: 100, height: 70)
  private static let name = OriginalReference(fileName: "scene.jpg", sha256: "00")

  /// A scene without fine detail, from 20 to 235, for places from 0 to 1.
  private static func scene(_ x: Double, _ y: Double) -> Double {
    127.5 + 60 * sin(4 * x + 1) + 47 * cos(5 * y - 3 * x)
  }

  private static func image(_ size: PixelSize, bands: Int, isGray: Bool = false) throws -> Image {
    let bytes = (0..<size.height).flatMap { y in
      (0..<size.width).flatMap { x in
        let code = scene(
          (Double(x) + 0.5) / Double(size.width), (Double(y) + 0.5) / Double(size.height))
        return (0..<bands).map { $0 == 0 || isGray ? code : 255 - code }
          .map { UInt8($0.rounded()) }
      }
    }
    return try Image.fromMemory(
      bytes, width: size.width, height: size.height, bands: bands, format: .uint8)
  }

  private static func coded(_ image: Image) throws -> Data {
    var jpeg = Data()
    try JPEGStripEncoder(image, quality: 100, chroma: .full)
      .encode(RenderedPicture(image), unless: nil) { jpeg.append(contentsOf: $0) }
    return jpeg
  }

  static let meaning = GainMapMeaning(
    channels: [.init(minimum: -0.5, maximum: 2.5, gamma: 1.4, baseOffset: 0.01)], baseHeadroom: 0,
    alternateHeadroom: 2.5)!

  /// The scene as a JPEG, gray, with a map of the same scene behind it.
  static func photo(
    orientation: Int = 1, bands: Int = 1, meaning: GainMapMeaning = meaning
  ) throws -> [UInt8] {
    let map = AttachedGainMap(
      coded: try coded(try image(mapSize, bands: bands)), meaning: meaning)
    let header = CarriedMetadata().header(
      size: (size.width, size.height), baked: 1, profile: nil, derivedFrom: name, with: map)
    var exif: [UInt8] = []
    exif.append(
      segment: 0xE1, header: CarriedMetadata.exifHeader,
      payload: [0x4D, 0x4D, 0, 42, 0, 0, 0, 8, 0, 1, 1, 0x12, 0, 3, 0, 0, 0, 1, 0]
        + [UInt8(orientation), 0, 0, 0, 0, 0, 0])
    var bytes: [UInt8] = []
    var splicer = JPEGSplicer(
      header: header.bytes.prefix(2) + exif + header.bytes.dropFirst(2), further: header.further
    ) { bytes += $0 }
    try coded(try image(size, bands: 3, isGray: true)).withUnsafeBytes { try splicer.write($0) }
    try splicer.finish()
    return bytes
  }

  struct Rendered {
    let bytes: [UInt8]
    let report: Renderer.Report
    let color: Image
    let map: GainMap?
    let codes: Image?
  }

  static func render(
    _ photo: [UInt8], _ edit: [any Adjustment], as output: RenderOutput = .standard
  ) throws -> Rendered {
    final class Collector { var bytes: [UInt8] = [] }
    let collector = Collector()
    let report = try TemporaryFile.holding(photo) { fixture in
      try Renderer().render(
        fixture.source(), edit: try EditStack(edit), as: output, derivedFrom: name,
        to: { collector.bytes += $0 })
    }
    return try read(collector.bytes, report)
  }

  static func read(_ bytes: [UInt8], _ report: Renderer.Report) throws -> Rendered {
    let format: Image.FileFormat = bytes.starts(with: [0xFF, 0xD8]) ? .jpeg : .png
    let color = try Image.open(try Source(bytes), as: format).inMemory()
    let map = CarriedMetadata(original: PhotoBytes(Data(bytes))).gainMap
    var codes: Image?
    if case .part(let place) = map?.place {
      codes = try Image.open(try Source(Array(bytes[place])), as: .jpeg).inMemory()
    }
    return Rendered(bytes: bytes, report: report, color: color, map: map, codes: codes)
  }

  static func mentionsMap(_ report: Renderer.Report) -> Bool {
    report.warnings.contains {
      $0.description.contains("gain map") || $0.description.contains("MPF")
    }
  }

  private static let edits: [[any Adjustment]] = {
    var (rotate, flip) = (Rotate(), Flip())
    (rotate.amount, flip.horizontal) = (.right, true)
    return [
      [], [rotate], [flip], [Straighten(4)], [Crop(x: 0.1, y: 0.25, width: 0.8, height: 0.5)],
      [Crop(x: 0.1013, y: 0.2237, width: 0.5551, height: 0.61)],
      [rotate, Straighten(-7), Crop(x: 0.111, y: 0.2, width: 0.63, height: 0.7)],
      [flip, Perspective(vertical: 40, horizontal: -20)],
    ]
  }()

  /// Each pixel of the map shows the place that the picture shows there. The map's size follows the picture's.
  @Test(arguments: edits.indices, [nil, 150])
  func geometryKeepsTheMapOverThePicture(index: Int, longestSide: Int?) throws {
    let output =
      longestSide.map { RenderOutput(format: .jpeg, quality: 100, longestSide: $0) } ?? .standard
    for orientation in [1, 6] {
      let rendered = try Self.render(
        try Self.photo(orientation: orientation), Self.edits[index], as: output)
      let (color, codes) = (rendered.color, try #require(rendered.codes))
      #expect(!Self.mentionsMap(rendered.report))
      #expect(rendered.map?.meaning == Self.meaning && rendered.map?.convention == .iso)
      #expect(abs(Double(color.width) / 4 - Double(codes.width)) <= 0.5)
      #expect(abs(Double(color.height) / 4 - Double(codes.height)) <= 0.5)
      let (fine, coarse) = (try color.pixelBytes(), try codes.pixelBytes())
      var (worst, sum) = (0.0, 0.0)
      for y in 0..<codes.height {
        for x in 0..<codes.width {
          // The picture's code between four pixels.
          let (column, row) = (
            (Double(x) + 0.5) * Double(color.width) / Double(codes.width) - 0.5,
            (Double(y) + 0.5) * Double(color.height) / Double(codes.height) - 0.5
          )
          let (left, top) = (Int(column.rounded(.down)), Int(row.rounded(.down)))
          func code(_ x: Int, _ y: Int) -> Double {
            let (x, y) = (min(max(x, 0), color.width - 1), min(max(y, 0), color.height - 1))
            return Double(fine[(y * color.width + x) * color.bands])
          }
          let (across, down) = (column - Double(left), row - Double(top))
          let above = code(left, top) * (1 - across) + code(left + 1, top) * across
          let below = code(left, top + 1) * (1 - across) + code(left + 1, top + 1) * across
          let wanted = above * (1 - down) + below * down
          let error = abs(wanted - Double(coarse[(y * codes.width + x) * codes.bands]))
          (worst, sum) = (max(worst, error), sum + error)
        }
      }
      // Half a pixel of the map is 1.5 codes on average.
      let mean = sum / Double(codes.width * codes.height)
      #expect(worst <= 5 && mean < 0.9, "\(index), \(orientation)")
    }
  }

  /// What is only written anew has the map's own codes.
  @Test(arguments: [1, 3]) func aMapThatStaysIsCopied(bands: Int) throws {
    let photo = try Self.photo(bands: bands)
    let before = try #require(
      Self.read(photo, Self.nothing).codes)
    for output in [.standard, RenderOutput(format: .jpeg, quality: 50)] {
      let after = try #require(try Self.render(photo, [], as: output).codes)
      #expect(try before.pixelBytes() == after.pixelBytes() && after.bands == bands)
    }
  }

  @Test func theMapIsLeftOutWhereItCannotBeOrIsNotWanted() throws {
    let photo = try Self.photo()
    var (plain, marked) = (RenderOutput(format: .jpeg), RenderOutput(format: .jpeg))
    (plain.sdr, marked.watermark) = (true, "©")
    let without = try Self.render(photo, [], as: plain)
    #expect(without.map == nil && !Self.mentionsMap(without.report))
    #expect(without.bytes.offset(of: "MPF\0", in: 0..<without.bytes.count) == nil)
    #expect(without.bytes.offset(of: "hdrgm:Version", in: 0..<without.bytes.count) == nil)
    for output in [marked, RenderOutput(format: .png)] {
      let rendered = try Self.render(photo, [], as: output)
      #expect(rendered.map == nil && Self.mentionsMap(rendered.report))
    }
  }

  /// Codes of Apple's maps are light; a render's are stops.
  @Test func applesLightBecomesStops() throws {
    let photo = [UInt8](try Data(contentsOf: Fixture.url("hdr/apple.jpg")))
    let original = try Self.read(
      photo, Self.nothing)
    let rendered = try Self.render(photo, [])
    let (before, after) = (try #require(original.codes), try #require(rendered.codes))
    let map = try #require(rendered.map)
    #expect(original.map?.convention == .apple && map.convention == .iso)
    #expect(abs(map.headroom - 3) < 1e-6 && before.size == after.size)
    let channel = map.meaning.channels[0]
    let (light, stops) = (try before.pixelBytes(), try after.pixelBytes())
    for pixel in 0..<(before.width * before.height) {
      let code = Double(light[pixel * before.bands]) / 255
      // ITU-R BT.709: V = 1.099 L^0.45 − 0.099.
      let linear = code < 0.081 ? code / 4.5 : pow((code + 0.099) / 1.099, 1 / 0.45)
      let wanted = log2(1 + 7 * linear)
      let share = pow(Double(stops[pixel * after.bands]) / 255, 1 / channel.gamma)
      let found = channel.minimum + (channel.maximum - channel.minimum) * share
      #expect(abs(found - wanted) < 0.03)
    }
  }

  /// New metadata leave picture and map as they are, and what finds the map leads to it.
  @Test func newMetadataKeepTheMap() throws {
    let photo = try Self.photo()
    let rendered = try Self.render(photo, [Straighten(3)])
    var renewed: [UInt8] = []
    let longer = OriginalReference(
      fileName: String(repeating: "long", count: 40) + ".jpg", sha256: "00")
    let warnings = try TemporaryFile.holding(photo) { original in
      try TemporaryFile.holding(rendered.bytes) { render in
        try Renderer().renewMetadata(
          of: render.source(), madeFrom: try Renderer().open(original.source()),
          with: try EditStack([Straighten(3)]), derivedFrom: longer, to: { renewed += $0 })
      }
    }
    #expect(warnings?.contains { $0.description.contains("gain map") } == false)
    let read = try Self.read(renewed, rendered.report)
    #expect(renewed.count > rendered.bytes.count)
    #expect(try read.codes?.pixelBytes() == rendered.codes?.pixelBytes())
    #expect(read.map?.meaning == rendered.map?.meaning && read.map != nil)
  }

  /// A map that is damaged is left out, with a warning.
  @Test func aDamagedMapIsLeftOut() throws {
    var photo = try Self.photo()
    guard case .part(let place) = CarriedMetadata(original: PhotoBytes(Data(photo))).gainMap?.place
    else {
      Issue.record("no map")
      return
    }
    photo.replaceSubrange(
      (place.upperBound - 600)..<place.upperBound, with: [UInt8](repeating: 0xFF, count: 600))
    let rendered = try Self.render(photo, [Straighten(3)])
    #expect(rendered.map == nil && Self.mentionsMap(rendered.report))
  }

  /// The items of a HEIF that are joined by `tmap`.
  @Test(.enabled(if: SharedData.isThere, SharedData.absence))
  func mapsOfAVIFAreWritten() throws {
    let photo = [UInt8](try SharedData.data("hdr/seine_sdr_gainmap_srgb.avif"))
    let rendered = try Self.render(photo, [])
    let map = try #require(rendered.map)
    #expect(map.channelCount == 3 && map.pixelWidth == 400 && map.pixelHeight == 300)
    #expect(abs(map.headroom - 1.3) < 1e-6)
    #expect(rendered.codes?.bands == 3 && !Self.mentionsMap(rendered.report))
  }
}
