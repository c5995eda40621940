import Adjustments

/// An adjustment that looks at one pixel at a time.
///
/// An adjustment's render file conforms it to this protocol, or to a later one for adjustments
/// that look at neighbours or move pixels; the plan asks for nothing else.
protocol ColourRenderable: Adjustment {
  /// The step that does what the adjustment says; `nil` when that changes no pixel.
  ///
  /// - Throws: ``RenderError`` when what the adjustment holds cannot be used.
  func colourStep() throws(RenderError) -> (any ColourStep)?
}
