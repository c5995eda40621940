import FoundationEssentials

extension Transaction {
  /// Stages the rendered JPEG that `write` produces.
  ///
  /// Checks first that the render will have a name and that nobody retouched the present one, so
  /// that no time is lost on a render that cannot be committed. Staging again replaces the file.
  /// - Parameter write: Puts the JPEG into the sink, from the first byte to the last.
  /// - Throws: ``StorageError``, and what `write` throws. Nothing is left behind then.
  public func stageRender(_ write: (FileSink) throws -> Void) throws -> StagedFile {
    let sink = try openSink(.render)
    do {
      try write(sink)
      return try finish(sink, .render)
    } catch {
      discard(.render)
      throw error
    }
  }

  /// Stages a copy of a rendered JPEG that was written elsewhere.
  ///
  /// - Parameter source: The JPEG; it stays where it is.
  /// - Throws: ``StorageError``. Nothing is left behind then.
  public func stageRender(copying source: FilePath) throws(StorageError) -> StagedFile {
    try stageCopy(of: source, as: .render)
  }

  /// Stages a copy of the current render as the base of the edit to come.
  ///
  /// - Throws: ``StorageError/renderMissing(_:)`` without a render,
  ///   ``StorageError/renderChanged(_:)`` when it is not the one that was rendered.
  public func stageBaseFromCurrentRender() throws(StorageError) -> StagedFile {
    guard let render = snapshot.render, let recorded = record?.render?.file else {
      throw .renderMissing(original.path)
    }
    let staged = try stageCopy(of: render, as: .base)
    guard staged.sha256 == recorded.sha256 else {
      discard(.base)
      throw .renderChanged(render)
    }
    return staged
  }

  func stageCopy(
    of source: FilePath, as role: StagedFile.Role
  ) throws(StorageError) -> StagedFile {
    let sink = try openSink(role)
    do {
      try onDisk { () throws(FileSystemError) in
        let file = try fileSystem.openReadOnly(try fileSystem.resolve(source))
        try fileSystem.readChunks(of: file) { (chunk) throws(FileSystemError) in
          try sink.append(chunk)
        }
      }
      return try finish(sink, role)
    } catch {
      discard(role)
      throw error
    }
  }

  /// Stages a sidecar that a revert puts back.
  func stageSidecar(_ bytes: Data) throws(StorageError) -> StagedFile {
    do {
      let sink = try onDisk { () throws(FileSystemError) in
        try FileSink(creating: stagedPath(.sidecar), fileSystem)
      }
      try sink.write(Array(bytes))
      return try finish(sink, .sidecar)
    } catch {
      discard(.sidecar)
      throw error
    }
  }

  private func openSink(_ role: StagedFile.Role) throws(StorageError) -> FileSink {
    try requireOpen()
    _ = try snapshot.plannedPath(role)
    return try onDisk { () throws(FileSystemError) in
      try fileSystem.unlink(stagedPath(role))
      return try FileSink(creating: stagedPath(role), fileSystem)
    }
  }

  private func finish(
    _ sink: FileSink, _ role: StagedFile.Role
  ) throws(StorageError) -> StagedFile {
    let staged = try onDisk { () throws(FileSystemError) in try sink.finish(role) }
    remember(staged)
    return staged
  }

  private func stagedPath(_ role: StagedFile.Role) -> FilePath {
    switch role {
    case .file(let role): names.staged(role)
    case .sidecar: names.stagedSidecar
    }
  }

  private func discard(_ role: StagedFile.Role) {
    try? fileSystem.unlink(stagedPath(role))
  }
}
