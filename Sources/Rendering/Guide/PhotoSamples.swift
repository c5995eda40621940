import SafelightVips

/// Squares of a photo at full size, in which its noise can be measured.
///
/// The reduced picture is too small to show noise. The squares lie evenly over the photo, as it is
/// stored: at most 16 in a row and in a column, so that a larger photo costs no more than its
/// decoding. They go through the same color steps as the picture.
struct PhotoSamples: Sendable {
  /// Pixels along the side of a square.
  static let side = 64
  /// The most squares in a row and in a column.
  static let most = 16

  /// A square of pixels.
  private struct Square {
    /// Where its first pixel lies in the photo.
    let left, top: Int
    /// Red, then green, then blue, encoded.
    var planes: [Float]
  }

  private var squares: [Square] = []
  /// The size of the photo as it is stored.
  private let size: PixelSize

  private init(of size: PixelSize) {
    self.size = size
  }

  /// Red, green and blue of each square, one plane after the other.
  var pixels: [[Float]] { squares.map(\.planes) }

  /// The first pixels of the squares along a side; empty when the side is shorter than a square.
  static func places(along length: Int) -> [Int] {
    let count = min(length / side, most)
    guard count > 1 else { return count == 1 ? [(length - side) / 2] : [] }
    return (0..<count).map { $0 * (length - side) / (count - 1) }
  }

  /// Decodes a photo once more, at full size, and keeps the squares.
  static func reading(_ opened: OpenedPhoto) throws(VipsError) -> PhotoSamples {
    try PhotoSamples(of: DecodedPhoto(opened, for: DecodedPhoto.Purpose()))
  }

  /// The squares of a photo at full size.
  init(of photo: DecodedPhoto) throws(VipsError) {
    let image = photo.image
    self.init(of: image.size)
    let columns = Self.places(along: image.width)
    let tops = Self.places(along: image.height)
    guard !columns.isEmpty, let last = tops.last else { return }
    let starts = Set(tops)
    let reader = try RowReader(image)
    var row = 0
    while row < last + Self.side {
      guard starts.contains(row) else {
        // What lies between is decoded too, because a photo is decoded from top to bottom.
        let next = tops.first { $0 > row } ?? last
        let end = min(row + Self.side, next)
        try reader.read(row..<end) { _ in }
        row = end
        continue
      }
      try reader.read(row..<(row + Self.side)) { rows in
        for left in columns {
          let planes =
            photo.isWide
            ? Self.planes(rows, from: left, of: UInt16.self, bands: image.bands, largest: 65_535)
            : Self.planes(rows, from: left, of: UInt8.self, bands: image.bands, largest: 255)
          squares.append(Square(left: left, top: row, planes: planes))
        }
      }
      row += Self.side
    }
    let decoding = photo.coding.decoding
    apply(decoding, from: decoding.first?.space ?? .encoded)
  }

  private static func planes<Code: FixedWidthInteger>(
    _ rows: PixelRows, from left: Int, of type: Code.Type, bands: Int, largest: Float
  ) -> [Float] {
    [Float](unsafeUninitializedCapacity: 3 * side * side) { planes, count in
      for y in 0..<side {
        let codes = (rows.start + y * rows.stride).assumingMemoryBound(to: type)
        for channel in 0..<3 {
          let plane = channel * side * side + y * side
          let band = bands == 1 ? 0 : channel
          for x in 0..<side {
            planes[plane + x] = Float(codes[(left + x) * bands + band]) / largest
          }
        }
      }
      count = 3 * side * side
    }
  }

  /// Does steps on every pixel.
  ///
  /// Steps that depend on the place read it in the picture as it is rendered, which may be smaller
  /// and turned.
  ///
  /// - Parameters:
  ///   - picture: The size of the picture as it is rendered.
  ///   - orientation: What turned the stored pixels.
  mutating func apply(
    _ steps: [ColorStep], from space: ColorSpace = .encoded, in picture: PixelSize? = nil,
    turnedBy orientation: Orientation = .upright
  ) {
    guard !steps.isEmpty else { return }
    let program = ColorProgram(ColorProgram.fused(steps, from: space, to: .encoded))
    let side = Self.side
    ColorTile.withMemory { memory in
      for index in squares.indices {
        let square = squares[index]
        let middle = orientation.place(
          (Double(square.left + side / 2) / Double(size.width)),
          (Double(square.top + side / 2) / Double(size.height)))
        let shown = picture ?? size
        // A square is small beside what such steps follow, so its rows lie around its middle.
        let x = min(max(Int(middle.x * Double(shown.width)) - side / 2, 0), shown.width - 1)
        let y = min(max(Int(middle.y * Double(shown.height)), 0), shown.height - 1)
        for row in 0..<side {
          let tile = ColorTile(memory, count: side, x: x, y: y)
          tile.forEachPlane { channel, plane in
            let start = (channel * side + row) * side
            for column in 0..<side { plane[column] = square.planes[start + column] }
          }
          program.run(on: tile)
          tile.forEachPlane { channel, plane in
            let start = (channel * side + row) * side
            for column in 0..<side { squares[index].planes[start + column] = plane[column] }
          }
        }
      }
    }
  }
}

extension Orientation {
  /// Where a place goes, in shares of the sides.
  fileprivate func place(_ x: Double, _ y: Double) -> (x: Double, y: Double) {
    var place = (x: x, y: y)
    for _ in 0..<quarters { place = (1 - place.y, place.x) }
    return isMirrored ? (1 - place.x, place.y) : place
  }
}
