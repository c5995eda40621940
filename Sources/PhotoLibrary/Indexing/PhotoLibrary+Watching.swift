import PhotoEditing
import SafelightCatalog
import SafelightFiles
import SafelightStorage

extension PhotoLibrary {
  /// Looks through all folders that were added, and from now on through those that change, until
  /// ``stopWatching()`` or the end of the library. Folders that are added or removed meanwhile, in this
  /// process or another, are followed.
  ///
  /// - Throws: ``PhotoLibraryError``; ``PhotoLibraryError/catalog(_:detail:)`` when the kernel
  ///   allows no more watches, one for each folder; then nothing is watched, and
  ///   ``scan(progress:)`` does it.
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
    // What changed while nobody watched.
    _ = try await scan(through: nil)
  }

  /// The folders that are watched with all in them, and those of single photos.
  private func watchedFolders() async throws(PhotoLibraryError) -> ([FilePath], [FilePath]) {
    let folders = try await catalog.folders()
    let roots = folders.filter(\.isRoot).map(\.path)
    let flat = folders.map(\.path).filter { folder in
      !roots.contains { folder == $0 || folder.isInside($0) }
    }
    return (roots, flat)
  }

  private func followFolders() async {
    guard let watch = watch.withLock(\.self), let (roots, flat) = try? await watchedFolders()
    else { return }
    // Without a watch for all of them, a scan finds what changes.
    try? watch.cover(roots, flat: flat)
  }

  /// Ends what ``startWatching()`` began. Folders that are being looked through already are finished.
  public func stopWatching() {
    notices.followFolders(nil)
    watch.withLock { watch in
      watch?.stop()
      watch = nil
    }
  }

  private func handle(_ due: FolderWatch.Due) async {
    // The user may have taken back what was allowed when the watch began.
    guard access.visibility == .all else { return stopWatching() }
    // What fails now, such as a busy catalog, is found by the next look.
    if due.all {
      _ = try? await scan(through: nil)
    } else {
      let flat = due.flat.subtracting(due.deep)
      _ = try? await scan(through: due.flat.union(due.deep).sorted(by: <), flat: flat)
    }
  }
}
