import SafelightAdjustments

/// An adjustment that looks at one pixel at a time.
protocol ColorRenderable: Adjustment {
  /// The steps that do what the adjustment says, in their order; empty when that changes no pixel.
  ///
  /// - Throws: ``RenderError`` when what the adjustment holds cannot be used.
  func colorSteps(in context: StepContext) throws(RenderError) -> [ColorStep]
}

/// Where in a render an adjustment acts.
struct StepContext: Sendable {
  /// Pixels from left to right of the picture at this point of the pipeline.
  let width: Int
  /// Pixels from top to bottom.
  let height: Int
  /// This render's pixels for one pixel of the full-size photo, along a side: 1, or less in a
  /// preview. Radii in pixels are multiplied with it.
  let scale: Double
}
