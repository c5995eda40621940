import SafelightFiles
import SafelightStorage

/// The result of checking one photo, or one file that belongs to no photo.
///
/// ```swift
/// let check = try await editor.verify(photo)
/// if !check.isSound { print(check.problems.map(\.description)) }
/// ```
public struct PhotoCheck: Sendable, Equatable {
  /// What was checked: the original, or a file that has no photo.
  public let path: FilePath
  /// Whether there is an edit to compare with; a photo without one is fine as it is.
  public let isEdited: Bool
  /// What is wrong now.
  public let problems: [PhotoProblem]
  /// What is worth knowing and not wrong.
  public let notes: [PhotoProblem]
  /// What was wrong and has been put right.
  public let fixed: [PhotoProblem]

  /// Whether nothing is wrong.
  public var isSound: Bool { problems.isEmpty }

  init(
    _ path: FilePath, isEdited: Bool, _ findings: [PhotoProblem], fixed: [PhotoProblem] = []
  ) {
    self.path = path
    self.isEdited = isEdited
    self.fixed = fixed
    problems = findings.filter { !$0.isNote }
    notes = findings.filter(\.isNote)
  }

  /// The same after something was put right.
  func fixing(_ fixed: [PhotoProblem]) -> PhotoCheck {
    PhotoCheck(path, isEdited: isEdited, problems + notes, fixed: fixed)
  }

  /// The same with one more problem.
  func adding(_ problem: PhotoProblem) -> PhotoCheck {
    PhotoCheck(path, isEdited: isEdited, problems + [problem] + notes, fixed: fixed)
  }
}

extension PhotoCheck {
  /// Compares the files of a photo with its record, under the lock that the snapshot holds.
  ///
  /// - Parameter searching: Whether staged files are looked for even when no process seems to have
  ///   died; lists the folder.
  init(_ path: FilePath, _ snapshot: PhotoSnapshot, searching: Bool = false) throws {
    var findings = try snapshot.unfinished(searching: searching)
    guard let record = snapshot.record else {
      if let edit = ForeignEdit(around: snapshot) {
        findings.append(PhotoProblem(.editedElsewhere(edit), snapshot.original.path))
      }
      self.init(path, isEdited: false, findings)
      return
    }
    if record.isForeign {
      findings.append(PhotoProblem(.foreignSidecar, snapshot.recordPath))
    } else {
      findings += try snapshot.differences(from: record)
    }
    self.init(path, isEdited: true, findings)
  }

  /// Compares one file that the record names with what it says.
  init(_ path: FilePath, of named: Record.File, in snapshot: PhotoSnapshot) throws {
    self.init(path, isEdited: true, try [snapshot.difference(of: named)].compactMap(\.self))
  }

  /// The check of a copy of a record that a sync made of a conflict.
  init(_ copy: ConflictCopy, _ fileSystem: FileSystem) throws(StorageError) {
    let record = try LostRecord.load(of: copy.photo, fileSystem)?.record
    let data = copy.record.adjustmentData
    let conflict = PhotoProblem.Conflict(
      photo: copy.photo, stack: EditStack.canHandle(data) ? try? EditStack(data) : nil,
      date: copy.record.timestamp, isRender: false,
      isContained: record.map { EditBranch(copy, besides: $0).isContained } ?? false,
      isBesideRecord: record != nil)
    self.init(
      copy.path, isEdited: true, [PhotoProblem(.conflictCopy(conflict), copy.path)])
  }

  /// The check of a photo whose original is gone.
  ///
  /// - Parameter isLink: Whether a link is there that leads nowhere.
  init(_ lost: LostRecord, isLink: Bool = false) {
    var findings: [PhotoProblem] = []
    if lost.record?.isForeign == true {
      // Other programs name their sidecars as they like, so this one need not be this photo's.
      findings.append(PhotoProblem(.foreignSidecar, lost.path))
    } else {
      findings.append(PhotoProblem(isLink ? .originalLinkBroken : .originalMissing, lost.photo))
    }
    if lost.isPending {
      findings.append(PhotoProblem(.interrupted(canBeFinished: false), lost.path))
    }
    findings += lost.leftovers.map { PhotoProblem(.leftover(canBeRemoved: false), $0) }
    self.init(lost.photo, isEdited: true, findings)
  }
}

extension PhotoSnapshot {
  fileprivate func unfinished(searching: Bool) throws -> [PhotoProblem] {
    if needsRecovery { return [PhotoProblem(.interrupted(canBeFinished: true), pendingPath)] }
    if let error = hiddenNameTaken() {
      return [PhotoProblem(.failed(.storage(error)), original.path)]
    }
    return try leftovers(searching: searching).map {
      PhotoProblem(.leftover(canBeRemoved: true), $0)
    }
  }

  fileprivate func differences(from record: Record) throws -> [PhotoProblem] {
    var findings: [PhotoProblem] = []
    do throws(StorageError) {
      if let note = try originalNote() { findings.append(note) }
    } catch {
      guard let problem = PhotoProblem(error) else { throw error }
      findings.append(problem)
    }
    findings += record.unreadableEdits.map { part, error in
      PhotoProblem(.editUnreadable(part, error), recordPath)
    }
    let isSame = try originalLikeness() == .same
    for file in record.files {
      if let difference = try difference(of: file) {
        findings.append(difference)
      } else if isSame, try isOutdatedRender(file, of: record) {
        findings.append(PhotoProblem(.metadataOutdated, path(of: file)))
      }
    }
    return findings
  }

  /// What another program did to the original that the edit can follow; `nil` for nothing, and where nothing was
  /// rendered that could show what the original was before.
  ///
  /// - Throws: ``StorageError`` when the original is not the photo that the record is about, and the edit cannot follow.
  func originalNote() throws(StorageError) -> PhotoProblem? {
    let likeness = try originalLikeness()
    let kind: PhotoProblem.Kind
    if likeness == .samePicture {
      kind = .metadataWritten
    } else if TurnedEdits(record, likeness) != nil {
      kind = .originalTurned
    } else {
      try checkOriginal()
      return nil
    }
    let isRendered = record?.files.contains(where: \.role.isRendered) == true
    return isRendered ? PhotoProblem(kind, original.path) : nil
  }

  /// Whether a file is a render of Safelight's with the metadata that the original had before.
  private func isOutdatedRender(
    _ file: Record.File, of record: Record
  ) throws -> Bool {
    guard let data = record.edit(renderedAs: file.role), EditStack.canHandle(data) else {
      return false
    }
    return try isOutdated(file.role)
  }

  /// What is wrong with a file that the record names; `nil` when it is as recorded.
  fileprivate func difference(of named: Record.File) throws -> PhotoProblem? {
    let role = named.role
    return switch try condition(of: named) {
    case .asRecorded: nil
    case .missing:
      PhotoProblem(
        role.name.map(PhotoProblem.Kind.versionMissing)
          ?? (role.isRendered ? .renderMissing : .baseMissing), finalPath(of: named))
    case .unsynced(let content): PhotoProblem(content, at: finalPath(of: named))
    case .changed:
      PhotoProblem(role.isRendered ? .renderChanged : .baseChanged, path(of: named))
    }
  }
}

extension PhotoProblem {
  /// What is to be said of a render that has the place of another one.
  init(_ content: UnsyncedRender.Content, at path: FilePath) {
    switch content {
    case .earlierEdit: self.init(.notSynced(isNewer: false), path)
    case .newerEdit: self.init(.notSynced(isNewer: true), path)
    case .twin(let photo): self.init(.renderOfTwin(photo), path)
    }
  }
}

extension Record {
  /// Safelight's own edits in the record that cannot be read, and why.
  fileprivate var unreadableEdits: [(PhotoProblem.EditPart, AdjustmentError)] {
    var unreadable: [(PhotoProblem.EditPart, AdjustmentError)] = []
    func read(_ data: AdjustmentData?, _ part: PhotoProblem.EditPart) {
      guard let data, EditStack.canHandle(data) else { return }
      do throws(AdjustmentError) {
        _ = try EditStack(data)
      } catch {
        unreadable.append((part, error))
      }
    }
    read(adjustmentData, .present)
    for version in versions { read(version.adjustmentData, .version(version.name)) }
    for (number, step) in RecordedStep.all(of: self).enumerated()
    where number != RecordedStep.present(in: self) {
      read(step.data, .step(number))
    }
    return unreadable
  }
}
