import PhotoEditing
import SafelightStorage

extension PhotoLibrary {
  /// Looks again at photos of the library that this or another program has just edited, so that the
  /// library need not be looked through for it.
  ///
  /// All that changed is one change set. Photos that the library does not have, and files that are
  /// gone, are left to the next ``scan(progress:)``.
  /// - Parameters:
  ///   - paths: The originals, as ``Asset/path`` gives them.
  ///   - thoroughly: Whether to read files that look as they were, too.
  /// - Returns: What was found.
  /// - Throws: ``PhotoLibraryError``.
  @discardableResult
  public func refresh(
    _ paths: [FilePath], thoroughly: Bool = false
  ) async throws(PhotoLibraryError) -> IndexingResult {
    try access.check(.readWrite)
    return try await indexer.lookAgain(at: paths, thoroughly: thoroughly) { [weak self] token in
      self?.didChange(token)
    }
  }
}

extension Indexer {
  fileprivate func lookAgain(
    at paths: [FilePath], thoroughly: Bool, changed: @escaping @Sendable (Int64) -> Void
  ) async throws(PhotoLibraryError) -> IndexingResult {
    await takeTurn()
    defer { endTurn() }
    let folders = try await catalog.folders()
    let rows = Dictionary(uniqueKeysWithValues: folders.map { ($0.path, $0.row) })
    var jobs: [IndexingJob] = []
    for (folder, files) in Dictionary(grouping: Set(paths), by: { $0.removingLastComponent() }) {
      guard let row = rows[folder] else { continue }
      let names = Set(files.compactMap(\.lastComponent))
      let known = try await catalog.files(in: row)
      jobs += Self.jobs(
        in: folder, for: known.filter { !$0.isTrashed && names.contains($0.name) },
        thoroughly: thoroughly)
    }
    guard !jobs.isEmpty else { return IndexingResult() }
    var result = IndexingResult()
    var photos: [IndexedPhoto] = []
    for outcome in read(jobs) {
      switch outcome {
      case .photo(let photo): photos.append(photo)
      case .unreadable(let job, _): result.unreadable.append(job.path)
      case .somethingElse: break
      }
    }
    let taken = try await catalog.take(photos, roots: folders.filter(\.isRoot).map(\.path))
    result.updated = taken.updated
    if let token = taken.token { changed(token) }
    return result
  }

  /// The files of a folder that are to be read, because they or their sidecars are not as the
  /// catalog knows them.
  private static func jobs(
    in folder: FilePath, for files: [KnownFile], thoroughly: Bool
  ) -> [IndexingJob] {
    guard !files.isEmpty, let all = try? FileSystem.real.namesIfPresent(in: folder) else {
      return []
    }
    let names = FolderNames(all)
    return files.compactMap { file in
      guard let trace = FileTrace(folder.appending(file.name)), trace.kind == .file else {
        return nil
      }
      let sidecar = names.sidecar(of: file.name)
        .flatMap { FileTrace(folder.appending($0))?.modified }
      let isPending = names.hasPendingChange(of: file.name)
      let isKnown = file.matches(trace) && file.recordModified == sidecar && !isPending
      if isKnown, !thoroughly { return nil }
      return IndexingJob(
        folder: folder, name: file.name, sidecarModified: sidecar,
        isPending: isPending, hasVideo: names.hasVideo(for: file.name), neighbors: names)
    }
  }
}
