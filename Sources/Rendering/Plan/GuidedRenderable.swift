import SafelightAdjustments

/// An adjustment that treats a pixel by what surrounds it in the reduced picture.
protocol GuidedRenderable: Adjustment {
  /// The steps that do what the adjustment says, in their order.
  ///
  /// Their kernels look the guide's maps up at the place of each pixel; see ``ReducedMap``.
  ///
  /// - Parameter guide: The reduced picture as it is at this point of the pipeline.
  func colorSteps(in context: StepContext, guidedBy guide: ReducedPicture) -> [ColorStep]
}
