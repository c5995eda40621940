import FoundationEssentials
import SafelightCatalog
import SafelightFiles

/// Writes photos into the catalog, inside a transaction, and decides which asset each of them is.
///
/// People rename photos, move them and give one the name of another, and programs write ratings into them. So a photo
/// is an asset, in this order: when it is at the asset's path with the asset's picture; when it is the file of the
/// asset by inode, size and time; when it has the asset's picture, and the asset's file is gone or is another picture
/// now; when it is at the asset's path, and no other photo is the asset. Otherwise it is new. A copy whose original is
/// where it was is new, too. A new photo that Safelight made from another one, an export, is passed over unless somebody
/// named it, as walks of the command line do.
///
/// So a photo that is moved over another one stays what it is, and the other one is gone. Programs save like that too: a
/// photo that was taken at the same moment and about which nothing is known yet is the new picture of the other one.
struct PhotoWriter {
  /// What was done.
  private(set) var batch = IndexedBatch()
  /// The objects that changed.
  private(set) var changed: [Catalog.ChangedObject] = []

  private let database: Database
  private let roots: [FilePath]
  private let restoring: RestoredAssets?
  private var folders: [FilePath: Int64] = [:]

  init(database: Database, roots: [FilePath], restoring: RestoredAssets?) {
    (self.database, self.roots, self.restoring) = (database, roots, restoring)
  }

  /// Writes the photos whose assets are clear. The others are unsettled: those at the path of an asset that has
  /// another picture, and those with the picture of an asset at whose path the file changed.
  mutating func write(_ photos: [IndexedPhoto]) throws(DatabaseError) {
    var unknown: [IndexedPhoto] = []
    for photo in photos {
      if let known = try asset(at: photo) {
        if known.hasPicture(of: photo) {
          try update(known, with: photo)
        } else {
          batch.unsettled.append(photo)
        }
      } else if let known = try formerly(photo) {
        try move(known, to: photo)
      } else {
        unknown.append(photo)
      }
    }
    // After the files that were moved as they are: a copy does not take the place of its original.
    for photo in unknown {
      let candidates = try assets(withPictureOf: photo)
      if let gone = candidates.first(where: { $0.path.status == nil }) {
        try move(gone, to: photo)
      } else if candidates.contains(where: { !$0.isInPlace }) {
        batch.unsettled.append(photo)
      } else {
        try insert(photo)
      }
    }
  }

  /// Writes the photos that are unsettled, all of a scan together.
  mutating func settle() throws(DatabaseError) {
    let photos = batch.unsettled
    batch.unsettled = []
    // The assets at the paths of the photos, which have other pictures.
    var own: [Int: KnownAsset] = [:]
    for (place, photo) in photos.enumerated() { own[place] = try asset(at: photo) }
    let displaced = Set(own.values.map(\.row))
    var chosen: [Int: KnownAsset] = [:]
    var taken: Set<Int64> = []
    for (place, photo) in photos.enumerated() {
      guard let known = try formerly(photo), taken.insert(known.row).inserted else { continue }
      chosen[place] = known
    }
    for (place, photo) in photos.enumerated() where chosen[place] == nil {
      let found = try assets(withPictureOf: photo).first { known in
        !taken.contains(known.row) && (displaced.contains(known.row) || known.path.status == nil)
      }
      guard let found else { continue }
      taken.insert(found.row)
      chosen[place] = found
    }
    // One photo was put in the place of another, which is nowhere else.
    for (place, photo) in photos.enumerated() {
      guard let replaced = own[place], !taken.contains(replaced.row) else { continue }
      let isSameShot = replaced.isShot(of: photo)
      if let known = chosen[place] {
        if isSameShot, !replaced.isTrashed,
          try !Tombstone.isWorthKeeping(known.row, in: database)
        {
          chosen[place] = nil
          taken.remove(known.row)
        } else {
          try remove(replaced)
        }
      } else if replaced.isTrashed, !isSameShot {
        // A new photo under the name of one in the trash is not to vanish with it.
        try remove(replaced)
      }
    }
    // Two photos may have changed places, so all places are free before any is taken.
    for row in taken {
      try database.run("UPDATE asset SET name = ? WHERE id = ?", [0] + Array("\(row)".utf8), row)
    }
    for (place, photo) in photos.enumerated() {
      if let known = chosen[place] { try move(known, to: photo) }
    }
    for (place, photo) in photos.enumerated() where chosen[place] == nil {
      if let known = try asset(at: photo) {
        try update(known, with: photo)
      } else {
        try insert(photo)
      }
    }
  }
}

// MARK: - Assets of the catalog

/// What the export tells a rebuild of assets.
struct RestoredAssets: Sendable {
  /// The identifiers that the paths do not give, by path.
  let identifiers: [FilePath: String]
  /// The identifiers that the paths give and that the export mentions.
  let derived: Set<String>

  /// Whether the export mentions the asset at a path.
  ///
  /// - Parameter identifier: The identifier that the path gives.
  func knows(_ path: FilePath, _ identifier: String) -> Bool {
    identifiers[path] != nil || derived.contains(identifier)
  }
}

/// An asset as the last scan saw it.
struct KnownAsset {
  let row: Int64
  let identifier: String
  let path: FilePath
  let revision: FileRevision
  let fingerprint: [UInt8]?
  let picture: [UInt8]?
  let isTrashed: Bool
  /// When it was taken, by its metadata.
  let captureDate: Date?

  private static let columns = AssetColumns(
    FileRevision.columns + [
      .id, .identifier, .name, .fingerprint, .pictureFingerprint, .trashedDate, .dateSource,
      .fileCreationDate,
    ])

  /// The assets for which a condition holds.
  static func all(
    where condition: String, _ values: any DatabaseConvertible..., in database: Database
  ) throws(DatabaseError) -> [KnownAsset] {
    try database.rows(
      """
      SELECT \(columns.sql), folder.path FROM asset JOIN folder ON folder.id = asset.folder
      WHERE \(condition)
      """, values, element: KnownAsset.init)
  }

  private init(row: Row) {
    let asset = Self.columns.row(row)
    (self.row, identifier, revision) = (asset[.id], asset[.identifier], FileRevision(asset))
    path = FilePath(bytes: row[Self.columns.count] as [UInt8])
      .appending(FilePath(bytes: asset[.name] as [UInt8]))
    (fingerprint, picture) = (asset[.fingerprint], asset[.pictureFingerprint])
    isTrashed = asset[.trashedDate] as Double? != nil
    let source = CreationDateSource.metadata.rawValue
    captureDate = asset[.dateSource] as String? == source ? asset[.fileCreationDate] : nil
  }

  /// Whether it is the file of a photo, as it was.
  func isFile(of status: FileStatus) -> Bool { revision == FileRevision(status) }

  /// Whether its file is where it was, as it was.
  var isInPlace: Bool { path.status.map(isFile) ?? false }

  /// Whether a photo with another picture, at its path, is the same shot: what a program made of the picture. Metadata
  /// say it, and without a date in both the file, which some programs write into.
  func isShot(of photo: IndexedPhoto) -> Bool {
    guard let captureDate, photo.dateSource == .metadata else {
      return revision.isOf(photo.status)
    }
    return photo.captureTime.date == captureDate
  }

  /// Whether a photo has its picture.
  func hasPicture(of photo: IndexedPhoto) -> Bool {
    picture == nil || picture == photo.original.pictureFingerprint
      || picture == photo.original.fingerprint
      || isFile(of: photo.status)
  }
}

extension PhotoWriter {
  /// The most assets with the same picture that are looked at.
  private static let mostCopies = 256

  /// The asset at a photo's path, also when it is in the trash.
  private mutating func asset(at photo: IndexedPhoto) throws(DatabaseError) -> KnownAsset? {
    try KnownAsset.all(
      where: "asset.folder = ? AND asset.name = ?", row(of: photo.folder), photo.name.bytes,
      in: database
    ).first
  }

  /// The asset whose file the photo is by inode, size and time, at another path; also one in the trash, which stays there.
  private func formerly(_ photo: IndexedPhoto) throws(DatabaseError) -> KnownAsset? {
    let status = photo.status
    return try KnownAsset.all(
      where: "asset.inode = ? AND asset.size = ?", status.inode, status.size, in: database
    ).first { known in
      // A file with two names is two photos.
      known.isFile(of: status) && known.path.status?.inode != status.inode
    }
  }

  /// The assets at other paths that have a photo's picture, those with the whole file first.
  private func assets(
    withPictureOf photo: IndexedPhoto
  ) throws(DatabaseError) -> [KnownAsset] {
    let found = try KnownAsset.all(
      where: """
        asset.pictureFingerprint IN (?, ?) AND asset.trashedDate IS NULL LIMIT \(Self.mostCopies)
        """, photo.original.pictureFingerprint, photo.original.fingerprint, in: database
    ).filter { $0.path != photo.path }
    let same = found.filter { $0.fingerprint == photo.original.fingerprint }
    return same + found.filter { $0.fingerprint != photo.original.fingerprint }
  }

  private mutating func row(of folder: FilePath) throws(DatabaseError) -> Int64 {
    if let row = folders[folder] { return row }
    try database.run("INSERT OR IGNORE INTO folder (path) VALUES (?)", folder.bytes)
    let row: Int64 =
      try database.value("SELECT id FROM folder WHERE path = ?", folder.bytes) ?? 0
    folders[folder] = row
    return row
  }
}

// MARK: - Writing

extension PhotoWriter {
  /// Writes a photo at the path of its asset. A photo whose sidecar could not be read keeps the edit that the
  /// catalog has, until a scan reads the sidecar.
  private mutating func update(
    _ known: KnownAsset, with photo: IndexedPhoto
  ) throws(DatabaseError) {
    if photo.sidecar == .unread { return }
    batch.updated += 1
    try writeFacts(of: photo, to: known)
  }

  /// Gives an asset another path.
  private mutating func move(
    _ known: KnownAsset, to photo: IndexedPhoto
  ) throws(DatabaseError) {
    batch.moved += 1
    let isDerived = known.identifier == derivedIdentifier(of: photo) && isFoundByRebuild(photo)
    try database.run(
      "UPDATE asset SET folder = ?, name = ?, isDerived = ? WHERE id = ?", row(of: photo.folder),
      photo.name.bytes, isDerived, known.row)
    try writeFacts(of: photo, to: known)
  }

  private mutating func writeFacts(
    of photo: IndexedPhoto, to known: KnownAsset
  ) throws(DatabaseError) {
    let shown = try database.rows(
      """
      SELECT fingerprint IS ? AND adjustmentFormat IS ? AND recordModified IS ?, dateSource,
        fileCreationDate, timeZoneOffset
      FROM asset WHERE id = ?
      """,
      [
        photo.original.fingerprint, photo.sidecar?.adjustmentFormat, photo.sidecar?.modified,
        known.row,
      ]
    ) { row in
      (
        isSame: row[0] as Bool, source: row[1] as String?, date: row[2] as Date?,
        offset: row[3] as Int?
      )
    }.first
    var facts = photo.facts
    // A program that writes a rating into the file does not change when the photo was taken.
    if photo.dateSource == .file, let shown, let date = shown.date,
      shown.source == CreationDateSource.file.rawValue, date < photo.captureTime.date,
      known.hasPicture(of: photo)
    {
      facts[.fileCreationDate] = date
      facts[.timeZoneOffset] = shown.offset
    }
    try facts.update(known.row, in: database)
    changed.append(
      Catalog.ChangedObject(
        kind: .asset, identifier: known.identifier, how: .updated,
        contentChanged: shown?.isSame != true))
  }

  private mutating func insert(_ photo: IndexedPhoto) throws(DatabaseError) {
    let derived = derivedIdentifier(of: photo)
    let departed =
      restoring == nil
      ? try Tombstone.match(
        picture: photo.original.pictureFingerprint, file: photo.original.fingerprint,
        derived: derived,
        in: database)
      : nil
    let wanted = departed ?? restoring?.identifiers[photo.path] ?? derived
    let isWanted =
      photo.isNamed || departed != nil || restoring?.knows(photo.path, derived) == true
    // What has an edit of its own is a photo, whatever it was made from.
    if photo.isExport, photo.sidecar == nil, !isWanted {
      batch.exports += 1
      return
    }
    let taken: Int =
      try database.value("SELECT count(*) FROM asset WHERE identifier = ?", wanted) ?? 0
    let identifier = taken == 0 ? wanted : LocalIdentifier.random()
    let added =
      restoring == nil ? Date().timeIntervalSince1970 : photo.status.changed.inSeconds
    try photo.facts.insert(
      identifier, at: (row(of: photo.folder), photo.name.bytes),
      isDerived: identifier == derived && isFoundByRebuild(photo), addedDate: added, into: database)
    if photo.original.isFavorite, departed == nil, restoring == nil {
      try database.run("UPDATE asset SET favorite = 1 WHERE id = ?", database.lastInsertedRow)
    }
    if departed != nil, taken == 0 {
      try Tombstone.restore(identifier, to: database.lastInsertedRow, in: database)
    }
    batch.added += 1
    changed.append(Catalog.ChangedObject(kind: .asset, identifier: identifier, how: .inserted))
  }

  /// Removes an asset whose photo is gone; the catalog keeps what only it knew.
  private mutating func remove(_ known: KnownAsset) throws(DatabaseError) {
    try Tombstone.keep(known.row, fingerprint: known.picture ?? known.fingerprint, in: database)
    try database.run("DELETE FROM asset WHERE id = ?", known.row)
    batch.removed += 1
    changed.append(
      Catalog.ChangedObject(kind: .asset, identifier: known.identifier, how: .deleted))
  }

  /// Whether a rebuild finds the photo by itself in a folder that was added. The export has the paths of other photos.
  private func isFoundByRebuild(_ photo: IndexedPhoto) -> Bool {
    photo.folder.isAmong(roots) && !photo.isExport
  }

  private func derivedIdentifier(of photo: IndexedPhoto) -> String {
    let path = photo.path
    let root = roots.filter { path.isInside($0) }.max { $0.bytes.count < $1.bytes.count }
    return LocalIdentifier.derived(from: root.map { path.relative(to: $0) } ?? path)
  }
}
