import SafelightAdjustments
import SafelightVips

// What adjustments say of their rendering, and what a plan makes of that.

/// An adjustment whose earlier versions gave other pixels. None has yet.
///
/// A stored adjustment keeps its version until somebody changes it, and renders as that version
/// did. Its values are upgraded all the same, so that the rendering reads the present ones.
protocol EarlierRenderable: Adjustment {
  /// What renders the adjustment where an earlier version stored it; `nil` where that version gave
  /// the pixels of the present one.
  func rendering(ofVersion version: Int) -> PlanItem?
}

/// An adjustment, or an earlier version of one, that needs only the pixel itself and its place.
protocol ColorRenderable: Sendable {
  /// The steps of the adjustment, in order; empty when the adjustment changes no pixel.
  ///
  /// - Throws: ``RenderError`` when the adjustment holds something that cannot be used.
  func colorSteps(in context: StepContext) throws(RenderError) -> [ColorStep]
}

/// An adjustment, or an earlier version of one, that treats a pixel by what surrounds it in the
/// reduced picture.
protocol GuidedRenderable: Sendable {
  /// The steps of the adjustment, in order.
  ///
  /// Their kernels read the guide's maps at the place of each pixel; see ``ReducedMap``.
  ///
  /// - Parameter guide: The reduced picture as it is at this point of the pipeline.
  func colorSteps(in context: StepContext, guidedBy guide: ReducedPicture) -> [ColorStep]
  /// Whether the adjustment also changes an area without any edge, by its tone alone.
  var actsOnEvenAreas: Bool { get }
}

extension GuidedRenderable {
  /// False unless an adjustment says otherwise: most of them look for differences.
  var actsOnEvenAreas: Bool { false }
}

/// An adjustment, or an earlier version of one, that needs the pixels right around each pixel.
protocol NeighborhoodRenderable: Sendable {
  /// The step of the adjustment; `nil` when the adjustment changes no pixel.
  func neighborhoodStep(in context: StepContext) -> (any NeighborhoodStep)?
}

/// An adjustment that needs the pixels right around each pixel, and how much noise the photo has.
protocol NoiseRenderable: Sendable {
  /// Whether the adjustment changes a picture at this scale; otherwise nothing is measured.
  func isVisible(in context: StepContext) -> Bool
  /// The step of the adjustment; `nil` when the adjustment changes no pixel.
  ///
  /// - Parameter noise: The noise of the photo at full size, as it is at this point of the pipeline.
  func neighborhoodStep(in context: StepContext, noise: NoiseProfile) -> (any NeighborhoodStep)?
}

/// An adjustment that reads the pixels right around each pixel when its reach is short, and the
/// reduced picture when its reach is long.
protocol FarReachingRenderable: GuidedRenderable, NeighborhoodRenderable {
  /// Whether the adjustment reads the reduced picture.
  ///
  /// - Parameter factor: The picture's pixels for one of the reduced picture, along a side.
  func isGuided(in context: StepContext, factor: Int) -> Bool
}

/// An adjustment, or an earlier version of one, that moves pixels or cuts some off.
protocol GeometryRenderable: Sendable {
  /// Whether the adjustment moves pixels; otherwise it only cuts some off.
  var movesPixels: Bool { get }
  /// Where the pixels of the adjusted picture come from; `nil` when the adjustment changes nothing.
  ///
  /// - Parameter context: The picture before the adjustment.
  func warp(in context: StepContext) -> (any Warp)?
}

/// An adjustment that turns the picture by quarters or mirrors it, as an Exif orientation does.
protocol TurnRenderable: Adjustment {
  /// What is done to the upright picture.
  var turn: Orientation { get }
}

/// One adjustment of a plan, by what it needs to know of the picture.
enum PlanItem: Sendable {
  /// The pixel alone.
  case color(any ColorRenderable)
  /// What surrounds the pixel in the reduced picture.
  case guided(any GuidedRenderable)
  /// The pixels right around the pixel.
  case neighborhood(any NeighborhoodRenderable)
  /// The pixels right around the pixel, and the noise of the photo.
  case noise(any NoiseRenderable)
  /// The pixels right around the pixel, or what surrounds it in the reduced picture.
  case far(any FarReachingRenderable)
  /// Where pixels come from.
  case geometry(any GeometryRenderable)
  /// Quarter turns and mirrors, which join the photo's own orientation.
  case turn(any TurnRenderable)
  /// A layer that does not wholly count: the result of its items, mixed with the layer's input.
  case mixed([PlanItem], share: Share)

  /// The item for an adjustment; `nil` when this version cannot render the adjustment.
  init?(_ adjustment: any Adjustment) {
    switch adjustment {
    case let guided as any SometimesGuidedRenderable where guided.isGuided: self = .guided(guided)
    case let color as any ColorRenderable: self = .color(color)
    case let far as any FarReachingRenderable: self = .far(far)
    case let guided as any GuidedRenderable: self = .guided(guided)
    case let near as any NeighborhoodRenderable: self = .neighborhood(near)
    case let noise as any NoiseRenderable: self = .noise(noise)
    case let geometry as any GeometryRenderable: self = .geometry(geometry)
    case let turn as any TurnRenderable: self = .turn(turn)
    default: return nil
    }
  }

  /// Whether the item is made of color steps alone, guided or not.
  var isPointwise: Bool {
    switch self {
    case .color, .guided: true
    case .neighborhood, .noise, .far, .geometry, .turn: false
    case .mixed(let items, _): items.allSatisfy(\.isPointwise)
    }
  }

  /// Whether the item changes where pixels are, and not their colors.
  var movesPixels: Bool {
    switch self {
    case .geometry, .turn: true
    case .color, .guided, .neighborhood, .noise, .far, .mixed: false
    }
  }

  /// Whether the item needs to know the noise of the photo.
  func readsNoise(in context: StepContext) -> Bool {
    switch self {
    case .noise(let adjustment): adjustment.isVisible(in: context)
    case .mixed(let items, _): items.contains { $0.readsNoise(in: context) }
    case .color, .guided, .neighborhood, .far, .geometry, .turn: false
    }
  }

  /// Whether the item may be a blur that reads the reduced picture. It does so when the reduced picture's usual
  /// size is fine enough for its radius.
  var isFar: Bool {
    switch self {
    case .far: true
    case .mixed(let items, _): items.contains(where: \.isFar)
    case .color, .guided, .neighborhood, .noise, .geometry, .turn: false
    }
  }

  /// Whether the item needs the reduced picture, or may need it.
  var isGuided: Bool {
    switch self {
    case .guided, .far: true
    case .mixed(let items, _): items.contains(where: \.isGuided)
    case .color, .neighborhood, .noise, .geometry, .turn: false
    }
  }
}
