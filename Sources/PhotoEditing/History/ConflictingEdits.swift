import FoundationEssentials
import SafelightFiles
import SafelightRendering
import SafelightStorage

/// Another machine's edits of a photo, in the copy of the record that a program which syncs folders made
/// because both machines edited the photo.
public struct ConflictingEdits: Sendable, Hashable {
  /// The copy of the record.
  public let path: FilePath
  /// The number of the last step of the photo's history that both machines have; 0 is the photo without
  /// edits.
  public let commonStep: Int
  /// The other machine's steps that the photo's history does not have, in order; their numbers go on from
  /// the common step's.
  public let steps: [EditHistory.Step]
  /// The name under which merging keeps the newest of them; `nil` when there is nothing to keep.
  public var versionName: String? { versionNames.first }
  /// The names under which merging keeps what only the copy has: the newest of its edits, and its versions.
  public let versionNames: [String]
  /// Whether the photo's record has everything that the copy has.
  public var isContained: Bool { versionNames.isEmpty }
}

/// What the copy of a record has and the photo's own record does not.
struct EditBranch {
  let copy: ConflictCopy
  /// The last step of the photo's history that both have.
  let commonStep: Int
  /// The steps that only the copy has, in order, each as its record has it.
  let steps: [HistoryEntry]
  /// The one of ``steps`` that is the copy's present edit, or else the last.
  let tip: HistoryEntry?
  /// The versions that only the copy has.
  let versions: [RecordedVersion]

  /// - Parameter record: The photo's own record; `nil` when it has none.
  init(_ copy: ConflictCopy, besides record: Record?) {
    self.copy = copy
    let own = RecordedStep.all(of: record)
    var places: [AdjustmentData: Int] = [:]
    for (number, step) in own.enumerated() {
      if let data = step.data { places[data] = number }
    }
    let ownVersions = record?.versions ?? []
    let kept = Set(ownVersions.map(\.adjustmentData))
    let before = Set(ownVersions.flatMap(\.earlierEdits).compactMap(\.adjustmentData))
    let other = copy.record
    let present = other.isBeginning ? [] : [other.historyEntry]
    let entries = other.history + present + other.redo.reversed()
    // Edits of an unknown form cannot be compared, so they never count as known. What shows the original needs no
    // keeping.
    func isKnown(_ entry: HistoryEntry) -> Bool {
      guard let data = entry.adjustmentData else { return false }
      return places[data] != nil || kept.contains(data) || before.contains(data)
        || entry.base == nil && data == EditStack().adjustmentData
    }
    steps = entries.filter { !isKnown($0) }
    let shared = entries.prefix(while: isKnown)
    commonStep =
      shared.reversed().lazy.compactMap { $0.adjustmentData.flatMap { places[$0] } }.first ?? 0
    tip = present.first.map(isKnown) ?? true ? steps.last : present.first
    // A version is more than its edit: somebody gave it a name. One whose name another edit has here is kept under
    // another name.
    versions = other.versions.filter { version in
      let namesake = record?.version(named: version.name)
      return namesake?.adjustmentData != version.adjustmentData
        && !(namesake != nil && kept.contains(version.adjustmentData))
    }
  }

  var isContained: Bool { steps.isEmpty && versions.isEmpty }

  /// The edits to keep under names, and the edits before each that no other place has. An edit that the copy has as a
  /// version keeps the version's name.
  ///
  /// - Parameter isTaken: Whether a version has a name, or will have it.
  func kept(
    unless isTaken: (String) -> Bool
  ) -> [(name: String, edit: HistoryEntry, earlier: [HistoryEntry])] {
    var names: Set<String> = []
    func free(_ wanted: String?) -> String {
      func isUsed(_ name: String) -> Bool { isTaken(name) || names.contains(name.lowercased()) }
      let name = wanted.flatMap { isUsed($0) ? nil : $0 } ?? copy.mark.versionName(unless: isUsed)
      names.insert(name.lowercased())
      return name
    }
    var kept: [(name: String, edit: HistoryEntry, earlier: [HistoryEntry])] = []
    var others = versions
    if let tip {
      let earlier = steps.filter { $0.adjustmentData != tip.adjustmentData }
      let index = others.firstIndex { $0.adjustmentData == tip.adjustmentData }
      kept.append((free(index.map { others.remove(at: $0).name }), tip, earlier))
    }
    for version in others { kept.append((free(version.name), version.historyEntry, [])) }
    return kept
  }
}

extension ConflictingEdits {
  init(_ branch: EditBranch, _ record: Record?) {
    path = branch.copy.path
    commonStep = branch.commonStep
    versionNames = branch.kept { record?.version(named: $0) != nil }.map(\.name)
    var before = RecordedStep.all(of: record)[branch.commonStep].stack
    var steps: [EditHistory.Step] = []
    for (index, entry) in branch.steps.enumerated() {
      let step = RecordedStep(entry)
      let stack = step.stack
      steps.append(
        EditHistory.Step(
          number: branch.commonStep + index + 1, adjustmentData: step.data, stack: stack,
          editor: step.editor, date: step.date,
          changes: before.flatMap { before in stack?.changes(since: before) }, isReachable: false))
      before = stack
    }
    self.steps = steps
  }
}

// MARK: - Calls

extension PhotoEditor {
  /// The other machines' edits of a photo that programs which sync folders left beside it. Nothing is
  /// written.
  ///
  /// - Throws: ``EditError`` when the photo is missing or its sidecar is unusable.
  public func conflictingEdits(of photo: Photo) async throws(EditError) -> [ConflictingEdits] {
    try await reading(photo) { edit, _ in
      try edit.files.conflictCopies().map { copy in
        ConflictingEdits(EditBranch(copy, besides: edit.record), edit.record)
      }
    }
  }

  /// Keeps the newest edit of another machine under a name; see ``saveVersion(named:of:replacing:dryRun:)``.
  ///
  /// - Parameters:
  ///   - name: The version's name; see ``saveVersion(named:of:replacing:dryRun:)``.
  ///   - photo: The photo that the copy is about.
  ///   - copy: The copy of the photo's record, which stays where it is.
  ///   - replacing: Whether it may take the place of a version of the same name.
  ///   - dryRun: Whether only to find out what would happen.
  /// - Throws: ``EditError/notAConflictCopy(_:photo:)`` when it is no such copy of this photo's record, or
  ///   what saving a version throws.
  @discardableResult
  public func saveVersion(
    named name: String, of photo: Photo, from copy: FilePath, replacing: Bool = false,
    dryRun: Bool = false
  ) async throws(EditError) -> EditResult {
    try await perform(
      .saveVersion(named: name, from: copy, replacing: replacing), on: photo, dryRun: dryRun)
  }

  /// Keeps the newest edits of other machines under names, and puts the copies of the record that have
  /// them into the trash of the folder. The photo's own edit and its history stay as they are.
  ///
  /// - Returns: ``EditResult/Status/unchanged`` when no copy is there; else ``EditResult/versions`` has
  ///   the names.
  /// - Throws: ``EditError``; nothing changes then.
  @discardableResult
  public func mergeConflictingEdits(
    of photo: Photo, dryRun: Bool = false
  ) async throws(EditError) -> EditResult {
    try await perform(.mergeEdits, on: photo, dryRun: dryRun)
  }
}

// MARK: - Plans

/// An edit of another machine that becomes a named version.
struct KeptEdit: Sendable {
  let name: String
  let edit: HistoryEntry
  /// The edits before it that no other place has.
  let earlier: [HistoryEntry]
  let render: NewEdit.Render
  /// Which pixels it starts from.
  let start: EditStart
}

extension OpenEdit {
  /// A plan to keep the newest edit of a copy of the record under a name.
  func planToKeep(_ path: FilePath, named name: String, replacing: Bool) throws -> EditPlan {
    let copies = try files.conflictCopies()
    guard let copy = copies.first(where: { $0.path.leadsToSameFile(as: path) }) else {
      throw EditError.notAConflictCopy(path, photo: self.path)
    }
    let record = try ownRecord()
    guard RecordedVersion.isName(name) else { throw StorageError.invalidVersionName(name) }
    let present = record.version(named: name)
    if copy.record.showsOriginal {
      throw EditError.nothingToCopy(path: copy.path, reason: .noEdit)
    }
    let edit = copy.record.historyEntry
    if let present, present.adjustmentData == edit.adjustmentData,
      let render = files.path(of: .version(present.name))
    {
      return EditPlan(
        change: .none(.sameVersion),
        report: EditResult(status: .unchanged, rendered: render, record: files.recordPath))
    }
    if let present, !replacing { throw StorageError.versionExists(self.path, present.name) }
    let branch = EditBranch(copy, besides: record)
    let earlier = branch.steps.filter { $0.adjustmentData != edit.adjustmentData }
    return try plan(
      keeping: [(present?.name ?? name, edit, earlier, copy)], of: [copy], puttingAway: [])
  }

  /// A plan to keep the newest edits of all copies of the record and to put the copies away.
  func planToMerge() throws -> EditPlan {
    let copies = try files.conflictCopies()
    if copies.isEmpty { return .nothing(.noConflict, for: self) }
    let record = try ownRecord()
    var kept: [(String, HistoryEntry, [HistoryEntry], ConflictCopy)] = []
    for copy in copies {
      // Several machines may have made the same edit.
      let branch = EditBranch(copy, besides: record)
      let versionNames = Set(branch.versions.map(\.name))
      for version in branch.kept(unless: { name in
        record.version(named: name) != nil
          || kept.contains { other in
            other.0.lowercased() == name.lowercased()
          }
      }) {
        let isKept = kept.contains { $0.1.adjustmentData == version.edit.adjustmentData }
        if isKept, !versionNames.contains(version.name) { continue }
        kept.append((version.name, version.edit, version.earlier, copy))
      }
    }
    return try plan(keeping: kept, of: copies, puttingAway: copies.map(\.path))
  }

  private func ownRecord() throws -> Record {
    try files.checkOriginal()
    if files.turnedEdits != nil { throw EditError.originalTurned(path) }
    guard let record else { throw EditError.nothingToCopy(path: path, reason: .noEdit) }
    guard !record.isForeign else {
      throw EditError.nothingToCopy(path: path, reason: .anotherProgramsEdit)
    }
    return record
  }

  private func plan(
    keeping kept: [(String, HistoryEntry, [HistoryEntry], ConflictCopy)], of copies: [ConflictCopy],
    puttingAway copied: [FilePath]
  ) throws -> EditPlan {
    let edits = try kept.map { name, edit, earlier, copy in
      let start = try start(of: edit)
      return KeptEdit(
        name: name, edit: edit, earlier: earlier,
        render: try render(of: edit, in: copy, canBeMade: start != nil),
        start: start ?? originalStart)
    }
    var report = EditResult(
      status: .edited,
      rendered: try edits.first.map { try files.plannedPath(of: .version($0.name)) },
      record: files.recordPath)
    report.versions = edits.map(\.name)
    return EditPlan(
      change: .keep(edits, of: copies.map(\.record), puttingAway: copied), report: report)
  }

  /// The pixels that an edit of another machine starts from; `nil` when they are not there.
  private func start(of edit: HistoryEntry) throws -> EditStart? {
    guard let base = edit.base else { return originalStart }
    guard base.sha256 == record?.base?.sha256, let path = files.path(of: .base),
      (try? files.check(.base)) != nil
    else { return nil }
    return EditStart(pixels: .base, path: path)
  }

  /// Where the render of another machine's edit comes from: a file of the folder that is that render, or it
  /// is rendered.
  private func render(
    of edit: HistoryEntry, in copy: ConflictCopy, canBeMade: Bool
  ) throws -> NewEdit.Render {
    if let recorded = edit.render, let path = files.file(holding: recorded) {
      return .copied(CopiedRender(recorded, at: path))
    }
    guard canBeMade, let data = edit.adjustmentData, EditStack.canHandle(data) else {
      throw EditError.renderMissing(copy.path)
    }
    let stack = try EditStack(data)
    try stack.checkIsKnown()
    let output = edit.render.map { RendererDescription($0.renderer).output } ?? .standard
    return .rendered(stack, output)
  }
}
