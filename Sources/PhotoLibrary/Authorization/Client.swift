/// The program that uses a library, as it introduces itself when it opens one.
///
/// A client sees and changes what the user allowed it, and is remembered in the catalog by its
/// identifier. All of this is consent between programs that cooperate, such as the plug-ins of a photo
/// tool, and keeps none out by force: who may read the library's folder can read the photos, and
/// any program can call itself what it likes. The boundary of security is the file system's.
///
/// ```swift
/// let client = Client(
///   identifier: "org.example.frames", usageDescription: "To show your photos in a frame.")
/// let library = try PhotoLibrary(at: path, client: client, prompt: prompt)
/// ```
public struct Client: Sendable, Hashable {
  /// What names the program, in reverse DNS order; the same every time.
  public let identifier: String
  /// Why it wants to see and change photos; shown to the user. `nil` when it never asks for that.
  public let usageDescription: String?
  /// Why it wants to add photos; shown to the user. `nil` when it never asks for just that.
  public let addUsageDescription: String?

  /// Whether it is never asked.
  let isOwner: Bool

  /// A program that has to ask before it sees or changes anything.
  ///
  /// - Parameters:
  ///   - identifier: What names the program, in reverse DNS order; must not be blank.
  ///   - usageDescription: Why it wants to see and change photos, as a sentence for the user.
  ///   - addUsageDescription: Why it wants to add photos, likewise.
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

  /// The person's own tool, as `edit` is: it may do everything, is never asked, and decides what
  /// others may do.
  public static let owner = Client()

  /// Why it wants access of a level; `nil` when it does not say.
  func reason(for level: AccessLevel) -> String? {
    let reason = level == .addOnly ? addUsageDescription : usageDescription
    return reason.flatMap { $0.isBlank ? nil : $0 }
  }
}

extension String {
  /// Whether there is nothing to read in it.
  fileprivate var isBlank: Bool { allSatisfy(\.isWhitespace) }
}
