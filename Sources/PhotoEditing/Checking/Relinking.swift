import SafelightFiles
import SafelightRendering
import SafelightStorage

/// The result of moving one edit along with a photo that was moved or renamed.
///
/// ```swift
/// try await editor.relink(["photos"], lookingIn: ["archive"]) { former, result in
///   if case .success(let relinking) = result, let photo = relinking.photo {
///     print("\(former) is now \(photo).")
///   }
/// }
/// ```
public struct Relinking: Sendable, Equatable {
  /// Where the photo should be by the place and the name of its record.
  public let former: FilePath
  /// Where the photo is; `nil` when there was nothing to do.
  public let photo: FilePath?
  /// What became of the edit: ``EditResult/Status/relinked`` or ``EditResult/Status/unchanged``.
  public let result: EditResult
}

/// Why an edit could not follow its photo. All files are as they were before the call.
public enum RelinkError: Error, Equatable, CustomStringConvertible {
  /// No file in the folders that were searched has the original's content.
  case originalNotFound(record: FilePath)
  /// Several files have the original's content, and none of them is preferred.
  case ambiguous(record: FilePath, candidates: [FilePath])
  /// The file that has the original's content has an edit of its own, which stays.
  case targetHasAnEdit(record: FilePath, target: FilePath)
  /// The files could not be read or changed, or one of them is not as recorded.
  case failed(EditError)

  /// What happened, in one sentence.
  public var description: String {
    switch self {
    case .originalNotFound(let record): "The original of \(record) was not found."
    case .ambiguous(let record, let candidates):
      "The original of \(record) may be \(Self.list(candidates))."
    case .targetHasAnEdit(let record, let target):
      "The original of \(record) is now \(target), which has an edit already."
    case .failed(let error): error.description
    }
  }

  /// The stable names of the errors that only relinking throws.
  package enum Code: String, CaseIterable {
    case originalNotFound = "original-not-found"
    case ambiguousOriginal = "ambiguous-original"
    case targetHasAnEdit = "target-has-an-edit"
  }

  /// A stable word for programs.
  public var code: String {
    switch self {
    case .originalNotFound: Code.originalNotFound.rawValue
    case .ambiguous: Code.ambiguousOriginal.rawValue
    case .targetHasAnEdit: Code.targetHasAnEdit.rawValue
    case .failed(let error): error.code
    }
  }

  private static func list(_ paths: [FilePath]) -> String {
    let first = paths.dropLast().map(\.description).joined(separator: ", ")
    return [first, paths.last?.description ?? ""].filter { !$0.isEmpty }.joined(separator: " or ")
  }
}

// MARK: - Calls

extension PhotoEditor {
  /// Moves edits along with photos that were moved or renamed without their sidecars.
  ///
  /// A record without its original is an orphan; its original is found by its content, by size
  /// first and then by SHA-256. When another program wrote metadata into it meanwhile, it is found
  /// by its picture: under its own name, or with nearly its size. Sidecar, render and base get the photo's folder and names, and the
  /// record says so; the edit and its history stay byte for byte. A record that was renamed
  /// together with its photo gets the right names.
  ///
  /// When several files have the content, a file without an edit is preferred, then a file in the
  /// record's own folder.
  ///
  /// - Parameters:
  ///   - paths: Folders to look through for orphans, or single sidecars or photos that are gone.
  ///     Their folders are searched for the photos.
  ///   - recursively: Whether folders inside are looked through too; hidden ones and links are not.
  ///   - folders: Where else to look for the photos, with all folders inside.
  ///   - rules: What is left out of all these folders: neither edits nor photos are looked for there.
  ///   - dryRun: Whether only to find out what would happen.
  ///   - report: Called for each orphan in the order of their names, on the editor's thread, with
  ///     the place where its photo should be.
  /// - Throws: ``EditError`` when a folder cannot be listed, or the surrounding task was cancelled;
  ///   no edit is half moved then.
  public func relink(
    _ paths: [FilePath], recursively: Bool = false, lookingIn folders: [FilePath] = [],
    rules: FolderRules = .standard, dryRun: Bool = false,
    _ report: @escaping @Sendable (FilePath, Result<Relinking, RelinkError>) -> Void
  ) async throws(EditError) {
    try await working(on: paths.first ?? ".") { cancellation in
      var orphans = OrphanSearch(fileSystem: fileSystem)
      var originals = OriginalSearch(fileSystem: fileSystem) {
        if cancellation.isCancelled { throw CancellationError() }
      }
      for path in paths {
        if fileSystem.folder(at: path) != nil {
          let folder = try WalkedFolder(path, rules, fileSystem)
          try orphans.search(folder, recursively: recursively)
          originals.add(folder, recursively: recursively)
        } else {
          try orphans.add(named: path.originalOfRecord ?? path)
          originals.add(
            try WalkedFolder(path.removingLastComponent(), rules, fileSystem), recursively: false)
        }
      }
      for folder in folders {
        originals.add(try WalkedFolder(folder, rules, fileSystem), recursively: true)
      }
      let found = try originals.search(for: orphans.found)
      // Photos that got an edit, or would get one in a dry run, by their paths without links.
      var taken: Set<FilePath> = []
      for orphan in orphans.found {
        if cancellation.isCancelled { throw CancellationError() }
        let candidates = orphan.sought.flatMap { found[$0.sha256] } ?? []
        let result = Result { () throws(RelinkError) in
          try relink(
            orphan, among: candidates.map { ($0, dryRun && taken.contains(resolved($0))) },
            dryRun: dryRun, cancellation)
        }
        if let photo = (try? result.get())?.photo { taken.insert(resolved(photo)) }
        report(orphan.photo, result)
      }
    }
  }

  /// Goes on with the edit of a photo although its original is another picture now.
  ///
  /// The record then is about the picture that is there, and the edit is rendered from it. For
  /// metadata that another program wrote into the original this is not needed.
  /// - Parameters:
  ///   - photo: The photo, by the original's path.
  ///   - dryRun: Whether only to find out what would happen.
  /// - Returns: ``EditResult/Status/relinked``, or ``EditResult/Status/unchanged`` when the original
  ///   is the picture that was edited, or has no edit of Safelight's own.
  /// - Throws: ``EditError``; everything stays as it was then.
  @discardableResult
  public func acceptOriginal(
    of photo: Photo, dryRun: Bool = false
  ) async throws(EditError) -> EditResult {
    try await perform(on: photo, dryRun: dryRun) { edit in try edit.planToAcceptOriginal() }
  }

  /// A path without symbolic links.
  private func resolved(_ path: FilePath) -> FilePath {
    (try? fileSystem.resolve(path)) ?? path
  }

  private func relink(
    _ orphan: Orphan, among candidates: [(path: FilePath, isTaken: Bool)], dryRun: Bool,
    _ cancellation: RenderCancellation
  ) throws(RelinkError) -> Relinking {
    do {
      let target = try orphan.target(
        among: orphan.isInPlace
          ? [] : candidates.map { try candidate($0.path, isTaken: $0.isTaken, for: orphan) })
      let former = orphan.isInPlace ? nil : orphan.photo
      let result = try perform(
        on: Photo(path: target), .relinking(from: former), dryRun: dryRun,
        cancellation: cancellation
      ) { edit in
        try edit.planToRelink(from: former, to: target)
      }
      return Relinking(
        former: orphan.photo, photo: result.status == .relinked ? target : nil, result: result)
    } catch let error as RelinkError {
      throw error
    } catch {
      throw .failed(EditError(error, path: orphan.photo))
    }
  }

  private func candidate(
    _ path: FilePath, isTaken: Bool, for orphan: Orphan
  ) throws -> Orphan.Candidate {
    Orphan.Candidate(
      path: path,
      isFree: try !isTaken
        && PhotoFiles(path, fileSystem: fileSystem).isFree(forEditOf: orphan.photo, fileSystem),
      hasRecord: try fileSystem.exists(path.recordPath),
      isNear: fileSystem.folder(at: path.removingLastComponent()) == orphan.folder)
  }
}

// MARK: - Plans

extension OpenEdit {
  /// A plan to give the photo the edit that it had under another name or in another folder.
  ///
  /// - Parameters:
  ///   - former: Where the photo was; `nil` when record and photo were renamed together.
  ///   - photo: The photo, as the caller names it.
  func planToRelink(from former: FilePath?, to photo: FilePath) throws -> EditPlan {
    let adoption = try files.adoption(of: former)
    switch adoption.outcome {
    case .nothingToMove:
      return EditPlan(change: .none(.noEdit), report: EditResult(status: .unchanged))
    case .hasAnEdit:
      throw RelinkError.targetHasAnEdit(record: (former ?? photo).recordPath, target: photo)
    case .moved:
      return EditPlan(
        change: .adopt(adoption),
        report: EditResult(
          status: .relinked, rendered: adoption.render, record: photo.recordPath,
          warnings: adoption.isRenderMissing
            ? ["Its render is missing and has to be rendered again."] : []))
    }
  }
}

extension Orphan {
  /// A file that has the content of the original.
  struct Candidate: Sendable, Hashable {
    let path: FilePath
    /// Whether it has no edit, or has this edit already from a move that was interrupted.
    let isFree: Bool
    /// Whether it has a sidecar.
    let hasRecord: Bool
    /// Whether it is in the folder of the record.
    let isNear: Bool
  }

  /// The photo that the edit goes to.
  ///
  /// - Throws: ``RelinkError`` when no file or several files could be meant, or what is wrong with
  ///   the record.
  func target(among candidates: [Candidate]) throws -> FilePath {
    let record = photo.recordPath
    if isInPlace { return photo }
    if let problem { throw problem }
    let free = candidates.filter(\.isFree)
    guard let first = free.first else {
      throw candidates.first.map { RelinkError.targetHasAnEdit(record: record, target: $0.path) }
        ?? RelinkError.originalNotFound(record: record)
    }
    if free.count == 1 { return first.path }
    // A move that was interrupted goes to the same photo again.
    let groups = [free.filter(\.hasRecord), free.filter(\.isNear)]
    if let only = groups.first(where: { $0.count == 1 })?.first { return only.path }
    throw RelinkError.ambiguous(record: record, candidates: free.map(\.path))
  }
}
