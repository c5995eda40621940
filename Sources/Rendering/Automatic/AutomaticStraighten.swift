import FoundationEssentials
import Glibc

/// The angle that makes a tilted picture level, by its long straight edges.
///
/// A Hough transform in which each edge pixel votes only for angles near the angle of its own
/// gradient (R. O. Duda and P. E. Hart, Comm. ACM 15, 1972; F. O'Gorman and M. B. Clowes, IEEE
/// Trans. Comput. 25, 1976). The 30 % of the pixels with the steepest luma, by Scharr's operator,
/// vote. A pixel whose edge is within 12° of level or upright votes for lines within 0.8° of its
/// direction, at intervals of 0.1°. The score of an angle is the sum of the squares of its lines'
/// votes above 4 % of the longer side, so that long lines count and texture does not. The best
/// angle is used when it is clear: it is within 10°, at least a third of the total score lies
/// within 0.6° of it, and one line there is at least as long as 12 % of the longer side.
///
/// Perspective tilts lines too: uprights converge when the camera looks up or down, and level edges
/// when it looks at them from the side. It tilts the lines of one half of the picture one way and
/// those of the other half the other way, and hardly those in the middle. So the angle is used only
/// when its lines, upright or level, whichever score more, lie on both sides of the middle (a quarter
/// of the score at least on either), or near it: their mean within a tenth of the picture for
/// uprights, and within a quarter for level lines. A level line as long as 30 % of the longer side
/// is a horizon wherever it is. A lamp post near the edge or a table before the camera turns nothing.
struct AutomaticStraighten {
  /// Degrees clockwise that make the picture level, in tenths; `nil` when nothing clear was found.
  let angle: Double?

  /// Degrees between two angles.
  private static let interval = 0.1
  /// The number of angles, from -12° to 12°.
  private static let angles = 241

  private struct Edge {
    let x, y: Float
    /// Degrees clockwise from level or upright.
    let tilt: Float
    let isLevel: Bool
  }

  /// A straight line of edge pixels.
  private struct Line {
    /// Where the line crosses the middle of the picture, as a share of the picture's height for
    /// level lines, and of its width for upright lines.
    let place: Double
    let score: Double
    /// In pixels.
    let length: Float
  }

  /// - Parameters:
  ///   - picture: The picture as its file stores it.
  ///   - isSideways: Whether level lines stand upright in it.
  init(_ picture: ReducedPicture, isSideways: Bool = false) {
    let side = Float(max(picture.width, picture.height))
    let edges = Self.edges(picture.luma)
    var scores = [Double](repeating: 0, count: Self.angles)
    let kinds = [true, false].map { isLevel in
      let votes = Self.votes(edges.filter { $0.isLevel == isLevel }, isLevel: isLevel, side: side)
      return votes.enumerated().map { angle, votes in
        Self.lines(votes, angle: angle, isLevel: isLevel, in: picture)
      }
    }
    for lines in kinds {
      for index in lines.indices { scores[index] += lines[index].reduce(0) { $0 + $1.score } }
    }
    let smooth = Self.blurred(scores)
    let best = smooth.indices.max { smooth[$0] < smooth[$1] }!
    let near = max(best - 6, 0)...min(best + 6, Self.angles - 1)
    let (share, total) = (scores[near].reduce(0, +), scores.reduce(0, +))
    let tilt = Double(best - Self.angles / 2) * Self.interval
    let (level, upright) = (Array(kinds[0][near].joined()), Array(kinds[1][near].joined()))
    let levelCounts = level.reduce(0) { $0 + $1.score } >= upright.reduce(0) { $0 + $1.score }
    let longest = (level + upright).map(\.length).max() ?? 0
    guard total > 0, share > total / 3, longest > 0.12 * side, abs(tilt) <= 10,
      Self.standForAll(
        levelCounts ? level : upright, areLevel: levelCounts != isSideways, side: side)
    else {
      angle = nil
      return
    }
    angle = tilt == 0 ? 0 : (-tilt * 10).rounded() / 10
  }

  /// Whether lines show the tilt of the picture and not only the perspective of a part of it.
  private static func standForAll(_ lines: [Line], areLevel: Bool, side: Float) -> Bool {
    let total = lines.reduce(0) { $0 + $1.score }
    let before = lines.reduce(0) { $0 + ($1.place < 0.5 ? $1.score : 0) } / total
    let mean = lines.reduce(0) { $0 + $1.place * $1.score } / total
    return min(before, 1 - before) >= 0.25 || abs(mean - 0.5) <= (areLevel ? 0.25 : 0.1)
      || areLevel && lines.contains { $0.length > 0.3 * side }
  }

  /// The lines with enough votes.
  ///
  /// - Parameter votes: By the distance from the corner; see ``votes(_:isLevel:side:)``.
  private static func lines(
    _ votes: [Float], angle: Int, isLevel: Bool, in picture: ReducedPicture
  ) -> [Line] {
    let side = Float(max(picture.width, picture.height))
    let turn = Double(angle - angles / 2) * interval * .pi / 180
    let (width, height) = (Double(picture.width), Double(picture.height))
    return votes.enumerated().compactMap { index, length in
      guard length > 0.04 * side else { return nil }
      let distance = Double(index - offset(side))
      let place =
        isLevel
        ? (distance + width / 2 * sin(turn)) / cos(turn) / height
        : (distance - height / 2 * sin(turn)) / cos(turn) / width
      let above = Double(length - 0.04 * side)
      return Line(place: place, score: above * above, length: length)
    }
  }

  /// The index of the lines through the corner.
  private static func offset(_ side: Float) -> Int { Int(side / 2) + 1 }

  /// The steepest pixels whose edges are nearly level or upright.
  private static func edges(_ luma: ReducedMap) -> [Edge] {
    let (width, height) = (luma.width, luma.height)
    guard width > 8, height > 8 else { return [] }
    var found: [(steepness: Float, edge: Edge)] = []
    var all = [Float]()
    luma.values.withUnsafeBufferPointer { value in
      for y in 1..<(height - 1) {
        for x in 1..<(width - 1) {
          let (up, here, down) = ((y - 1) * width + x, y * width + x, (y + 1) * width + x)
          let across =
            3 * (value[up + 1] - value[up - 1] + value[down + 1] - value[down - 1])
            + 10 * (value[here + 1] - value[here - 1])
          let below =
            3 * (value[down - 1] - value[up - 1] + value[down + 1] - value[up + 1])
            + 10 * (value[down] - value[up])
          let steepness = across * across + below * below
          all.append(steepness)
          // Well above noise: two hundredths of luma from pixel to pixel.
          guard steepness > 0.4 else { continue }
          let isLevel = abs(below) > abs(across)
          let slope = isLevel ? -across / below : below / across
          guard abs(slope) < 0.24 else { continue }
          let tilt = atan(slope) * 180 / .pi
          found.append((steepness, Edge(x: Float(x), y: Float(y), tilt: tilt, isLevel: isLevel)))
        }
      }
    }
    all.sort()
    let limit = all[all.count * 7 / 10]
    return found.filter { $0.steepness >= limit }.map(\.edge)
  }

  /// The number of edge pixels on each line: for each angle, by the distance of the line from the
  /// corner.
  private static func votes(_ edges: [Edge], isLevel: Bool, side: Float) -> [[Float]] {
    let offset = offset(side)
    var votes = [[Float]](
      repeating: [Float](repeating: 0, count: 2 * offset + Int(side) + 2), count: angles)
    let directions = (0..<angles).map { index in
      let angle = Double(index - angles / 2) * interval * .pi / 180
      return (cos: Float(cos(angle)), sin: Float(sin(angle)))
    }
    for edge in edges {
      let middle = Double(edge.tilt) / interval + Double(angles / 2)
      let range = Int((middle - 8).rounded())...Int((middle + 8).rounded())
      for index in range.clamped(to: 0...(angles - 1)) {
        let (cos, sin) = directions[index]
        let distance = isLevel ? edge.y * cos - edge.x * sin : edge.x * cos + edge.y * sin
        votes[index][Int(distance.rounded()) + offset] += 1
      }
    }
    return votes
  }

  /// The scores smoothed over a few tenths of a degree.
  private static func blurred(_ scores: [Double]) -> [Double] {
    scores.indices.map { index in
      (-3...3).reduce(0) { sum, near in
        let place = index + near
        guard scores.indices.contains(place) else { return sum }
        return sum + scores[place] * exp(-Double(near * near) / 4)
      }
    }
  }
}
