/// How the whole numbers of a file stand for colours.
enum PixelCoding: Sendable {
  /// sRGB codes, as in a photo without a profile.
  case sRGB
  /// Codes of a profile of curves and a matrix.
  case matrix(MatrixProfile)
  /// Grey codes of a profile; pixels have one band.
  case grey(ToneResponse)

  /// The space that decoding gives without further work.
  var nativeSpace: ColourSpace {
    switch self {
    case .sRGB: .encoded
    case .matrix, .grey: .linear
    }
  }
}

/// Reads rows of whole numbers into tiles.
struct PixelDecoder: Sendable {
  private let bands: Int
  private let isWide: Bool
  private let tables: [[Float]]
  private let matrix: ColourMatrix?

  /// - Parameters:
  ///   - bands: 1 for grey, otherwise 3.
  ///   - isWide: Whether samples have 16 bits instead of 8.
  init(_ coding: PixelCoding, bands: Int, isWide: Bool) {
    self.bands = bands
    self.isWide = isWide
    let codes = isWide ? 65_536 : 256
    switch coding {
    case .sRGB:
      tables = [(0..<codes).map { Float($0) / Float(codes - 1) }]
      matrix = nil
    case .matrix(let profile):
      tables = profile.responses.map { $0.table(codes: codes) }
      matrix = profile.toSRGB
    case .grey(let response):
      tables = [response.table(codes: codes)]
      matrix = nil
    }
  }

  /// Fills a tile from the pixels at `input`, beginning with pixel `offset`.
  func decode(_ input: UnsafeRawPointer, from offset: Int, into tile: ColourTile) {
    for (channel, plane) in tile.planes.enumerated() {
      let first = offset * bands + (bands == 1 ? 0 : channel)
      tables[min(channel, tables.count - 1)].withUnsafeBufferPointer { table in
        if isWide {
          let samples = input.assumingMemoryBound(to: UInt16.self) + first
          for index in plane.indices { plane[index] = table[Int(samples[index * bands])] }
        } else {
          let samples = input.assumingMemoryBound(to: UInt8.self) + first
          for index in plane.indices { plane[index] = table[Int(samples[index * bands])] }
        }
      }
    }
    if let matrix { tile.multiply(by: matrix) }
  }
}

/// Writes tiles as rows of whole numbers, rounding once.
struct PixelEncoder: Sendable {
  private let isWide: Bool
  private let profile: MatrixProfile?

  /// - Parameter isWide: Whether samples get 16 bits instead of 8.
  init(_ coding: PixelCoding, isWide: Bool) {
    self.isWide = isWide
    if case .matrix(let profile) = coding { self.profile = profile } else { profile = nil }
  }

  /// Writes a tile as RGB to `output`, beginning with pixel `offset`. The tile is used up.
  func encode(_ tile: ColourTile, to output: UnsafeMutableRawPointer, from offset: Int) {
    if let profile {
      tile.multiply(by: profile.fromSRGB)
      for (plane, response) in zip(tile.planes, profile.responses) {
        response.encodeTable.map(plane, odd: false)
      }
    }
    for (channel, plane) in tile.planes.enumerated() {
      let first = offset * 3 + channel
      // Not-a-number compares as false and so becomes black instead of a trap.
      if isWide {
        let samples = output.assumingMemoryBound(to: UInt16.self) + first
        for index in plane.indices {
          let value = plane[index]
          samples[index * 3] = value > 0 ? UInt16(min(value, 1) * 65_535 + 0.5) : 0
        }
      } else {
        let samples = output.assumingMemoryBound(to: UInt8.self) + first
        for index in plane.indices {
          let value = plane[index]
          samples[index * 3] = value > 0 ? UInt8(min(value, 1) * 255 + 0.5) : 0
        }
      }
    }
  }
}
