import SafelightAdjustments

extension Flip: TurnRenderable {
  var turn: Orientation {
    // Upside down and then mirrored left to right is mirrored top to bottom.
    Orientation(mirrored: horizontal != vertical, quarters: vertical ? 2 : 0)
  }
}
