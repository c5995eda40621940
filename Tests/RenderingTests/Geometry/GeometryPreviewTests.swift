import Foundation
import SafelightAdjustments
import SafelightTestSupport
import SafelightVips
import Testing

@testable import SafelightRendering

/// Renders of a given size with geometry in the edit.
@Suite struct GeometryPreviewTests {
  private static let stacks: [[any Adjustment]] = [
    [], [Crop(x: 0.21, y: 0.33, width: 0.37, height: 0.41)], [Straighten(4.2)],
    [Straighten(-11), Crop(x: 0.1, y: 0.2, width: 0.5, height: 0.75)],
    [Perspective(vertical: 60, horizontal: -20), Crop(x: 0.3, y: 0, width: 0.4, height: 1)],
  ]

  @Test(arguments: stacks.indices, [20, 77, 150])
  func theLongerSideIsWhatWasAskedFor(index: Int, longestSide: Int) throws {
    let fixture = OpenFixture("beach.jpg")
    let stack = try EditStack(Self.stacks[index])
    let full = try fixture.previewSize(stack, longestSide: 100_000)
    let size = try fixture.previewSize(stack, longestSide: longestSide)
    #expect(size.max() == min(longestSide, full.max()!))
    let ratio = Double(longestSide) / Double(full.max()!)
    if ratio < 1 {
      // Both edges of the crop are rounded, and what was straightened is rounded down before.
      #expect(zip(size, full).allSatisfy { abs(Double($0) - Double($1) * ratio) <= 2 })
    }
  }

  /// A preview looks like the full render made smaller.
  @Test(arguments: stacks.indices)
  func aPreviewShowsTheSamePart(index: Int) throws {
    let fixture = OpenFixture("beach.jpg")
    let stack = try EditStack(Self.stacks[index])
    let full = try fixture.preview(stack, longestSide: nil)
    let preview = try fixture.preview(stack, longestSide: 120)
    let reduced = try PictureResizing(to: preview.size, from: full.size, coding: .sRGB)
      .applied(to: full).pixelBytes()
    let codes = try preview.pixelBytes()
    let apart = zip(codes, reduced).map { abs(Double($0) - Double($1)) }
    let mean = apart.reduce(0, +) / Double(apart.count)
    // Rounding may move an edge by half a pixel of the preview.
    #expect(mean < 6)
  }

  @Test func sizesAreKnownFromTheHeader() throws {
    let fixture = OpenFixture("orientation/6.jpg")
    var rotate = Rotate()
    rotate.amount = .right
    let stacks: [[any Adjustment]] = [
      [], [rotate], [rotate, Straighten(10)],
      [rotate, Straighten(10), Crop(x: 0.2, y: 0.2, width: 0.3, height: 0.6)],
    ]
    for adjustments in stacks {
      let stack = try EditStack(adjustments)
      let size = try Renderer().open(fixture.source()).size(with: stack)
      let report = try fixture.render(stack).report
      #expect(size.width == report.pixelWidth && size.height == report.pixelHeight)
    }
  }
}

extension OpenFixture {
  /// The fixture rendered without loss, with a limit for the longer side.
  fileprivate func preview(_ stack: EditStack, longestSide: Int?) throws -> Image {
    final class Collector { var bytes: [UInt8] = [] }
    let collector = Collector()
    _ = try Renderer().render(
      source(), edit: stack, as: RenderOutput(format: .png, longestSide: longestSide),
      derivedFrom: .init(fileName: name, sha256: ""), to: { collector.bytes += $0 })
    return try TemporaryFile.holding(collector.bytes) { file in
      try Image.open(Source(file.file), as: .png).inMemory()
    }
  }
}

/// A temporary file with these bytes.
enum TemporaryFile {
  static func holding<Result>(
    _ bytes: [UInt8], _ body: (borrowing OpenFixture) throws -> Result
  ) throws -> Result {
    let file = FileManager.default.temporaryDirectory
      .appendingPathComponent("safelight-\(UUID().uuidString)")
    try Data(bytes).write(to: file)
    defer { try? FileManager.default.removeItem(at: file) }
    return try body(OpenFixture(file))
  }
}
