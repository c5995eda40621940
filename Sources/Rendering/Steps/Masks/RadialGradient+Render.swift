import SafelightAdjustments

extension RadialGradient: MaskRenderable {
  func value(at place: (x: Double, y: Double), aspect: Double) -> Double {
    let (across, down) = ((place.x - x) / width, (place.y - y) / height)
    let distance = (across * across + down * down).squareRoot()
    guard feather > 0 else { return distance <= 1 ? 1 : 0 }
    return 1 - smoothStep((distance - (1 - feather)) / feather)
  }
}
