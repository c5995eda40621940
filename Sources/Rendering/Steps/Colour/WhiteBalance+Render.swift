import Adjustments

extension WhiteBalance: ColourRenderable {
  func colourSteps(in context: StepContext) -> [ColourStep] {
    guard !isNeutral, let matrix else { return [] }
    return [.matrix(matrix, in: .linear)]
  }

  private var matrix: ColourMatrix? {
    let neutral = BlackBody.white(kelvin: Self().temperature)
    let warmed = BlackBody.white(kelvin: temperature)
    let tinted = BlackBody.white(kelvin: Self().temperature, towardsGreen: tint / 3000)
    let responses = [neutral, warmed, tinted].map { ColourMatrix.bradford.times($0) }
    let gains = (0..<3).map {
      responses[0][$0] / responses[1][$0] * (responses[0][$0] / responses[2][$0])
    }
    let scaling = ColourMatrix([gains[0], 0, 0, 0, gains[1], 0, 0, 0, gains[2]])
    let toResponses = ColourMatrix.bradford * .sRGBToXYZOfD65
    guard let fromResponses = toResponses.inverse else { return nil }
    let adapted = fromResponses * scaling * toResponses
    let grey = ColourMatrix.sRGBToXYZOfD65.times(adapted.times([1, 1, 1]))
    return .scale(1 / grey[1]) * adapted
  }
}
