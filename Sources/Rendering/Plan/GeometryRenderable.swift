import SafelightAdjustments

/// An adjustment that moves pixels or leaves some out.
protocol GeometryRenderable: Adjustment {
  /// Whether the adjustment does more than leave pixels out.
  var movesPixels: Bool { get }
  /// Where the pixels of the adjusted picture come from; `nil` when it changes nothing.
  ///
  /// - Parameter context: The picture before the adjustment.
  func transform(in context: StepContext) -> PictureTransform?
}
