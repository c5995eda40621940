import FoundationEssentials
import SafelightAdjustments
import SafelightFiles
import SafelightFormats

/// What a sidecar says: the edit, the files that belong to it, and what was there before.
///
/// An XML property list with the keys of Apple's AAE files at the top level, and Safelight's own in
/// the dictionary `safelight` beside them. Keys that this version does not know are carried over
/// from record to record, byte for byte. A record without `safelight` is another program's: it has
/// neither ``original`` nor ``render``.
package struct Record: Sendable {
  /// The newest version of Safelight's part that this library reads. It writes version 1 for
  /// records without named versions and videos, 2 for those with versions, and 3 for those with a video,
  /// because an older program would leave these files behind when it reverts.
  package static let version = 3
  /// Most bytes that a sidecar may have: 64 MiB.
  package static let maximumSize = 64 << 20
  /// How many of Safelight's own earlier edits a record keeps.
  package static let maximumHistory = 100

  /// The edit.
  package internal(set) var adjustmentData: AdjustmentData
  /// The program that made it, by its bundle identifier; `nil` when not recorded.
  package let editorBundleID: String?
  /// When it was committed, to the second; `nil` when not recorded.
  package let timestamp: Date?
  /// The original as it was; `nil` in another program's record.
  package internal(set) var original: RecordedFile?
  /// The SHA-256 of the original's picture alone, which other programs' metadata do not change; `nil`
  /// for pictures whose parts are not known.
  package internal(set) var picture: Digest?
  /// The files of the edit of which there is one, by role.
  var members: [FileRole: RecordedMember] = [:]
  /// Where the photo ``showsOriginal``, the render that went: a program that does not know records
  /// without a render takes it for a missing one. `nil` otherwise.
  var formerRender: RecordedRender?
  /// The edits before this one, oldest first.
  package internal(set) var history: [HistoryEntry] = []
  /// The edits that were undone, in the order in which they were undone.
  package internal(set) var redo: [HistoryEntry] = []
  /// The edits that were kept under a name, in the order in which they were saved.
  package internal(set) var versions: [RecordedVersion] = []
  /// The SHA-256 of the render that this edit's render replaced; `nil` when there was none.
  package internal(set) var replaces: Digest?
  /// Renders of edits that the record told of before and tells of no more, oldest first.
  var earlierRenders: [Digest] = []

  /// The sidecar of another program that was there before the first edit, all its bytes; `nil`
  /// when there was none, and in another program's record. Reverting the edit puts it back.
  package internal(set) var replacedSidecar: Data?

  /// The SHA-256 of the sidecar that this record takes the place of; `nil` when there was none.
  var replacesRecord: Digest?
  /// The names of the versions whose renders came with this record.
  var newVersions: [String] = []
  /// The files that were staged with this record; `nil` in records that do not tell.
  var staging: Staging?
  /// Keys at the top level that this version does not know.
  var unknown: [PropertyList.Entry] = []
  /// Keys inside `safelight` that this version does not know.
  var unknownOwn: [PropertyList.Entry] = []
  /// The top level as it was read; `nil` for a record made here.
  var parsed: [PropertyList.Entry]?

  /// The rendered JPEG; `nil` in another program's record, and where the photo ``showsOriginal``.
  package var render: RecordedRender? { members[.render]?.render }
  /// The pixels that the edit starts from; `nil` when it starts from the original.
  package var base: RecordedFile? { members[.base]?.file }

  /// Whether another program wrote it.
  package var isForeign: Bool { original == nil }

  /// What ``replacedSidecar`` says. It was checked when this record was read.
  var replacedRecord: Record? {
    replacedSidecar.flatMap { bytes in try? Record(parsing: Array(bytes)) }
  }

  /// A record for a new edit, on top of what `earlier` said.
  init(
    _ adjustmentData: AdjustmentData, editorBundleID: String?, timestamp: Date?,
    original: RecordedFile?, picture: Digest? = nil, members: [FileRole: RecordedMember],
    history: [HistoryEntry], redo: [HistoryEntry], versions: [RecordedVersion] = [],
    newVersions: [String] = [], staging: Staging? = nil, replaces: Digest?,
    replacesRecord: Digest?, replacedSidecar: Data?, carryingOver earlier: Record?
  ) {
    self.adjustmentData = adjustmentData
    self.editorBundleID = editorBundleID
    self.timestamp = timestamp
    self.original = original
    self.picture = picture
    self.members = members
    self.history = history
    self.redo = redo
    self.versions = versions
    self.newVersions = newVersions
    self.staging = staging
    self.replaces = replaces
    self.replacesRecord = replacesRecord
    self.replacedSidecar = replacedSidecar
    carryOver(earlier)
  }

  /// The record with other data for its edits, those of its history and of its versions.
  ///
  /// - Parameter converted: The new data by the old; edits without an entry stay as they are.
  package func converting(_ converted: [AdjustmentData: AdjustmentData]) -> Record {
    if converted.isEmpty { return self }
    var record = self
    record.adjustmentData = converted[adjustmentData] ?? adjustmentData
    record.history = history.map { $0.converting(converted) }
    record.redo = redo.map { $0.converting(converted) }
    record.versions = versions.map { $0.converting(converted) }
    record.carryOver(self)
    return record
  }

  /// The same edit with other versions.
  ///
  /// - Parameters:
  ///   - newVersions: The names of those whose renders come with the record.
  ///   - staging: The files that are staged with the record.
  ///   - replacesRecord: The SHA-256 of the sidecar that the record takes the place of.
  ///   - renders: Renders of Safelight's that the record is to know of.
  func with(
    versions: [RecordedVersion], newVersions: [String] = [], staging: Staging? = nil,
    replacesRecord: Digest?, knowing renders: [Digest] = []
  ) -> Record {
    var record = self
    (record.versions, record.newVersions, record.staging) = (versions, newVersions, staging)
    record.replacesRecord = replacesRecord
    record.carryOver(self, knowing: renders)
    return record
  }

  /// Takes over what no edit says of itself from the record before.
  private mutating func carryOver(_ earlier: Record?, knowing renders: [Digest] = []) {
    parsed = nil
    formerRender = render == nil ? earlier?.render ?? earlier?.formerRender : nil
    earlierRenders = Self.earlierRenders(of: earlier, and: renders, besides: toldRenders)
    unknown = earlier?.unknown ?? []
    unknownOwn = earlier?.unknownOwn ?? []
  }
}

/// An edit that a later one replaced, or one that was undone.
package struct HistoryEntry: Sendable {
  /// Everything that the record said about it, in its own bytes.
  let element: PropertyList

  init(_ element: PropertyList) {
    self.element = element
  }

  /// The edit; `nil` when the entry is of a form that this version does not know. Such an entry is
  /// kept as it is.
  package var adjustmentData: AdjustmentData? {
    try? Record.adjustmentData(in: RecordDictionary(element))
  }

  /// The program that made it, by its bundle identifier; `nil` when not recorded.
  package var editorBundleID: String? { value("adjustmentEditorBundleID")?.text }

  /// When it was committed, to the second; `nil` when not recorded.
  package var timestamp: Date? { value("adjustmentTimestamp")?.date }

  /// The render that it had, which is gone unless it became a base; `nil` when not recorded.
  package var render: RecordedRender? {
    own.flatMap { own in
      try? own.dictionary("render").map { render throws(RecordError) in try RecordedRender(render) }
    } ?? nil
  }

  /// The base that it was made on; `nil` when that was the original, or not recorded.
  package var base: RecordedFile? {
    own.flatMap { own in
      try? own.dictionary("base").map { base throws(RecordError) in try RecordedFile(base) }
    } ?? nil
  }

  fileprivate func converting(_ converted: [AdjustmentData: AdjustmentData]) -> HistoryEntry {
    guard let data = adjustmentData.flatMap({ converted[$0] }) else { return self }
    return HistoryEntry(element.with(data))
  }

  /// Whether it is Safelight's own edit. The oldest of these are dropped when there are many.
  var isOwn: Bool {
    value("adjustmentFormatIdentifier")?.text == EditStack.formatIdentifier
  }

  private func value(_ key: String) -> PropertyList? {
    try? RecordDictionary(element)[key]
  }

  private var own: RecordDictionary? {
    try? RecordDictionary(element).dictionary("safelight")
  }
}

extension [HistoryEntry] {
  /// Without the oldest of Safelight's own entries, where there are more than
  /// ``Record/maximumHistory``. Other programs' edits always stay: nobody could make them again.
  func withinLimit() -> [HistoryEntry] {
    var surplus = count(where: \.isOwn) - Record.maximumHistory
    return filter { entry in
      guard surplus > 0, entry.isOwn else { return true }
      surplus -= 1
      return false
    }
  }
}

/// What becomes of the present edit when another is committed.
package enum HistoryStep: Sendable, Hashable {
  /// It goes into the history, and what was undone before can no longer be redone. Other
  /// programs' edits among those go into the history instead, as they are never dropped.
  case edit
  /// The new edit is this many steps back and leaves the history; the present edit and those
  /// between can be redone. One step further back than the history, the new edit is empty.
  case undo(steps: Int)
  /// The new edit is this many steps forward among the undone edits; the present edit and those
  /// between go back into the history.
  case redo(steps: Int)
  /// The new edit is the present one, rendered again. The history stays.
  case renderAgain

  /// The history and the redo list after the step.
  ///
  /// Undoing and redoing only move edits from one list to the other, so that however many steps
  /// there were, none is dropped on the way.
  /// - Throws: ``StorageError/historyMismatch(_:)`` when `data` is not the edit in question.
  func applied(
    to record: Record?, _ data: AdjustmentData, _ path: FilePath
  ) throws(StorageError) -> (history: [HistoryEntry], redo: [HistoryEntry]) {
    let history = record?.history ?? []
    let redo = record?.redo ?? []
    // The photo without an edit is not stored as a step, because every history begins with it.
    let present = record.map { $0.isBeginning ? [] : [$0.historyEntry] } ?? []
    switch self {
    case .edit:
      let foreign = redo.filter { !$0.isOwn }
      return ((history + foreign + present).withinLimit(), [])
    case .undo(let steps):
      guard !present.isEmpty, (1...history.count + 1).contains(steps) else { break }
      let passed = history.suffix(steps - 1)
      let rest = history.dropLast(steps - 1)
      let target = rest.isEmpty ? EditStack().adjustmentData : rest.last?.adjustmentData
      guard target == data else { break }
      return (rest.dropLast(), redo + present + passed.reversed())
    case .redo(let steps):
      guard (1...max(redo.count, 1)).contains(steps) else { break }
      let passed = redo.suffix(steps - 1)
      let rest = redo.dropLast(steps - 1)
      guard rest.last?.adjustmentData == data else { break }
      return (history + present + passed.reversed(), rest.dropLast())
    case .renderAgain:
      guard record?.adjustmentData == data else { break }
      return (history, redo)
    }
    throw .historyMismatch(path)
  }
}

extension Record {
  /// Whether it is the photo without an edit, after the first edit was undone: it shows the original
  /// and has no history.
  package var isBeginning: Bool { showsOriginal && history.isEmpty }

  /// Whether the photo is shown as it was taken, because everything was undone or set back: an empty
  /// edit of Safelight's own on the original. Such a photo does not count as edited and has no render;
  /// its record keeps what can be redone.
  package var showsOriginal: Bool {
    !isForeign && Self.isOriginal(adjustmentData, hasBase: base != nil)
  }

  static func isOriginal(_ data: AdjustmentData, hasBase: Bool) -> Bool {
    !hasBase && data == EditStack().adjustmentData
  }

  /// The format of the edit that is seen; `nil` when the photo ``showsOriginal``.
  package var visibleFormat: String? { showsOriginal ? nil : adjustmentData.formatIdentifier }
}
