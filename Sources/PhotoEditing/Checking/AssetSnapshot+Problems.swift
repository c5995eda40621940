import SafelightStorage

extension AssetCheck {
  /// Compares the files of an asset with its record, under the lock that the snapshot holds.
  init(_ path: FilePath, _ snapshot: AssetSnapshot) throws {
    var findings = try snapshot.unfinished()
    guard let record = snapshot.record else {
      self.init(path, isEdited: false, findings)
      return
    }
    if record.isForeign {
      findings.append(AssetProblem(.foreignSidecar, snapshot.recordPath))
    } else {
      findings += try snapshot.differences(from: record)
    }
    self.init(path, isEdited: true, findings)
  }

  /// Compares one file that the record names with what it says.
  init(_ path: FilePath, _ named: Record.File, _ snapshot: AssetSnapshot) throws {
    self.init(path, isEdited: true, try [snapshot.difference(of: named)].compactMap(\.self))
  }

  /// What can be said of an asset whose original is gone.
  init(_ lost: LostRecord) {
    var findings: [AssetProblem] = []
    if lost.record?.isForeign == true {
      // Other programs name their sidecars as they like, so this one need not be this photo's.
      findings.append(AssetProblem(.foreignSidecar, lost.path))
    } else {
      findings.append(AssetProblem(.originalMissing, lost.photo))
    }
    if lost.isPending {
      findings.append(AssetProblem(.interrupted(canBeFinished: false), lost.path))
    }
    findings += lost.leftovers.map { AssetProblem(.leftover(canBeRemoved: false), $0) }
    self.init(lost.photo, isEdited: true, findings)
  }
}

extension AssetSnapshot {
  fileprivate func unfinished() throws -> [AssetProblem] {
    if needsRecovery { return [AssetProblem(.interrupted(canBeFinished: true), pendingPath)] }
    return try leftovers().map { AssetProblem(.leftover(canBeRemoved: true), $0) }
  }

  fileprivate func differences(from record: Record) throws -> [AssetProblem] {
    var findings: [AssetProblem] = []
    do throws(StorageError) {
      try checkOriginal()
    } catch {
      guard let problem = AssetProblem(error) else { throw error }
      findings.append(problem)
    }
    return try findings + record.files.compactMap { try difference(of: $0) }
  }

  /// What is wrong with a file that the record names; `nil` when it is as recorded.
  fileprivate func difference(of named: Record.File) throws -> AssetProblem? {
    switch (try condition(of: named), named.role) {
    case (.asRecorded, _): nil
    case (.missing, .render): AssetProblem(.renderMissing, finalPath(of: named))
    case (.missing, .base): AssetProblem(.baseMissing, finalPath(of: named))
    case (.missing, .version(let name)):
      AssetProblem(.versionMissing(name), finalPath(of: named))
    case (.changed, .render), (.changed, .version): AssetProblem(.renderChanged, path(of: named))
    case (.changed, .base): AssetProblem(.baseChanged, path(of: named))
    }
  }
}
