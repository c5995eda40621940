/// Where the files of an edit are and where they go when their photo has another name or folder.
struct FileMoves {
  struct Move {
    let named: Record.File
    let source: FilePath
    let target: FilePath
    /// Whether the source is there and has to be copied.
    let isCopied: Bool
    /// Whether the file will be at its target.
    let isThere: Bool
  }

  let moves: [Move]

  /// The new name of each file by the old one.
  var names: [FilePath: FilePath] {
    Dictionary(
      moves.map { ($0.named.file.name, $0.target.lastComponent ?? $0.target) },
      uniquingKeysWith: { first, _ in first })
  }
}

extension PhotoSnapshot {
  /// Finds the places of the files that `record` names, which belong around `source`.
  ///
  /// A file that has a fitting name already stays. Nothing is written.
  /// - Parameter present: The same record under the names of this asset, when a move was begun.
  /// - Throws: ``StorageError/renderChanged(_:)`` or ``StorageError/baseChanged(_:)`` for files that
  ///   are not as recorded, ``StorageError/nameTaken(_:)``, ``StorageError/nameTooLong(_:limit:)``.
  func moves(
    of record: Record, from source: PhotoNames, alreadyAs present: Record? = nil
  ) throws(StorageError) -> FileMoves {
    guard names.record.nameFits else {
      throw .nameTooLong(names.record, limit: PhotoNames.limit)
    }
    var moves: [FileMoves.Move] = []
    for (index, named) in record.files.enumerated() {
      let from = source.path(of: named.file.name)
      let isThere = try holds(from, named)
      let target: FilePath
      var isDone = false
      if let there = present?.files[index] {
        target = names.path(of: there.file.name)
        isDone = try holds(target, there)
      } else {
        target = try freePath(for: named, keeping: from)
      }
      moves.append(
        .init(
          named: named, source: from, target: target,
          isCopied: isThere && from != target && !isDone, isThere: isThere || isDone))
    }
    return FileMoves(moves: moves)
  }

  /// Whether a file is there; when it is, it must hold what the record says.
  private func holds(_ path: FilePath, _ named: Record.File) throws(StorageError) -> Bool {
    switch try contents.content(of: path) {
    case .missing: return false
    case .file(named.file.sha256): return true
    case .file, .somethingElse: throw named.role.changed(path)
    }
  }

  private func freePath(
    for named: Record.File, keeping present: FilePath
  ) throws(StorageError) -> FilePath {
    let candidates = names.candidates(named.role.suffix).map(names.path)
    for path in candidates {
      guard path.nameFits else { throw .nameTooLong(path, limit: PhotoNames.limit) }
      if path == present { return path }
      if try !contents.exists(path) { return path }
    }
    throw .nameTaken(candidates)
  }
}
