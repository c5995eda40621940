import SafelightAdjustments
import SafelightVips

/// What has to be done to a decoded photo, compiled from its edit stack.
///
/// An empty plan gives back the photo's own pixels. How a plan becomes passes over the picture
/// stands in ``PictureBuilder``.
struct RenderPlan: Sendable {
  /// The adjustments that change something, first to act first.
  let items: [PlanItem]

  /// Compiles a stack in pipeline order.
  ///
  /// A filter's steps act in its own order at the filter's place, but for geometry, vignette and
  /// grain, which keep their place after it: a vignette follows the crop whoever asks for it.
  ///
  /// - Throws: ``RenderError/unknownAdjustment(id:version:)`` for an adjustment of a newer
  ///   program: leaving it out would show a picture that the edit does not describe.
  init(_ stack: EditStack) throws(RenderError) {
    if let unknown = stack.unknownEntries.first {
      throw .unknownAdjustment(id: unknown.id, version: unknown.version)
    }
    var placed: [(position: Int, item: PlanItem)] = []
    for entry in stack.inPipelineOrder {
      guard let adjustment = entry.adjustment, !adjustment.isNeutral else { continue }
      let position = AdjustmentRegistry.position(of: entry.id)
      if let filter = adjustment as? AppliedFilter {
        placed += try Self.items(of: filter, position: position)
      } else {
        placed.append((position, try Self.item(adjustment)))
      }
    }
    // Sorting keeps the order of equal positions, and a filter's late steps before the photo's own.
    items = placed.enumerated().sorted {
      ($0.element.position, $0.offset) < ($1.element.position, $1.offset)
    }.map(\.element.item)
  }

  /// The plan with nothing but what moves pixels: the same part of the photo, unchanged.
  var geometryAlone: RenderPlan { RenderPlan(items: items.filter(\.movesPixels)) }

  private init(items: [PlanItem]) {
    self.items = items
  }

  private static func item(_ adjustment: any Adjustment) throws(RenderError) -> PlanItem {
    guard let item = PlanItem(adjustment) else {
      let type = type(of: adjustment)
      throw .unknownAdjustment(id: type.id, version: type.version)
    }
    return item
  }

  private static func items(of filter: AppliedFilter, position: Int)
    throws(RenderError) -> [(position: Int, item: PlanItem)]
  {
    let share = filter.intensity
    guard share > 0 else { return [] }
    var early: [PlanItem] = []
    var late: [(position: Int, item: PlanItem)] = []
    for entry in filter.steps.entries {
      guard let adjustment = entry.adjustment, !adjustment.isNeutral else { continue }
      var items: [(position: Int, item: PlanItem)]
      if let inner = adjustment as? AppliedFilter {
        items = try Self.items(of: inner, position: position)
      } else {
        let item = try item(adjustment)
        let keepsPlace = item.movesPixels || AdjustmentRegistry.followsGeometry(entry.id)
        items = [(keepsPlace ? AdjustmentRegistry.position(of: entry.id) : position, item)]
      }
      early += items.filter { $0.position == position }.map(\.item)
      late += items.filter { $0.position != position }.map { place, item in
        // A crop is there or not, however strong the filter is.
        (place, share == 1 || item.movesPixels ? item : .mixed([item], share: share))
      }
    }
    guard !early.isEmpty else { return late }
    if share == 1 { return early.map { (position, $0) } + late }
    return [(position, .mixed(early, share: share))] + late
  }

  /// Whether the plan leaves every pixel as it is, but for its place after quarter turns.
  var isNeutral: Bool {
    items.allSatisfy { if case .turn = $0 { true } else { false } }
  }

  /// Whether pixels are needed in another order than from top to bottom.
  func needsAnyOrder(as format: RenderOutput.Format) -> Bool {
    items.contains { item in
      switch item {
      case .geometry(let geometry): geometry.movesPixels
      // Only JPEG's encoder keeps rows for those that look around.
      case .neighborhood, .far: format != .jpeg
      case .mixed(let items, _): format != .jpeg && !items.allSatisfy(\.isPointwise)
      case .color, .guided, .turn: false
      }
    }
  }

  /// The quarter turns and mirrors that the photo's own orientation is followed by.
  var turn: Orientation {
    items.reduce(.upright) { turn, item in
      if case .turn(let next) = item { turn.followed(by: next.turn) } else { turn }
    }
  }
}

extension RenderPlan {
  /// Width and height of an upright photo after turns, straightening and crops.
  func size(ofWidth width: Int, height: Int, scale: Double = 1) -> (width: Int, height: Int) {
    var size = turn.swapsSides ? (width: height, height: width) : (width: width, height: height)
    for case .geometry(let geometry) in items {
      let context = StepContext(width: size.width, height: size.height, scale: scale)
      if let transform = geometry.transform(in: context) {
        size = (transform.width, transform.height)
      }
    }
    return size
  }

  /// How much to reduce an upright photo so that the picture has at most so many pixels along its
  /// longer side; 1 when it has no more than that anyway.
  func scale(toFit longestSide: Int, width: Int, height: Int) -> Double {
    func side(_ scale: Double) -> Int {
      let wide = max(Int((Double(width) * scale).rounded()), 1)
      let high = max(Int((Double(height) * scale).rounded()), 1)
      let size = size(ofWidth: wide, height: high, scale: scale)
      return max(size.width, size.height)
    }
    let whole = side(1)
    guard whole > longestSide else { return 1 }
    // Each step rounds to whole pixels, so the size that fits best has to be looked for.
    let photo = max(width, height)
    let estimate = Int((Double(photo) * Double(longestSide) / Double(whole)).rounded())
    let tries = stride(from: min(estimate + 3, photo), to: max(estimate - 8, 0), by: -1)
    let fitting = tries.lazy.map { Double($0) / Double(photo) }.first { side($0) <= longestSide }
    return fitting ?? Double(max(estimate - 8, 1)) / Double(photo)
  }

  /// The photo with everything laid over it, to be written in a format.
  ///
  /// - Parameter coding: What the pixels' numbers mean, which are red, green and blue then; `nil` stays
  ///   with the photo's profile, and leaves its own numbers as they are where nothing is done to it.
  func picture(
    of photo: DecodedPhoto, _ opened: OpenedPhoto, as format: RenderOutput.Format,
    in coding: PixelCoding? = nil
  ) throws -> RenderedPicture {
    // Encoders other than JPEG's take their pixels by themselves, from top to bottom.
    let rows = photo.isInMemory || format != .jpeg ? nil : RowStore(photo.image)
    let image = try rows?.image() ?? photo.image
    let wide = photo.isWide && format.holdsSixteenBits
    guard !isNeutral || coding != nil else {
      let whole = photo.isWide && !wide ? try image.roundedToEightBits() : image
      return RenderedPicture(whole, rows: rows)
    }
    var builder = PictureBuilder(photo, image) {
      try ReducedPicture.reducing(photo, of: opened)
    }
    for item in items { try builder.add(item) }
    let last = try builder.finished(wide: wide, coding: coding)
    var picture = RenderedPicture(try last.pass.applied(to: last.image), rows: rows)
    picture.reach = builder.reach
    picture.top = builder.top
    picture.isTiled = builder.hasFloatPasses
    if !wide, last.image === image { picture.direct = last.pass.rowFunction(for: image) }
    return picture
  }
}
