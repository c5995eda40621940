import SafelightAdjustments
import SafelightMetadata
import SafelightVips

// What an edit makes of the light above white.
//
// The map of a render leads from the edited picture to the edit of the original's HDR rendition. An adjustment that
// multiplies or mixes light means the same above white as below, but for the shoulder that leads to white, which only the
// picture has. A curve of tones means something up to white; from there it goes straight on in light. Of all others the ratio
// of the two renditions stays: what they do to a place of the picture they do to its light above white.

/// An adjustment, or an earlier version of one, that multiplies or mixes light, but for what leads colors to white.
protocol LightRenderable: ColorRenderable {
  /// What it does to linear light with the primaries of sRGB, as if there was no white.
  var light: ColorMatrix { get }
}

/// An adjustment whose steps are curves of tones from black to white, with no levels between them that would have to be kept
/// above white.
protocol ToneRenderable: ColorRenderable {
  /// The steps on linear light that has no white, of an adjustment that is more than curves of channels; otherwise `nil`.
  var stepsOnLight: [ColorStep]? { get }
}

extension ToneRenderable {
  var stepsOnLight: [ColorStep]? { nil }
}

extension PlanItem {
  /// What the item does to linear light with the primaries of sRGB, where there is no white; `nil` for one that keeps the
  /// ratio of the renditions.
  fileprivate func light(in context: StepContext) -> [ColorStep]? {
    guard case .color(let adjustment) = self else { return nil }
    if let mixing = adjustment as? any LightRenderable {
      return [.matrix(mixing.light, in: .linear)]
    }
    if let steps = (adjustment as? any ToneRenderable)?.stepsOnLight { return steps }
    guard let steps = try? adjustment.colorSteps(in: context), !steps.isEmpty else { return nil }
    var light: [ColorStep] = []
    for step in steps {
      switch step {
      case .matrix(_, .linear): light.append(step)
      case .curves(let curves, let space) where adjustment is any ToneRenderable:
        light.append(.curves(curves.aboveWhite(in: space), in: .linear))
      case .matrix, .curves, .kernel: return nil
      }
    }
    return light
  }
}

extension ChannelCurves {
  /// The curves as functions of light that go on above white.
  ///
  /// Where a curve has reached its white, at the latest in white, it becomes a straight line in light with the slope that it
  /// has there, and never falls. So what is twice as far above white as another light stays twice as far above it, and a
  /// contrast that is flat below white keeps the highlights flat.
  ///
  /// - Parameter space: What the numbers of the curves mean.
  func aboveWhite(in space: ColorSpace) -> ChannelCurves {
    func light(_ curve: @escaping Function) -> Function {
      if case .linear = space { return Self.straightAboveWhite(curve) }
      return Self.straightAboveWhite { light in
        SRGBTransfer.linear(curve(SRGBTransfer.encoded(light)))
      }
    }
    return isShared
      ? ChannelCurves(light(red))
      : ChannelCurves(red: light(red), green: light(green), blue: light(blue))
  }

  private static func straightAboveWhite(_ light: @escaping Function) -> Function {
    let step = 1.0 / 2048
    let white = light(1)
    var end = 1.0
    while end > 2 * step, light(end - step) >= white - 1e-6 { end -= step }
    // The curve may reach its white inside of the last step.
    let start = end - step
    let level = light(start)
    let slope = max((level - light(start - step)) / step, 0)
    return { $0 > start ? level + slope * ($0 - start) : light($0) }
  }
}

extension ColorMatrix {
  /// Whether white stays as it is.
  fileprivate var keepsWhite: Bool { times([1, 1, 1]).allSatisfy { abs($0 - 1) < 1e-6 } }
}

extension [ColorStep] {
  /// The matrix that the steps are; `nil` when there are curves among them.
  fileprivate var matrix: ColorMatrix? {
    var product = ColorMatrix.identity
    for step in self {
      guard case .matrix(let matrix, _) = step else { return nil }
      product = matrix * product
    }
    return product
  }
}

extension RenderPlan {
  /// Whether the edit acts on light above white in a way of its own.
  func changesLight(of size: PixelSize) -> Bool {
    let context = StepContext(size: size, scale: 1)
    return items.contains { $0.light(in: context) != nil }
  }
}

extension GainMapPlane {
  /// The map after the colors of an edit, over the same places.
  ///
  /// - Parameters:
  ///   - plan: The edit.
  ///   - opened: The photo.
  ///   - source: The photo's picture; `nil` to have it decoded in fewer pixels.
  ///   - coding: What the codes of the edited picture mean; `nil` for those of the photo.
  ///   - isGray: Whether the edited picture has no color; then the map has none.
  func edited(
    by plan: RenderPlan, of opened: OpenedPhoto, from source: PictureSource? = nil,
    in coding: PixelCoding? = nil, isGray: Bool
  ) throws -> GainMapPlane {
    let items = plan.items.filter { !$0.movesPixels }
    let context = StepContext(size: image.size, scale: 1)
    let light = items.map { $0.light(in: context) }
    let makesGray = isGray && image.bands == 3
    // What leaves gray light as it is keeps the ratio that all channels have.
    let changes = light.contains { steps in
      guard let steps else { return false }
      return image.bands == 3 || steps.matrix?.keepsWhite != true
    }
    guard meaning.alternateHeadroom > meaning.baseHeadroom,
      makesGray || changes || (image.bands == 3 && coding != nil)
    else {
      return self
    }
    var renditions = try Renditions(self, under: opened, from: source)
    var start = 0
    while let first = light[start...].firstIndex(where: { $0 != nil }) {
      let end = light[first...].firstIndex(where: { $0 == nil }) ?? items.endIndex
      let steps = light[first..<end].compactMap(\.self).flatMap(\.self)
      try renditions.change(
        by: steps, scaling: steps.matrix, from: Array(items[..<first]), to: Array(items[..<end]))
      start = end
    }
    if makesGray {
      renditions.makeGray()
    } else if let coding, image.bands == 3 {
      try renditions.convert(to: coding, after: items)
    }
    return try renditions.plane(like: self)
  }
}
