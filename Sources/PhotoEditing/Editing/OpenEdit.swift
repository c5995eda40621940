import FoundationEssentials
import SafelightDarkroom
import SafelightFiles
import SafelightMetadata
import SafelightRendering
import SafelightStorage

/// Which pixels an edit of a photo starts from, and which earlier edit it goes on from.
///
/// This is PhotoKit's contract: an editor that can read the present edit gets the pixels which that
/// edit started from, and revises it. An editor that cannot gets the present render.
struct EditStart: Sendable, Hashable {
  /// Which of the photo's files has the pixels.
  enum Pixels: Sendable, Hashable {
    case original
    case base
    case render
  }

  let pixels: Pixels
  /// The present edit, when the editor can read it.
  var adjustmentData: AdjustmentData?
  /// The file with the pixels.
  let path: FilePath
}

/// What is asked of a photo's files while a change is planned.
///
/// ``LockedFiles`` answers from the disk; a test answers from memory.
protocol EditFiles {
  /// What the sidecar says, its edits turned where ``turnedEdits`` are; `nil` for a photo without an
  /// edit.
  var record: Record? { get }
  /// The edits turned with the original; `nil` unless these files are ``turned()``.
  var turnedEdits: TurnedEdits? { get }
  /// The original, symbolic links followed.
  var originalPath: FilePath { get }
  /// Where the sidecar is or would be.
  var recordPath: FilePath { get }

  /// What the photo and its edit are now.
  var moment: PhotoMoment { get }
  /// Where a file of the edit is; `nil` when there is none.
  func path(of role: FileRole) -> FilePath?
  /// Where a new file of the edit will go.
  func plannedPath(of role: FileRole) throws(StorageError) -> FilePath
  /// Throws when the original is not the photo that the record is about.
  func checkOriginal() throws(StorageError)
  /// The original compared with what the record says of it.
  func originalLikeness() throws(StorageError) -> OriginalFile.Likeness
  /// The same files with their edits turned as the original is now; `nil` when the original is not
  /// turned, or an edit cannot follow.
  func turned() throws(StorageError) -> Self?
  /// Whether a render of Safelight's names another file as its original than the one that is there.
  func isOutdated(_ role: FileRole) throws -> Bool
  /// Throws when a file of the edit is not the one that the record names. A missing file is fine.
  func check(_ role: FileRole) throws(StorageError)
  /// Whether files of the edit have names that a revert leaves alone; see
  /// ``PhotoSnapshot/hasForeignNames``.
  var hasForeignNames: Bool { get }
  /// Throws when files that a revert removes are not as recorded.
  func checkRemoval(keepingRender: Bool) throws(StorageError)
  /// What it takes to take over the edit that the photo had elsewhere; see
  /// ``PhotoSnapshot/editMove(from:expectingRoom:)``.
  func editMove(from former: FilePath?, expectingRoom: Bool) throws(StorageError) -> EditMove
  /// The name of the photo whose record names this file; `nil` when no record does.
  func recordedOwner() throws(StorageError) -> String?
  /// Whether an original is in the photo's folder, under its name and with its content.
  func isBeside(_ original: OriginalReference) -> Bool
  /// The SHA-256 of the original.
  func originalDigest() throws(StorageError) -> Digest
  /// Where a render is whose edit the record does not know, in the place of a file of the edit; `nil` when
  /// there is none.
  func newerRender(_ role: FileRole) -> FilePath?
  /// What another photo program left beside the photo; `nil` for nothing.
  func foreignEdit() -> ForeignEdit?
  /// The copies of the record that a sync made of conflicts.
  func conflictCopies() throws(StorageError) -> [ConflictCopy]
  /// The copies of renders that a sync made of conflicts and whose edits the record knows.
  func knownConflictRenders() -> [FilePath]
  /// A file of the folder that is a render as another record of the photo has it; `nil` when none is.
  func file(holding render: RecordedRender) -> FilePath?
  /// Opens a file for reading its pixels.
  func open(_ start: EditStart) throws -> OpenPixels
  /// Throws when a picture must not be written to a path.
  func checkDestination(_ path: FilePath, replacing: Bool) throws
  /// What a picture's metadata say of how it was made; `nil` for pictures that show more than the photo.
  func mark(of picture: NewPicture) throws -> ExportMark?
  /// Whether the file that is where a picture goes stays as the picture.
  func keeps(_ path: FilePath, as picture: NewPicture, _ existing: ExistingFile) throws -> Bool
}

extension EditFiles {
  func newerRender(_ role: FileRole) -> FilePath? { nil }
  func foreignEdit() -> ForeignEdit? { nil }
  func conflictCopies() throws(StorageError) -> [ConflictCopy] { [] }
  func knownConflictRenders() -> [FilePath] { [] }
  func file(holding render: RecordedRender) -> FilePath? { nil }
  func mark(of picture: NewPicture) throws -> ExportMark? { nil }
  func keeps(_ path: FilePath, as picture: NewPicture, _ existing: ExistingFile) throws -> Bool {
    false
  }

  /// What is said of renders that go to the trash because a change puts others in their places.
  func warningsOfNewerRenders(_ roles: some Collection<FileRole>) -> [String] {
    warnings(ofNewerRenders: roles.compactMap(newerRender).sorted(by: <))
  }
}

/// What is said of renders whose edits a record does not know, and which go to the trash.
func warnings(ofNewerRenders paths: [FilePath]) -> [String] {
  paths.map { path in
    """
    \(path) shows an edit of the photo that its sidecar does not have yet; that picture goes to \
    \(FolderTrash.name).
    """
  }
}

/// A photo that is open for one call: its files locked, its edit read once, its pixels opened once.
///
/// A call asks it what it needs to know and makes an ``EditPlan`` of that. Nothing is changed before
/// the plan is performed. For use by one thread at a time.
package final class OpenEdit {
  let files: any EditFiles
  /// What performs a change; `nil` when the photo is only open for reading.
  let transaction: Transaction?
  private let canHandle: ((AdjustmentData) -> Bool)?
  private var knownStack: EditStack?
  /// What the editor answered; it is asked once.
  private var knownAnswer: Bool?
  private var opened: [FilePath: OpenPixels] = [:]

  /// - Parameter canHandle: Which earlier edits the editor can read; Safelight's own by default.
  init(
    _ files: any EditFiles, in transaction: Transaction? = nil,
    canHandle: ((AdjustmentData) -> Bool)? = EditStack.canHandle
  ) {
    self.files = files
    self.transaction = transaction
    self.canHandle = canHandle
  }

  var record: Record? { files.record }
  /// The original, symbolic links followed.
  var path: FilePath { files.originalPath }
  /// The sidecar; `nil` when there is none.
  var recordPath: FilePath? { record.map { _ in files.recordPath } }

  /// The original, whatever edit the photo has.
  var originalStart: EditStart { EditStart(pixels: .original, path: path) }

  /// What the edit starts from.
  ///
  /// - Throws: ``EditError/renderMissing(_:)`` or ``EditError/baseMissing(_:base:)`` when those pixels are not there.
  func start() throws(EditError) -> EditStart {
    guard let record else { return originalStart }
    if handles(record.adjustmentData) {
      var start = originalStart
      if let recorded = record.base {
        guard let base = files.path(of: .base) else {
          let folder = files.recordPath.removingLastComponent()
          throw .baseMissing(path, base: folder.appending(recorded.name))
        }
        start = EditStart(pixels: .base, path: base)
      }
      start.adjustmentData = record.adjustmentData
      return start
    }
    if let render = files.path(of: .render) { return EditStart(pixels: .render, path: render) }
    // Only the original is known beside another program's sidecar, and only it is seen of an empty edit.
    guard record.isForeign || record.showsOriginal else { throw .renderMissing(path) }
    return originalStart
  }

  private func handles(_ data: AdjustmentData) -> Bool {
    if let knownAnswer { return knownAnswer }
    let answer = canHandle?(data) ?? false
    knownAnswer = answer
    return answer
  }

  /// The same photo by other files.
  func opened(by files: any EditFiles) -> OpenEdit {
    let edit = OpenEdit(files, in: transaction, canHandle: canHandle)
    edit.knownAnswer = knownAnswer
    return edit
  }

  /// The edit that is there; empty where the photo has none or another program's.
  func stack() throws -> EditStack {
    if let knownStack { return knownStack }
    let stack =
      try start().adjustmentData.map { data throws(AdjustmentError) in try EditStack(data) }
      ?? EditStack()
    knownStack = stack
    return stack
  }

  /// Throws when the original, or the file that the edit starts from, is not as recorded.
  func checkStart() throws {
    try files.checkOriginal()
    try checkStartWithoutOriginal()
  }

  /// Throws when the edit starts from a base or a render that is not as recorded.
  func checkStartWithoutOriginal() throws {
    switch try start().pixels {
    case .original: break
    case .base: try files.check(.base)
    case .render: try files.check(.render)
    }
  }

  /// Throws when a file that an edit reads or replaces is not as recorded.
  func checkForEdit() throws {
    try files.checkOriginal()
    try files.check(.render)
    if try start().pixels == .base { try files.check(.base) }
  }

  /// Throws when the sidecar belongs to a photo of another name and content, which must keep it.
  func checkOwnRecord() throws(StorageError) {
    guard let recorded = record?.original, recorded.name != path.lastComponent else { return }
    try files.checkOriginal()
  }

  /// The pixels that an edit starts from, open.
  func pixels(of start: EditStart) throws -> OpenPixels {
    if let pixels = opened[start.path] { return pixels }
    let pixels = try files.open(start)
    opened[start.path] = pixels
    return pixels
  }

  /// The original's header.
  func originalFacts() throws -> PhotoFacts { try pixels(of: originalStart).header().facts }

  /// The pixels that the present edit starts from, open, after a check that they are as recorded.
  func checkedPixels() throws -> OpenPixels {
    try checkStart()
    return try pixels(of: start())
  }

  /// The name of the photo that this file is the render or the base photo of; `nil` for a photo to
  /// edit.
  ///
  /// The records beside it know the renders of every editor. Safelight's own renders also say it
  /// themselves; without their original beside them they are photos of their own.
  func owner() throws -> String? {
    // A render that has an edit of its own counts as a photo.
    guard record == nil else { return nil }
    let derivedFrom = try pixels(of: originalStart).derivedFrom()
    if let owner = try files.recordedOwner() { return owner }
    guard let original = derivedFrom, files.isBeside(original) else { return nil }
    return original.fileName
  }

  /// What a picture's metadata say of the original.
  func reference(export: ExportMark? = nil) throws -> OriginalReference {
    OriginalReference(
      fileName: (path.lastComponent ?? path).string, sha256: try files.originalDigest().description,
      export: export)
  }

  /// What a render's metadata say of the original and of its edit.
  func reference(
    _ data: AdjustmentData, _ renderer: String
  ) throws -> OriginalReference {
    let original = try reference()
    return OriginalReference(
      fileName: original.fileName, sha256: try files.originalDigest().description,
      edit: data.identity(renderedBy: renderer))
  }
}

// MARK: - Open files

/// A file with the pixels that an edit starts from, open for reading. For use by one thread at a time.
final class OpenPixels {
  let source: PhotoSource
  let darkroom: PhotoDarkroom
  private var opened: OpenedPhoto?

  init(_ source: PhotoSource, in darkroom: PhotoDarkroom) {
    (self.source, self.darkroom) = (source, darkroom)
  }

  /// The original that the file's own metadata name, when Safelight rendered it. No decoder is asked.
  func derivedFrom() throws(RenderError) -> OriginalReference? {
    if let opened { return opened.derivedFrom }
    return try OpenedPhoto.derivedFrom(source)
  }

  /// Throws when a decoder does not take the file.
  func checkDecoder() throws(RenderError) {
    opened = try darkroom.open(source, decoding: true)
  }

  /// The photo with its header read.
  func header() throws(RenderError) -> OpenedPhoto {
    if let opened { return opened }
    let opened = try darkroom.open(source)
    self.opened = opened
    return opened
  }
}

/// The files of a photo that is locked, as they are on the disk.
struct LockedFiles: EditFiles {
  let snapshot: PhotoSnapshot
  let fileSystem: FileSystem
  let configuration: PhotoEditor.Configuration
  var turnedEdits: TurnedEdits?

  var record: Record? { turnedEdits?.record ?? snapshot.record }
  var originalPath: FilePath { snapshot.original.path }
  var recordPath: FilePath { snapshot.recordPath }

  var moment: PhotoMoment {
    let status = snapshot.original.status
    return PhotoMoment(
      originalSize: status.size, modified: status.modified, record: snapshot.record)
  }

  var hasForeignNames: Bool { snapshot.hasForeignNames }

  func path(of role: FileRole) -> FilePath? { snapshot.path(of: role) }

  func plannedPath(of role: FileRole) throws(StorageError) -> FilePath {
    try snapshot.plannedPath(role)
  }

  func checkOriginal() throws(StorageError) {
    if turnedEdits == nil { try snapshot.checkOriginal() }
  }

  func originalLikeness() throws(StorageError) -> OriginalFile.Likeness {
    try snapshot.originalLikeness()
  }

  func turned() throws(StorageError) -> LockedFiles? {
    guard turnedEdits == nil,
      let edits = TurnedEdits(snapshot.record, try originalLikeness())
    else { return nil }
    var turned = self
    turned.turnedEdits = edits
    return turned
  }

  func isOutdated(_ role: FileRole) throws -> Bool { try snapshot.isOutdated(role) }

  func newerRender(_ role: FileRole) -> FilePath? {
    snapshot.unsyncedRender(of: role).flatMap { $0.content == .newerEdit ? $0.path : nil }
  }

  func conflictCopies() throws(StorageError) -> [ConflictCopy] {
    try ConflictCopy.all(of: originalPath, fileSystem)
  }

  func knownConflictRenders() -> [FilePath] {
    possibleRenders.filter { path in
      ConflictRender(path, of: originalPath, fileSystem)?.isKnown == true
    }
  }

  func file(holding render: RecordedRender) -> FilePath? {
    possibleRenders.first { path in
      (try? fileSystem.sizeOfFile(at: path)) == render.file.size
        && (try? fileSystem.digestOfFile(at: path)) == render.file.sha256
    }
  }

  /// The files of the folder that have names of renders, or of their copies.
  private var possibleRenders: [FilePath] {
    let folder = originalPath.removingLastComponent()
    let names = (try? fileSystem.names(in: folder)) ?? []
    return names.filter(FolderRecords.mayBeMember).sorted(by: <).map(folder.appending)
  }

  func check(_ role: FileRole) throws(StorageError) { try snapshot.check(role) }

  func checkRemoval(keepingRender: Bool) throws(StorageError) {
    _ = try snapshot.filesToRemove(keepingRender: keepingRender)
  }

  func editMove(from former: FilePath?, expectingRoom: Bool) throws(StorageError) -> EditMove {
    try snapshot.editMove(from: former, expectingRoom: expectingRoom)
  }

  func recordedOwner() throws(StorageError) -> String? {
    let name = snapshot.original.name
    // Most photos have no such name, and then the folder need not be listed.
    guard FolderRecords.mayBeMember(name) else { return foreignOwner(of: name) }
    let folder = try FolderRecords(originalPath.removingLastComponent(), fileSystem: fileSystem)
    return folder.membership(of: name)?.original.lastComponent?.description
      ?? foreignOwner(of: name)
  }

  func isBeside(_ original: OriginalReference) -> Bool {
    let name = FilePath(original.fileName)
    let path = originalPath.removingLastComponent().appending(name)
    guard name == name.lastComponent, path != originalPath,
      let digest = try? fileSystem.digestOfFile(at: path)
    else { return false }
    return original.manager == OriginalReference.safelight && original.sha256 == "\(digest)"
  }

  func originalDigest() throws(StorageError) -> Digest { try snapshot.original.digest() }

  func open(_ start: EditStart) throws -> OpenPixels {
    let file =
      try start.pixels == .original
      ? snapshot.original.file : fileSystem.openForReading(start.path)
    return OpenPixels(
      configuration.source(file, name: start.path.lastComponent ?? start.path),
      in: configuration.darkroom)
  }

  func checkDestination(_ path: FilePath, replacing: Bool) throws {
    try checkIsNotOwn(path)
    try OutputRule(fileSystem).check(path, replacing: replacing)
  }

  /// Throws for the photo itself and the files of its edit.
  func checkIsNotOwn(_ path: FilePath) throws {
    let own = [originalPath, recordPath] + snapshot.paths
    if own.contains(where: { fileSystem.areSameFile($0, path) }) {
      throw EditError.destinationTaken(path, .belongsToThePhoto)
    }
  }
}

extension PhotoSnapshot {
  /// Whether a render of Safelight's names another file as its original than the one that is there:
  /// its metadata are those that the original had then.
  func isOutdated(_ role: FileRole) throws -> Bool {
    guard let path = path(of: role) else { return false }
    let beginning = Data(try original.fileSystem.beginningOfFile(at: path))
    guard let reference = XMPPacket.derivedFrom(inJPEG: beginning),
      reference.manager == OriginalReference.safelight, let named = reference.sha256
    else { return false }
    return named != (try original.digest()).description
  }
}
