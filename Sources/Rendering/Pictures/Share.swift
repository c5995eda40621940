/// A share from 0 to 1 as people read it: in percent with one decimal.
public struct Share: CustomStringConvertible {
  private let share: Double

  /// The share of a whole.
  public init(_ share: Double) { self.share = share }

  /// The share in percent, such as `2.5 %`; what is there and rounds to nothing is `under 0.1 %`.
  public var description: String {
    let tenths = (share * 1000).rounded()
    if share > 0, tenths == 0 { return "under 0.1 %" }
    return "\(tenths / 10) %"
  }
}
