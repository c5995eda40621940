import Foundation
import SafelightAdjustments

/// The calm chroma by which bands of hues judge pixels, in double precision from its formula alone.
enum ReferenceCalm {
  static func strongest(_ mixer: ColorMixer) -> Double {
    [
      mixer.red, mixer.orange, mixer.yellow, mixer.green, mixer.aqua, mixer.blue, mixer.purple,
      mixer.magenta,
    ].flatMap { [abs($0.hue), abs($0.saturation), abs($0.luminance)] }.max()!
  }

  static func strongest(_ gray: BlackAndWhite) -> Double {
    [
      gray.red, gray.orange, gray.yellow, gray.green, gray.aqua, gray.blue, gray.purple,
      gray.magenta,
    ].map(abs).max()!
  }

  /// Every pixel, as it is judged at a strongest setting.
  static func judged(
    _ state: ReferenceLocal.State, by strongest: Double,
    _ body: ([Double], ReferenceSeenHues.Judged) -> [Double]
  ) -> ReferencePicture {
    let x = ReferenceLocal.limited((strongest - 20) / 20)
    let share = 3 * x * x - 2 * x * x * x
    guard share > 0 else {
      return state.picture.mapped { pixel, _ in body(pixel, ReferenceSeenHues.Judged(pixel)) }
    }
    let (functions, noise) = functions(of: state)
    return state.picture.mapped { pixel, index in
      let lab = ReferenceOKLab.lab(pixel.map(ReferenceColor.linear))
      func calm(_ first: Int) -> Double {
        functions[first + 3].values[index]
          + (0..<3).map { functions[first + $0].values[index] * lab[$0] }.reduce(0, +)
      }
      return body(
        pixel,
        ReferenceSeenHues.Judged(pixel, calm: (calm(0), calm(4)), share: share, noise: noise))
    }
  }

  /// For a and for b the factors of L, a and b and a constant at each pixel, and the square of noise.
  private static func functions(of state: ReferenceLocal.State) -> ([ReferencePlane], Double) {
    let guide = state.guide
    let labs = (0..<(guide.width * guide.height)).map { index in
      ReferenceOKLab.lab(guide.planes.map { ReferenceColor.linear($0.values[index]) })
    }
    let planes = (0..<3).map { kind in
      ReferencePlane(width: guide.width, height: guide.height) { labs[$1 * guide.width + $0][kind] }
    }
    var cell = 1
    while guide.longerSide > 256 * cell { cell *= 2 }
    let cells = planes.map { $0.reduced(by: cell) }
    let radius = max(2, Int((Double(max(cells[0].width, cells[0].height)) / 64).rounded()))
    let means = cells.map { $0.boxMean(radius) }
    let covariances = (0..<3).map { first in
      (0..<3).map { second in
        planes[first].with(planes[second], *).reduced(by: cell).boxMean(radius)
          .with(means[first].with(means[second], *), -)
      }
    }
    let calmest = covariances[1][1].with(covariances[2][2], +).values.sorted()
    let noise = min(max(2 * calmest[calmest.count / 5], 1e-6), 1e-4)
    var results = [ReferencePlane](repeating: means[0], count: 8)
    for index in means[0].values.indices {
      func spread(_ first: Int, _ second: Int) -> Double {
        covariances[first][second].values[index]
      }
      let matrix = (0..<3).map { row in
        (0..<3).map { column in
          let own = row == column ? noise + (row > 0 ? 0.03 * spread(0, 0) : 0) : 0
          return spread(row, column) + own
        }
      }
      for target in 1...2 {
        let shares = ReferenceOKLab.solve(matrix, (0..<3).map { spread($0, target) })
        let first = 4 * (target - 1)
        for row in 0..<3 { results[first + row].values[index] = shares[row] }
        results[first + 3].values[index] =
          means[target].values[index]
          - (0..<3).map { shares[$0] * means[$0].values[index] }.reduce(0, +)
      }
    }
    let size = (width: state.picture.width, height: state.picture.height)
    let sampled = results.map {
      $0.boxMean(radius - 1).sampled(cell * state.factor, width: size.width, height: size.height)
    }
    return (sampled, noise)
  }
}
