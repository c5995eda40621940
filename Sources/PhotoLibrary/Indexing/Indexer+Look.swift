import FoundationEssentials
import PhotoEditing
import SafelightStorage

extension Indexer {
  /// What one look works with.
  struct Look {
    var roots: [FilePath] = []
    var known: [FilePath: KnownFolder] = [:]
    var children: [FilePath: [FilePath]] = [:]
    var jobs: [IndexingJob] = []
    var missing: [(row: Int64, path: FilePath)] = []
    var listed: [FilePath: Int64?] = [:]
    var visited: Set<FilePath> = []
    var result = IndexingResult()
    var restoring: [FilePath: String]?
    /// Photos that are looked at by themselves, by their folders.
    var singles: [FilePath: Set<FilePath>] = [:]
    let changed: @Sendable (Int64) -> Void
    let progress: IndexingProgress?
  }
}

extension Indexer.Look {
  /// The folders that were added, and those with single photos in them.
  var everything: [FilePath] {
    (roots + known.keys.filter { !isWhole($0) }).sorted(by: <)
  }

  /// Whether everything in a folder belongs to the library.
  func isWhole(_ folder: FilePath) -> Bool {
    roots.contains { folder == $0 || folder.isInside($0) }
  }

  mutating func count(_ batch: IndexedBatch) {
    result.added += batch.added
    result.updated += batch.updated
    result.moved += batch.moved
    result.removed += batch.removed
    if let token = batch.token { changed(token) }
    progress?(result)
  }
}
