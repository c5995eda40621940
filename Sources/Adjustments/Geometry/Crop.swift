/// Keeps a rectangle of the picture.
///
/// The rectangle is stated in shares of the picture as the adjustments before it leave it, turned
/// and straightened, so that it means the same in a preview. On a picture of W × H pixels it goes
/// from column round(x W) up to round((x + width) W) and from row round(y H) up to
/// round((y + height) H), cut off at the picture's edges and at least one pixel wide and high.
/// Pixels that stay are not changed.
public struct Crop: Adjustment {
  public static let id = "crop"
  public static let version = 1
  public static let group = AdjustmentGroup.geometry
  public static let summary = "Keeps a rectangle of the picture."
  public static let parameters: [Parameter<Self>] = [
    Parameter(\.x, "x", unit: .share, "Where the rectangle begins, from the left edge."),
    Parameter(\.y, "y", unit: .share, "Where the rectangle begins, from the top edge."),
    Parameter(\.width, "width", unit: .share, "How much of the picture's width stays."),
    Parameter(\.height, "height", unit: .share, "How much of the picture's height stays."),
  ]

  /// Where the rectangle begins, from the left edge, as a share of the width.
  public var x = 0.0
  /// Where the rectangle begins, from the top edge, as a share of the height.
  public var y = 0.0
  /// How much of the width stays, as a share.
  public var width = 1.0
  /// How much of the height stays, as a share.
  public var height = 1.0

  /// The whole picture.
  public init() {}
}
