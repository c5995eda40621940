/// A step that gives each pixel a new colour from its own colour alone.
///
/// Runs of such steps are fused into one pass over the picture; see ``ColourPass``.
protocol ColourStep: Sendable {
  /// What the step's numbers mean, going in and coming out.
  var space: ColourSpace { get }
  /// Works on a tile in place. Called from several threads at once, for different tiles.
  func apply(to tile: ColourTile)
}

/// What the numbers of a tile mean between two steps.
enum ColourSpace: Sendable {
  /// Linear light with sRGB primaries; values below 0 and above 1 are colours outside sRGB.
  case linear
  /// The same colours through the sRGB transfer function, extended by symmetry.
  case encoded
}
