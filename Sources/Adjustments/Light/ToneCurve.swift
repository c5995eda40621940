/// Maps tones through smooth curves: one for all channels, then one for each.
///
/// Curves act on sRGB-encoded values. Between the points they follow a monotone cubic (Fritsch and
/// Carlson, SIAM J. Numer. Anal. 17, 1980), so between rising points tones never overshoot and keep
/// their order. Outside 0 to 1 a curve continues as a straight line.
///
/// The curve for all channels can act on luminance instead, so that contrast does not make colors
/// stronger. With the luminance Y of linear light (weights of ITU-R BT.709-6), the curve f, its
/// result Y' = f(Y) and its black B = f(0) in linear light, a color becomes
/// `(Y' − B) / Y × in + B`. Where its largest channel would rise above 1, and above what it was, a share
/// p of the color moves towards its gray Y', and the rest towards black, until the channel is there. With
/// the smallest channel v, 0 at least, and the largest one h before, p = v / h (2 − v / h): white stays
/// bright, and strong colors stay strong.
public struct ToneCurve: Adjustment {
  public static let id = "tone-curve"
  public static let version = 1
  public static let group = AdjustmentGroup.light
  public static let summary = "Maps tones through smooth curves."
  public static let parameters: [Parameter<Self>] = [
    Parameter(
      \.all, "all", option: .named("tone-curve"),
      summary: "The curve for red, green and blue alike, applied first."),
    Parameter(\.red, "red", summary: "The curve for red."),
    Parameter(\.green, "green", summary: "The curve for green."),
    Parameter(\.blue, "blue", summary: "The curve for blue."),
    Parameter(
      \.mode, "mode",
      summary: "Whether the first curve acts on each channel, or on luminance and keeps colors."),
  ]

  /// The curve for red, green and blue alike, applied first.
  public var all = Curve()
  /// The curve for red.
  public var red = Curve()
  /// The curve for green.
  public var green = Curve()
  /// The curve for blue.
  public var blue = Curve()
  /// What ``all`` acts on.
  public var mode = Mode.channels

  /// Four straight lines, which change nothing.
  public init() {}

  /// Whether every curve is straight.
  public var isNeutral: Bool { [all, red, green, blue].allSatisfy(\.isStraight) }

  /// What the curve for all channels acts on.
  public enum Mode: String, ParameterValue, CaseIterable {
    /// On red, green and blue alike: more contrast also makes colors stronger.
    case channels
    /// On luminance: colors keep their strength.
    case luminance
  }
}

extension ToneCurve {
  /// The points of a tone curve, in sRGB-encoded values from 0 (black) to 1 (white).
  ///
  /// As JSON: `[[0,0],[0.25,0.2],[1,1]]`.
  public struct Curve: ParameterValue {
    /// One point of a curve: an input tone and its output tone.
    public struct Point: Sendable, Hashable {
      /// The input tone.
      public let input: Double
      /// The output tone.
      public let output: Double

      /// A point of a curve.
      public init(_ input: Double, _ output: Double) {
        self.input = input
        self.output = output
      }
    }

    /// The points, from dark to light.
    public var points: [Point]

    /// The straight line from (0, 0) to (1, 1).
    public init() {
      points = [Point(0, 0), Point(1, 1)]
    }

    /// A curve through points: 2 to 64 of them, inputs rising by at least 0.001.
    public init(_ points: [Point]) {
      self.points = points
    }

    /// Whether the curve is the straight line that changes nothing.
    public var isStraight: Bool { points.allSatisfy { $0.input == $0.output } }

    public static var kind: String { "a list of points such as [[0,0],[1,1]]" }

    public static var typeName: String { "curve" }
    public static var argumentKind: String {
      "points from dark to light, such as \"0,0 0.5,0.6 1,1\""
    }

    /// Reads `0,0 0.5,0.6 1,1`, or the same as JSON.
    public init?(argument: String, unit: ParameterUnit) {
      if let json = try? JSONValue(parsing: argument.utf8) {
        self.init(json: json.compact)
        return
      }
      var points: [Point] = []
      for pair in argument.split(whereSeparator: \.isWhitespace) {
        guard let numbers = Double.list(pair), numbers.count == 2 else { return nil }
        points.append(Point(numbers[0], numbers[1]))
      }
      self.init(points)
    }

    /// The points as `0,0 0.5,0.6 1,1`.
    public var argument: String {
      points.map { JSONValue.number($0.input).text + "," + JSONValue.number($0.output).text }
        .joined(separator: " ")
    }

    public init?(json: JSONValue) {
      guard let elements = json.elements else { return nil }
      points = []
      for element in elements {
        guard let pair = element.elements, pair.count == 2, let input = pair[0].number,
          let output = pair[1].number
        else { return nil }
        points.append(Point(input, output))
      }
    }

    public var json: JSONValue {
      .array(points.map { .array([.number($0.input), .number($0.output)]) })
    }

    public func problem(in range: ClosedRange<Double>) -> ParameterProblem? {
      for point in points {
        if let problem = point.input.problem(in: range) ?? point.output.problem(in: range) {
          return problem
        }
      }
      guard (2...64).contains(points.count) else { return .invalid("needs 2 to 64 points") }
      guard zip(points, points.dropFirst()).allSatisfy({ $1.input - $0.input >= 0.001 }) else {
        return .invalid("needs points whose inputs rise by at least 0.001")
      }
      return nil
    }
  }
}
