import SafelightFiles

extension PhotoLibrary {
  /// Scans all folders of the library, and then each folder that changes, until ``stopWatching()`` or the end
  /// of the library. Folders that any process adds later are watched too.
  ///
  /// - Throws: ``PhotoLibraryError``; ``PhotoLibraryError/catalog(_:detail:)`` when the kernel does not allow
  ///   a watch for each folder. Nothing is watched then; call ``scan(progress:)`` now and then instead.
  public func startWatching() async throws(PhotoLibraryError) {
    try access.checkWhole()
    let (roots, flat) = try await watchedFolders()
    let watch: FolderWatch
    do {
      watch = try FolderWatch(roots, flat: flat) { [weak self] due in
        Task { [weak self] in await self?.handle(due) }
      }
    } catch {
      throw .catalog(path, detail: "its folders cannot be watched: \(error.description)")
    }
    self.watch.withLock { $0 = watch }
    notices.followFolders { [weak self] in
      Task { [weak self] in await self?.followFolders() }
    }
    // Finds the changes from before the watch.
    _ = try await scan(through: nil)
  }

  /// The folders that are watched with the folders in them, and the folders of photos that were added by
  /// themselves.
  private func watchedFolders() async throws(PhotoLibraryError) -> ([FilePath], [FilePath]) {
    let folders = try await catalog.folders()
    let roots = folders.filter(\.isRoot).map(\.path)
    return (roots, folders.map(\.path).filter { !$0.isAmong(roots) })
  }

  private func followFolders() async {
    guard let watch = watch.withLock(\.self), let (roots, flat) = try? await watchedFolders()
    else { return }
    // When a folder cannot be watched, a later scan finds its changes.
    try? watch.cover(roots, flat: flat)
  }

  /// Ends the watch. A running scan is finished.
  public func stopWatching() {
    notices.followFolders(nil)
    watch.withLock { watch in
      watch?.stop()
      watch = nil
    }
  }

  private func handle(_ due: FolderWatch.Due) async {
    // The user may have withdrawn access since the watch began.
    guard access.visibility == .all else { return stopWatching() }
    // When a scan fails now, for example because the catalog is busy, the next scan finds the changes.
    if due.all {
      _ = try? await scan(through: nil)
    } else {
      let flat = due.flat.subtracting(due.deep)
      _ = try? await scan(through: due.flat.union(due.deep).sorted(by: <), flat: flat)
    }
  }
}
