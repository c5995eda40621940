import FoundationEssentials
import SafelightCatalog
import SafelightFiles

extension PhotoLibrary {
  /// Changes the library: all that the block's requests ask for happens, or nothing.
  ///
  /// The block runs at once. After it the library performs the requests, in their order. When the call
  /// returns the change set is on the disk, and other processes see all of it at once. A process
  /// makes one change set after the other.
  ///
  /// ```swift
  /// try await library.performChanges {
  ///   let beach = AssetCreationRequest.creationRequestForAsset(fromImageAt: "beach.jpg")
  ///   beach.isFavorite = true
  ///   let album = AssetCollectionChangeRequest.creationRequestForAssetCollection(
  ///     withTitle: "Holidays")
  ///   album.addAssets([beach.placeholderForCreatedAsset])
  /// }
  /// ```
  ///
  /// Calling this inside a block, and using a request outside of its block, are programming errors that
  /// end the program.
  ///
  /// Edits and new files are staged first, under hidden names. One transaction of the catalog then
  /// decides the whole change set. After it the staged files are renamed into place; when the process
  /// ends before that, the next opening of the library does it.
  /// - Throws: ``PhotoLibraryError``; then nothing was done.
  public func performChanges(_ changes: @Sendable () -> Void) async throws(PhotoLibraryError) {
    let requests = ChangeSet.collect(changes)
    // Waiting for the disk must not block Swift's own threads.
    let result = await withTaskExecutorPreference(ChangeExecutor.shared) {
      await outcome(of: requests)
    }
    try result.get()
  }

  /// Changes the library as ``performChanges(_:)`` does, and blocks the thread meanwhile.
  ///
  /// - Throws: ``PhotoLibraryError``; then nothing was done.
  public func performChangesAndWait(_ changes: @Sendable () -> Void) throws(PhotoLibraryError) {
    let requests = ChangeSet.collect(changes)
    try waitForResult { await self.outcome(of: requests) }.get()
  }

  private func outcome(of requests: [RequestedChange]) async -> Result<Void, PhotoLibraryError> {
    do throws(PhotoLibraryError) {
      return .success(try await perform(requests))
    } catch {
      return .failure(error)
    }
  }

  /// Performs a change set: stages its files, decides it in the catalog, and finishes its files.
  private func perform(_ requests: [RequestedChange]) async throws(PhotoLibraryError) {
    try check(requests)
    let creations = try NewAsset.all(in: requests)
    let token: Int64?
    if creations.isEmpty && !requests.contains(where: \.emptiesTrash) {
      token = try await stageEditsAndDecide(requests, stage: nil)
    } else {
      // Only one change set of this process blocks a thread to wait for other processes.
      await movingFiles.take()
      defer { movingFiles.release() }
      guard let lock = try OriginalsLock(originals, waiting: true, fileSystem) else {
        throw .busy(path)
      }
      defer { lock.release() }
      let stage = try await Stage(creations, in: lock.folder, of: self)
      defer { stage.remove() }
      token = try await stageEditsAndDecide(requests, stage: stage)
      // The change set is decided: files that cannot be moved now are moved later.
      try? await finishFileMoves([.intoPlace, .intoTrash])
      stage.removeMovedSources()
    }
    if let token { didChange(token) }
  }

  private func stageEditsAndDecide(
    _ requests: [RequestedChange], stage: Stage?
  ) async throws(PhotoLibraryError) -> Int64? {
    var edits = try StagedEdits(of: requests, except: stage, in: self)
    let token: Int64?
    do throws(PhotoLibraryError) {
      try await edits?.stage()
      token = try await decide(requests, edits?.ready ?? [], stage: stage)
    } catch {
      await edits?.drop()
      throw error
    }
    stage?.decide()
    if let edits, !edits.ready.isEmpty { await finish(edits) }
    return token
  }

  /// Makes the decided edits. What fails here is made or dropped later.
  private func finish(_ edits: StagedEdits) async {
    let made = await edits.make()
    try? await catalog.removeFileMoves(of: made)
    // The files of an edit changed in the last moment, or the disk failed.
    if made.count < edits.ready.count { try? await finishFileMoves([.edit]) }
  }

  /// Writes everything into the catalog, in one transaction without work on files.
  private func decide(
    _ requests: [RequestedChange], _ edits: [StagedEdits.Ready], stage: Stage?
  ) async throws(PhotoLibraryError) -> Int64? {
    let date = Date()
    return try await catalog.change(at: date) { (database) throws(PhotoLibraryError) in
      // The owner may have withdrawn a permission since the first check.
      let access = try checkedAccess(to: requests, in: database)
      let writer = ChangeWriter(database, in: self, at: date, stage: stage)
      for request in requests { try writer.write(request) }
      do throws(DatabaseError) { try access.select(createdBy: requests, in: database) } catch {
        throw PhotoLibraryError(error, path)
      }
      for edit in edits { try writer.write(edit) }
      return writer.changed
    }
  }

  /// This client's access, in the transaction that writes.
  ///
  /// - Throws: ``PhotoLibraryError`` when the client may not make the change set.
  private func checkedAccess(
    to requests: [RequestedChange], in database: Database
  ) throws(PhotoLibraryError) -> Access {
    let (access, refusal): (Access, PhotoLibraryError?)
    do throws(DatabaseError) {
      access = try Access(client, in: database)
      refusal = try access.refusal(of: requests, in: database)
    } catch {
      throw PhotoLibraryError(error, path)
    }
    if let refusal { throw refusal }
    return access
  }
}

extension RequestedChange {
  fileprivate var emptiesTrash: Bool {
    if case .emptyTrash = self { true } else { false }
  }
}
