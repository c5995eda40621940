import Foundation
import PhotoEditing
import SafelightVips

@testable import SafelightFiles
@testable import SafelightStorage

/// The decoded pixels of a file, as the decoder gives them.
struct Picture: Equatable {
  let width: Int
  let height: Int
  let bands: Int
  let format: Image.SampleFormat
  let pixels: [UInt8]

  init(_ path: FilePath, as format: Image.FileFormat, upright orientation: Int = 1) throws {
    let file = try FileSystem.real.openForReading(path)
    let image = try Image.open(Source(file), as: format)
    try self.init(image.inMemory().upright(from: orientation))
  }

  init(_ image: Image) throws {
    width = image.width
    height = image.height
    bands = image.bands
    format = image.sampleFormat
    pixels = try image.pixelBytes()
  }

  /// Pixels of 8 bits.
  init(width: Int, height: Int, bands: Int, pixels: [UInt8]) {
    (self.width, self.height, self.bands, self.pixels) = (width, height, bands, pixels)
    format = .uint8
  }

  static func == (left: Picture, right: Picture) -> Bool {
    left.hasShape(of: right) && left.pixels == right.pixels
  }

  func hasShape(of other: Picture) -> Bool {
    width == other.width && height == other.height && bands == other.bands
      && format == other.format
  }

  /// The bands of one pixel of an 8-bit picture.
  func pixel(_ x: Int, _ y: Int) -> [UInt8] {
    let start = (y * width + x) * bands
    return Array(pixels[start..<(start + bands)])
  }

  /// How far each sample is from another picture's, 16 times over, to be looked at.
  func difference(from other: Picture) -> Picture {
    let apart = zip(pixels, other.pixels).map { UInt8(min(255, abs(Int($0) - Int($1)) * 16)) }
    return Picture(width: width, height: height, bands: bands, pixels: apart)
  }

  /// The picture as PNG, for attachments.
  func png() throws -> [UInt8] {
    var bytes: [UInt8] = []
    let image = try Image.fromMemory(
      pixels, width: width, height: height, bands: bands, format: format)
    try image.writePNG(to: Target { bytes.append(contentsOf: $0) })
    return bytes
  }
}

extension Image.FileFormat {
  /// The decoder for a file by its name's ending.
  init?(ending: String?) {
    switch ending {
    case "jpg": self = .jpeg
    case "png": self = .png
    case "tif": self = .tiff
    case "webp": self = .webp
    case "heic", "avif": self = .heif
    default: return nil
    }
  }
}
