import SafelightAdjustments
import SafelightLookupTables

/// What an edit does to colors wherever they are, as a table for programs that know nothing of the edit.
///
/// The table's places go through the steps that render the photo. What depends on a pixel's place or surroundings is left
/// out, or acts as in an even area, and is named.
public struct BakedLook: Sendable {
  /// The table, a cube from 0 to 1 in each channel.
  public let table: LookupTable
  /// The mean error of the table in CIEDE2000: its tetrahedral interpolation against the exact colors, over 41³ colors
  /// and 1,024 grays.
  public let meanError: Double
  /// The largest error among the same colors.
  public let maximumError: Double
  /// The adjustments that a table cannot have, such as `vignette`, in the order in which they act. Geometry is not named.
  public let leftOut: [String]
  /// The adjustments that act as in an even area, because the table does not know what is around a pixel.
  public let simplified: [String]
  /// Whether the table changes any color.
  package let changesColors: Bool

  /// The sizes that tables are made in: colors along an edge.
  public static let sizes = [17, 33, 65]

  /// Bakes an edit.
  ///
  /// - Parameters:
  ///   - stack: The edit.
  ///   - size: Colors along an edge of the cube, one of ``sizes``.
  ///   - isDisplayP3: Whether the table is for colors of Display P3 and not of sRGB, in and out.
  ///   - title: What the table is called.
  /// - Throws: ``RenderError`` when the edit needs a newer program.
  package init(
    _ stack: EditStack, size: Int = 33, isDisplayP3: Bool = false, title: String? = nil
  ) throws(RenderError) {
    var steps = LookSteps()
    for item in try RenderPlan(stack).items { try steps.add(item) }
    (leftOut, simplified) = (steps.leftOut, steps.simplified)
    let all = steps.steps
    changesColors = !all.isEmpty
    func results(_ colors: [SIMD3<Float>]) -> [SIMD3<Float>] {
      Self.results(of: colors, all, isDisplayP3: isDisplayP3)
    }
    func grid(_ size: Int) -> [SIMD3<Float>] {
      let last = Float(size - 1)
      return (0..<size * size * size).map { place in
        SIMD3(
          Float(place % size) / last, Float(place / size % size) / last,
          Float(place / size / size) / last)
      }
    }
    let samples = results(grid(size))
    do {
      let lattice = try Lattice(.cube(size), samples: samples.flatMap { [$0.x, $0.y, $0.z] })
      table = try LookupTable(title: title, lattice)
    } catch {
      throw .failed(detail: error.description)
    }
    let colors = grid(41) + (0..<1024).map { SIMD3(repeating: Float($0) / 1023) }
    let exact = results(colors)
    var (sum, largest) = (0.0, 0.0)
    for (color, exact) in zip(colors, exact) {
      let found = Self.interpolated(samples, size, at: color)
      if found == exact { continue }
      let error = ColorDifference.ciede2000(
        .init(sRGB: SIMD3<Double>(exact)), .init(sRGB: SIMD3<Double>(found)))
      sum += error
      largest = max(largest, error)
    }
    (meanError, maximumError) = (sum / Double(colors.count), largest)
  }

  /// What becomes of colors, from 0 to 1.
  private static func results(
    of colors: [SIMD3<Float>], _ steps: [ColorStep], isDisplayP3: Bool
  ) -> [SIMD3<Float>] {
    var picture = ReducedPicture(
      planes: (0..<3).map { channel in colors.map { $0[channel] } }, width: colors.count,
      height: 1, factor: 1)
    var all = steps
    if isDisplayP3, let profile = MatrixProfile(.displayP3) {
      all =
        [.matrix(profile.toSRGB, in: .linear)] + steps + [.matrix(profile.fromSRGB, in: .linear)]
    }
    picture.apply(all)
    return colors.indices.map { index in
      SIMD3(picture.planes[0][index], picture.planes[1][index], picture.planes[2][index])
        .clamped(lowerBound: .zero, upperBound: .one)
    }
  }

  /// The color that programs find in a cube: between the four places of the tetrahedron around it. Source: Kasson, Nin,
  /// Plouffe and Hafner, "Performing Color Space Conversions with Three-Dimensional Linear Interpolation", Journal of
  /// Electronic Imaging 4, 1995.
  static func interpolated(
    _ samples: [SIMD3<Float>], _ size: Int, at color: SIMD3<Float>
  ) -> SIMD3<Float> {
    let place = color * Float(size - 1)
    var low = SIMD3<Int>(place)
    for channel in 0..<3 { low[channel] = min(max(low[channel], 0), size - 2) }
    let rest = place - SIMD3<Float>(low)
    let strides = [1, size, size * size]
    var index = low.x + low.y * size + low.z * size * size
    var last = samples[index]
    var result = last
    // From the low corner to the high one along the edges, the largest share first.
    for channel in (0..<3).sorted(by: { rest[$0] > rest[$1] }) {
      index += strides[channel]
      result += (samples[index] - last) * rest[channel]
      last = samples[index]
    }
    return result
  }
}

/// The steps of a plan that a table can have.
private struct LookSteps {
  private(set) var steps: [ColorStep] = []
  private(set) var leftOut: [String] = []
  private(set) var simplified: [String] = []
  private let context = StepContext(size: PixelSize(width: 1, height: 1), scale: 1)
  /// Surroundings whose tone no color has: they lie beyond an edge of all of them and draw none.
  private let nowhere = ReducedPicture(
    planes: [[Float]](repeating: [-8], count: 3), width: 1, height: 1, factor: 1)

  mutating func add(_ item: PlanItem) throws(RenderError) {
    steps += try found(item)
  }

  private mutating func found(_ item: PlanItem) throws(RenderError) -> [ColorStep] {
    switch item {
    case .color(let adjustment):
      let found = try adjustment.colorSteps(in: context)
      guard found.contains(where: \.dependsOnPlace) else { return found }
      leaveOut(adjustment)
    case .guided(let adjustment as any SometimesGuidedRenderable):
      name(adjustment, in: \.simplified)
      return try adjustment.colorSteps(in: context)
    case .guided(let adjustment) where adjustment.actsOnEvenAreas:
      name(adjustment, in: \.simplified)
      return adjustment.colorSteps(in: context, guidedBy: nowhere)
    case .guided(let adjustment): leaveOut(adjustment)
    case .neighborhood(let adjustment): leaveOut(adjustment)
    case .noise(let adjustment): leaveOut(adjustment)
    case .far(let adjustment): leaveOut(adjustment)
    case .geometry, .turn: break
    case .mixed(let items, let share):
      if share.dependsOnPlace {
        leaveOut(nil)
        return []
      }
      var inner: [ColorStep] = []
      for item in items { inner += try found(item) }
      return inner.isEmpty ? [] : [.kernel(MixKernel(inner, share: share, in: context))]
    }
    return []
  }

  private mutating func leaveOut(_ adjustment: Any?) { name(adjustment, in: \.leftOut) }

  private mutating func name(
    _ adjustment: Any?, in list: WritableKeyPath<LookSteps, [String]>
  ) {
    let name = (adjustment as? any Adjustment).map { type(of: $0).id } ?? "layer with a mask"
    if !self[keyPath: list].contains(name) { self[keyPath: list].append(name) }
  }
}

extension ColorStep {
  /// Whether the result depends on the place of a pixel, and not on its color alone.
  fileprivate var dependsOnPlace: Bool {
    if case .kernel(let kernel) = self { kernel.dependsOnPlace } else { false }
  }
}
