extension PhotoSnapshot {
  /// How a file is, beside what the record says of it.
  package enum Condition: Sendable, Hashable {
    /// It holds what the record says.
    case asRecorded
    /// There is no such file.
    case missing
    /// It is something else.
    case changed
  }

  /// Looks at a file that the record names, which takes as long as reading it once.
  ///
  /// - Throws: ``StorageError/fileSystem(_:)`` when it cannot be read.
  package func condition(of named: Record.File) throws(StorageError) -> Condition {
    switch try contents.content(of: path(of: named)) {
    case .missing: .missing
    case .file(named.file.sha256): .asRecorded
    case .file, .somethingElse: .changed
    }
  }

  /// Where a file that the record names is, or would be.
  ///
  /// After a crash it may have a hidden name until the next transaction begins.
  package func path(of named: Record.File) -> FilePath {
    path(of: named.role) ?? finalPath(of: named)
  }

  /// Where a file that the record names is, or belongs once every change is finished.
  package func finalPath(of named: Record.File) -> FilePath { names.path(of: named.file.name) }

  /// The record of a change that was decided and not finished.
  package var pendingPath: FilePath { names.pending }

  /// Hidden files of changes that were never decided. Whoever made them is gone: as long as this
  /// snapshot's lock is held, nobody else changes the asset.
  package func leftovers() throws(StorageError) -> [FilePath] {
    try needsRecovery ? [] : names.presentStaged(contents.fileSystem)
  }
}
