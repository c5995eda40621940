import Dispatch
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
  /// The block may read and change the caller's variables, and its result is the call's. When the block
  /// throws, the error is passed on and nothing is done.
  ///
  /// Calling this inside a block, and using a request outside of its block, are programming errors that
  /// end the program.
  ///
  /// A client about which nothing is decided waits until the user has answered the library's prompt.
  ///
  /// Edits and new files are staged first, under hidden names. One transaction of the catalog then
  /// decides the whole change set. After it the staged files are renamed into place; when the process
  /// ends before that, the next opening of the library does it.
  /// - Throws: ``PhotoLibraryError``; then nothing was done.
  @discardableResult
  public nonisolated(nonsending) func performChanges<Value>(
    _ changes: () -> Value
  ) async throws(PhotoLibraryError) -> Value {
    let (value, requests) = ChangeSet.collect(for: snapshots.path, changes)
    try await make(requests)
    return value
  }

  /// Changes the library, and calls a handler at the end. The block runs at once, on the calling thread.
  ///
  /// - Parameters:
  ///   - changes: Makes the requests; what it throws goes to the handler.
  ///   - completionHandler: Called on a thread of the library with `true`, or with `false` and the reason why
  ///     nothing was done. It has no default, because at the top level of a program Swift would take
  ///     this function for the asynchronous one.
  public func performChanges(
    _ changes: () throws -> Void,
    completionHandler: (@Sendable (Bool, (any Error)?) -> Void)?
  ) {
    do {
      let (_, requests) = try ChangeSet.collect(for: snapshots.path, changes)
      Task(executorPreference: ChangeExecutor.shared) {
        do throws(PhotoLibraryError) {
          try await self.perform(requests)
          completionHandler?(true, nil)
        } catch {
          completionHandler?(false, error)
        }
      }
    } catch {
      DispatchQueue.global().async { completionHandler?(false, error) }
    }
  }

  /// Changes the library as the asynchronous `performChanges` does, and blocks the thread meanwhile. It does
  /// not wait for the user: a client without a decision gets an error, and the user is asked meanwhile.
  ///
  /// - Throws: ``PhotoLibraryError``; then nothing was done.
  @discardableResult
  public func performChangesAndWait<Value>(
    _ changes: () -> Value
  ) throws(PhotoLibraryError) -> Value {
    let (value, requests) = ChangeSet.collect(for: snapshots.path, changes)
    try waitForEnd { () async throws(PhotoLibraryError) in
      try await self.perform(requests, waitsForUser: false)
    }
    return value
  }

  fileprivate nonisolated(nonsending) func make(
    _ requests: Result<[RequestedChange], PhotoLibraryError>
  ) async throws(PhotoLibraryError) {
    // Waiting for the disk must not block Swift's own threads.
    try await withTaskExecutorPreference(ChangeExecutor.shared) {
      () async throws(PhotoLibraryError) in try await perform(requests)
    }
  }

  /// - Parameter waitsForUser: Whether a client without a decision waits until the user has answered.
  fileprivate func perform(
    _ requests: Result<[RequestedChange], PhotoLibraryError>, waitsForUser: Bool = true
  ) async throws(PhotoLibraryError) {
    let requests = try requests.get()
    try snapshots.checkPresence()
    if isReadOnly { throw PhotoLibraryError(.openedToRead, path) }
    try await checkAccess(to: requests, waitsForUser: waitsForUser)
    try await perform(requests)
  }

  /// Throws unless this client may make a change set. Asks the user when there is no decision yet.
  private func checkAccess(
    to requests: [RequestedChange], waitsForUser: Bool
  ) async throws(PhotoLibraryError) {
    do throws(PhotoLibraryError) {
      try check(requests)
    } catch {
      guard case .accessNotDetermined = error else { throw error }
      let level = Access.level(for: requests)
      if !waitsForUser {
        askOnce(for: level)
        throw error
      }
      try await askOnceAndWait(for: level)
      try check(requests)
    }
  }

  /// Performs a change set: stages its files, decides it in the catalog, and finishes its files.
  private func perform(_ requests: [RequestedChange]) async throws(PhotoLibraryError) {
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
      // The change set is decided: files that cannot be moved now are moved later, and wait in `recovery`.
      _ = try? await finishFileMoves([.intoPlace, .intoTrash])
      try? noteFileMoves([.intoPlace, .intoTrash])
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
    if made.count < edits.ready.count { _ = try? await finishFileMoves([.edit]) }
  }

  /// Writes everything into the catalog, in one transaction without work on files.
  private func decide(
    _ requests: [RequestedChange], _ edits: [StagedEdits.Ready], stage: Stage?
  ) async throws(PhotoLibraryError) -> Int64? {
    let date = Date()
    return try await catalog.change(at: date) { database in
      // The owner may have withdrawn a permission since the first check.
      let access = try checkedAccess(to: requests, in: database)
      let writer = ChangeWriter(database, in: self, at: date, stage: stage)
      for request in requests { try writer.write(request) }
      try access.select(createdBy: requests, in: database)
      for edit in edits { try writer.write(edit) }
      return writer.changed
    }
  }

  /// This client's access, in the transaction that writes.
  ///
  /// - Throws: ``PhotoLibraryError`` when the client may not make the change set.
  private func checkedAccess(
    to requests: [RequestedChange], in database: Database
  ) throws -> Access {
    let access = try Access(client, in: database)
    if let refusal = try access.refusal(of: requests, in: database) { throw refusal }
    return access
  }
}

// Swift takes these for blocks that throw.
extension PhotoLibrary {
  /// Changes the library; for a block that throws.
  ///
  /// - Throws: What the block throws, or ``PhotoLibraryError``; then nothing was done.
  @discardableResult
  public nonisolated(nonsending) func performChanges<Value>(
    _ changes: () throws -> Value
  ) async throws -> Value {
    let (value, requests) = try ChangeSet.collect(for: snapshots.path, changes)
    try await make(requests)
    return value
  }

  /// Changes the library and blocks the thread meanwhile; for a block that throws.
  ///
  /// - Throws: What the block throws, or ``PhotoLibraryError``; then nothing was done.
  @discardableResult
  public func performChangesAndWait<Value>(_ changes: () throws -> Value) throws -> Value {
    let (value, requests) = try ChangeSet.collect(for: snapshots.path, changes)
    try waitForEnd { () async throws(PhotoLibraryError) in
      try await self.perform(requests, waitsForUser: false)
    }
    return value
  }
}

extension RequestedChange {
  fileprivate var emptiesTrash: Bool {
    if case .emptyTrash = self { true } else { false }
  }
}
