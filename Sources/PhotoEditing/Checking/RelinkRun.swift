import SafelightFiles
import SafelightRendering
import SafelightStorage

/// The edits that one call moves to their photos, and what became of them so far.
///
/// For one call of one editor, on the editor's thread.
final class RelinkRun {
  let orphans: [Orphan]
  let isDry: Bool
  /// The files that have the original's content, by its recorded digest.
  private let found: [Digest: [FilePath]]
  /// The orphans that have the names of photos which are other pictures, by these photos' paths without links.
  private let inTheWay: [FilePath: Int]
  fileprivate var results: [Int: Result<Relinking, RelinkError>] = [:]
  /// The orphans whose moves have begun, and wait for others perhaps.
  fileprivate var begun: Set<Int> = []
  /// Where edits are that had to make room for others.
  fileprivate var setAside: [Int: FilePath] = [:]
  /// Photos that got an edit, or would get one in a dry run, by their paths without links.
  fileprivate var taken: Set<FilePath> = []

  init(_ orphans: [Orphan], among found: [Digest: [FilePath]], isDry: Bool) {
    self.orphans = orphans
    self.found = found
    self.isDry = isDry
    let replaced = orphans.indices.filter { orphans[$0].place == .anotherPicture }
    inTheWay = Dictionary(
      replaced.map { (orphans[$0].folder.appending(orphans[$0].photo.lastComponent ?? ""), $0) },
      uniquingKeysWith: { first, _ in first })
  }

  fileprivate func files(holding orphan: Orphan) -> [FilePath] {
    orphan.place == .original ? [] : orphan.sought.flatMap { found[$0.sha256] } ?? []
  }

  /// The orphan whose edit a photo has and will lose to its own photo; `nil` when there is none.
  ///
  /// - Parameter photo: The photo's path without links.
  fileprivate func orphan(at photo: FilePath) -> Int? {
    guard let index = inTheWay[photo], !files(holding: orphans[index]).isEmpty else { return nil }
    if case .failure? = results[index] { return nil }
    return index
  }
}

extension PhotoEditor {
  /// Moves the edit of an orphan to its photo, once the edit that is in the way has moved to its own.
  func relink(
    _ index: Int, in run: RelinkRun, _ cancellation: RenderCancellation
  ) -> Result<Relinking, RelinkError> {
    if let result = run.results[index] { return result }
    run.begun.insert(index)
    let result = Result { () throws(RelinkError) in try move(index, in: run, cancellation) }
    run.results[index] = result
    if let photo = (try? result.get())?.photo { run.taken.insert(resolved(photo)) }
    return result
  }

  private func move(
    _ index: Int, in run: RelinkRun, _ cancellation: RenderCancellation
  ) throws(RelinkError) -> Relinking {
    let orphan = run.orphans[index]
    do {
      let target = try orphan.target(
        among: run.files(holding: orphan).map { try candidate($0, for: orphan, in: run) })
      let blocker = orphan.place == .original ? nil : run.orphan(at: resolved(target))
      let isBlocked = blocker.map { run.isDry || run.results[$0] == nil } ?? false
      if let blocker, isBlocked {
        // What cannot be moved must not make others move.
        let plan = try move(orphan, to: target, dryRun: true, expectingRoom: true, cancellation)
        if !run.begun.contains(blocker) {
          if case .failure = relink(blocker, in: run, cancellation) {
            throw EditError.targetHasAnEdit(record: orphan.photo.recordPath, target: target)
          }
        } else if run.results[blocker] == nil, !run.isDry {
          // It waits for this move itself: the photos have exchanged their names.
          run.setAside[blocker] = try waiting(cancellation) { timeout in
            let place = try files(of: Photo(path: target)).begin(timeout: timeout)
            defer { place.end() }
            return try place.setAsideEdit()
          }
        }
        if run.isDry { return plan }
      }
      return try move(
        orphan, from: run.setAside[index], to: target, dryRun: run.isDry, cancellation)
    } catch let error as RelinkError {
      throw error
    } catch {
      throw .failed(EditError(error, path: orphan.photo))
    }
  }

  private func move(
    _ orphan: Orphan, from aside: FilePath? = nil, to target: FilePath, dryRun: Bool,
    expectingRoom: Bool = false, _ cancellation: RenderCancellation
  ) throws -> Relinking {
    let former = orphan.place == .original ? nil : aside ?? orphan.photo
    let result = try perform(
      on: Photo(path: target), .relinking(from: former),
      EditCall(dryRun: dryRun, cancellation: cancellation)
    ) { edit in
      try edit.planToRelink(from: former, to: target, expectingRoom: expectingRoom)
    }
    // Of many photos a dry run says what a real one says.
    return Relinking(
      former: orphan.photo, photo: result.status == .relinked ? target : nil,
      result: result.adding(edit: nil, revision: nil))
  }

  private func candidate(
    _ path: FilePath, for orphan: Orphan, in run: RelinkRun
  ) throws -> Orphan.Candidate {
    let resolved = resolved(path)
    return Orphan.Candidate(
      path: path,
      isFree: try !(run.isDry && run.taken.contains(resolved))
        && PhotoFiles(path, fileSystem: fileSystem).isFree(forEditOf: orphan.photo, fileSystem),
      isLeft: !(run.isDry && run.taken.contains(resolved)) && run.orphan(at: resolved) != nil,
      hasRecord: try fileSystem.exists(path.recordPath),
      isNear: fileSystem.folder(at: path.removingLastComponent()) == orphan.folder,
      isOlder: isOlder(path, than: orphan.photo.recordPath))
  }

  /// Whether a file has been where it is, as it is, since before a record was written.
  private func isOlder(_ path: FilePath, than record: FilePath) -> Bool {
    guard let file = try? fileSystem.statusFollowingLinks(of: path),
      let record = try? fileSystem.statusFollowingLinks(of: record)
    else { return false }
    return file.changed.inNanoseconds < record.changed.inNanoseconds
  }

  /// The absolute path of the photo that a path leads to.
  private func resolved(_ path: FilePath) -> FilePath {
    (try? fileSystem.photoPath(path)) ?? path
  }
}

extension Orphan {
  /// A file that has the content of the original.
  struct Candidate: Sendable, Hashable {
    let path: FilePath
    /// Whether it has no edit, or has this edit already from a move that was interrupted.
    let isFree: Bool
    /// Whether it has an edit that is about another photo and moves there.
    let isLeft: Bool
    /// Whether it has a sidecar.
    let hasRecord: Bool
    /// Whether it is in the folder of the record.
    let isNear: Bool
    /// Whether it has been there since before the photo was edited, as a backup is.
    var isOlder = false
  }

  /// The photo that the edit goes to.
  ///
  /// - Throws: ``RelinkError`` when no file or several files could be meant, or what is wrong with
  ///   the record.
  func target(among candidates: [Candidate]) throws -> FilePath {
    let record = photo.recordPath
    if place == .original { return photo }
    if let problem { throw problem }
    if candidates.isEmpty, place == .anotherPicture, let sought {
      throw RelinkError.failed(
        .storage(
          sought.name == photo.lastComponent
            ? .originalChanged(photo)
            : .recordBelongsToAnotherPhoto(record: record, recorded: sought.name)))
    }
    var free = candidates.filter(\.isFree)
    if free.isEmpty { free = candidates.filter(\.isLeft) }
    guard let first = free.first else {
      throw candidates.first.map {
        RelinkError.failed(.targetHasAnEdit(record: record, target: $0.path))
      } ?? RelinkError.originalNotFound(record: record)
    }
    // The picture that has the photo's name may be that photo, retouched. A backup is then not the photo.
    let isBackup = place == .anotherPicture && free.allSatisfy { $0.isOlder && !$0.isNear }
    if free.count == 1, !isBackup || isNamed { return first.path }
    // A move that was interrupted goes to the same photo again.
    let groups = [free.filter { $0.hasRecord && $0.isFree }, free.filter(\.isNear)]
    if let only = groups.first(where: { $0.count == 1 })?.first { return only.path }
    throw RelinkError.ambiguous(record: record, candidates: free.map(\.path))
  }
}
