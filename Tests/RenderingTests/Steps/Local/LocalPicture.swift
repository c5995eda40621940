import Foundation
import SafelightAdjustments
import SafelightTestSupport
import SafelightVips

@testable import SafelightRendering

/// Codes of 8 bits, three to a pixel, for whole-picture tests.
struct LocalPicture {
  let width: Int
  let height: Int
  let codes: [UInt8]

  init(width: Int, height: Int, codes: [UInt8]) {
    (self.width, self.height, self.codes) = (width, height, codes)
  }

  /// A picture from encoded values.
  init(width: Int, height: Int, _ value: (Int, Int) -> [Double]) {
    self.init(
      width: width, height: height,
      codes: (0..<(width * height)).flatMap { index in
        value(index % width, index / width).map { UInt8((min(max($0, 0), 1) * 255).rounded()) }
      })
  }

  /// A part of a picture file.
  init(_ url: URL, left: Int = 0, top: Int = 0, width: Int? = nil, height: Int? = nil) throws {
    let fixture = OpenFixture(url)
    let image = try OpenedPhoto(fixture.source()).image.inMemory()
    let part = try image.part(
      left: left, top: top, width: width ?? image.width, height: height ?? image.height)
    self.init(width: part.width, height: part.height, codes: try part.pixelBytes())
  }

  var reference: ReferencePicture {
    ReferencePicture(codes: codes.map(Int.init), width: width, height: height)
  }

  /// The picture in a file without loss, for as long as `body` runs.
  func withFile<Result>(_ body: (borrowing OpenFixture) throws -> Result) throws -> Result {
    let file = FileManager.default.temporaryDirectory
      .appendingPathComponent("safelight-\(UUID().uuidString).png")
    defer { try? FileManager.default.removeItem(at: file) }
    var bytes = Data()
    try withUnsafeMutablePointer(to: &bytes) { bytes in
      nonisolated(unsafe) let bytes = bytes
      try Image.fromMemory(codes, width: width, height: height, bands: 3, format: .uint8)
        .writePNG(to: Target { bytes.pointee.append(contentsOf: $0) })
    }
    try bytes.write(to: file)
    return try body(OpenFixture(file))
  }

  /// The picture with adjustments, through the whole renderer.
  func adjusted(_ adjustments: [any Adjustment]) throws -> [Int] {
    let stack = try EditStack(adjustments)
    return try withFile { try $0.pixels(stack).codes }
  }
}

extension OpenFixture {
  /// The codes of a render in the strips in which a JPEG is encoded, or the way other formats are.
  borrowing func codes(_ adjustments: [any Adjustment], as format: RenderOutput.Format) throws
    -> [UInt8]
  {
    let plan = try RenderPlan(EditStack(adjustments))
    let opened = try OpenedPhoto(source())
    let photo = try DecodedPhoto(
      opened,
      for: DecodedPhoto.Purpose(
        isNeutral: plan.isNeutral, orientation: opened.orientation,
        inAnyOrder: plan.needsAnyOrder(as: format)))
    let picture = try plan.picture(of: photo, opened, as: format)
    guard format == .jpeg else { return try picture.image.pixelBytes() }
    var codes: [UInt8] = []
    try picture.forEachStrip(rows: 64, unless: nil) {
      { rows in
        var strip: [UInt8] = []
        for row in 0..<rows.count {
          strip += UnsafeRawBufferPointer(
            start: rows.start + row * rows.stride, count: 3 * rows.width)
        }
        return strip
      }
    } deliver: {
      codes += $0
    }
    return codes
  }
}
