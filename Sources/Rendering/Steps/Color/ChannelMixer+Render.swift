import SafelightAdjustments

extension ChannelMixer: ColorRenderable {
  func colorSteps(in context: StepContext) -> [ColorStep] {
    guard !isNeutral else { return [] }
    let rows = [red, green, blue]
    let matrix = ColorMatrix(
      rows.flatMap { [$0.red, $0.green, $0.blue] }, offset: rows.map(\.constant))
    return [.matrix(matrix, in: .encoded)]
  }
}
