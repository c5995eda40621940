/// How the user is asked, as the program that has the screen or the terminal does it.
///
/// ```swift
/// let prompt = AuthorizationPrompt { question in
///   await window.ask("\(question.client.identifier): \(question.usageDescription)")
///     ? .allow : .deny
/// }
/// ```
///
/// It is called for one question of a library at a time, from no particular thread, and may take as
/// long as the user does. It must not ask the same library for access itself.
public struct AuthorizationPrompt: Sendable {
  /// What the user is asked.
  public struct Question: Sendable, Hashable {
    /// Who wants access.
    public let client: Client
    /// How much of it.
    public let level: AccessLevel
    /// The client's reason, which must be shown.
    public let usageDescription: String
    /// Whether ``Answer/limit(to:)`` may be answered.
    public let offersLimit: Bool
    /// The local identifiers of the assets that the client sees, when the user only is to choose
    /// others; `nil` when access itself is asked for.
    public let selection: [String]?

    /// A question; for tests of prompts, as a library makes its own.
    public init(
      client: Client, level: AccessLevel, usageDescription: String, offersLimit: Bool,
      selection: [String]? = nil
    ) {
      (self.client, self.level) = (client, level)
      (self.usageDescription, self.offersLimit) = (usageDescription, offersLimit)
      self.selection = selection
    }
  }

  /// What the user answered.
  public enum Answer: Sendable, Hashable {
    /// The client gets all that it asked for.
    case allow
    /// The client sees these assets, by their local identifiers, and no others.
    case limit(to: [String])
    /// The client gets nothing, and is not to ask again. When others were to be chosen, all stays
    /// as it was.
    case deny
    /// The user went away without an answer: all stays as it was, and asking again is allowed.
    case undecided
  }

  let answer: @Sendable (Question) async -> Answer

  /// A way to ask.
  ///
  /// - Parameter answer: Asks the user and returns the answer.
  public init(_ answer: @escaping @Sendable (Question) async -> Answer) {
    self.answer = answer
  }
}
