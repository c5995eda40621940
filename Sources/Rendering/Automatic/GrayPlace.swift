import SafelightAdjustments

/// A place of a picture where something gray is, such as a gray card, by which white balance is set.
///
/// Numbers are shares of the width and height of the picture as its edit turns and crops it, from the upper left corner.
public enum GrayPlace: Sendable, Hashable, Codable {
  /// What lies around a point: the mean color within 0.6 % of the longer side to each side.
  case point(x: Double, y: Double)
  /// A rectangle, by its upper left corner.
  case area(x: Double, y: Double, width: Double, height: Double)

  /// The pixels that are measured.
  func frame(in picture: PixelSize) -> PictureFrame {
    var layout = DisplayLayout()
    switch self {
    case .point(let x, let y):
      let side = 0.012 * Double(picture.longestSide)
      layout.part.width = min(side / Double(picture.width), 1)
      layout.part.height = min(side / Double(picture.height), 1)
      layout.part.left = x - layout.part.width / 2
      layout.part.top = y - layout.part.height / 2
    case .area(let x, let y, let width, let height):
      (layout.part.left, layout.part.top) = (x, y)
      (layout.part.width, layout.part.height) = (width, height)
    }
    return layout.frame(in: picture)
  }
}

extension GrayPlace {
  /// Most pixels along the longer side of the picture that is measured.
  private static let longestSide = 1600

  /// The mean color of the place in linear light of sRGB: after all geometry of the edit, and before its white balance.
  func color(in opened: OpenedPhoto, edit stack: EditStack) throws -> [Double] {
    let place = AdjustmentRegistry.position(of: WhiteBalance.id)
    let earlier = stack.entries.filter {
      !$0.isGeometry && AdjustmentRegistry.position(of: $0.id) < place
    }
    var before = EditStack()
    try before.copy(.only(Set(earlier.map { AdjustmentPath($0.id, in: nil) })), from: stack)
    let plan = try RenderPlan(stack).geometryAlone.following(RenderPlan(before))
    let maker = try ProofMaker(opened, for: plan, longestSide: Self.longestSide)
    let proof = try maker.proof(of: plan, inSRGB: !maker.isInSRGB, unless: nil)
    let frame = frame(in: PixelSize(width: proof.width, height: proof.height))
    let light = (0...255).map { SRGBTransfer.linear(Double($0) / 255) }
    var sums = [0.0, 0, 0]
    for y in frame.top..<frame.bottom {
      for x in frame.left..<frame.right {
        for channel in 0..<3 {
          sums[channel] += light[Int(proof.pixels[(y * proof.width + x) * 3 + channel])]
        }
      }
    }
    return sums.map { $0 / Double(frame.width * frame.height) }
  }
}

extension WhiteBalance {
  /// The white balance that makes a color gray; `nil` when the color is too dark to be known, or that of no light.
  ///
  /// - Parameter color: Red, green and blue in linear light.
  init?(makingGray color: [Double]) {
    guard color.allSatisfy({ $0 >= 0.0005 }), let light = AutomaticWhiteBalance.solved(color) else {
      return nil
    }
    self.init()
    (temperature, tint) = ((1e5 / light.mired).rounded() * 10, (light.tint * 2).rounded() / 2)
  }
}
