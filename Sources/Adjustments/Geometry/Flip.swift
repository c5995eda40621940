/// Mirrors the picture.
///
/// Like ``Rotate``, which acts before, it joins the photo's own orientation. Left, right, top and
/// bottom are those of the picture after the turn.
public struct Flip: Adjustment {
  public static let id = "flip"
  public static let version = 1
  public static let group = AdjustmentGroup.geometry
  public static let summary = "Mirrors the picture."
  public static let parameters: [Parameter<Self>] = [
    Parameter(\.horizontal, "horizontal", summary: "Whether left and right are exchanged."),
    Parameter(\.vertical, "vertical", summary: "Whether top and bottom are exchanged."),
  ]

  /// Whether left and right are exchanged.
  public var horizontal = false
  /// Whether top and bottom are exchanged.
  public var vertical = false

  /// Changes nothing.
  public init() {}
}
