/// The program that uses a library, as it introduces itself when it opens one.
///
/// A client sees and changes what the user allowed. The catalog remembers each client by its
/// identifier. This is consent between programs that cooperate, such as the plug-ins of a photo tool.
/// It is no protection against other programs: a program that may read the library's folder can read the
/// photos, and any program can use any identifier. The boundary of security is the file system's
/// permissions.
///
/// ```swift
/// let client = Client(
///   identifier: "org.example.frames", usageDescription: "To show your photos in a frame.")
/// let library = try PhotoLibrary(at: path, client: client, prompt: prompt)
/// ```
public struct Client: Sendable, Hashable {
  /// The program's name in reverse DNS order; the same every time.
  public let identifier: String
  /// Why the program wants to see and change photos. The user is shown this sentence. `nil` when the
  /// program never asks for that.
  public let usageDescription: String?
  /// Why the program wants to add photos. The user is shown this sentence. `nil` when the program
  /// never asks for that alone.
  public let addUsageDescription: String?

  /// Whether this is the user's own tool, which needs no permission.
  let isOwner: Bool

  /// A program that has to ask before it sees or changes anything.
  ///
  /// - Parameters:
  ///   - identifier: The program's name in reverse DNS order; must not be blank.
  ///   - usageDescription: Why it wants to see and change photos, as a sentence for the user.
  ///   - addUsageDescription: Why it wants to add photos, as a sentence for the user.
  public init(
    identifier: String, usageDescription: String? = nil, addUsageDescription: String? = nil
  ) {
    precondition(!identifier.isBlank, "a client needs an identifier")
    self.identifier = identifier
    self.usageDescription = usageDescription
    self.addUsageDescription = addUsageDescription
    isOwner = false
  }

  private init() {
    (identifier, usageDescription, addUsageDescription) = ("", nil, nil)
    isOwner = true
  }

  /// The user's own tool, as `edit` is. It may do everything, is never asked, and decides what other
  /// clients may do.
  public static let owner = Client()

  /// Why the client wants access of a level; `nil` when it gives no reason.
  func reason(for level: AccessLevel) -> String? {
    let reason = level == .addOnly ? addUsageDescription : usageDescription
    return reason.flatMap { $0.isBlank ? nil : $0 }
  }
}

extension String {
  /// Whether the text has nothing but white space.
  fileprivate var isBlank: Bool { allSatisfy(\.isWhitespace) }
}

/// What the user decided about a client; the numbers are PhotoKit's.
///
/// ```swift
/// if library.authorizationStatus(for: .readWrite) == .limited { showLimitedHint() }
/// ```
public enum AuthorizationStatus: Int, Sendable, Hashable, CaseIterable, Codable {
  /// The user has not been asked.
  case notDetermined = 0
  /// The library's owner does not let the user decide.
  case restricted = 1
  /// The user said no.
  case denied = 2
  /// The user said yes.
  case authorized = 3
  /// The user chose the assets that the client may see; only for ``AccessLevel/readWrite``.
  case limited = 4

  /// Whether the user allowed anything at all.
  public var isGranted: Bool { self == .authorized || self == .limited }

  /// The status as the catalog stores it. A status that only a newer program knows allows nothing.
  init(stored number: Int) { self = AuthorizationStatus(rawValue: number) ?? .restricted }

  /// The error that this status means for a client; `nil` when access was granted.
  func refusal(of client: Client) -> PhotoLibraryError? {
    switch self {
    case .authorized, .limited: nil
    case .notDetermined: .accessNotDetermined(client: client.identifier)
    case .restricted: .accessRestricted
    case .denied: .accessUserDenied
    }
  }
}

/// How much of a library a client wants to use; the numbers are PhotoKit's.
public enum AccessLevel: Int, Sendable, Hashable, CaseIterable, Codable {
  /// To add photos, without seeing or changing the photos in the library.
  case addOnly = 1
  /// To see and change the photos in the library, and to add photos.
  case readWrite = 2
}

/// The way in which a program asks the user, on its screen or in its terminal.
///
/// ```swift
/// let prompt = AuthorizationPrompt { question in
///   await window.ask("\(question.client.identifier): \(question.usageDescription)")
///     ? .allow : .deny
/// }
/// ```
///
/// A library asks one question at a time. The prompt is called from no particular thread and may take
/// as long as the user does. It must not ask the same library for access itself.
public struct AuthorizationPrompt: Sendable {
  /// A question to the user.
  public struct Question: Sendable, Hashable {
    /// The client that wants access.
    public let client: Client
    /// How much access the client wants.
    public let level: AccessLevel
    /// The client's reason, which must be shown.
    public let usageDescription: String
    /// Whether the answer may be ``Answer/limit(to:)``.
    public let offersLimit: Bool
    /// The local identifiers of the assets that the client sees now, when the user is to choose other
    /// assets; `nil` when the question is about access itself.
    public let selection: [String]?

    /// A question, for tests of prompts; a library makes its own questions.
    public init(
      client: Client, level: AccessLevel, usageDescription: String, offersLimit: Bool,
      selection: [String]? = nil
    ) {
      (self.client, self.level) = (client, level)
      (self.usageDescription, self.offersLimit) = (usageDescription, offersLimit)
      self.selection = selection
    }
  }

  /// The user's answer.
  public enum Answer: Sendable, Hashable {
    /// The client gets everything that it asked for.
    case allow
    /// The client sees only these assets, given by their local identifiers.
    case limit(to: [String])
    /// The client gets nothing and must not ask again. When the user was to choose other assets,
    /// nothing changes.
    case deny
    /// The user gave no answer. Nothing changes, and the client may ask again.
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
