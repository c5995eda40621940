import SafelightAdjustments

/// One adjustment of a plan, by what it needs to know of the picture.
enum PlanItem: Sendable {
  /// The pixel alone.
  case color(any ColorRenderable)
  /// What surrounds the pixel in the reduced picture.
  case guided(any GuidedRenderable)
  /// The pixels right around it.
  case neighborhood(any NeighborhoodRenderable)
  /// The pixels right around it, or what surrounds it in the reduced picture.
  case far(any FarReachingRenderable)
  /// Where pixels come from.
  case geometry(any GeometryRenderable)
  /// Quarter turns and mirrors, which join the photo's own orientation.
  case turn(any TurnRenderable)
  /// A filter that is not at full strength: its items' result, mixed with what came in.
  case mixed([PlanItem], share: Double)

  /// The item for an adjustment; `nil` when no renderer of this version draws it.
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

  /// Whether the item changes where pixels are and not what color they have.
  var movesPixels: Bool {
    switch self {
    case .geometry, .turn: true
    case .color, .guided, .neighborhood, .far, .mixed: false
    }
  }

  /// Whether the reduced picture is needed, or may be.
  var isGuided: Bool {
    switch self {
    case .guided, .far: true
    case .mixed(let items, _): items.contains(where: \.isGuided)
    case .color, .neighborhood, .geometry, .turn: false
    }
  }
}
