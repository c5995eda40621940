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

/// What the pixels of a plane say, beside the color: how bright places are on a brighter screen, how far they are.
struct PlaneRole: Sendable, Hashable {
  let name: String
}

/// A picture as planes: the color that people see, and what else is known of the same places.
///
/// Geometry acts on all planes, each at its own size. Color steps act on the color alone.
struct Picture: Sendable {
  /// Red, green and blue, or gray.
  var color: Image
  /// The other planes, 8 or 16 bits in one or three bands. Each shows all of the picture in pixels of its own; the color
  /// may have been made smaller alone.
  private(set) var others: [PlaneRole: Image]

  init(_ color: Image, others: [PlaneRole: Image] = [:]) {
    (self.color, self.others) = (color, others)
  }

  /// The picture turned. The other planes, which are small, come into memory.
  ///
  /// - Parameter color: The color turned.
  func turned(_ turn: Orientation, color: Image) throws(VipsError) -> Picture {
    var planes = others
    for (role, plane) in others { planes[role] = try plane.inMemory(turned: turn) }
    return Picture(color, others: planes)
  }

  /// Moves the pixels of all planes.
  ///
  /// - Parameters:
  ///   - warp: From the picture that comes of it to this one, in pixels of the color.
  ///   - moved: The color moved.
  mutating func move(by warp: any Warp, color moved: Image) throws(VipsError) {
    for (role, plane) in others {
      let across = Double(plane.width) / Double(color.width)
      let down = Double(plane.height) / Double(color.height)
      let size = PixelSize(
        width: max(Int((Double(warp.size.width) * across).rounded()), 1),
        height: max(Int((Double(warp.size.height) * down).rounded()), 1))
      others[role] = try plane.moved(by: warp.scaled(to: size, across: across, down: down))
    }
    color = moved
  }
}

extension Image {
  /// A part of the picture, by a warp that only shifts it.
  func part(_ shift: (left: Int, top: Int), _ size: PixelSize) throws(VipsError) -> Image {
    try part(left: shift.left, top: shift.top, width: size.width, height: size.height)
  }

  /// A plane of whole numbers with its pixels moved. The numbers are interpolated as they are.
  func moved(by warp: any Warp) throws(VipsError) -> Image {
    if let shift = warp.shift { return try part(shift, warp.size) }
    let (bands, isWide) = (bands, sampleFormat == .uint16)
    let floats = try mappingScanlines(bands: 3, format: .float) { line in
      let output = line.output.assumingMemoryBound(to: Float.self)
      for index in 0..<3 * line.count {
        let place = bands == 1 ? index / 3 : index
        output[index] =
          isWide
          ? Float(line.input.assumingMemoryBound(to: UInt16.self)[place])
          : Float(line.input.assumingMemoryBound(to: UInt8.self)[place])
      }
    }
    return try WarpPass(warp: warp).applied(to: floats).mappingScanlines(
      bands: bands, format: sampleFormat
    ) { line in
      let input = line.input.assumingMemoryBound(to: Float.self)
      for index in 0..<bands * line.count {
        let number = input[bands == 1 ? 3 * index : index].rounded()
        if isWide {
          line.output.assumingMemoryBound(to: UInt16.self)[index] = UInt16(
            min(max(number, 0), 65_535))
        } else {
          line.output.assumingMemoryBound(to: UInt8.self)[index] = UInt8(min(max(number, 0), 255))
        }
      }
    }
  }
}
