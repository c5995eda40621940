import FoundationEssentials
import Glibc
import SafelightAdjustments

extension Straighten: GeometryRenderable {
  var movesPixels: Bool { true }

  func warp(in context: StepContext) -> (any Warp)? {
    guard !isNeutral else { return nil }
    let angle = amount * .pi / 180
    let (cosine, sine) = (cos(angle), sin(angle))
    let (width, height) = (Double(context.size.width), Double(context.size.height))
    let share = min(
      width / (width * cosine + height * abs(sine)), height / (width * abs(sine) + height * cosine))
    let (wide, high) = (
      max((share * width).rounded(.down), 1), max((share * height).rounded(.down), 1)
    )
    return PictureTransform(
      width: Int(wide), height: Int(high),
      matrix: [
        cosine, sine, (width - cosine * wide - sine * high) / 2,
        -sine, cosine, (height + sine * wide - cosine * high) / 2,
        0, 0, 1,
      ])
  }
}
