import Vips

/// Reads rows of pixels into tiles: whole numbers through one table or three, floats as they are.
struct PixelDecoder: Sendable {
  private let bands: Int
  private let format: Image.SampleFormat
  private let tables: [[Float]]

  /// - Parameters:
  ///   - format: How the samples are stored.
  ///   - bands: 1 for grey, otherwise 3.
  ///   - curves: What each code becomes, as a share of the largest; not for floats.
  init(_ format: Image.SampleFormat, bands: Int, through curves: ChannelCurves?) {
    self.bands = bands
    self.format = format
    let codes =
      switch format {
      case .uint8: 256
      case .uint16: 65_536
      case .float, .other: 0
      }
    let functions = curves.map { $0.isShared ? [$0.red] : $0.functions } ?? [{ $0 }]
    tables = functions.map { function in
      (0..<codes).map { Float(function(Double($0) / Double(codes - 1))) }
    }
  }

  /// Fills a tile from the pixels at `input`, beginning with pixel `offset`.
  func decode(_ input: UnsafeRawPointer, from offset: Int, into tile: ColourTile) {
    tile.forEachPlane { channel, plane in
      let first = offset * bands + (bands == 1 ? 0 : channel)
      if format == .float {
        let values = input.assumingMemoryBound(to: Float.self) + first
        for index in 0..<tile.count { plane[index] = values[index &* 3] }
        return
      }
      tables[min(channel, tables.count - 1)].withUnsafeBufferPointer { buffer in
        let table = buffer.baseAddress!
        if format == .uint16 {
          let codes = input.assumingMemoryBound(to: UInt16.self) + first
          for index in 0..<tile.count { plane[index] = table[Int(codes[index &* bands])] }
        } else {
          let codes = input.assumingMemoryBound(to: UInt8.self) + first
          for index in 0..<tile.count { plane[index] = table[Int(codes[index &* bands])] }
        }
      }
    }
  }
}
