import Glibc
import SafelightAdjustments
import SafelightColorKernels

extension Exposure: LightRenderable {
  var light: ColorMatrix { .scale(exp2(amount)) }

  func colorSteps(in context: StepContext) -> [ColorStep] {
    PartlyShoulderedExposure(amount: amount, plain: min(amount, 0)).colorSteps(in: context)
  }
}

extension Exposure {
  /// What the exposure makes of gray light.
  func light(ofGray light: Double) -> Double {
    let (gain, knee) = (exp2(amount), ExposureKernel.knee)
    let above = gain * light - knee
    guard amount > 0, above > 0 else { return gain * light }
    return knee + above / (1 + (1 / (1 - knee) - 1 / (gain - knee)) * above)
  }
}

/// An exposure of which a part multiplies light, without a shoulder.
private struct PartlyShoulderedExposure: LightRenderable {
  /// All stops.
  let amount: Double
  /// The stops that multiply light.
  let plain: Double

  var light: ColorMatrix { .scale(exp2(amount)) }

  func colorSteps(in context: StepContext) -> [ColorStep] {
    let gain = exp2(plain)
    // A curve, not a matrix: it joins the conversions to linear light and back in one table.
    let multiplying = ColorStep.curves(ChannelCurves { gain * $0 }, in: .linear)
    let shoulder = ColorStep.kernel(ExposureKernel(stops: amount - plain))
    return (amount > plain ? [shoulder] : []) + (plain != 0 ? [multiplying] : [])
  }
}

/// Multiplies light and leads what becomes too bright to white; see `Exposure`.
private struct ExposureKernel: ColorKernel {
  fileprivate static let knee = 0.85

  let space = ColorSpace.linear
  let dependsOnPlace = false
  let cost = 8.0
  let keepsGray = true
  private let shoulder: SafelightShoulder

  init(stops: Double) {
    let gain = exp2(stops)
    shoulder = SafelightShoulder(
      gain: Float(gain), knee: Float(Self.knee),
      bend: Float(1 / (1 - Self.knee) - 1 / (gain - Self.knee)))
  }

  func apply(to tile: ColorTile) {
    withUnsafePointer(to: shoulder) { kernels.expose(tile.red, $0, Int32(tile.count)) }
  }
}

extension [PlanItem] {
  /// The items with their exposures joined: stops above 0 that stops below 0 take back have no
  /// shoulder. Exposures inside a filter below full strength stay as they are.
  var withJoinedExposures: [PlanItem] {
    let exposures = indices.compactMap { index -> (index: Int, amount: Double)? in
      guard case .color(let item) = self[index], let exposure = item as? Exposure else {
        return nil
      }
      return (index, exposure.amount)
    }
    var takenBack = exposures.reduce(0) { $0 - Swift.min($1.amount, 0) }
    var joined = self
    for (index, amount) in exposures where amount > 0 && takenBack > 0 {
      let plain = Swift.min(amount, takenBack)
      joined[index] = .color(PartlyShoulderedExposure(amount: amount, plain: plain))
      takenBack -= plain
    }
    return joined
  }
}
