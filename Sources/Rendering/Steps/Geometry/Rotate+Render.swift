import SafelightAdjustments

extension Rotate: TurnRenderable {
  var turn: Orientation { Orientation(mirrored: false, quarters: amount.rawValue / 90) }
}
