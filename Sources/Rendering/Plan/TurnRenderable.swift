import SafelightAdjustments

/// An adjustment that turns the picture by quarters or mirrors it, as an Exif orientation does.
protocol TurnRenderable: Adjustment {
  /// What is done to the upright picture.
  var turn: Orientation { get }
}
