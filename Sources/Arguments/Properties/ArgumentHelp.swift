/// Whether help lists an argument.
public enum ArgumentVisibility: Sendable, Hashable {
  /// Listed.
  case `default`
  /// Listed only when hidden arguments are asked for.
  case hidden
}

/// What help says about one argument.
public struct ArgumentHelp: Sendable, ExpressibleByStringInterpolation {
  /// One line on what the argument is for.
  public var abstract: String
  /// More on the argument, shown below the first line.
  public var discussion: String
  /// What stands between the angle brackets; `nil` takes the argument's own name.
  public var valueName: String?
  /// Whether help lists the argument.
  public var visibility: ArgumentVisibility

  /// Creates the help of an argument; see the properties for what each part means.
  public init(
    _ abstract: String = "", discussion: String = "", valueName: String? = nil,
    visibility: ArgumentVisibility = .default
  ) {
    self.abstract = abstract
    self.discussion = discussion
    self.valueName = valueName
    self.visibility = visibility
  }

  /// Creates the help of an argument from its one line.
  public init(stringLiteral value: String) { self.init(value) }

  /// Help that is not listed.
  public static var hidden: ArgumentHelp { ArgumentHelp(visibility: .hidden) }
}
