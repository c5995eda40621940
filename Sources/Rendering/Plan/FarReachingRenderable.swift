/// An adjustment that looks right around each pixel where that is near enough, and at the reduced
/// picture where it would be far.
protocol FarReachingRenderable: GuidedRenderable, NeighborhoodRenderable {
  /// Whether the reduced picture serves.
  ///
  /// - Parameter factor: The picture's pixels for one of the reduced picture, along a side.
  func isGuided(in context: StepContext, factor: Int) -> Bool
}
