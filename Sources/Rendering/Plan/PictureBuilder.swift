import SafelightVips

/// Makes a picture from a photo and a plan, with as few passes as possible.
///
/// Color steps wait until something needs their result; then one pass does them all. A crop needs
/// no pass: it only moves the places that the waiting steps know.
struct PictureBuilder {
  private let photo: DecodedPhoto
  private var image: Image
  /// How the samples of `image` are stored.
  private var pixels: ColorPass.Pixels
  /// Steps that wait for a pass.
  private var steps: [ColorStep] = []
  /// Geometry that waits, so that neighboring adjustments move each pixel only once.
  private var movement: PictureTransform?
  /// The picture as it will be after everything that waits.
  private var context: StepContext
  /// The reduced picture; `nil` until an item needs it.
  private var guide: ReducedPicture?
  /// The items that the reduced picture has not gone through yet.
  private var ahead: [PlanItem] = []
  private let makeGuide: () throws -> ReducedPicture
  /// See ``RenderedPicture/reach``.
  private(set) var reach = 0
  /// See ``RenderedPicture/top``.
  private(set) var top = 0

  /// - Parameters:
  ///   - photo: The photo, upright.
  ///   - image: Its pixels.
  ///   - makeGuide: Reduces the photo; called at most once.
  init(
    _ photo: DecodedPhoto, _ image: Image, guide makeGuide: @escaping () throws -> ReducedPicture
  ) {
    self.photo = photo
    self.image = image
    self.makeGuide = makeGuide
    pixels = .codes(photo.coding, isWide: photo.isWide)
    context = StepContext(size: image.size, scale: photo.scale)
  }

  /// Adds an item of the plan.
  mutating func add(_ item: PlanItem) throws {
    if !item.movesPixels { try move() }
    switch item {
    case .color, .guided: steps += try colorSteps(of: item)
    case .neighborhood(let adjustment): try addPass(of: adjustment)
    case .far(let adjustment):
      let factor = ReducedPicture.factor(of: photo.image.size)
      if adjustment.isGuided(in: context, factor: factor) {
        steps += adjustment.colorSteps(in: context, guidedBy: try guideHere())
      } else {
        try addPass(of: adjustment)
      }
    case .geometry(let adjustment):
      if let transform = adjustment.transform(in: context) {
        movement = movement?.followed(by: transform) ?? transform
        context = StepContext(size: transform.size, scale: context.scale)
      }
    case .turn: break
    case .mixed where item.isPointwise: steps += try colorSteps(of: item)
    case .mixed(let items, let share):
      if item.isGuided { _ = try guideHere() }
      let outside = (guide, ahead)
      try flush()
      let before = image
      for next in items { try add(next) }
      try flush()
      image = try MixPass(share: Float(share)).applied(to: before, image)
      (guide, ahead) = outside
    }
    ahead.append(item)
  }

  /// The last pass, which makes the file's whole numbers, and the image that the pass reads.
  ///
  /// - Parameter coding: What the numbers mean; `nil` keeps the photo's profile.
  mutating func finished(wide: Bool, coding: PixelCoding? = nil) throws -> (
    image: Image, pass: ColorPass
  ) {
    try move()
    let output = ColorPass.Pixels.codes(coding ?? photo.outputCoding, isWide: wide)
    return (image, ColorPass(steps, from: pixels, to: output))
  }

  /// Whether there are passes that give floats to the next one.
  var hasFloatPasses: Bool { if case .float = pixels { true } else { false } }

  /// Does the steps that wait.
  private mutating func flush() throws {
    if case .float = pixels, steps.isEmpty { return }
    image = try ColorPass(steps, from: pixels, to: .float).applied(to: image)
    pixels = .float
    steps = []
  }

  private mutating func addPass(of adjustment: any NeighborhoodRenderable) throws {
    guard let step = adjustment.neighborhoodStep(in: context) else { return }
    try flush()
    image = try NeighborhoodPass(step: step).applied(to: image)
    reach += step.reach
  }

  /// Does the geometry that waits.
  private mutating func move() throws {
    guard let transform = movement else { return }
    movement = nil
    if let shift = transform.shift {
      steps = steps.map { $0.moved(left: shift.left, top: shift.top) }
      image = try image.part(
        left: shift.left, top: shift.top, width: transform.size.width,
        height: transform.size.height)
      top += shift.top
    } else {
      try flush()
      image = try WarpPass(transform: transform).applied(to: image)
    }
  }

  private mutating func colorSteps(of item: PlanItem) throws -> [ColorStep] {
    switch item {
    case .color(let adjustment): return try adjustment.colorSteps(in: context)
    case .guided(let adjustment):
      return adjustment.colorSteps(in: context, guidedBy: try guideHere())
    case .mixed(let items, let share):
      // The items change a reduced picture of their own; the items after the filter see it mixed.
      if item.isGuided { _ = try guideHere() }
      let outside = (guide, ahead)
      var inner: [ColorStep] = []
      for next in items {
        inner += try colorSteps(of: next)
        ahead.append(next)
      }
      (guide, ahead) = outside
      return [.kernel(MixKernel(inner, share: share))]
    case .neighborhood, .far, .geometry, .turn: return []
    }
  }

  /// The reduced picture as it is at this point of the pipeline.
  private mutating func guideHere() throws -> ReducedPicture {
    var guide = try self.guide ?? makeGuide()
    let small = StepContext(
      size: PixelSize(width: guide.width, height: guide.height),
      scale: context.scale / Double(guide.factor))
    for item in ahead { guide.apply(try Self.steps(of: item, on: guide.atOwnSize, in: small)) }
    ahead = []
    self.guide = guide
    return guide
  }

  /// The steps of an item for the reduced picture, which is too small for neighborhood steps.
  private static func steps(
    of item: PlanItem, on guide: ReducedPicture, in context: StepContext
  ) throws(RenderError) -> [ColorStep] {
    switch item {
    case .color(let adjustment): return try adjustment.colorSteps(in: context)
    case .guided(let adjustment): return adjustment.colorSteps(in: context, guidedBy: guide)
    case .far(let adjustment): return adjustment.colorSteps(in: context, guidedBy: guide)
    case .mixed(let items, let share):
      var inner = guide
      var steps: [ColorStep] = []
      for item in items {
        let next = try Self.steps(of: item, on: inner, in: context)
        inner.apply(next)
        steps += next
      }
      return [.kernel(MixKernel(steps, share: share))]
    case .neighborhood, .geometry, .turn: return []
    }
  }
}
