import FoundationEssentials
import PhotoEditing
import SafelightCatalog
import SafelightFiles

/// Writes the changes of a change set into the catalog, inside the change set's transaction.
///
/// A change that is not possible throws, and the transaction is rolled back.
final class ChangeWriter {
  let database: Database
  /// The library's folder, for messages.
  let path: FilePath
  let date: Date
  /// The staged files of new assets; `nil` when there are none.
  let stage: Stage?
  /// The library's folder of originals.
  let originals: FilePath
  private let fileSystem: FileSystem
  /// The rows of anchored requests' containers, by the requests' numbers.
  var views: [Int: [Int64]] = [:]

  private struct Key: Hashable {
    let kind: Catalog.ChangedObject.Kind
    let identifier: String
  }
  private var effects: [Key: Catalog.ChangedObject] = [:]
  private var order: [Key] = []

  init(_ database: Database, in library: PhotoLibrary, at date: Date, stage: Stage?) {
    (self.database, self.date, self.stage) = (database, date, stage)
    (path, originals) = (library.path, library.originals)
    fileSystem = library.fileSystem
  }

  /// The changed objects, for the history.
  var changed: [Catalog.ChangedObject] { order.compactMap { effects[$0] } }

  /// Writes one change.
  func write(_ request: RequestedChange) throws(PhotoLibraryError) {
    switch request {
    case .asset(let identifier, let request): try change(identifier, request)
    case .createAsset(let identifier): try create(identifier)
    case .addResource: break
    case .trash(let identifiers): try trash(identifiers)
    case .restore(let identifiers): try restore(identifiers)
    case .emptyTrash: try emptyTrash()
    case .createCollection(let identifier, let title, let isList):
      try createCollection(identifier, title: title, isList: isList)
    case .rename(let identifier, let title, let isList):
      try rename(identifier, title: title, isList: isList)
    case .arrange(let arrangement) where arrangement.isList: try arrangeList(arrangement)
    case .arrange(let arrangement): try arrangeAlbum(arrangement)
    case .deleteCollections(let identifiers, let isList):
      try deleteCollections(identifiers, isList: isList)
    }
  }

  /// Notes for the history that an object changed, together with its earlier changes in this set.
  func note(
    _ kind: Catalog.ChangedObject.Kind, _ identifier: String,
    was how: Catalog.ChangedObject.How, contentChanged: Bool = false
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
    case (.deleted, _): sum = .deleted
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
    try run(text, values: values)
  }

  private func run(
    _ text: String, values: [any DatabaseConvertible]
  ) throws(PhotoLibraryError) {
    try withLibraryErrors(at: path) { try database.run(text, values: values) }
  }

  /// Reads rows.
  func rows<Element>(
    _ text: String, _ values: (any DatabaseConvertible)..., element: (Row) -> Element
  ) throws(PhotoLibraryError) -> [Element] {
    try withLibraryErrors(at: path) { try database.rows(text, values, element: element) }
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

extension ChangeWriter {
  private func change(
    _ identifier: String, _ request: RequestedAssetChange
  ) throws(PhotoLibraryError) {
    let row = try assetRow(identifier)
    switch request {
    case .favorite(let isFavorite): try set([("favorite", "?3")], isFavorite, of: row)
    case .hidden(let isHidden): try set([("hidden", "?3")], isHidden, of: row)
    case .creationDate(let date):
      if let date { try Self.check(date, of: identifier) }
      try set([("creationDate", "coalesce(?3, fileCreationDate)")], date, of: row)
    case .location(let location):
      if let location { try Self.check(location, of: identifier) }
      try set(
        [("latitude", "coalesce(?3, fileLatitude)"), ("longitude", "coalesce(?4, fileLongitude)")],
        location?.latitude, location?.longitude, of: row)
    case .edit, .revert:
      // Staged before the transaction: `write(_:)` writes the staged edit, and a new asset's edit is
      // among its staged files.
      return
    }
    note(.asset, identifier, was: .updated)
  }

  /// Sets what only the catalog knows about an asset. A change moves the asset's modification date.
  ///
  /// - Parameters:
  ///   - columns: The columns, and SQL for their values.
  ///   - values: The values of the parameters from `?3` on.
  private func set(
    _ columns: [(name: String, value: String)], _ values: (any DatabaseConvertible)...,
    of row: Int64
  ) throws(PhotoLibraryError) {
    let settings = columns.map { "\($0.name) = \($0.value)" }.joined(separator: ", ")
    let changes = columns.map { "\($0.name) IS NOT \($0.value)" }.joined(separator: " OR ")
    try run(
      """
      UPDATE asset SET \(settings), settingsDate = ?1, modificationDate = max(modificationDate, ?1)
      WHERE id = ?2 AND (\(changes))
      """, values: [date, row] + values)
  }

  /// Writes what a staged edit makes of its photo, and decides to make the edit.
  func write(_ edit: StagedEdits.Ready) throws(PhotoLibraryError) {
    // No file has the date of a revert, so the catalog keeps it. After it another program's edit counts again, which the
    // next scan reads.
    try run(
      """
      UPDATE asset SET adjustmentFormat = ?1, recordModified = ?2, pixelWidth = ?3, pixelHeight = ?4,
        companionTimes = iif(?1 IS NULL, NULL, companionTimes),
        settingsDate = iif(?5 IS NULL, ?6, settingsDate),
        modificationDate = max(coalesce(?5, ?6), coalesce(settingsDate, 0)) WHERE identifier = ?7
      """, edit.adjustmentFormat, edit.recordModified, edit.pixelWidth, edit.pixelHeight,
      edit.modificationDate, date, edit.identifier)
    try decide(edit.move)
    note(.asset, edit.identifier, was: .updated, contentChanged: true)
  }

  /// Stores a move of files, which is made after the transaction.
  private func decide(_ move: FileMove) throws(PhotoLibraryError) {
    let identity = try withLibraryErrors(at: path) { try database.identity() }
    try run(
      "INSERT INTO fileMove (kind, source, target, seal) VALUES (?, ?, ?, ?)", move.kind.rawValue,
      move.source.bytes, move.target, LibrarySecret.user.seal(move, of: identity))
  }

  /// Writes a new asset, whose files are staged.
  private func create(_ identifier: String) throws(PhotoLibraryError) {
    guard let asset = stage?.assets[identifier] else { throw .missingResource(identifier) }
    // The folder of originals is scanned for changes like any added folder.
    try run(
      "INSERT INTO folder (path, isRoot) VALUES (?, 1) ON CONFLICT (path) DO NOTHING",
      originals.bytes)
    try run("INSERT OR IGNORE INTO folder (path) VALUES (?)", asset.folder.bytes)
    let folders = try rows("SELECT id FROM folder WHERE path = ?", asset.folder.bytes) {
      $0[0] as Int64
    }
    guard let folder = folders.first else { throw .catalog(path, detail: "a folder is missing") }
    try withLibraryErrors(at: path) {
      try asset.photo.facts.insert(
        identifier, at: (folder, asset.name.bytes), addedDate: date.timeIntervalSince1970,
        into: database)
    }
    for file in asset.files {
      try decide(
        FileMove(
          .intoPlace, from: asset.stageFolder.appending(file),
          to: asset.folder.appending(file).bytes))
    }
    note(.asset, identifier, was: .inserted)
  }

  private func trash(_ identifiers: [String]) throws(PhotoLibraryError) {
    for identifier in identifiers {
      try run(
        "UPDATE asset SET trashedDate = ? WHERE id = ?", date, try assetRow(identifier))
      note(.asset, identifier, was: .deleted)
    }
  }

  private func restore(_ identifiers: [String]) throws(PhotoLibraryError) {
    for identifier in identifiers {
      try run(
        "UPDATE asset SET trashedDate = NULL WHERE identifier = ? AND trashedDate IS NOT NULL",
        identifier)
      guard database.changedRows == 1 else { throw .identifierNotFound(identifier) }
      note(.asset, identifier, was: .inserted)
    }
  }

  private func emptyTrash() throws(PhotoLibraryError) {
    let trashed = try rows(
      "SELECT \(Asset.columns) FROM \(Asset.source) WHERE trashedDate IS NOT NULL"
    ) { Asset(row: $0) }
    for asset in trashed {
      let folder = asset.path.removingLastComponent()
      if asset.path.leadsSomewhere, !fileSystem.mayWrite(in: folder) {
        throw .changeNotSupported("\(asset.path) cannot be moved: its folder may not be written.")
      }
      try checkFile(of: asset)
      try run("DELETE FROM asset WHERE id = ?", asset.row)
      let target = folder.appending(FileMove.trashFolder).appending(UUID().uuidString)
      try decide(FileMove(.intoTrash, from: asset.path, to: target.bytes))
      note(.asset, asset.localIdentifier, was: .deleted)
    }
  }

  /// Throws when an asset's file is another one than when the library read it: the names of photos may have changed
  /// since, and another photo would go.
  private func checkFile(of asset: Asset) throws(PhotoLibraryError) {
    let known = try withLibraryErrors(at: path) {
      try KnownAsset.all(where: "asset.id = ?", asset.row, in: database).first
    }
    guard let known, let status = try? fileSystem.status(of: asset.path),
      !known.isFile(of: status),
      known.fingerprint != OriginalReader.fingerprint(ofFileAt: asset.path, fileSystem)
    else { return }
    throw .changeNotSupported(
      "\(asset.path) has changed, or is another photo than the one in the trash. Scan the library first."
    )
  }

  private static func check(_ date: Date, of identifier: String) throws(PhotoLibraryError) {
    // The years 1 to 9999, which everything that shows dates can show.
    guard (-62_135_596_800..<253_402_300_800).contains(date.timeIntervalSince1970) else {
      throw .changeNotSupported("The creation date of \(identifier) is not in the years 1 to 9999.")
    }
  }

  private static func check(
    _ location: Asset.Location, of identifier: String
  ) throws(PhotoLibraryError) {
    guard (-90...90).contains(location.latitude), (-180...180).contains(location.longitude) else {
      throw .changeNotSupported("The location of \(identifier) is not on earth.")
    }
  }
}
