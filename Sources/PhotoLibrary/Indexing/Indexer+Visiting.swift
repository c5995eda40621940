import PhotoEditing

extension Indexer {
  func isLookedInto(_ folder: FilePath) -> Bool {
    folder != library && folder.lastComponent?.bytes.first != UInt8(ascii: ".")
  }

  /// Compares one folder with the catalog; the folders in it are returned.
  func visit(
    _ folder: FilePath, _ look: inout Look
  ) async throws(PhotoLibraryError) -> [FilePath] {
    let known = look.known[folder]
    var files: [KnownFile] = []
    if let known { files = try await catalog.files(in: known.row) }
    var names: Set<FilePath>?
    if !look.isWhole(folder) {
      names = look.singles[folder, default: []].union(files.map(\.name))
    }
    let scan: FolderScan
    do {
      scan = try FolderScan(folder, known: files, listed: known?.listed, only: names)
    } catch {
      // A folder that is gone is told from one that cannot be read by its parent's names.
      if look.roots.contains(folder) || names != nil || FileTrace(folder) != nil {
        look.result.unavailable.append(folder)
      } else {
        look.missing += files.filter { !$0.isTrashed }.map { ($0.row, folder.appending($0.name)) }
      }
      return []
    }
    // An empty root that had photos is a disk that is not mounted.
    if scan.count == 0, look.roots.contains(folder) || names != nil,
      hadPhotos(below: folder, files, look)
    {
      look.result.unavailable.append(folder)
      return []
    }
    look.jobs += scan.jobs
    look.missing += scan.missing.map { ($0.row, folder.appending($0.name)) }
    guard names == nil else { return [] }
    if known == nil || scan.listed != known?.listed { look.listed[folder] = .some(scan.listed) }
    return scan.folders ?? look.children[folder] ?? []
  }

  private func hadPhotos(below root: FilePath, _ files: [KnownFile], _ look: Look) -> Bool {
    !files.isEmpty || look.children[root]?.isEmpty == false
  }

  /// The photos of folders that are not there any more.
  func findVanished(
    below starts: [FilePath], _ look: inout Look
  ) async throws(PhotoLibraryError) {
    let unavailable = look.result.unavailable
    let gone = look.known.values.filter { folder in
      !look.visited.contains(folder.path) && !folder.isRoot
        && starts.contains { folder.path.isInside($0) }
        && !unavailable.contains { folder.path == $0 || folder.path.isInside($0) }
        && !folder.path.isFolder
    }
    for folder in gone {
      for file in try await catalog.files(in: folder.row) where !file.isTrashed {
        look.missing.append((file.row, folder.path.appending(file.name)))
      }
    }
  }
}
