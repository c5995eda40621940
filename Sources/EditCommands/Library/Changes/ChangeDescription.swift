import FoundationEssentials
import PhotoLibraryKit

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
      // What this program may see changed with it, so that a list of changes would not tell all.
      guard error == .persistentChangeDetailsUnavailable else { throw error }
      isKnown = false
      parts = []
    }
    self.parts = parts
  }

  var json: JSONValue {
    func identifiers(_ key: String, _ set: Set<String>) -> [JSONValue.Member] {
      set.isEmpty ? [] : [.init(key, .array(set.sorted().map { .string($0) }))]
    }
    return .object(
      [
        .init("token", .string(token.description)),
        .init("date", .string(StateDescription.timestamp(date))),
      ]
        + (isKnown ? [] : [.init("fetchAnew", .bool(true))])
        + parts.map { part in
          .init(
            part.key,
            .object(
              identifiers("inserted", part.details.insertedLocalIdentifiers)
                + identifiers("updated", part.details.updatedLocalIdentifiers)
                + identifiers("deleted", part.details.deletedLocalIdentifiers)))
        })
  }

  /// The lines for people; what there is too much of is only counted.
  func lines(in library: PhotoLibrary) throws(PhotoLibraryError) -> [String] {
    guard isKnown else {
      return [StateDescription.date(date) + "  what may be seen changed; look at everything anew"]
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
    let start = StateDescription.date(date) + "  " + counts.joined(separator: ", ")
    guard objects.count <= Self.limit else { return [start] }
    let names = try Self.names(of: objects.map(\.identifier), in: library)
    return [start] + objects.map { "  \($0.sign) " + (names[$0.identifier] ?? $0.identifier) }
  }

  /// What people know objects by; those that are gone have nothing but their identifiers.
  private static func names(
    of identifiers: [String], in library: PhotoLibrary
  ) throws(PhotoLibraryError) -> [String: String] {
    var names: [String: String] = [:]
    for asset in try library.fetchAssets(withLocalIdentifiers: identifiers) {
      names[asset.localIdentifier] = asset.path.string
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
      if options.json {
        console.result(description.json.text)
      } else if !options.quiet {
        for line in try description.lines(in: library) { console.result(line.onOneLine) }
      }
      last = change.changeToken
      if Task.isCancelled { break }
    }
    return last
  }
}
