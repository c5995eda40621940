import Foundation
import SafelightAdjustments
import SafelightFiles
import SafelightLookupTables
import SafelightMetadata
import SafelightTestSupport
import SafelightVips

@testable import SafelightRendering

/// A fixture that is open, as the façade hands photos to the renderer.
struct OpenFixture: ~Copyable {
  let file: OpenFile
  let name: String

  init(_ name: String) {
    self.init(Fixture.url(name))
  }

  init(_ url: URL) {
    name = url.lastPathComponent
    file = OpenFile(descriptor: open(url.path, O_RDONLY), path: FilePath(url.path))
  }

  func source(pixelLimit: Int = PhotoSource.defaultPixelLimit, allowsDamage: Bool = false)
    -> PhotoSource
  {
    PhotoSource(file, name: name, pixelLimit: pixelLimit, allowsDamage: allowsDamage)
  }

  /// The fixture rendered to a file in memory. Its codes are those of the arithmetic, unless they are dithered.
  func render(
    _ stack: EditStack = EditStack(), as format: RenderOutput.Format = .png, quality: Int = 95,
    longestSide: Int? = nil, dithers: Bool = false
  )
    throws -> (bytes: [UInt8], report: Renderer.Report)
  {
    final class Collector { var bytes: [UInt8] = [] }
    let collector = Collector()
    let report = try Renderer().render(
      source(), edit: stack,
      as: RenderOutput(
        format: format, quality: quality, longestSide: longestSide, dithers: dithers),
      derivedFrom: OriginalReference(fileName: name, sha256: String(repeating: "0", count: 64)),
      to: { collector.bytes += $0 })
    return (collector.bytes, report)
  }

  /// The fixture rendered without loss and read again, in RGB or gray codes, on white where it is transparent.
  func pixels(_ stack: EditStack = EditStack(), longestSide: Int? = nil) throws
    -> (image: Image, codes: [Int])
  {
    let bytes = try render(stack, longestSide: longestSide).bytes
    let file = FileManager.default.temporaryDirectory
      .appendingPathComponent("safelight-\(UUID().uuidString).png")
    try Data(bytes).write(to: file)
    defer { try? FileManager.default.removeItem(at: file) }
    let written = OpenFixture(file)
    let read = try Image.open(Source(written.file), as: .png)
    let image = read.hasAlpha ? try read.flattenedOnWhite() : read
    let pixels = try image.pixelBytes()
    guard image.sampleFormat == .uint16 else { return (image, pixels.map(Int.init)) }
    return (
      image,
      stride(from: 0, to: pixels.count, by: 2).map { Int(pixels[$0]) | Int(pixels[$0 + 1]) << 8 }
    )
  }
}

extension Renderer {
  /// Opens a photo and renders it.
  func render(
    _ source: PhotoSource, edit stack: EditStack, as output: RenderOutput = .standard,
    derivedFrom original: OriginalReference, cancellation: RenderCancellation? = nil,
    to sink: @escaping (UnsafeRawBufferPointer) throws -> Void
  ) throws -> Report {
    try render(
      open(source), edit: stack, as: output, derivedFrom: original, cancellation: cancellation,
      to: sink)
  }
}

extension EditStack {
  /// Saturation alone, as the simplest edit that changes pixels.
  static func saturation(_ amount: Double) throws -> EditStack {
    var saturation = Saturation()
    saturation.amount = amount
    return try EditStack([saturation])
  }
}

extension OpenedPhoto {
  /// The picture as the decoder gives it.
  var image: Image { get throws { try picture().picture.color } }
}

extension Renderer {
  /// The table of a HaldCLUT.
  func lookupTable(hald source: PhotoSource) throws -> LookupTable {
    try haldPicture(source).table()
  }
}
