/// Turns the frames of a movie by what the movie says of them. No frame is coded again.
///
/// Source: ISO/IEC 14496-12, 8.3.2 (`tkhd`).
package enum MovieTurn {
  /// The bytes of a movie whose frames are shown turned.
  ///
  /// - Parameters:
  ///   - original: The whole movie.
  ///   - turns: Quarter turns with the clock, 0 to 3, besides those that the movie has.
  /// - Returns: `nil` when the frames have another matrix than that of a turn, or there are none.
  package static func bytes(of original: [UInt8], byQuarterTurns turns: Int) -> [UInt8]? {
    let place: (header: Int, isLong: Bool)? = original.withUnsafeBytes { bytes in
      guard let movie = ISOMediaBox.list(bytes, 0..<bytes.count).first(of: "moov"),
        let track = ISOMediaBox.list(bytes, movie.content).first(where: { $0.isVideoTrack(bytes) }),
        let header = ISOMediaBox.list(bytes, track.content).first(of: "tkhd")
      else { return nil }
      let isLong = bytes.byte(at: header.content.lowerBound) == 1
      guard header.content.count >= (isLong ? 96 : 84) else { return nil }
      return (header.content.lowerBound, isLong)
    }
    guard let place else { return nil }
    let matrix = place.header + (place.isLong ? 52 : 40)
    guard let width = original.uint32(at: matrix + 36),
      let height = original.uint32(at: matrix + 40)
    else { return nil }
    let present = (0..<9).map { original.uint32(at: matrix + 4 * $0) ?? 0 }
    let ways = (0..<4).map { elements(ofQuarterTurns: $0, width: width, height: height) }
    // Where the frames lie on a larger canvas does not matter: nothing else is on it.
    let parts = [0, 1, 2, 3, 4, 5, 8]
    guard
      let before = ways.firstIndex(where: { way in parts.allSatisfy { way[$0] == present[$0] } })
    else { return nil }
    var result = original
    for (index, element) in ways[(before + turns) % 4].enumerated() {
      result.set(uint32: element, at: matrix + 4 * index, .big)
    }
    return result
  }

  /// A matrix from frames to what is shown, row after row: 16 bits behind the point, in the last column 30.
  private static func elements(ofQuarterTurns turns: Int, width: Int, height: Int) -> [Int] {
    let (one, minus, last) = (0x10000, 0xFFFF_0000, 0x4000_0000)
    return switch turns {
    case 1: [0, one, 0, minus, 0, 0, height, 0, last]
    case 2: [minus, 0, 0, 0, minus, 0, width, height, last]
    case 3: [0, minus, 0, one, 0, 0, 0, width, last]
    default: [one, 0, 0, 0, one, 0, 0, 0, last]
    }
  }
}
