import FoundationEssentials
import PhotoLibraryKit
import SafelightArguments

/// `edit library changes`: lists what happened in a library.
struct ListChangesCommand: CatalogCommand {
  static let configuration = CommandConfiguration(
    commandName: "changes",
    abstract: "List what happened in the library since a token.",
    discussion: """
      Every change, by any program, has a token. The last line is the token to give next time, \
      with --json an object with “nextToken”. Without --since, everything that is still known is \
      printed: the last 30 days, and at most 100,000 changes. When the history no longer goes back \
      to a token, read the whole library again.

      Example:
        edit library changes
        edit library changes --now
        edit library changes --json --since 3f1c09a8d27b4e65-42
      """)

  @Option(help: ArgumentHelp("Only what happened after this.", valueName: "token"))
  var since: PersistentChangeToken?

  @Flag(help: "Print only the token of the present.")
  var now = false

  @OptionGroup var options: LibraryOptions

  var isReading: Bool { true }

  func validate() throws {
    if now, since != nil { throw ValidationError("--now and --since do not go together.") }
  }

  func run(in library: PhotoLibrary, on console: Console) throws -> ExitCode {
    if now {
      let token = try library.currentChangeToken.description
      print(.object(["nextToken": token]), [token], on: console)
      return .success
    }
    let start = try since ?? library.earliestChangeToken
    let next = try printChanges(since: start, in: library, on: console)
    print(.object(["nextToken": next.description]), ["next token: \(next)"], on: console)
    return Task.isCancelled ? ExitCode(130) : .success
  }
}

extension PersistentChangeToken: ExpressibleByArgument {
  package static var expectation: String? { "a token that “edit library changes” printed" }
}

/// `edit library watch`: keeps a library up to date and prints each change.
struct WatchFoldersCommand: CatalogCommand {
  static let configuration = CommandConfiguration(
    commandName: "watch",
    abstract: "Take in what changes in the folders, at once, and print every change.",
    discussion: """
      Scans the folders once, and from then on what the system says has changed; with --exclude less of them, \
      now and later. Changes \
      that other programs make to the library are printed too, as “edit library changes” does. \
      It ends with Ctrl-C or SIGTERM, with exit code 0.

      Example:
        edit library watch
        edit library watch --json > changes.ndjson
      """)

  @OptionGroup var exclusion: ExclusionOptions
  @OptionGroup var options: LibraryOptions

  func run(in library: PhotoLibrary, on console: Console) async throws -> ExitCode {
    var last = try library.currentChangeToken
    let changes = library.changes
    if !exclusion.exclude.isEmpty { try await library.exclude(exclusion.rules) }
    try await library.startWatching()
    let folders = try await library.folders.count
    note("Watching \(counted(folders, "folder")); Ctrl-C ends it.", on: console)
    last = try printChanges(since: last, in: library, on: console)
    for await change in changes {
      // One scan may have reported several changes already.
      if change.changeToken == last { continue }
      last = try printChanges(since: last, in: library, on: console)
    }
    library.stopWatching()
    return .success
  }
}

/// One change set of a library's history, for people and for programs.
struct ChangeDescription {
  /// How many objects are named to people.
  private static let limit = 20

  private struct Part {
    let key: String
    let noun: String
    let details: PersistentObjectChangeDetails
  }

  private let token: PersistentChangeToken
  private let date: Date
  private let parts: [Part]
  private let isKnown: Bool

  init(_ change: PersistentChange) throws(PhotoLibraryError) {
    token = change.changeToken
    date = change.date
    let kinds: [(PersistentObjectType, String, String)] = [
      (.asset, "assets", "photo"), (.assetCollection, "albums", "album"),
      (.collectionList, "folders", "folder"),
    ]
    var parts: [Part] = []
    do throws(PhotoLibraryError) {
      for (type, key, noun) in kinds {
        guard let details = try change.changeDetails(for: type) else { continue }
        parts.append(Part(key: key, noun: noun, details: details))
      }
      isKnown = true
    } catch {
      // What this program may see has changed, so a list of changes would be incomplete.
      guard error == .persistentChangeDetailsUnavailable else { throw error }
      isKnown = false
      parts = []
    }
    self.parts = parts
  }

  var json: JSONValue {
    func sorted(_ set: Set<String>) -> [String]? { set.isEmpty ? nil : set.sorted() }
    let start = JSONValue.members([
      "token": token.description, "date": date, "fetchAnew": isKnown ? nil : true,
    ])
    return .object(
      start
        + parts.map { part in
          let details = part.details
          return JSONValue.Member(
            part.key,
            .object([
              "inserted": sorted(details.insertedLocalIdentifiers),
              "updated": sorted(details.updatedLocalIdentifiers),
              "deleted": sorted(details.deletedLocalIdentifiers),
            ]))
        })
  }

  /// The lines for people. Long lists are only counted.
  func lines(in library: PhotoLibrary) throws(PhotoLibraryError) -> [String] {
    guard isKnown else {
      return ["\(date.text)  the photos that may be seen have changed; read everything again"]
    }
    var counts: [String] = []
    var objects: [(sign: String, identifier: String)] = []
    for part in parts {
      let sets = [
        ("+", "new", part.details.insertedLocalIdentifiers),
        ("~", "changed", part.details.updatedLocalIdentifiers),
        ("-", "gone", part.details.deletedLocalIdentifiers),
      ]
      for (sign, word, set) in sets where !set.isEmpty {
        counts.append("\(counted(set.count, part.noun)) \(word)")
        objects += set.sorted().prefix(Self.limit + 1).map { (sign, $0) }
      }
    }
    let start = date.text + "  " + counts.joined(separator: ", ")
    guard objects.count <= Self.limit else { return [start] }
    let names = try Self.names(of: objects.map(\.identifier), in: library)
    return [start] + objects.map { "  \($0.sign) " + (names[$0.identifier] ?? $0.identifier) }
  }

  /// The names of objects for people. Objects that are gone have only their identifiers.
  private static func names(
    of identifiers: [String], in library: PhotoLibrary
  ) throws(PhotoLibraryError) -> [String: String] {
    var names: [String: String] = [:]
    for asset in try library.fetchAssets(withLocalIdentifiers: identifiers).allObjects() {
      names[asset.localIdentifier] = asset.path.description
    }
    for album in try library.fetchAssetCollections(withLocalIdentifiers: identifiers) {
      names[album.localIdentifier] = album.localizedTitle
    }
    return names
  }
}

extension CatalogCommand {
  /// Prints what happened since a token.
  ///
  /// - Returns: The token after it.
  func printChanges(
    since token: PersistentChangeToken, in library: PhotoLibrary, on console: Console
  ) throws(PhotoLibraryError) -> PersistentChangeToken {
    var last = token
    for change in try library.fetchPersistentChanges(since: token) {
      let description = try ChangeDescription(change)
      let lines = options.json ? [] : try description.lines(in: library)
      print(description.json, lines, on: console)
      last = change.changeToken
      if Task.isCancelled { break }
    }
    return last
  }
}
