import SafelightAdjustments

/// How much color an edit makes from light.
///
/// In a JPEG with color at half resolution only light has detail from pixel to pixel. An edit that gives
/// light and dark different colors turns this detail into color, for which the render then needs full
/// resolution. Toning, contrast and strong saturation do so a little and are not told from the original;
/// posterizing and tables of false colors do so everywhere.
///
/// The measure is taken on colors, not on pixels. Nine colors, with differences of luma (Rec. ITU-T T.871)
/// of −0.05, 0 and 0.05, get nine lightnesses from 0 to 1 each, and go through the steps that depend on
/// colors alone. It is the mean change of the color differences from one lightness to the next, as a
/// multiple of the change of lightness. It costs a few microseconds.
enum ColorEdges {
  /// From here on color keeps its full resolution.
  ///
  /// Measured on four photos with 4:2:0, at quality 93, as the rise of the mean CIEDE2000 by color at half
  /// resolution. No edit measures 0.06 and rises by at most 40 %; the shipped filters measure up to 0.13,
  /// saturation 100 measures 0.19 and split toning at 80 measures 0.25, and all rise by at most 35 %. Two
  /// tones in place of black and white measure 0.50 and rise by up to 54 %, posterizing to six tones
  /// measures 0.64 and rises by 50 to 90 %, and false colors measure 2.3 and rise to the fourfold.
  static let limit = 0.3

  private static let lightnesses = (0...8).map { Double($0) / 8 }

  /// The measure for steps.
  static func strength(of steps: [ColorStep]) -> Double {
    let differences = [-0.05, 0, 0.05]
    var colors: [[Double]] = []
    for blue in differences {
      for red in differences {
        for light in lightnesses {
          colors.append([
            light + 1.402 * red, light - 0.344_136 * blue - 0.714_136 * red, light + 1.772 * blue,
          ])
        }
      }
    }
    for step in ColorProgram.fused(steps, from: .encoded, to: .encoded) { step.apply(to: &colors) }
    let chroma = colors.map { color in
      let codes = color.map { min(max($0, 0), 1) }
      let luma = 0.299 * codes[0] + 0.587 * codes[1] + 0.114 * codes[2]
      return ((codes[2] - luma) / 1.772, (codes[0] - luma) / 1.402)
    }
    var (sum, count) = (0.0, 0.0)
    for index in chroma.indices where index % lightnesses.count > 0 {
      let (before, after) = (chroma[index - 1], chroma[index])
      let (blue, red) = (after.0 - before.0, after.1 - before.1)
      sum += (blue * blue + red * red).squareRoot()
      count += 1
    }
    return sum / count * Double(lightnesses.count - 1)
  }
}

extension ColorStep {
  /// Does the step on single colors, without tables, which would take longer to make than to use.
  fileprivate func apply(to colors: inout [[Double]]) {
    switch self {
    case .curves(let curves, _):
      for index in colors.indices {
        colors[index] = zip(curves.functions, colors[index]).map { $0($1) }
      }
    case .matrix(let matrix, _):
      for index in colors.indices { colors[index] = matrix.times(colors[index]) }
    case .kernel(let kernel):
      // What depends on the place changes light and color alike.
      guard !kernel.dependsOnPlace else { return }
      ColorTile.withMemory { memory in
        let tile = ColorTile(memory, count: colors.count)
        tile.forEachPlane { channel, plane in
          for index in colors.indices { plane[index] = Float(colors[index][channel]) }
        }
        kernel.apply(to: tile)
        for index in colors.indices {
          colors[index] = [tile.red, tile.green, tile.blue].map { Double($0[index]) }
        }
      }
    }
  }
}

extension RenderPlan {
  /// Whether color changes from pixel to pixel where only light does in the photo; see ``ColorEdges``.
  func makesColorEdges(of asShot: AsShot) throws(RenderError) -> Bool {
    let context = StepContext(size: PixelSize(width: 1, height: 1), scale: 1, asShot: asShot)
    var steps: [ColorStep] = []
    for item in items { steps += try item.placelessSteps(in: context) }
    return ColorEdges.strength(of: steps) > ColorEdges.limit
  }
}

extension PlanItem {
  /// The steps that need the pixel alone.
  fileprivate func placelessSteps(in context: StepContext) throws(RenderError) -> [ColorStep] {
    switch self {
    case .color(let adjustment): return try adjustment.colorSteps(in: context)
    case .mixed(let items, let share):
      var steps: [ColorStep] = []
      for item in items { steps += try item.placelessSteps(in: context) }
      return steps.isEmpty ? [] : [.kernel(MixKernel(steps, share: share.largest, in: context))]
    case .guided, .neighborhood, .noise, .far, .geometry, .turn: return []
    }
  }
}
