import PhotoLibraryKit
import SafelightArguments

/// `edit library access`: decides what other programs may do.
struct AccessCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "access",
    abstract: "See and decide which programs may use the library.",
    discussion: """
      A program that opens the library under a name of its own asks for access first, and the \
      answer is remembered. With these commands the owner answers before the program asks, and \
      changes the answer at any time; programs that run learn of it at once.

      Example:
        edit library access list
        edit library access grant org.example.frames
        edit library access limit org.example.frames --album Holidays
        edit library access revoke org.example.frames
      """,
    subcommands: [
      ListAccessCommand.self, GrantAccessCommand.self, LimitAccessCommand.self,
      RevokeAccessCommand.self,
    ])
}

/// `edit library access list`: lists the programs.
struct ListAccessCommand: CatalogCommand {
  static let isForOwner = true
  static let configuration = CommandConfiguration(
    commandName: "list",
    abstract: "List the programs that were allowed or refused access.",
    discussion: """
      Example:
        edit library access list
        edit library access list --json
      """)

  @OptionGroup var options: LibraryOptions

  var isReading: Bool { true }

  func run(in library: PhotoLibrary, on console: Console) throws -> ExitCode {
    let clients = try library.clients()
    for client in clients {
      print(
        client.json, [client.text] + (client.usageDescription.map { ["  " + $0] } ?? []),
        on: console)
    }
    if clients.isEmpty { note("No program has asked for the library.", on: console) }
    return .success
  }
}

/// `edit library access grant`: allows a program to use the library.
struct GrantAccessCommand: AccessDecisionCommand {
  static let configuration = CommandConfiguration(
    commandName: "grant",
    abstract: "Let a program see and change all photos, or only add some.",
    discussion: """
      Example:
        edit library access grant org.example.frames
        edit library access grant org.example.camera --add-only
      """)

  @Argument(help: "The program's identifier.", completion: .clients)
  var client: String

  @Flag(help: "Let it add photos, and see none.")
  var addOnly = false

  @OptionGroup var options: LibraryOptions

  func decide(in library: PhotoLibrary) async throws {
    // A program that may only add loses the right to see and change photos.
    if addOnly { try await library.setAccess(.denied, level: .readWrite, for: client) }
    try await library.setAccess(
      .authorized, level: addOnly ? .addOnly : .readWrite, for: client)
  }
}

/// `edit library access limit`: lets a program use some photos.
struct LimitAccessCommand: AccessDecisionCommand {
  static let configuration = CommandConfiguration(
    commandName: "limit",
    abstract: "Let a program see and change some photos, and no others.",
    discussion: """
      An album is taken as it is now: photos that are added to it later do not show.

      Example:
        edit library access limit org.example.frames beach.jpg harbour.jpg
        edit library access limit org.example.frames --album Holidays
      """)

  @Argument(help: "The program's identifier.", completion: .clients)
  var client: String

  @Argument(help: "The photos, by path or identifier.", completion: .photos)
  var photos: [String] = []

  @Option(help: "The photos of this album.", completion: .albums)
  var album: String?

  @OptionGroup var options: LibraryOptions

  func validate() throws {
    if photos.isEmpty == (album == nil) {
      throw ValidationError("Name the photos that the program may see, or an album with --album.")
    }
  }

  func decide(in library: PhotoLibrary) async throws {
    var chosen: [String] = []
    if let album {
      chosen = try AssetSearch(album: album).fetch(in: library).allObjects().map(\.localIdentifier)
    } else {
      let named = try NamedAssets(photos, in: library)
      for item in named.items { chosen.append(try item.found.get().localIdentifier) }
    }
    try await library.limitAccess(of: client, to: chosen)
  }
}

/// `edit library access revoke`: takes access back.
struct RevokeAccessCommand: AccessDecisionCommand {
  static let configuration = CommandConfiguration(
    commandName: "revoke",
    abstract: "Take back what a program was allowed; nobody is asked about it again.",
    discussion: """
      Example:
        edit library access revoke org.example.frames
      """)

  @Argument(help: "The program's identifier.", completion: .clients)
  var client: String

  @OptionGroup var options: LibraryOptions

  func decide(in library: PhotoLibrary) async throws {
    let known = try library.clients().map(\.identifier)
    guard known.contains(client) else {
      throw EditCommandError.noSuchClient(client, nearest: nearest(to: client, among: known))
    }
    try await library.revokeAccess(of: client)
  }
}

/// A command that decides what a program may do, and says what that is.
protocol AccessDecisionCommand: CatalogCommand {
  /// The program.
  var client: String { get }
  /// Makes the decision.
  func decide(in library: PhotoLibrary) async throws
}

extension AccessDecisionCommand {
  static var isForOwner: Bool { true }

  func run(in library: PhotoLibrary, on console: Console) async throws -> ExitCode {
    try await decide(in: library)
    for known in try library.clients() where known.identifier == client {
      print(known.json, [known.text], on: console)
    }
    return .success
  }
}

extension ClientAuthorization {
  /// The line for people.
  var text: String {
    let status =
      switch (readWrite, addOnly) {
      case (.authorized, _): "sees and changes everything"
      case (.limited, _): "sees and changes \(counted(selectionCount, "photo"))"
      case (_, .authorized): "adds photos, sees none"
      case (.restricted, _), (_, .restricted): "may do nothing, and not ask"
      case (.denied, _), (_, .denied): "may do nothing"
      default: "has not been decided on"
      }
    return "\(identifier): \(status)"
  }

  /// The object for programs.
  var json: JSONValue {
    .object([
      "client": identifier, "readWrite": readWrite.word, "addOnly": addOnly.word,
      "photos": readWrite == .limited ? selectionCount : nil,
      "usageDescription": usageDescription, "answered": answered,
    ])
  }
}

extension AuthorizationStatus {
  /// PhotoKit's name of it.
  fileprivate var word: String {
    switch self {
    case .notDetermined: "notDetermined"
    case .restricted: "restricted"
    case .denied: "denied"
    case .authorized: "authorized"
    case .limited: "limited"
    }
  }
}
