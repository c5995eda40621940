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
  /// What was done.
  public enum Status: String, Sendable, Hashable {
    /// The edit is beside its photo, under the photo's name.
    case relinked
    /// There was nothing to do any more.
    case unchanged
  }

  /// Where the photo should be by the place and the name of its record.
  public let former: FilePath
  /// What was done.
  public let status: Status
  /// Where the photo is; `nil` when there was nothing to do.
  public let photo: FilePath?
  /// Its sidecar.
  public let record: FilePath?
  /// Its render; `nil` when it has none.
  public let rendered: FilePath?
  /// What could not be done, one sentence each.
  public let warnings: [String]

  init(_ former: FilePath, to photo: FilePath, _ adoption: Adoption) {
    self.former = former
    guard adoption.outcome == .moved else {
      (status, self.photo, record, rendered, warnings) = (.unchanged, nil, nil, nil, [])
      return
    }
    status = .relinked
    self.photo = photo
    record = photo.recordPath
    rendered = adoption.render
    warnings = adoption.warnings
  }
}

extension Adoption {
  fileprivate var warnings: [String] {
    var warnings: [String] = []
    if isRenderMissing {
      warnings.append("Its render is missing and has to be rendered again.")
    }
    if let unfinished {
      warnings.append(
        "The edit has moved, but not all files are in place; relinking again finishes that. "
          + unfinished.description)
    }
    return warnings
  }
}

/// Why an edit could not follow its photo. All files are as they were before the call.
public enum RelinkError: Error, Equatable, CustomStringConvertible {
  /// No file in the folders that were searched has the original's content.
  case originalNotFound(record: FilePath)
  /// Several files have the original's content, and nothing tells which of them is meant.
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

  /// The stable names of the errors that no edit meets.
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
    let first = paths.dropLast().map(\.string).joined(separator: ", ")
    return [first, paths.last?.string ?? ""].filter { !$0.isEmpty }.joined(separator: " or ")
  }
}

extension PhotoEditor {
  /// Moves edits along with photos that were moved or renamed without their sidecars.
  ///
  /// A record without its original is an orphan; its original is found by its content, by size
  /// first and then by SHA-256. Sidecar, render and base get the photo's folder and names, and the
  /// record says so; the edit and its history stay byte for byte. Records that were renamed together
  /// with their photo get the names put right.
  ///
  /// Of several files with the content, one without an edit counts more than one with, and one in
  /// the record's own folder more than one elsewhere.
  ///
  /// - Parameters:
  ///   - paths: Folders to look through for orphans, or single sidecars or photos that are gone.
  ///     Their folders are searched for the photos.
  ///   - recursively: Whether folders inside are looked through too; hidden ones and links are not.
  ///   - folders: Where else to look for the photos, with all folders inside.
  ///   - dryRun: Whether only to find out what would happen.
  ///   - report: Called for each orphan in the order of their names, on the editor's thread, with
  ///     the place where its photo should be.
  /// - Throws: ``EditError`` when a folder cannot be listed, or the surrounding task was cancelled;
  ///   no edit is half moved then.
  public func relink(
    _ paths: [FilePath], recursively: Bool = false, lookingIn folders: [FilePath] = [],
    dryRun: Bool = false,
    _ report: @escaping @Sendable (FilePath, Result<Relinking, RelinkError>) -> Void
  ) async throws(EditError) {
    try await working(on: paths.first ?? ".") { cancellation in
      var orphans = OrphanSearch(fileSystem: fileSystem)
      var originals = OriginalSearch(fileSystem: fileSystem)
      for path in paths {
        if fileSystem.folder(at: path) != nil {
          try orphans.search(path, recursively: recursively)
          originals.add(path, recursively: recursively)
        } else {
          try orphans.add(named: path.originalOfRecord ?? path)
          originals.add(path.removingLastComponent(), recursively: false)
        }
      }
      for folder in folders { originals.add(folder, recursively: true) }
      let found = try originals.search(for: orphans.found.compactMap(\.sought)) {
        if cancellation.isCancelled { throw CancellationError() }
      }
      for orphan in orphans.found {
        if cancellation.isCancelled { throw CancellationError() }
        let candidates = orphan.sought.flatMap { found[$0.sha256] } ?? []
        let result = Result { () throws(RelinkError) in
          try relink(orphan, candidates, dryRun: dryRun)
        }
        report(orphan.photo, result)
      }
    }
  }

  private func relink(
    _ orphan: Orphan, _ candidates: [FilePath], dryRun: Bool
  ) throws(RelinkError) -> Relinking {
    do {
      let target = try orphan.target(
        among: orphan.isInPlace ? [] : candidates.map { try candidate($0, for: orphan) })
      let adoption = try adopt(
        orphan.isInPlace ? nil : orphan.photo, into: target, dryRun: dryRun)
      if adoption.outcome == .hasAnEdit {
        throw RelinkError.targetHasAnEdit(record: orphan.photo.recordPath, target: target)
      }
      return Relinking(orphan.photo, to: target, adoption)
    } catch let error as RelinkError {
      throw error
    } catch {
      throw .failed(EditError(error, path: orphan.photo))
    }
  }

  private func candidate(
    _ path: FilePath, for orphan: Orphan
  ) throws -> Orphan.Candidate {
    Orphan.Candidate(
      path: path,
      isFree: try PhotoFiles(path, fileSystem: fileSystem)
        .isFree(forEditOf: orphan.photo, fileSystem),
      hasRecord: try fileSystem.exists(path.recordPath),
      isNear: fileSystem.folder(at: path.removingLastComponent()) == orphan.folder)
  }

  private func adopt(
    _ former: FilePath?, into target: FilePath, dryRun: Bool
  ) throws -> Adoption {
    let files = files(of: Photo(path: target))
    if dryRun {
      return try files.previewAdoption(of: former, timeout: configuration.lockTimeout)
    }
    let transaction = try files.begin(timeout: configuration.lockTimeout)
    defer { transaction.end() }
    guard let former else { return try transaction.renameEdit() }
    return try transaction.adoptEdit(of: former)
  }
}

extension Orphan {
  /// A file that has the content of the original.
  struct Candidate: Sendable, Hashable {
    let path: FilePath
    /// Whether it has no edit of its own, or this one because a move was interrupted.
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
    // A move that was interrupted goes on where it went.
    let groups = [free.filter(\.hasRecord), free.filter(\.isNear)]
    if let only = groups.first(where: { $0.count == 1 })?.first { return only.path }
    throw RelinkError.ambiguous(record: record, candidates: free.map(\.path))
  }
}
