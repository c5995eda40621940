import Adjustments

extension ChannelMixer: ColourRenderable {
  func colourSteps(in context: StepContext) -> [ColourStep] {
    guard !isNeutral else { return [] }
    let rows = [red, green, blue]
    let matrix = ColourMatrix(
      rows.flatMap { [$0.red, $0.green, $0.blue] }, offset: rows.map(\.constant))
    return [.matrix(matrix, in: .encoded)]
  }
}
