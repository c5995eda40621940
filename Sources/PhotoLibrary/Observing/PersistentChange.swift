import FoundationEssentials

/// The kinds of object that a history tells of.
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
public struct PersistentChange: Sendable {
  /// The place after this change set; store it once the change set has been dealt with.
  public let changeToken: PersistentChangeToken
  /// When it was made.
  public let date: Date

  let snapshot: Snapshot

  /// What it did to objects of one kind; `nil` when it did nothing to any that may be seen.
  ///
  /// - Throws: ``PhotoLibraryError/persistentChangeDetailsUnavailable`` when the catalog could not
  ///   be read, or when the user then changed what this client may see: fetch anew, and go on behind
  ///   this change set.
  public func changeDetails(
    for type: PersistentObjectType
  ) throws(PhotoLibraryError) -> PersistentObjectChangeDetails? {
    let rows: [(identifier: String, how: Int)]?
    do {
      rows = try snapshot.read { (database) throws(DatabaseError) in
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

  /// What this client may hear of; `nil` when it hears of more or less since.
  private func changes(
    of kind: Catalog.ChangedObject.Kind, in database: Database
  ) throws(DatabaseError) -> [(identifier: String, how: Int)]? {
    let access = snapshot.access
    if try access.isChanged(by: changeToken.number, in: database) { return nil }
    guard access.shows(kind) else { return [] }
    let audible = kind == .asset ? access.audibleAssets : SQLText("1")
    // The filter's question marks come first: it numbers its own.
    return try database.rows(
      """
      SELECT identifier, how FROM changedObject
      WHERE (\(audible.text)) AND token = ? AND kind = ?
      """, audible.values + [.integer(changeToken.number), .integer(Int64(kind.rawValue))]
    ) { ($0[0], $0[1]) }
  }
}

/// What one change set did to objects of one kind.
public struct PersistentObjectChangeDetails: Sendable, Hashable {
  /// The kind.
  public let objectType: PersistentObjectType
  /// The objects that came into being, or out of the trash.
  public let insertedLocalIdentifiers: Set<String>
  /// The objects that changed.
  public let updatedLocalIdentifiers: Set<String>
  /// The objects that are gone, into the trash or for good.
  public let deletedLocalIdentifiers: Set<String>
}

/// The change sets after a token, oldest first, as they were when they were asked for.
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
