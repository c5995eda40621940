import FoundationEssentials
import PhotoEditing

/// Carries out the steps of a change set in the catalog, inside its transaction.
///
/// A step that cannot be done throws, and everything is rolled back: so all are known to be possible
/// before any counts.
final class ChangeWriter {
  let database: Database
  /// The library's folder, for messages.
  let path: FilePath
  let date: Date
  /// The files of new assets; `nil` when there are none.
  let stage: Stage?
  /// The library's folder of originals.
  let originals: FilePath
  /// What anchored requests see of their containers.
  var views: [Int: [Int64]] = [:]

  private struct Key: Hashable {
    let kind: Catalog.ChangedObject.Kind
    let identifier: String
  }
  private var effects: [Key: Catalog.ChangedObject] = [:]
  private var order: [Key] = []

  init(
    _ database: Database, _ path: FilePath, _ date: Date, _ stage: Stage?, _ originals: FilePath
  ) {
    (self.database, self.path, self.date) = (database, path, date)
    (self.stage, self.originals) = (stage, originals)
  }

  /// What was done, for the history.
  var changed: [Catalog.ChangedObject] { order.compactMap { effects[$0] } }

  func carryOut(_ step: ChangeStep) throws(PhotoLibraryError) {
    switch step {
    case .asset(let identifier, let step): try change(identifier, step)
    case .createAsset(let identifier): try create(identifier)
    case .addResource: break
    case .trash(let identifiers): try trash(identifiers)
    case .restore(let identifiers): try restore(identifiers)
    case .emptyTrash: try emptyTrash()
    case .createCollection(let identifier, let title, let isList):
      try createCollection(identifier, title, isList)
    case .rename(let identifier, let title, let isList): try rename(identifier, title, isList)
    case .arrange(let step) where step.isList: try arrangeList(step)
    case .arrange(let step): try arrangeAlbum(step)
    case .deleteCollections(let identifiers, let isList):
      try deleteCollections(identifiers, isList)
    }
  }

  /// Writes down what happened to an object; what happened to it before in the set counts too.
  func note(
    _ kind: Catalog.ChangedObject.Kind, _ identifier: String, _ how: Catalog.ChangedObject.How,
    contentChanged: Bool = false
  ) {
    let key = Key(kind: kind, identifier: identifier)
    guard let earlier = effects[key] else {
      effects[key] = Catalog.ChangedObject(
        kind: kind, identifier: identifier, how: how, contentChanged: contentChanged)
      order.append(key)
      return
    }
    let sum: Catalog.ChangedObject.How?
    switch (earlier.how, how) {
    case (.inserted, .deleted): sum = nil
    case (.inserted, _): sum = .inserted
    case (.deleted, .inserted): sum = .updated
    default: sum = how
    }
    guard let sum else {
      effects[key] = nil
      order.removeAll { $0 == key }
      return
    }
    effects[key] = Catalog.ChangedObject(
      kind: kind, identifier: identifier, how: sum,
      contentChanged: earlier.contentChanged || contentChanged)
  }

  /// Runs one statement.
  func run(
    _ text: String, _ values: (any DatabaseConvertible)...
  ) throws(PhotoLibraryError) {
    do { try database.run(text, values: values) } catch { throw PhotoLibraryError(error, path) }
  }

  /// Reads rows.
  func rows<Element>(
    _ text: String, _ values: (any DatabaseConvertible)..., element: (Row) -> Element
  ) throws(PhotoLibraryError) -> [Element] {
    do { return try database.rows(text, values, element) } catch {
      throw PhotoLibraryError(error, path)
    }
  }

  /// The row of an asset that is not in the trash.
  func assetRow(_ identifier: String) throws(PhotoLibraryError) -> Int64 {
    let found = try rows(
      "SELECT id FROM asset WHERE identifier = ? AND trashedDate IS NULL", identifier
    ) { $0[0] as Int64 }
    guard let row = found.first else { throw .identifierNotFound(identifier) }
    return row
  }

  /// The row of an album, or of a list.
  func collectionRow(_ identifier: String, isList: Bool) throws(PhotoLibraryError) -> Int64 {
    let found = try rows(
      "SELECT id FROM collection WHERE identifier = ? AND isList = ?", identifier, isList
    ) { $0[0] as Int64 }
    guard let row = found.first else { throw .identifierNotFound(identifier) }
    return row
  }
}
