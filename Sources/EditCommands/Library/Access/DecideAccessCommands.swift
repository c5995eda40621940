import PhotoLibraryKit
import SafelightArguments

/// `edit library access grant`: allows a program to use the library.
struct GrantAccessCommand: CatalogCommand {
  static let isForOwner = true
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

  func run(in library: PhotoLibrary, on console: Console) async throws -> ExitCode {
    // What was granted before ends where only adding is left.
    if addOnly { try await library.setAccess(.denied, level: .readWrite, for: client) }
    try await library.setAccess(
      .authorized, level: addOnly ? .addOnly : .readWrite, for: client)
    return try say(client, in: library, on: console)
  }
}

/// `edit library access limit`: lets a program use some photos.
struct LimitAccessCommand: CatalogCommand {
  static let isForOwner = true
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
      throw ValidationError("Name the photos that it may see, or an album with --album.")
    }
  }

  func run(in library: PhotoLibrary, on console: Console) async throws -> ExitCode {
    var chosen: [String] = []
    if let album {
      chosen = try AssetSearch(album: album).fetch(in: library).map(\.localIdentifier)
    } else {
      let named = try NamedAssets(photos, in: library)
      for item in named.items { chosen.append(try item.found.get().localIdentifier) }
    }
    try await library.limitAccess(of: client, to: chosen)
    return try say(client, in: library, on: console)
  }
}

/// `edit library access revoke`: takes access back.
struct RevokeAccessCommand: CatalogCommand {
  static let isForOwner = true
  static let configuration = CommandConfiguration(
    commandName: "revoke",
    abstract: "Take back what a program was allowed; it is not asked about again.",
    discussion: """
      Example:
        edit library access revoke org.example.frames
      """)

  @Argument(help: "The program's identifier.", completion: .clients)
  var client: String

  @OptionGroup var options: LibraryOptions

  func run(in library: PhotoLibrary, on console: Console) async throws -> ExitCode {
    let known = try library.clients().map(\.client)
    guard known.contains(client) else {
      let near = nearest(to: client, among: known)
      throw PhotoFailure(
        code: "no-such-client", message: "No program called “\(client)” has asked for the library.",
        hint: near.map { "Did you mean “\($0)”?" }
          ?? "“edit library access list” lists those that have.")
    }
    try await library.revokeAccess(of: client)
    return try say(client, in: library, on: console)
  }
}

extension CatalogCommand {
  /// Says what a program may do now.
  fileprivate func say(
    _ client: String, in library: PhotoLibrary, on console: Console
  ) throws -> ExitCode {
    for known in try library.clients() where known.client == client {
      print(known.json, [known.text], on: console)
    }
    return .success
  }
}
