import Foundation
import SafelightTestSupport

@testable import SafelightLookupTables

/// Tables for tests.
enum SampleTable {
  /// A cube whose numbers are a smooth function of the place, as in a look.
  static func smoothCube(_ size: Int, domain: Lattice.Domain = .unit) throws -> LookupTable {
    var samples: [Float] = []
    samples.reserveCapacity(3 * size * size * size)
    let last = Double(size - 1)
    for place in 0..<(size * size * size) {
      let r = Double(place % size) / last
      let g = Double(place / size % size) / last
      let b = Double(place / size / size) / last
      let luma = 0.2126 * r + 0.7152 * g + 0.0722 * b
      for (channel, value) in [r, g, b].enumerated() {
        let vivid = min(max(luma + 1.3 * (value - luma), 0), 1)
        let bent = 0.05 + 0.9 * vivid * (0.6 + 0.4 * vivid)
        samples.append(Float(bent + 0.03 * sin(3 * luma + Double(channel))))
      }
    }
    return try LookupTable(title: "Smooth", Lattice(.cube(size), domain: domain, samples: samples))
  }

  /// A lattice of random numbers.
  static func random(
    _ shape: Lattice.Shape, in range: ClosedRange<Float>, domain: Lattice.Domain = .unit,
    seed: UInt64
  ) throws -> Lattice {
    var random = SeededGenerator(seed: seed)
    let samples = (0..<(3 * shape.count)).map { _ in Float.random(in: range, using: &random) }
    return try Lattice(shape, domain: domain, samples: samples)
  }

  /// A `.cube` file with the rows of an identity.
  static func identityRows(_ size: Int) -> [String] {
    (0..<(size * size * size)).map { place in
      [place % size, place / size % size, place / size / size]
        .map { "\(Double($0) / Double(size - 1))" }.joined(separator: " ")
    }
  }
}

extension LookupTable {
  init(text: String) throws(LookupTableError) {
    try self.init(cubeFile: Array(text.utf8))
  }
}
