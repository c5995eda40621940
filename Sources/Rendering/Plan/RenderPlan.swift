import SafelightAdjustments
import SafelightMetadata
import SafelightVips

/// What has to be done to a decoded photo, compiled from its edit stack.
///
/// An empty plan gives the photo's own pixels. ``PictureBuilder`` turns a plan into passes over the
/// picture.
struct RenderPlan: Sendable {
  /// The adjustments that change something, in the order in which they act.
  let items: [PlanItem]

  /// Compiles a stack in pipeline order.
  ///
  /// The steps of a layer act in the layer's own order, at the layer's place. Geometry, vignette
  /// and grain are exceptions: they keep their own places after the layer, so that a vignette
  /// always follows the crop.
  ///
  /// - Throws: ``RenderError/unknownAdjustment(id:version:)`` for an adjustment of a newer
  ///   program: without it the picture would not be the one that the edit describes.
  init(_ stack: EditStack) throws(RenderError) {
    if let unknown = stack.unknownEntries.first {
      throw .unknownAdjustment(id: unknown.id, version: unknown.version)
    }
    var placed: [(position: Int, item: PlanItem)] = []
    for entry in stack.inPipelineOrder {
      guard let adjustment = entry.adjustment, adjustment.changesPicture else { continue }
      let position = AdjustmentRegistry.position(of: entry.id)
      if let layer = entry.layer {
        placed += try Self.items(of: layer, position: position)
      } else {
        placed.append((position, try Self.item(adjustment, version: entry.version)))
      }
    }
    // Equal positions keep their order, so the late steps of a layer come before the photo's own.
    items =
      placed.enumerated().sorted {
        ($0.element.position, $0.offset) < ($1.element.position, $1.offset)
      }.map(\.element.item).withJoinedExposures
  }

  /// The plan with its geometry alone: the same part of the photo, with its own colors.
  var geometryAlone: RenderPlan { RenderPlan(items: items.filter(\.movesPixels)) }

  /// The plan with what another plan does before it.
  func following(_ earlier: RenderPlan) -> RenderPlan { RenderPlan(items: earlier.items + items) }

  /// The plan up to its geometry, and what all geometry together does to a picture of the turned photo;
  /// `nil` for a plan that has none, or has something after it.
  ///
  /// - Parameter upright: The size of the upright photo.
  func splitAtGeometry(of upright: PixelSize) -> (before: RenderPlan, movement: any Warp)? {
    let isGeometry = items.map { if case .geometry = $0 { true } else { false } }
    guard let first = isGeometry.firstIndex(of: true), isGeometry[first...].allSatisfy(\.self)
    else {
      return nil
    }
    return movement(of: upright).map { (RenderPlan(items: Array(items[..<first])), $0) }
  }

  /// What all geometry together does to a picture of the turned photo; `nil` when it changes nothing.
  ///
  /// - Parameters:
  ///   - upright: The size of the upright photo.
  ///   - scale: How much smaller than the photo that is.
  func movement(of upright: PixelSize, scale: Double = 1) -> (any Warp)? {
    var size = turn.swapsSides ? upright.turned : upright
    var movement: (any Warp)?
    for case .geometry(let geometry) in items {
      guard let next = geometry.warp(in: StepContext(size: size, scale: scale)) else { continue }
      movement = movement?.followed(by: next) ?? next
      size = next.size
    }
    return movement
  }

  /// Where the places of the upright photo lie in the picture at full size.
  ///
  /// - Parameter upright: The size of the upright photo.
  func placeMapping(of upright: PixelSize) -> PlaceMapping {
    let turned = turn.swapsSides ? upright.turned : upright
    var matrix = PlaceMapping.matrix(ofOrientation: turn.exif)
    guard let movement = movement(of: upright) else {
      return PlaceMapping(matrix: matrix, pixelWidth: turned.width, pixelHeight: turned.height)
    }
    let size = movement.size
    for next in [
      PlaceMapping.scaling(Double(turned.width), Double(turned.height)),
      PlaceMapping.inverse(movement.projection.matrix),
      PlaceMapping.scaling(1 / Double(size.width), 1 / Double(size.height)),
    ] {
      matrix = PlaceMapping.product(next, matrix)
    }
    return PlaceMapping(matrix: matrix, pixelWidth: size.width, pixelHeight: size.height)
  }

  /// The plan with an item more at its end.
  func adding(_ item: PlanItem) -> RenderPlan { RenderPlan(items: items + [item]) }

  /// A plan of items in the order in which they act.
  init(items: [PlanItem]) {
    self.items = items
  }

  /// The item of an adjustment that was stored with a version.
  static func item(
    _ adjustment: any Adjustment, version: Int
  ) throws(RenderError) -> PlanItem {
    let earlier = (adjustment as? any EarlierRenderable)?.rendering(ofVersion: version)
    guard let item = earlier ?? PlanItem(adjustment) else {
      let type = type(of: adjustment)
      throw .unknownAdjustment(id: type.id, version: type.version)
    }
    return item
  }

  private static func items(of layer: Layer, position: Int)
    throws(RenderError) -> [(position: Int, item: PlanItem)]
  {
    guard layer.opacity > 0 else { return [] }
    let share = try Share(of: layer)
    var early: [PlanItem] = []
    var late: [(position: Int, item: PlanItem)] = []
    for entry in layer.steps.entries {
      guard let adjustment = entry.adjustment, adjustment.changesPicture else { continue }
      var items: [(position: Int, item: PlanItem)]
      if let inner = entry.layer {
        items = try Self.items(of: inner, position: position)
      } else {
        let item = try item(adjustment, version: entry.version)
        let keepsPlace = item.movesPixels || AdjustmentRegistry.followsGeometry(entry.id)
        items = [(keepsPlace ? AdjustmentRegistry.position(of: entry.id) : position, item)]
      }
      early += items.filter { $0.position == position }.map(\.item)
      late += items.filter { $0.position != position }.map { place, item in
        // The opacity of a layer does not weaken its crop.
        (place, share.isWhole || item.movesPixels ? item : .mixed([item], share: share))
      }
    }
    guard !early.isEmpty else { return late }
    if share.isWhole { return early.map { (position, $0) } + late }
    return [(position, .mixed(early, share: share))] + late
  }

  /// Whether the plan keeps the color of every pixel and does nothing but quarter turns and
  /// mirrors.
  var isNeutral: Bool {
    items.allSatisfy { if case .turn = $0 { true } else { false } }
  }

  /// Whether pixels are needed in another order than from top to bottom.
  func needsAnyOrder(as format: RenderOutput.Format) -> Bool {
    items.contains { item in
      switch item {
      case .geometry(let geometry): geometry.movesPixels
      case .neighborhood, .noise, .far: !format.file.isEncodedInStrips
      case .mixed(let items, _): !format.file.isEncodedInStrips && !items.allSatisfy(\.isPointwise)
      case .color, .guided, .turn: false
      }
    }
  }

  /// The quarter turns and mirrors that follow the photo's own orientation.
  var turn: Orientation {
    items.reduce(.upright) { turn, item in
      if case .turn(let next) = item { turn.followed(by: next.turn) } else { turn }
    }
  }
}

extension Adjustment {
  /// Whether it changes the picture, and not only the photo's video.
  fileprivate var changesPicture: Bool { !isNeutral && Self.group != .video }
}

extension RenderPlan {
  /// The size of an upright photo after turns, straightening and crops.
  func size(of upright: PixelSize, scale: Double = 1) -> PixelSize {
    var size = turn.swapsSides ? upright.turned : upright
    for case .geometry(let geometry) in items {
      if let warp = geometry.warp(in: StepContext(size: size, scale: scale)) { size = warp.size }
    }
    return size
  }

  /// How much to reduce an upright photo so that the longer side of the picture has at most
  /// `longestSide` pixels; 1 when the picture is small enough at full size.
  func scale(of upright: PixelSize, toFit longestSide: Int) -> Double {
    scale(of: upright) { $0.longestSide <= longestSide }
  }

  /// How much to reduce an upright photo so that its picture has a size that fits; 1 when it fits at full size.
  func scale(of upright: PixelSize, where fits: (PixelSize) -> Bool) -> Double {
    let photo = upright.longestSide
    // Geometry rounds to whole pixels, so the size that fits best has to be searched for.
    func isAllowed(_ side: Int) -> Bool {
      let scale = Double(side) / Double(photo)
      return fits(size(of: upright.scaled(by: scale), scale: scale))
    }
    if isAllowed(photo) { return 1 }
    var (low, high) = (1, photo)
    while high - low > 1 {
      let middle = (low + high) / 2
      if isAllowed(middle) { low = middle } else { high = middle }
    }
    // Rounding may let a size fit that is larger by a few pixels than one that does not.
    let best = (low..<min(low + 4, photo)).last(where: isAllowed) ?? low
    return Double(best) / Double(photo)
  }

  /// Whether a render has the photo's own codes: nothing changes them, and the format can hold what they mean.
  func keepsCodes(of photo: DecodedPhoto, as format: RenderOutput.Format) -> Bool {
    isNeutral && !photo.mustBeConverted(as: format)
  }

  /// The photo with all adjustments, ready to be written in a format.
  ///
  /// - Parameter coding: What the result's red, green and blue codes mean. `nil` keeps the photo's
  ///   profile, and the photo's own codes where the plan is neutral.
  /// - Parameter isWide: Whether the result has 16 bits; `nil` keeps those of the photo where the format can.
  /// - Parameter dithers: See ``RenderOutput/dithers``.
  /// - Parameter cancellation: Asked between two adjustments, of which an edit may have thousands.
  /// - Parameter makeGuide: Reduces the photo, where somebody keeps the reduced picture.
  /// - Parameter samples: The photo's squares, where somebody keeps them.
  func picture(
    of photo: DecodedPhoto, _ opened: OpenedPhoto, as format: RenderOutput.Format,
    in coding: PixelCoding? = nil, wide isWide: Bool? = nil, dithers: Bool = false,
    cancellation: RenderCancellation? = nil,
    guide makeGuide: (() throws -> ReducedPicture)? = nil,
    samples: PhotoSamples? = nil
  ) throws -> RenderedPicture {
    let rows = photo.isInMemory || !format.file.isEncodedInStrips ? nil : RowStore(photo.image)
    let image = try rows?.image() ?? photo.image
    let wide = isWide ?? (photo.isWide && format.keepsSixteenBits)
    // Codes of 8 bits become those of 16 in a pass of their own.
    let coding = coding ?? (wide && !photo.isWide ? photo.outputCoding : nil)
    guard coding != nil || !keepsCodes(of: photo, as: format) else {
      var whole = photo.picture
      whole.color = photo.isWide && !wide ? try image.roundedToEightBits() : image
      return RenderedPicture(whole, rows: rows)
    }
    var builder = builder(
      of: photo, image, opened, cancellation: cancellation, guide: makeGuide, samples: samples)
    for item in items { try builder.add(item) }
    let last = try builder.finished(wide: wide, coding: coding, dithers: dithers && !isNeutral)
    var finished = builder.picture
    finished.color = try last.pass.applied(to: last.image)
    var picture = RenderedPicture(finished, rows: rows)
    picture.reach = builder.reach
    picture.top = builder.top
    picture.isTiled = builder.hasFloatPasses
    picture.isGray = builder.isGray && (coding ?? photo.outputCoding).keepsGray
    picture.makesColorEdges = format == .jpeg ? try makesColorEdges(of: photo.asShot) : false
    if !wide, last.image === image {
      (picture.direct, picture.pass) = (last.pass.rowFunction(for: image), last.pass)
    }
    return picture
  }
}

extension RenderPlan {
  private func builder(
    of photo: DecodedPhoto, _ image: Image, _ opened: OpenedPhoto,
    cancellation: RenderCancellation? = nil, guide makeGuide: (() throws -> ReducedPicture)? = nil,
    samples: PhotoSamples? = nil
  ) -> PictureBuilder {
    PictureBuilder(
      photo, image, turnedBy: opened.orientation.followed(by: turn), cancellation: cancellation
    ) {
      try makeGuide?() ?? ReducedPicture.reducing(photo, of: opened)
    } samples: {
      try samples ?? PhotoSamples.reading(opened)
    }
  }

  /// A photo in memory with all adjustments, as floats of encoded sRGB.
  func floats(of photo: DecodedPhoto, _ opened: OpenedPhoto) throws -> Image {
    var builder = builder(of: photo, photo.image, opened)
    for item in items { try builder.add(item) }
    return try builder.floats()
  }
}

/// Where in a render an adjustment acts.
struct StepContext: Sendable {
  /// The size of the picture at this point of the pipeline.
  let size: PixelSize
  /// This render's pixels for one pixel of the full-size photo, along a side: 1, or less in a
  /// preview. Radii in pixels are multiplied by it.
  let scale: Double
  /// What the photo says of how it was taken.
  var asShot = AsShot()
  /// The size of the turned photo in these pixels, and where the picture's pixels lie in it; `nil` until geometry moves
  /// them.
  var origin: (photo: PixelSize, warp: any Warp)?

  /// The picture after geometry.
  func moved(by warp: any Warp) -> StepContext {
    StepContext(
      size: warp.size, scale: scale, asShot: asShot,
      origin: (origin?.photo ?? size, origin?.warp.followed(by: warp) ?? warp))
  }

  /// The number that a parameter stands for in this photo.
  ///
  /// - Parameters:
  ///   - fact: What the photo says for it.
  ///   - usual: The number for photos that say nothing.
  func number(
    _ value: AsShotNumber, or fact: KeyPath<AsShot, Double?>, usual: Double
  ) -> Double {
    if case .number(let number) = value { number } else { asShot[keyPath: fact] ?? usual }
  }
}

extension PlaceMapping {
  /// Where the places of an upright photo lie in its picture with an edit.
  ///
  /// - Throws: ``RenderError/unknownAdjustment(id:version:)`` when the edit has an adjustment of a newer version.
  package init(_ edit: EditStack, of photo: PixelSize) throws(RenderError) {
    self = try RenderPlan(edit).placeMapping(of: photo)
  }
}
