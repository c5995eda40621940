import SafelightAdjustments

extension WhiteBalance: ColorRenderable {
  func colorSteps(in context: StepContext) -> [ColorStep] {
    guard !isNeutral, let matrix else { return [] }
    return [.matrix(matrix, in: .linear)]
  }

  private var matrix: ColorMatrix? {
    let neutral = BlackBody.white(kelvin: Self().temperature)
    let warmed = BlackBody.white(kelvin: temperature)
    let tinted = BlackBody.white(kelvin: Self().temperature, towardsGreen: tint / 3000)
    let responses = [neutral, warmed, tinted].map { ColorMatrix.bradford.times($0) }
    let gains = (0..<3).map {
      responses[0][$0] / responses[1][$0] * (responses[0][$0] / responses[2][$0])
    }
    let scaling = ColorMatrix([gains[0], 0, 0, 0, gains[1], 0, 0, 0, gains[2]])
    let toResponses = ColorMatrix.bradford * .sRGBToXYZOfD65
    guard let fromResponses = toResponses.inverse else { return nil }
    let adapted = fromResponses * scaling * toResponses
    let gray = ColorMatrix.sRGBToXYZOfD65.times(adapted.times([1, 1, 1]))
    return .scale(1 / gray[1]) * adapted
  }
}
