import Glibc
import SafelightColorKernels
import SafelightMetadata
import SafelightVips

/// Width and height of a picture in pixels.
///
/// ```swift
/// let size = PixelSize(width: 6000, height: 4000)
/// print("\(size.width) × \(size.height)")
/// ```
public struct PixelSize: Sendable, Hashable, Codable {
  /// Pixels from left to right.
  public let width: Int
  /// Pixels from top to bottom.
  public let height: Int

  /// A size in pixels.
  public init(width: Int, height: Int) {
    self.width = width
    self.height = height
  }

  /// The longer side.
  var longestSide: Int { max(width, height) }

  /// The width divided by the height.
  var aspect: Double { Double(width) / Double(height) }

  /// Width and height exchanged.
  var turned: PixelSize { PixelSize(width: height, height: width) }

  /// Both sides multiplied by a factor and rounded, at least 1.
  func scaled(by factor: Double) -> PixelSize {
    PixelSize(
      width: max(Int((Double(width) * factor).rounded()), 1),
      height: max(Int((Double(height) * factor).rounded()), 1))
  }

  /// The largest size of the same shape that fits into a width and a height; never larger than this
  /// size.
  func fitting(width: Double, height: Double) -> PixelSize {
    scaled(by: min(width / Double(self.width), height / Double(self.height), 1))
  }

  /// This size made smaller until it lies inside of another.
  func fitting(_ size: PixelSize) -> PixelSize {
    fitting(width: Double(size.width), height: Double(size.height))
  }
}

extension Image {
  /// Width and height.
  var size: PixelSize { PixelSize(width: width, height: height) }
}

/// How a picture is turned by quarters and mirrored, as Exif counts it.
///
/// Source: CIPA DC-008 (Exif 2.32), tag 0x0112.
struct Orientation: Sendable, Equatable {
  /// The Exif value, 1 to 8: what stored pixels need to stand upright.
  let exif: Int

  /// Nothing to do.
  static let upright = Orientation(mirrored: false, quarters: 0)

  /// Exif values of pictures that need 0 to 3 quarter turns clockwise.
  private static let turned = [1, 6, 3, 8]
  /// Exif values of pictures that need the same turns and are then mirrored left to right.
  private static let mirrored = [2, 5, 4, 7]

  /// An Exif value; others than 1 to 8 count as 1.
  init(exif: Int) {
    self.exif = (1...8).contains(exif) ? exif : 1
  }

  /// First quarter turns clockwise, then left and right exchanged.
  init(mirrored: Bool, quarters: Int) {
    let index = ((quarters % 4) + 4) % 4
    exif = mirrored ? Self.mirrored[index] : Self.turned[index]
  }

  /// Whether left and right are exchanged, after the turns.
  var isMirrored: Bool { Self.mirrored.contains(exif) }

  /// Quarter turns clockwise, 0 to 3.
  var quarters: Int {
    Self.turned.firstIndex(of: exif) ?? Self.mirrored.firstIndex(of: exif) ?? 0
  }

  /// Whether width and height are exchanged.
  var swapsSides: Bool { quarters % 2 == 1 }

  /// This orientation, then another.
  func followed(by next: Orientation) -> Orientation {
    // A mirror and then a turn give the same as the opposite turn and then the mirror.
    let turns = isMirrored ? quarters - next.quarters : quarters + next.quarters
    return Orientation(mirrored: isMirrored != next.isMirrored, quarters: turns)
  }
}

extension Image {
  /// Rows that are turned at a time. They are still in the processor's caches when their pixels are
  /// written.
  private static let turnedRows = 32

  /// The pixels in memory, turned while they are read, once and from top to bottom: no second copy
  /// of the picture is needed.
  func inMemory(turned orientation: Orientation) throws(VipsError) -> Image {
    guard orientation != .upright else { return try inMemory() }
    let turned = orientation.swapsSides ? size.turned : size
    let (pixel, row) = (bytesPerPixel, turned.width * bytesPerPixel)
    let count = row * turned.height
    // Where the picture's first pixel goes, and how far on its next column and its next row are.
    var (first, across, down) = (0, pixel, row)
    switch orientation.quarters {
    case 1: (first, across, down) = (row - pixel, row, -pixel)
    case 2: (first, across, down) = (count - pixel, -pixel, -row)
    case 3: (first, across, down) = (count - row, -row, pixel)
    default: break
    }
    if orientation.isMirrored {
      // In its row a pixel goes to the other side.
      let column = first % row
      first += row - pixel - 2 * column
      if orientation.swapsSides { down.negate() } else { across.negate() }
    }
    return try VipsError.thrown(by: "turn") {
      // Columns become rows that lie far apart, each in a page of its own.
      try Image.filled(like: self, width: turned.width, height: turned.height) { start in
        let reader = try RowReader(self)
        for top in stride(from: 0, to: height, by: Self.turnedRows) {
          try reader.read(top..<min(top + Self.turnedRows, height)) { rows in
            kernels.turn(
              rows.start.assumingMemoryBound(to: UInt8.self), rows.stride, Int32(rows.width),
              Int32(rows.count), Int32(pixel),
              (start + first + top * down).assumingMemoryBound(to: UInt8.self), across, down)
          }
        }
      }
    }
  }
}
