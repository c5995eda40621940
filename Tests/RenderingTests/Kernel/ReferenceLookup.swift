import Foundation
import SafelightLookupTables

/// Lookup tables in double precision, from the published definitions and by another way than the
/// kernel's: cells by rounding down, fractions by sorting.
enum ReferenceLookup {
  static func map(_ pixel: [Double], through table: LookupTable) -> [Double] {
    let shaped = table.shaper.map { map(pixel, through: $0) } ?? pixel
    return map(shaped, through: table.lattice)
  }

  private static func map(_ pixel: [Double], through lattice: Lattice) -> [Double] {
    let (low, high) = (lattice.domain.minimum, lattice.domain.maximum)
    let shares = (0..<3).map { channel in
      let (low, high) = (Double(low[channel]), Double(high[channel]))
      return (min(max(pixel[channel], low), high) - low) / (high - low)
    }
    switch lattice.shape {
    case .curves(let size): return curves(shares, lattice.samples, size)
    case .cube(let size): return cube(shares, lattice.samples, size)
    }
  }

  private static func curves(_ shares: [Double], _ samples: [Float], _ size: Int) -> [Double] {
    (0..<3).map { channel in
      let position = shares[channel] * Double(size - 1)
      let place = min(Int(position.rounded(.down)), size - 2)
      let (left, right) = (samples[3 * place + channel], samples[3 * (place + 1) + channel])
      return Double(left) + (position - Double(place)) * (Double(right) - Double(left))
    }
  }

  /// Walks from the lowest to the highest corner of the cell along the axes of falling fractions.
  private static func cube(_ shares: [Double], _ samples: [Float], _ size: Int) -> [Double] {
    let positions = shares.map { $0 * Double(size - 1) }
    let cell = positions.map { min(Int($0.rounded(.down)), size - 2) }
    let fractions = zip(positions, cell).map { $0 - Double($1) }
    func corner(_ place: [Int]) -> [Double] {
      let first = 3 * (place[0] + size * (place[1] + size * place[2]))
      return (0..<3).map { Double(samples[first + $0]) }
    }
    var place = cell
    var result = corner(place)
    for axis in (0..<3).sorted(by: { fractions[$0] > fractions[$1] }) {
      let before = corner(place)
      place[axis] += 1
      let after = corner(place)
      for channel in 0..<3 {
        result[channel] += fractions[axis] * (after[channel] - before[channel])
      }
    }
    return result
  }
}
