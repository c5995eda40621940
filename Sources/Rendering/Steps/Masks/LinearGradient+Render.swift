import SafelightAdjustments

extension LinearGradient: MaskRenderable {
  func value(at place: (x: Double, y: Double), aspect: Double) -> Double {
    // Across and along the line are at right angles in the photo, whose sides are `aspect` and 1.
    let (across, down) = ((endX - startX) * aspect, endY - startY)
    let length = across * across + down * down
    guard length > 0 else { return 1 }
    return 1
      - smoothStep(
        ((place.x - startX) * aspect * across + (place.y - startY) * down) / length)
  }
}
