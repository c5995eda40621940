import SafelightStorage

/// Looks through folders for originals by their content: by size first, then by SHA-256.
struct OriginalSearch {
  let fileSystem: FileSystem
  private var roots: [(folder: FilePath, recursively: Bool)] = []

  init(fileSystem: FileSystem) {
    self.fileSystem = fileSystem
  }

  mutating func add(_ folder: FilePath, recursively: Bool) {
    roots.append((folder, recursively))
  }

  /// The files that have the content of an original, each hashed once.
  ///
  /// - Parameters:
  ///   - originals: What is sought.
  ///   - check: Called before each file; throws to stop.
  /// - Returns: Paths below the folders as they were given, by digest, in the order of their names.
  func search(
    for originals: [RecordedFile], _ check: () throws -> Void
  ) throws -> [Digest: [FilePath]] {
    let sizes = Set(originals.map(\.size))
    guard !sizes.isEmpty else { return [:] }
    let wanted = Set(originals.map(\.sha256))
    var found: [Digest: [FilePath]] = [:]
    var seen: Set<FilePath> = []
    func search(_ folder: FilePath, recursively: Bool) throws {
      guard let resolved = fileSystem.folder(at: folder) else {
        throw StorageError.originalMissing(folder)
      }
      // The same folder may be given twice, once for itself and once inside another.
      if seen.insert(resolved).inserted {
        try fileSystem.forEachNameInOrder(in: folder, where: \.mayBeOriginal) { name in
          try check()
          let path = folder.appending(name)
          // What cannot be read cannot be the photo that is looked for.
          guard let size = try? fileSystem.sizeOfFile(at: path), sizes.contains(size),
            let digest = try? fileSystem.digestOfFile(at: path), wanted.contains(digest)
          else { return }
          found[digest, default: []].append(path)
        }
      }
      guard recursively else { return }
      for name in try fileSystem.visibleFolders(in: folder) {
        do {
          try search(folder.appending(name), recursively: true)
        } catch is StorageError {
          // What the user may not look into cannot hold a photo that the user could edit.
          continue
        }
      }
    }
    for root in roots { try search(root.folder, recursively: root.recursively) }
    return found.mapValues { $0.sorted(by: <) }
  }
}
