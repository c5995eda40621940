import FoundationEssentials
import SafelightCatalog

/// The kinds of object in a history.
public enum PersistentObjectType: Sendable, Hashable, CaseIterable {
  /// Photos.
  case asset
  /// Albums.
  case assetCollection
  /// Lists of albums.
  case collectionList

  var kind: Catalog.ChangedObject.Kind {
    switch self {
    case .asset: .asset
    case .assetCollection: .album
    case .collectionList: .list
    }
  }
}

/// One change set of the persistent history.
///
/// ```swift
/// for change in try library.fetchPersistentChanges(since: token) {
///   if let details = try change.changeDetails(for: .asset) {
///     update(details.insertedLocalIdentifiers, details.deletedLocalIdentifiers)
///   }
///   token = change.changeToken
/// }
/// ```
public struct PersistentChange: Sendable {
  /// The place after this change set; store it when the program has handled the change set.
  @_disfavoredOverload  // `Photos` has it with PhotoKit's type, like the other that is marked so.
  public let changeToken: PersistentChangeToken
  /// When the change set was made.
  public let date: Date

  let snapshot: Snapshot

  /// What the change set did to objects of one kind; `nil` when it changed none that this client may
  /// see.
  ///
  /// - Throws: ``PhotoLibraryError/persistentChangeDetailsUnavailable`` when the catalog cannot be
  ///   read, or when the change set changed what this client may see: then fetch everything again and
  ///   continue after this change set.
  public func changeDetails(
    for type: PersistentObjectType
  ) throws(PhotoLibraryError) -> PersistentObjectChangeDetails? {
    let rows: [(identifier: String, how: Int)]?
    do {
      rows = try snapshot.read { database in
        try changes(of: type.kind, in: database)
      }
    } catch {
      throw .persistentChangeDetailsUnavailable
    }
    guard let rows else { throw .persistentChangeDetailsUnavailable }
    if rows.isEmpty { return nil }
    func identifiers(_ how: Catalog.ChangedObject.How) -> Set<String> {
      Set(rows.lazy.filter { $0.how == how.rawValue }.map(\.identifier))
    }
    return PersistentObjectChangeDetails(
      objectType: type, insertedLocalIdentifiers: identifiers(.inserted),
      updatedLocalIdentifiers: identifiers(.updated),
      deletedLocalIdentifiers: identifiers(.deleted))
  }

  /// The changed objects that this client may see; `nil` when the change set changed what the client may
  /// see.
  private func changes(
    of kind: Catalog.ChangedObject.Kind, in database: Database
  ) throws(DatabaseError) -> [(identifier: String, how: Int)]? {
    let access = snapshot.access
    if try access.isChanged(by: changeToken.number...changeToken.number, in: database) {
      return nil
    }
    guard access.shows(kind) else { return [] }
    let reported = kind == .asset ? access.reportedAssets : SQLText("1")
    // The condition numbers its values, so they come first.
    return try database.rows(
      """
      SELECT identifier, how FROM changedObject
      WHERE (\(reported.text)) AND token = ? AND kind = ?
      """, reported.values + [.integer(changeToken.number), .integer(Int64(kind.rawValue))]
    ) { ($0[0], $0[1]) }
  }
}

/// What one change set did to objects of one kind.
public struct PersistentObjectChangeDetails: Sendable, Hashable {
  /// The kind.
  public let objectType: PersistentObjectType
  /// The objects that were created, or restored from the trash.
  public let insertedLocalIdentifiers: Set<String>
  /// The objects that changed.
  public let updatedLocalIdentifiers: Set<String>
  /// The objects that were put into the trash or deleted.
  public let deletedLocalIdentifiers: Set<String>
}

/// The change sets after a token, oldest first, as they were at the fetch.
public struct PersistentChanges: Sendable, RandomAccessCollection {
  let tokens: ContiguousArray<(number: Int64, date: Date)>
  let catalog: String
  let snapshot: Snapshot

  public var startIndex: Int { 0 }
  public var endIndex: Int { tokens.count }

  public subscript(position: Int) -> PersistentChange {
    let (number, date) = tokens[position]
    return PersistentChange(
      changeToken: PersistentChangeToken(catalog: catalog, number: number), date: date,
      snapshot: snapshot)
  }
}

/// A place in a library's persistent history: after one change set and before the next.
///
/// Store the token, encoded, and fetch later what has changed since. A token is for one catalog only.
///
/// ```swift
/// let token = try library.currentChangeToken
/// defaults.set(token.description, forKey: "token")
/// ```
public struct PersistentChangeToken: Sendable, Hashable, Codable {
  /// The catalog's identity.
  let catalog: String
  /// The key of the change set in the catalog.
  let number: Int64
}

extension PersistentChangeToken: LosslessStringConvertible {
  /// The token as one word, for command lines and files: the catalog's name, a hyphen and a number.
  public var description: String { "\(catalog)-\(number)" }

  /// A token from its description; `nil` when the word is no token.
  public init?(_ description: String) {
    let parts = description.split(separator: "-", omittingEmptySubsequences: false)
    guard parts.count == 2, !parts[0].isEmpty, let number = Int64(parts[1]), number >= 0 else {
      return nil
    }
    self.init(catalog: String(parts[0]), number: number)
  }
}

extension PhotoLibrary {
  /// The place in the history before the first change set that the history still has.
  ///
  /// - Throws: ``PhotoLibraryError`` when the catalog cannot be read.
  public var earliestChangeToken: PersistentChangeToken {
    get throws(PhotoLibraryError) {
      let snapshot = try snapshots.now()
      let first = try snapshot.read { database in
        try database.value("SELECT min(token) FROM change", as: Int64?.self) ?? nil
      }
      return PersistentChangeToken(
        catalog: try snapshot.identity(), number: first.map { max($0, 1) - 1 } ?? snapshot.token)
    }
  }

  /// The place in the history after the last change set of any process.
  ///
  /// - Throws: ``PhotoLibraryError`` when the catalog cannot be read.
  @_disfavoredOverload
  public var currentChangeToken: PersistentChangeToken {
    get throws(PhotoLibraryError) {
      let snapshot = try snapshots.now()
      return PersistentChangeToken(catalog: try snapshot.identity(), number: snapshot.token)
    }
  }

  /// The change sets after a token, by this process and others.
  ///
  /// The history goes back 30 days and 100,000 change sets at most.
  /// - Throws: ``PhotoLibraryError/persistentChangeTokenExpired`` when the history no longer has the
  ///   change sets after the token, or the token is of another catalog: then fetch everything again
  ///   and continue from ``currentChangeToken``.
  public func fetchPersistentChanges(
    since token: PersistentChangeToken
  ) throws(PhotoLibraryError) -> PersistentChanges {
    let snapshot = try snapshots.now()
    let identity = try snapshot.identity()
    guard token.catalog == identity, token.number <= snapshot.token else {
      throw .persistentChangeTokenExpired
    }
    let rows = try snapshot.read { database in
      try database.rows(
        "SELECT token, date FROM change WHERE token > ? ORDER BY token", [token.number]
      ) { (number: $0[0] as Int64, date: $0[1] as Date) }
    }
    // Tokens have no gaps. When the next token is missing, change sets after this one are forgotten.
    if token.number < snapshot.token, rows.first?.number != token.number + 1 {
      throw .persistentChangeTokenExpired
    }
    return PersistentChanges(
      tokens: ContiguousArray(rows), catalog: identity, snapshot: snapshot)
  }
}

// In `Photos`, properties with PhotoKit's types hide those that these are.

extension PhotoLibrary {
  package var presentToken: PersistentChangeToken {
    get throws(PhotoLibraryError) { try currentChangeToken }
  }
}

extension PersistentChange {
  package var placeAfter: PersistentChangeToken { changeToken }
}

extension PersistentChangeToken {
  /// A place in the history of no catalog.
  package static let ofNoCatalog = PersistentChangeToken(catalog: "none", number: 0)
}

extension Snapshot {
  /// The catalog's identity, which no other catalog has.
  func identity() throws(PhotoLibraryError) -> String {
    let identity = try read { database in
      try database.value("SELECT identifier FROM identity", as: String.self)
    }
    guard let identity else { throw .damagedCatalog(path, detail: "it has lost its identity") }
    return identity
  }
}
