/// An edit that Apple's Photos made, in adjustments of Safelight's.
///
/// ```swift
/// let translation = AppleTranslation(edit, pixelWidth: 4032, pixelHeight: 3024)
/// for part in translation.parts { print(part.description) }  // crop: exact
/// ```
///
/// ``table`` says what is known of each of Apple's adjustments: which of ours does the same, which is the nearest, and which
/// has none. What is not known is kept in ``parts`` and changes nothing.
public struct AppleTranslation: Sendable {
  /// How well an adjustment of ours does what Apple's does.
  public enum Grade: String, Sendable, Hashable, Comparable, CaseIterable {
    /// The same pixels, but for how they are encoded.
    case exact
    /// The nearest of ours; pictures differ a little.
    case near
    /// Nothing of ours is known to do it.
    case unknown

    /// Exact comes first.
    public static func < (one: Grade, other: Grade) -> Bool { one.order < other.order }

    private var order: Int { Self.allCases.firstIndex(of: self) ?? 0 }
  }

  /// What became of one adjustment, or of one of its values.
  public struct Part: Sendable, Hashable {
    /// Apple's adjustment as people know it: `crop`, `Noir`.
    public let title: String
    /// Apple's names: `SmartTone.inputLight`.
    public let source: String
    /// What of ours took its place, such as `brightness`; `nil` when nothing did.
    public let target: String?
    /// How well it does the same.
    public let grade: Grade

    /// The part in words: `light as brightness (near)`.
    public var description: String {
      let name = target.map { $0 == title ? "" : " as \($0)" } ?? ""
      return "\(title)\(name) (\(grade.rawValue))"
    }
  }

  /// The adjustments of ours, without the filter.
  public internal(set) var stack = EditStack()
  /// The name of the filter of ours; `nil` when there is none.
  public internal(set) var filter: String?
  /// What became of each of Apple's adjustments that are switched on, in their order.
  public internal(set) var parts: [Part] = []

  /// The picture's width in pixels, as it is seen.
  let width: Double
  /// The picture's height in pixels, as it is seen.
  let height: Double
  /// The orientation of the original as Exif counts it, 1 to 8.
  let orientation: Int

  /// How well the whole edit is translated; `exact` when nothing is switched on.
  public var grade: Grade { parts.map(\.grade).max() ?? .exact }

  /// Whether nothing of ours takes the place of the edit.
  public var isEmpty: Bool { stack.holdsNothing && filter == nil }

  /// What is not translated.
  public var unknown: [Part] { parts.filter { $0.grade == .unknown } }

  /// Translates an edit.
  ///
  /// - Parameters:
  ///   - edit: What Apple's sidecar says.
  ///   - pixelWidth: The original's width as it is seen, upright. It may be a smaller copy of the photo that was edited.
  ///   - pixelHeight: The original's height as it is seen.
  public init(_ edit: AppleEdit, pixelWidth: Int, pixelHeight: Int) {
    orientation = edit.orientation ?? 1
    (width, height) = Self.size(of: edit, pixelWidth, pixelHeight)
    for adjustment in edit.enabled { translate(adjustment) }
    if !edit.isUnderstood {
      parts.append(
        Part(
          title: "adjustment data", source: edit.data.formatIdentifier, target: nil, grade: .unknown
        ))
    }
  }

  /// The size that the pixels in the edit are of: that of the photo that was edited, lying as the original lies.
  private static func size(
    of edit: AppleEdit, _ pixelWidth: Int, _ pixelHeight: Int
  ) -> (Double, Double) {
    guard let width = edit.masterWidth, let height = edit.masterHeight, width >= 1, height >= 1
    else { return (Double(pixelWidth), Double(pixelHeight)) }
    let isSeenUpright = (pixelWidth >= pixelHeight) == (width >= height)
    return isSeenUpright ? (width, height) : (height, width)
  }

  private mutating func translate(_ adjustment: AppleAdjustment) {
    let rows = Self.table.filter { $0.adjustment == adjustment.identifier }
    var isTold = false
    for row in rows {
      guard let grade = row.translate(adjustment, &self) else { continue }
      isTold = true
      parts.append(
        Part(
          title: adjustment.title, source: "\(row.adjustment).\(row.settings)",
          target: grade == .unknown ? nil : row.target, grade: grade))
    }
    // An adjustment with all its values at rest does nothing; one that has no row may do anything.
    if rows.isEmpty, !isTold {
      parts.append(
        Part(
          title: adjustment.title, source: adjustment.identifier, target: nil, grade: .unknown))
    }
  }
}

extension AppleTranslation {
  /// A row of the table: a value of one of Apple's adjustments, and what of ours does it.
  public struct Row: Sendable {
    /// Apple's name of the adjustment.
    public let adjustment: String
    /// Apple's names of the values.
    public let settings: String
    /// What of ours takes their place; `nil` when nothing does.
    public let target: String?
    /// The best that it can be.
    public let grade: Grade
    /// How it is known, and what differs.
    public let note: String
    /// Adds what of ours does it; `nil` when the values are at rest.
    let translate: @Sendable (AppleAdjustment, inout AppleTranslation) -> Grade?

    init(
      _ adjustment: String, _ settings: String, _ target: String?, _ grade: Grade, _ note: String,
      _ translate: @escaping @Sendable (AppleAdjustment, inout AppleTranslation) -> Grade?
    ) {
      (self.adjustment, self.settings, self.target) = (adjustment, settings, target)
      (self.grade, self.note, self.translate) = (grade, note, translate)
    }
  }

  /// Changes an adjustment of ours by an amount; `near` when that is possible.
  mutating func add<Value: Adjustment>(
    _ type: Value.Type, _ change: (inout Value) -> Void
  ) -> Grade {
    do throws(AdjustmentError) {
      try stack.adjust(type) { change(&$0) }
      return .near
    } catch {
      return .unknown
    }
  }
}

extension Double {
  /// The number as far as a range goes, without the noise of single precision.
  func limited(to range: ClosedRange<Double>) -> Double {
    min(max(rounded(toPlaces: 3), range.lowerBound), range.upperBound)
  }
}
