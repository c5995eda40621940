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

  init(_ picture: ReducedPicture) {
    let side = Float(max(picture.width, picture.height))
    let edges = Self.edges(picture.luma)
    var scores = [Double](repeating: 0, count: Self.angles)
    var longest = [Float](repeating: 0, count: Self.angles)
    for isLevel in [true, false] {
      let votes = Self.votes(edges.filter { $0.isLevel == isLevel }, isLevel: isLevel, side: side)
      for (index, lines) in votes.enumerated() {
        for line in lines where line > 0.04 * side {
          let above = Double(line - 0.04 * side)
          scores[index] += above * above
          longest[index] = max(longest[index], line)
        }
      }
    }
    let smooth = Self.blurred(scores)
    let best = smooth.indices.max { smooth[$0] < smooth[$1] }!
    let near = max(best - 6, 0)...min(best + 6, Self.angles - 1)
    let (share, total) = (scores[near].reduce(0, +), scores.reduce(0, +))
    let tilt = Double(best - Self.angles / 2) * Self.interval
    guard total > 0, share > total / 3, longest[near].max()! > 0.12 * side, abs(tilt) <= 10 else {
      angle = nil
      return
    }
    angle = tilt == 0 ? 0 : (-tilt * 10).rounded() / 10
  }

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
    let offset = Int(side / 2) + 1
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
