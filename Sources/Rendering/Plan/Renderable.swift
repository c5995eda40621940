import SafelightAdjustments

/// Where in a render an adjustment acts.
struct StepContext: Sendable {
  /// The size of the picture at this point of the pipeline.
  let size: PixelSize
  /// This render's pixels for one pixel of the full-size photo, along a side: 1, or less in a
  /// preview. Radii in pixels are multiplied by it.
  let scale: Double
}

/// An adjustment that needs only the pixel itself and its place.
protocol ColorRenderable: Adjustment {
  /// The steps of the adjustment, in order; empty when the adjustment changes no pixel.
  ///
  /// - Throws: ``RenderError`` when the adjustment holds something that cannot be used.
  func colorSteps(in context: StepContext) throws(RenderError) -> [ColorStep]
}

/// An adjustment that treats a pixel by what surrounds it in the reduced picture.
protocol GuidedRenderable: Adjustment {
  /// The steps of the adjustment, in order.
  ///
  /// Their kernels read the guide's maps at the place of each pixel; see ``ReducedMap``.
  ///
  /// - Parameter guide: The reduced picture as it is at this point of the pipeline.
  func colorSteps(in context: StepContext, guidedBy guide: ReducedPicture) -> [ColorStep]
}

/// An adjustment that needs the pixels right around each pixel.
protocol NeighborhoodRenderable: Adjustment {
  /// The step of the adjustment; `nil` when the adjustment changes no pixel.
  func neighborhoodStep(in context: StepContext) -> (any NeighborhoodStep)?
}

/// An adjustment that reads the pixels right around each pixel when its reach is short, and the
/// reduced picture when its reach is long.
protocol FarReachingRenderable: GuidedRenderable, NeighborhoodRenderable {
  /// Whether the adjustment reads the reduced picture.
  ///
  /// - Parameter factor: The picture's pixels for one of the reduced picture, along a side.
  func isGuided(in context: StepContext, factor: Int) -> Bool
}

/// An adjustment that moves pixels or cuts some off.
protocol GeometryRenderable: Adjustment {
  /// Whether the adjustment moves pixels; otherwise it only cuts some off.
  var movesPixels: Bool { get }
  /// Where the pixels of the adjusted picture come from; `nil` when the adjustment changes nothing.
  ///
  /// - Parameter context: The picture before the adjustment.
  func transform(in context: StepContext) -> PictureTransform?
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
  /// The pixels right around the pixel, or what surrounds it in the reduced picture.
  case far(any FarReachingRenderable)
  /// Where pixels come from.
  case geometry(any GeometryRenderable)
  /// Quarter turns and mirrors, which join the photo's own orientation.
  case turn(any TurnRenderable)
  /// A filter below full strength: the result of its items, mixed with the filter's input.
  case mixed([PlanItem], share: Double)

  /// The item for an adjustment; `nil` when this version cannot render the adjustment.
  init?(_ adjustment: any Adjustment) {
    switch adjustment {
    case let color as any ColorRenderable: self = .color(color)
    case let far as any FarReachingRenderable: self = .far(far)
    case let guided as any GuidedRenderable: self = .guided(guided)
    case let near as any NeighborhoodRenderable: self = .neighborhood(near)
    case let geometry as any GeometryRenderable: self = .geometry(geometry)
    case let turn as any TurnRenderable: self = .turn(turn)
    default: return nil
    }
  }

  /// Whether the item is made of color steps alone, guided or not.
  var isPointwise: Bool {
    switch self {
    case .color, .guided: true
    case .neighborhood, .far, .geometry, .turn: false
    case .mixed(let items, _): items.allSatisfy(\.isPointwise)
    }
  }

  /// Whether the item changes where pixels are, and not their colors.
  var movesPixels: Bool {
    switch self {
    case .geometry, .turn: true
    case .color, .guided, .neighborhood, .far, .mixed: false
    }
  }

  /// Whether the item needs the reduced picture, or may need it.
  var isGuided: Bool {
    switch self {
    case .guided, .far: true
    case .mixed(let items, _): items.contains(where: \.isGuided)
    case .color, .neighborhood, .geometry, .turn: false
    }
  }
}
