import SafelightVips

extension ReducedPicture {
  /// Reduces a photo: by its decoder as far as that goes, and by means of codes from there.
  ///
  /// - Parameters:
  ///   - photo: The photo as it is rendered.
  ///   - opened: The file, which is decoded once more, unless the photo is turned or resized.
  static func reducing(_ photo: DecodedPhoto, of opened: OpenedPhoto) throws(VipsError)
    -> ReducedPicture
  {
    let factor = factor(width: photo.image.width, height: photo.image.height)
    // Not where pixels happen to lie in memory: whether they do may depend on the output's format,
    // and the picture must not.
    guard photo.isAsStored else { return try means(of: photo, factor: factor, whole: factor) }
    let reduced = try DecodedPhoto.reduced(opened, shrink: min(factor, 8))
    return try means(of: reduced.photo, factor: factor / reduced.shrink, whole: factor)
  }

  /// The means of squares of a photo's codes, as colors.
  ///
  /// - Parameters:
  ///   - factor: Pixels of `photo` along the side of a square.
  ///   - whole: The same for the picture as it is rendered.
  private static func means(of photo: DecodedPhoto, factor: Int, whole: Int) throws(VipsError)
    -> ReducedPicture
  {
    let image = photo.image
    let (width, height) = (
      (image.width + factor - 1) / factor, (image.height + factor - 1) / factor
    )
    var planes = [[Float]](repeating: [Float](repeating: 0, count: width * height), count: 3)
    let reader = try RowReader(image)
    for y in 0..<height {
      let rows = (y * factor)..<min((y + 1) * factor, image.height)
      try reader.read(rows) { found in
        if photo.isWide {
          add(found, of: UInt16.self, image.bands, factor, largest: 65_535, to: &planes, width, y)
        } else {
          add(found, of: UInt8.self, image.bands, factor, largest: 255, to: &planes, width, y)
        }
      }
    }
    var picture = ReducedPicture(planes: planes, width: width, height: height, factor: whole)
    picture.apply(decoding: photo.coding)
    return picture
  }

  /// Fills a row of means.
  private static func add<Code: FixedWidthInteger>(
    _ rows: PixelRows, of type: Code.Type, _ bands: Int, _ factor: Int, largest: Float,
    to planes: inout [[Float]], _ width: Int, _ y: Int
  ) {
    for channel in 0..<3 {
      let band = bands == 1 ? 0 : channel
      planes[channel].withUnsafeMutableBufferPointer { plane in
        for x in 0..<width {
          let columns = (x * factor)..<min((x + 1) * factor, rows.width)
          var sum: UInt32 = 0
          for row in 0..<rows.count {
            let codes = (rows.start + row * rows.stride).assumingMemoryBound(to: type)
            for column in columns {
              sum &+= UInt32(truncatingIfNeeded: codes[column &* bands &+ band])
            }
          }
          let count = Float(columns.count * rows.count)
          plane[y * width + x] = Float(sum) / (count * largest)
        }
      }
    }
  }
}
