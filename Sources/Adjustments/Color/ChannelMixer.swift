/// Makes each channel from a mix of red, green and blue.
///
/// On sRGB-encoded values: `out = r × red + g × green + b × blue + constant`, once for each output
/// channel. Three equal rows make black and white.
public struct ChannelMixer: Adjustment {
  public static let id = "channel-mixer"
  public static let version = 1
  public static let group = AdjustmentGroup.color
  public static let summary = "Makes each channel from a mix of red, green and blue."
  public static let parameters: [Parameter<Self>] = [
    Parameter(\.red, "red", range: -4...4, summary: "What the new red is mixed from."),
    Parameter(\.green, "green", range: -4...4, summary: "What the new green is mixed from."),
    Parameter(\.blue, "blue", range: -4...4, summary: "What the new blue is mixed from."),
  ]

  /// What the new red is mixed from.
  public var red = Mix(red: 1, green: 0, blue: 0)
  /// What the new green is mixed from.
  public var green = Mix(red: 0, green: 1, blue: 0)
  /// What the new blue is mixed from.
  public var blue = Mix(red: 0, green: 0, blue: 1)

  /// Each channel from itself alone, which changes nothing.
  public init() {}
}

extension ChannelMixer {
  /// The share of each channel in one output channel.
  ///
  /// As JSON: `[red, green, blue]` or `[red, green, blue, constant]`.
  public struct Mix: ParameterValue {
    /// The share of red, green and blue; 1 is all of it.
    public var red, green, blue: Double
    /// A constant that is added, in sRGB-encoded values.
    public var constant: Double

    /// A mix of the three channels and a constant.
    public init(red: Double, green: Double, blue: Double, constant: Double = 0) {
      self.red = red
      self.green = green
      self.blue = blue
      self.constant = constant
    }

    public static var kind: String { "a list of three or four numbers" }

    public static var typeName: String { "mix" }
    public static var argumentKind: String { "shares of red, green and blue, such as 1,0,0" }

    /// Reads `red,green,blue` or `red,green,blue,constant`, or the same as JSON.
    public init?(argument: String, unit: ParameterUnit) {
      if let json = try? JSONValue(parsing: argument.utf8) {
        self.init(json: json.compact)
        return
      }
      guard let numbers = Double.list(argument[...]), (3...4).contains(numbers.count) else {
        return nil
      }
      self.init(
        red: numbers[0], green: numbers[1], blue: numbers[2],
        constant: numbers.count > 3 ? numbers[3] : 0)
    }

    /// The shares as `1,0,0`.
    public var argument: String {
      (json.elements ?? []).map(\.text).joined(separator: ",")
    }

    public init?(json: JSONValue) {
      guard let elements = json.elements, (3...4).contains(elements.count) else { return nil }
      let numbers = elements.compactMap(\.number)
      guard numbers.count == elements.count else { return nil }
      self.init(
        red: numbers[0], green: numbers[1], blue: numbers[2],
        constant: numbers.count > 3 ? numbers[3] : 0)
    }

    public var json: JSONValue {
      let numbers = [red, green, blue] + (constant == 0 ? [] : [constant])
      return .array(numbers.map { .number($0) })
    }

    public func problem(in range: ClosedRange<Double>) -> ParameterProblem? {
      for number in [red, green, blue, constant] {
        if let problem = number.problem(in: range) { return problem }
      }
      return nil
    }
  }
}
