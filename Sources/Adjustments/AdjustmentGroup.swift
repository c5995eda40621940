/// The part of an edit that an adjustment belongs to, as help and user interfaces group them.
public enum AdjustmentGroup: String, Sendable, Hashable, CaseIterable {
  /// How bright tones are.
  case light
  /// Which colors there are, and how strong.
  case color
  /// A whole look at once, such as a filter.
  case look
  /// Sharpness, local contrast and noise.
  case detail
  /// What is laid over the picture, such as a vignette.
  case effects
  /// Where pixels stand: crop, turn and perspective.
  case geometry

  /// The group's name for people.
  public var title: String { rawValue.prefix(1).uppercased() + rawValue.dropFirst() }
}
