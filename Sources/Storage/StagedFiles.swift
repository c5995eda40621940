import FoundationEssentials
import SafelightFiles

/// A file that waits under a hidden name, flushed to the disk, to become part of the photo.
package struct StagedFile: Sendable, Hashable {
  /// Its length in bytes.
  package let size: Int64
  /// The SHA-256 of its bytes.
  package let sha256: Digest
  /// Where it waits. It is readable there until the transaction is over.
  package let path: FilePath

  let role: FileRole

  func recorded(at path: FilePath) -> RecordedFile {
    RecordedFile(name: path.lastComponent ?? path, size: size, sha256: sha256)
  }
}

/// A rendered JPEG that is staged: of the present edit, or of the named version that it was staged for.
package struct StagedRender: Sendable {
  let file: StagedFile
  let pixelWidth: Int
  let pixelHeight: Int
  let renderer: String
  package let isLossless: Bool

  /// A render with its columns and rows, name and version of what rendered it, and whether it has the coefficients of the
  /// JPEG that it was made from.
  package init(
    _ file: StagedFile, pixelWidth: Int, pixelHeight: Int, renderer: String,
    isLossless: Bool = false
  ) {
    self.file = file
    (self.pixelWidth, self.pixelHeight, self.renderer) = (pixelWidth, pixelHeight, renderer)
    self.isLossless = isLossless
  }

  func recorded(at path: FilePath) -> RecordedRender {
    RecordedRender(
      file: file.recorded(at: path), pixelWidth: pixelWidth, pixelHeight: pixelHeight,
      renderer: renderer, isLossless: isLossless)
  }
}

extension Transaction {
  /// Stages the rendered JPEG that `write` produces, and returns what `write` returns with it.
  ///
  /// Checks first that the render will have a name and that nobody retouched the present one, so
  /// that no time is lost on a render that cannot be committed. Staging again replaces the file.
  /// - Parameters:
  ///   - version: The named version whose render it is; `nil` for the present edit's.
  ///   - write: Puts the JPEG into the sink, from the first byte to the last.
  /// - Throws: ``StorageError``, and what `write` throws. Nothing is left behind then.
  package func stageReportedRender<Report>(
    of version: String? = nil, _ write: (FileSink) throws -> Report
  ) throws -> (file: StagedFile, report: Report) {
    let role = FileRole.render(of: version)
    let sink = try openSink(role)
    do {
      let report = try write(sink)
      return (try finish(sink, role), report)
    } catch {
      discard(sink)
      throw (error as? FileSystemError).map(StorageError.fileSystem) ?? error
    }
  }

  /// Stages a copy of a render that is staged, as that of a named version.
  package func stageCopy(
    of render: StagedRender, forVersion name: String
  ) throws(StorageError) -> StagedRender {
    StagedRender(
      try stageCopy(of: render.file.path, as: .version(name)), pixelWidth: render.pixelWidth,
      pixelHeight: render.pixelHeight, renderer: render.renderer, isLossless: render.isLossless)
  }

  /// Stages a copy of the current render as the base of the edit to come.
  ///
  /// - Throws: ``StorageError/renderMissing(_:)`` without a render,
  ///   ``StorageError/renderChanged(_:)`` when it is not the one that was rendered.
  package func stageBaseFromCurrentRender() throws(StorageError) -> StagedFile {
    guard let render = snapshot.render, let recorded = record?.render?.file else {
      throw .renderMissing(original.path)
    }
    let staged = try stageCopy(of: render, as: .base)
    guard staged.sha256 == recorded.sha256 else {
      discard(staged.path)
      throw .renderChanged(render)
    }
    return staged
  }

  /// Stages a copy of a file that was written elsewhere and stays where it is.
  ///
  /// - Throws: ``StorageError``. Nothing is left behind then.
  package func stageCopy(
    of source: FilePath, as role: FileRole
  ) throws(StorageError) -> StagedFile {
    let sink = try openSink(role)
    do throws(StorageError) {
      try onDisk { () throws(FileSystemError) in
        let file = try fileSystem.openReadOnly(try fileSystem.resolve(source))
        try fileSystem.readChunks(of: file) { (chunk) throws(FileSystemError) in
          try sink.write(chunk)
        }
      }
      return try finish(sink, role)
    } catch {
      discard(sink)
      throw error
    }
  }

  /// Stages the video of a Live Photo with an edit.
  ///
  /// - Throws: ``StorageError``. Nothing is left behind then.
  package func stageVideo(_ bytes: [UInt8]) throws(StorageError) -> StagedFile {
    try stage(bytes, as: .video)
  }

  /// Writes the base photo that the new edit starts from to a temporary file, which the commit puts in its place.
  ///
  /// - Throws: ``StorageError``; the temporary file is gone then.
  package func stageBase(_ bytes: [UInt8]) throws(StorageError) -> StagedFile {
    try stage(bytes, as: .base)
  }

  private func stage(_ bytes: [UInt8], as role: FileRole) throws(StorageError) -> StagedFile {
    let sink = try openSink(role)
    do throws(StorageError) {
      try onDisk { () throws(FileSystemError) in try sink.write(bytes) }
      return try finish(sink, role)
    } catch {
      discard(sink)
      throw error
    }
  }

  /// Stages a sidecar that a revert puts back.
  func stageSidecar(_ bytes: Data) throws(StorageError) -> StagedFile {
    let sink = try stagingSink(stagedPath(.sidecar))
    do throws(StorageError) {
      try onDisk { () throws(FileSystemError) in try sink.write(Array(bytes)) }
      return try finish(sink, .sidecar)
    } catch {
      discard(sink)
      throw error
    }
  }

  private func openSink(_ role: FileRole) throws(StorageError) -> FileSink {
    try requireOpen()
    _ = try snapshot.plannedPath(role)
    let path = stagedPath(role)
    discard(path)
    return try stagingSink(path)
  }

  private func finish(
    _ sink: FileSink, _ role: FileRole
  ) throws(StorageError) -> StagedFile {
    let path = stagedPath(role)
    let (size, sha256) = try onDisk { () throws(FileSystemError) in
      let finished = try sink.finish()
      try remember(path, finished.sha256)
      return finished
    }
    let file = StagedFile(size: size, sha256: sha256, path: path, role: role)
    state.withLock { $0.staged[role] = file }
    return file
  }

  /// The hidden path of a file that this transaction stages.
  func stagedPath(_ role: FileRole) -> FilePath {
    let index = role.name.map(stagedIndex(ofVersion:))
    return names.staged(HiddenFile.StagedKind(role.kind, index), token: token)
  }
}

// MARK: - What is staged

extension Transaction {
  /// The place of a version among those that are staged, to which it is added.
  func stagedIndex(ofVersion name: String) -> Int {
    state.withLock { state in
      if let index = state.versions.firstIndex(of: name) { return index }
      state.versions.append(name)
      return state.versions.count - 1
    }
  }

  /// The versions whose renders come with the change.
  var stagedVersions: [String] { state.withLock { $0.versions } }

  /// What is staged, as a record tells it.
  var staging: Staging {
    state.withLock { state in
      Staging(roles: FileRole.single.filter { state.staged[$0] != nil })
    }
  }

  /// The file that is staged for a role; `nil` when there is none.
  func stagedFile(_ role: FileRole) -> StagedFile? { state.withLock { $0.staged[role] } }

  func isStaged(_ file: StagedFile, as role: FileRole) -> Bool { stagedFile(role) == file }

  /// The files that this transaction staged, under their hidden names.
  var made: [FilePath] { state.withLock { Array($0.made.keys) } }

  /// Forgets the staged files, because they belong to the pending record from now on: the change is settled.
  func handOverStaged() {
    state.withLock { state in
      state.progress = .settled
      state.staged = [:]
      state.made = [:]
    }
  }

  /// Leaves a claim behind, so that the next transaction removes the staged files.
  func leaveStagedFiles() {
    state.withLock { $0.leavesStagedFiles = true }
  }

  /// Removes the files that this transaction staged, and drops the change that it holds.
  func discardStaged() {
    for path in made { discard(path) }
    state.withLock { state in
      (state.staged, state.versions) = ([:], [])
      if case .held = state.progress { state.progress = .settled }
    }
  }

  /// Removes a file that this transaction staged, unless the path has another file.
  private func discard(_ path: FilePath) {
    guard let made = state.withLock({ $0.made.removeValue(forKey: path) }) else { return }
    do {
      guard try fileSystem.status(of: path)?.isSameFile(as: made) == true else { return }
      try fileSystem.unlink(path)
    } catch {
      leaveStagedFiles()
    }
  }

  /// Removes a file that is being staged.
  func discard(_ sink: FileSink) {
    if !sink.discard() { leaveStagedFiles() }
  }

  /// Notes a staged file that is whole, so that it is removed unless the change is decided.
  func remember(_ path: FilePath, _ sha256: Digest) throws(FileSystemError) {
    guard let status = try fileSystem.status(of: path) else { return }
    state.withLock { $0.made[path] = status }
    contents.note(sha256, of: path, status)
  }

  /// Makes a file under a hidden name that nobody may read who may not read the original, or the
  /// sidecar that is there.
  func stagingSink(_ path: FilePath) throws(StorageError) -> FileSink {
    let present = snapshot.sidecar?.status.modeOfCompanion ?? 0o666
    let mode = original.status.modeOfCompanion & present
    return try onDisk { () throws(FileSystemError) in
      let sink = try FileSink(
        named: path.lastComponent ?? path, in: fileSystem.folder(names.folder), mode: 0o600)
      do throws(FileSystemError) {
        try sink.admit(mode, like: original.file)
      } catch {
        discard(sink)
        throw error
      }
      return sink
    }
  }
}

// MARK: - Where renders go

extension Transaction {
  /// Where the render goes. A new name is claimed until the transaction ends, because a photo with
  /// the same stem may be about to take it.
  func claimedRenderPath() throws(StorageError) -> FilePath {
    let planned = try snapshot.plannedPath(.render)
    if try contents.exists(planned) { return planned }
    let candidates = try snapshot.newPaths(.render)
    for path in candidates {
      guard path.nameFits else { throw .nameTooLong(path, limit: PhotoNames.limit) }
      if try contents.exists(path) { continue }
      let names = PhotoNames(path)
      try names.checkClaimsName(fileSystem)
      let claim = try onDisk { () throws(FileSystemError) in try Claim.take(names, fileSystem) }
      guard let claim else { continue }
      // A process that died may have decided that its render gets the name.
      let isDoubtful = claim.isLeftOver && path != candidates.last
      let isTaken = try contents.exists(path)
      if isDoubtful || isTaken {
        claim.release(leavingFile: isDoubtful)
        continue
      }
      state.withLock { $0.claims.append(claim) }
      return path
    }
    throw .nameTaken(names.candidates(FileRole.render.suffix).map(names.path))
  }
}
