import FoundationEssentials
import SafelightFiles
import SafelightMetadata
import SafelightRendering
import SafelightStorage

extension PhotoEditor {
  /// Compares the files of a photo with its record, without changing anything.
  ///
  /// Takes as long as reading the original, the render and the base once; a photo without a record
  /// is not read, unless it has a name that a render can have. A file that a record beside it names
  /// as its render or base is compared with that record.
  ///
  /// - Parameters:
  ///   - photo: The photo.
  ///   - fixing: Whether to finish a change that was interrupted, to remove what a program that
  ///     died left behind, and to put files into the folder's trash that nothing needs; see
  ///     ``PhotoProblem/canBeFixed``. That waits until nobody else works on the photo.
  /// - Returns: What is not as recorded; see ``PhotoProblem/Kind``.
  /// - Throws: ``EditError`` when there is neither a photo nor a record, or the disk refuses.
  public func verify(
    _ photo: Photo, fixing: Bool = false
  ) async throws(EditError) -> PhotoCheck {
    try await working(on: photo.path) { cancellation in
      let checker = PhotoChecker(editor: self, fixing: fixing, cancellation: cancellation)
      if let check = try checker.checkAsRender(photo.path) { return check }
      return try checker.check(photo.path)
    }
  }

  /// Checks everything that Safelight may have left in a folder, one photo after the other.
  ///
  /// Photos with a record are compared with it, in the order of their names; then come hidden files
  /// of unfinished work, and renders that no record names. Photos without a record are neither read
  /// nor reported, and memory does not grow with their number.
  ///
  /// - Parameters:
  ///   - path: A folder; or a photo or a sidecar, which is then checked alone.
  ///   - recursively: Whether folders inside are checked too; hidden ones and links are not.
  ///   - rules: What is left out of the folder and of those inside.
  ///   - fixing: As in ``verify(_:fixing:)``.
  ///   - report: Called for each photo as soon as it is checked, on the editor's thread. What could
  ///     not be checked is reported as ``PhotoProblem/Kind/failed(_:)``.
  /// - Throws: ``EditError`` when the folder itself cannot be listed, or the surrounding task was
  ///   cancelled.
  public func verify(
    contentsOf path: FilePath, recursively: Bool = false, rules: FolderRules = .standard,
    fixing: Bool = false, _ report: @escaping @Sendable (PhotoCheck) -> Void
  ) async throws(EditError) {
    guard fileSystem.folder(at: path) != nil else {
      report(try await verify(Photo(path: path.originalOfRecord ?? path), fixing: fixing))
      return
    }
    try await working(on: path) { cancellation in
      try FolderCheck(
        checker: PhotoChecker(editor: self, fixing: fixing, cancellation: cancellation),
        cancellation: cancellation,
        report: report
      ).check(WalkedFolder(path, rules, fileSystem), recursively: recursively)
    }
  }
}

// MARK: - Single photos

/// Checks single photos for an editor, and fixes what may be fixed.
struct PhotoChecker {
  let editor: PhotoEditor
  let fixing: Bool
  let cancellation: RenderCancellation

  var fileSystem: FileSystem { editor.fileSystem }

  /// Compares a photo's files with its record.
  ///
  /// - Parameter searching: Whether staged files are looked for even when no process seems to have
  ///   died; lists the folder.
  func check(_ photo: FilePath, searching: Bool = false) throws -> PhotoCheck {
    let found = try inspect(photo, searching: searching)
    let fixable = found.problems.filter(\.canBeFixed)
    guard fixing, !fixable.isEmpty else { return found }
    if case .conflictCopy? = fixable.first?.kind {
      return puttingAway(found) { try inspect(photo, searching: false) }
    }
    do {
      // Beginning a change finishes and removes what others left, under the photo's lock.
      try editor.waiting(cancellation) { timeout in
        try editor.files(of: Photo(path: photo)).begin(timeout: timeout, tidying: true).end()
      }
    } catch {
      return found.adding(PhotoProblem(.failed(EditError(error, path: photo)), photo))
    }
    let now = try inspect(photo, searching: searching)
    return now.fixing(fixable.filter { !now.problems.contains($0) })
  }

  /// Checks a photo. An error is reported as a problem of the photo.
  func checkInFolder(_ photo: FilePath, searching: Bool = false) -> PhotoCheck {
    do {
      return try check(photo, searching: searching)
    } catch {
      return PhotoCheck(
        photo, isEdited: true,
        [PhotoProblem(.failed(EditError(error, path: photo)), photo)])
    }
  }

  private func inspect(_ photo: FilePath, searching: Bool) throws -> PhotoCheck {
    do {
      return try editor.reading(Photo(path: photo), cancellation) { snapshot in
        try PhotoCheck(photo, snapshot, searching: searching)
      }
    } catch StorageError.originalMissing {
      return try inspectWithoutOriginal(photo)
    } catch let error as StorageError {
      guard let problem = PhotoProblem(error) else { throw error }
      return PhotoCheck(photo, isEdited: true, [problem])
    }
  }

  private func inspectWithoutOriginal(_ photo: FilePath) throws -> PhotoCheck {
    do throws(StorageError) {
      if let copy = try ConflictCopy.load(photo.recordPath, fileSystem) {
        return try PhotoCheck(copy, fileSystem)
      }
      if try isPartialCopy(photo.recordPath) {
        return PhotoCheck(
          photo.recordPath, isEdited: false, [PhotoProblem(.partialCopy, photo.recordPath)])
      }
      guard let lost = try LostRecord.load(of: photo, fileSystem) else {
        throw .originalMissing(photo)
      }
      let isLink = (try? fileSystem.exists(photo)) == true
      return PhotoCheck(lost, isLink: isLink)
    } catch {
      // Apple's programs also write binary sidecars; Safelight never does.
      if case .recordUnreadable(let path, .binaryPropertyList) = error {
        return PhotoCheck(photo, isEdited: true, [PhotoProblem(.foreignSidecar, path)])
      }
      guard let problem = PhotoProblem(error) else { throw error }
      return PhotoCheck(
        photo, isEdited: true, [problem, PhotoProblem(.originalMissing, photo)])
    }
  }
}

extension PhotoChecker {
  /// Whether a sidecar without a photo has a name that programs give to files that they still write, such
  /// as `.~beach.jpg.aae`, while the photo is there.
  private func isPartialCopy(_ record: FilePath) throws(StorageError) -> Bool {
    guard let name = record.lastComponent, let first = name.bytes.first, ".~$".utf8.contains(first)
    else { return false }
    let rest = FilePath(bytes: name.bytes.drop { ".~$#".utf8.contains($0) })
    guard let photo = rest.originalOfRecord else { return false }
    do {
      return try fileSystem.exists(record.removingLastComponent().appending(photo))
    } catch {
      throw .fileSystem(error)
    }
  }

  /// Puts a file into the trash when checks fix what they find: a copy that a sync made of a conflict and that has
  /// nothing new, or the render of an earlier edit.
  ///
  /// - Parameters:
  ///   - found: The check of the file.
  ///   - again: Checks it once more while the photo is locked.
  func puttingAway(_ found: PhotoCheck, _ again: () throws -> PhotoCheck?) -> PhotoCheck {
    let findings = found.problems + found.notes
    guard fixing, findings.count == 1, let problem = findings.first,
      let photo = problem.photoWithoutNeed, let name = problem.file.lastComponent,
      let photosName = photo.lastComponent
    else { return found }
    do {
      let transaction = try editor.waiting(cancellation) { timeout in
        try editor.files(of: Photo(path: photo)).begin(timeout: timeout)
      }
      defer { transaction.end() }
      guard let now = try again(), now.problems + now.notes == [problem] else { return found }
      try FolderTrash(problem.file.removingLastComponent(), fileSystem)
        .put([name], named: photosName)
      return PhotoCheck(found.path, isEdited: false, [], fixed: [problem])
    } catch {
      let error = EditError(error, path: problem.file)
      return found.adding(PhotoProblem(.failed(error), problem.file))
    }
  }

  /// The check of a picture that Safelight rendered and no record names, when a sync made it of a conflict;
  /// `nil` for others.
  ///
  /// - Parameter original: The name of the original that the picture tells of.
  func checkAsConflict(_ path: FilePath, of original: String) -> PhotoCheck? {
    let photo = path.removingLastComponent().appending(FilePath(original))
    func check() -> PhotoCheck? {
      ConflictRender(path, of: photo, fileSystem).map { render in
        let conflict = PhotoProblem.Conflict(
          photo: photo, stack: nil, date: nil, isRender: true, isContained: render.isKnown,
          isBesideRecord: true)
        return PhotoCheck(path, isEdited: false, [PhotoProblem(.conflictCopy(conflict), path)])
      }
    }
    return check().map { puttingAway($0) { check() } }
  }

  /// Checks a render or base that a record beside it names, or a render that no record names; `nil`
  /// for any other file.
  func checkAsRender(_ path: FilePath) throws -> PhotoCheck? {
    guard let name = path.lastComponent, FolderRecords.mayBeMember(name),
      try fileSystem.exists(path), try !fileSystem.exists(path.recordPath)
    else { return nil }
    let reference = try rendered(path)
    if let reference, let check = checkAsConflict(path, of: reference.fileName) { return check }
    let folder = path.removingLastComponent()
    guard let owner = try owner(of: name, in: folder, reference?.fileName) else {
      guard let reference else { return nil }
      let standings = try standings(of: [name: reference], in: folder)
      return try check(path, standings[name], reference)
        ?? PhotoCheck(path, isEdited: false, [])
    }
    do {
      return try editor.reading(Photo(path: owner), cancellation) { snapshot in
        guard let named = snapshot.record?.files.first(where: { $0.file.name == name }) else {
          return nil
        }
        return try PhotoCheck(path, of: named, in: snapshot)
      }
    } catch StorageError.originalMissing {
      return PhotoCheck(
        path, isEdited: true, [PhotoProblem(.originalMissing, owner)])
    }
  }

  /// The photo whose record names a file; `nil` when no readable record does.
  private func owner(
    of name: FilePath, in folder: FilePath, _ original: String?
  ) throws -> FilePath? {
    // The picture is nearly always right. Then the folder need not be listed.
    if let likely = original.map({ folder.appending(FilePath($0)) }),
      try fileSystem.filesNamed(byRecordAt: likely.recordPath)?.contains(name) == true
    {
      return likely
    }
    return try FolderRecords(folder, fileSystem: fileSystem).membership(of: name)?.original
  }

  /// What a picture that Safelight rendered says of its original; `nil` for other files.
  func rendered(_ path: FilePath) throws -> OriginalReference? {
    guard try fileSystem.sizeOfFile(at: path) != nil else { return nil }
    return fileSystem.referenceOfRender(at: path)
  }
}
