/// Mirrors the picture.
///
/// Like ``Rotate``, which acts first, it joins the photo's own orientation: left and right, or top
/// and bottom, are those of the picture as it is seen after the turn.
public struct Flip: Adjustment {
  public static let id = "flip"
  public static let version = 1
  public static let group = AdjustmentGroup.geometry
  public static let summary = "Mirrors the picture."
  public static let parameters: [Parameter<Self>] = [
    Parameter(\.horizontal, "horizontal", "Whether left and right are exchanged."),
    Parameter(\.vertical, "vertical", "Whether top and bottom are exchanged."),
  ]

  /// Whether left and right are exchanged.
  public var horizontal = false
  /// Whether top and bottom are exchanged.
  public var vertical = false

  /// Changes nothing.
  public init() {}
}
