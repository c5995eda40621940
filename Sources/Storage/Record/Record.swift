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
public struct Record: Sendable {
  /// The newest version of Safelight's part that this library reads. It writes version 1 wherever
  /// there are no named versions, and 2 where there are: a program that does not know of them would
  /// leave their renders behind when it reverts.
  public static let version = 2
  /// Most bytes that a sidecar may have: 64 MiB.
  public static let maximumSize = 64 << 20
  /// How many of Safelight's own earlier edits a record keeps.
  public static let maximumHistory = 100

  /// The edit.
  public let adjustmentData: AdjustmentData
  /// The program that made it, by its bundle identifier; `nil` when not recorded.
  public let editorBundleID: String?
  /// When it was committed, to the second; `nil` when not recorded.
  public let timestamp: Date?
  /// The original as it was; `nil` in another program's record.
  public let original: RecordedFile?
  /// The rendered JPEG; `nil` in another program's record.
  public let render: RecordedRender?
  /// The pixels that the edit starts from; `nil` when it starts from the original.
  public let base: RecordedFile?
  /// The edits before this one, oldest first.
  public let history: [HistoryEntry]
  /// The edits that were undone, the one undone last standing last.
  public let redo: [HistoryEntry]
  /// The edits that were kept under a name, in the order in which they were saved.
  public let versions: [RecordedVersion]
  /// The SHA-256 of the render that this edit's render replaced; `nil` when there was none.
  public let replaces: Digest?

  /// The sidecar of another program that was there before the first edit, all its bytes; `nil`
  /// when there was none, and in another program's record. Reverting the edit puts it back.
  public let replacedSidecar: Data?

  /// The SHA-256 of the sidecar that this record takes the place of; `nil` when there was none.
  let replacesRecord: Digest?
  /// The names of the versions whose renders came with this record.
  let newVersions: [String]
  /// Keys at the top level that this version does not know.
  let unknown: [PropertyList.Entry]
  /// Keys inside `safelight` that this version does not know.
  let unknownOwn: [PropertyList.Entry]
  /// The top level as it was read; `nil` for a record made here.
  let parsed: [PropertyList.Entry]?

  /// Whether another program wrote it.
  public var isForeign: Bool { original == nil }

  /// What ``replacedSidecar`` says. That it can be read was checked when this record was.
  var replacedRecord: Record? {
    replacedSidecar.flatMap { bytes in try? Record(parsing: Array(bytes)) }
  }

  /// A record for a new edit, on top of what `earlier` said.
  init(
    _ adjustmentData: AdjustmentData, editorBundleID: String?, timestamp: Date?,
    original: RecordedFile?, render: RecordedRender?, base: RecordedFile?,
    history: [HistoryEntry], redo: [HistoryEntry], versions: [RecordedVersion] = [],
    newVersions: [String] = [], replaces: Digest?, replacesRecord: Digest?,
    replacedSidecar: Data?, carryingOver earlier: Record?
  ) {
    self.adjustmentData = adjustmentData
    self.editorBundleID = editorBundleID
    self.timestamp = timestamp
    self.original = original
    self.render = render
    self.base = base
    self.history = history
    self.redo = redo
    self.versions = versions
    self.newVersions = newVersions
    self.replaces = replaces
    self.replacesRecord = replacesRecord
    self.replacedSidecar = replacedSidecar
    unknown = earlier?.unknown ?? []
    unknownOwn = earlier?.unknownOwn ?? []
    parsed = nil
  }

  /// The same edit with other versions.
  ///
  /// - Parameters:
  ///   - newVersions: The names of those whose renders come with the record.
  ///   - replacesRecord: The SHA-256 of the sidecar that the record takes the place of.
  func with(
    versions: [RecordedVersion], newVersions: [String] = [], replacesRecord: Digest?
  ) -> Record {
    Record(
      adjustmentData, editorBundleID: editorBundleID, timestamp: timestamp, original: original,
      render: render, base: base, history: history, redo: redo, versions: versions,
      newVersions: newVersions, replaces: replaces, replacesRecord: replacesRecord,
      replacedSidecar: replacedSidecar, carryingOver: self)
  }
}

extension Record {
  /// What a file is to a photo's edit.
  public enum FileRole: Sendable, Hashable {
    /// The rendered JPEG of the present edit.
    case render
    /// The pixels that the present edit starts from.
    case base
    /// The rendered JPEG of the version of this name.
    case version(String)
  }

  /// A file that the record names beside the sidecar and the original.
  public struct File: Sendable, Hashable {
    /// What it is to the edit.
    public let role: FileRole
    /// What it was when it was recorded.
    public let file: RecordedFile
  }

  /// The files that belong to the photo by this record: its render, its base, and the renders of its
  /// versions. Those that the versions of a copied photo share with the first are not among them.
  public var files: [File] {
    namedFiles.filter { file in
      !versions.contains { $0.isShared && .version($0.name) == file.role }
    }
  }

  /// All files that the record names, those of another photo too.
  var namedFiles: [File] {
    var files: [File] = []
    if let render { files.append(File(role: .render, file: render.file)) }
    if let base { files.append(File(role: .base, file: base)) }
    return files + versions.map { File(role: .version($0.name), file: $0.render.file) }
  }
}

extension Record.FileRole {
  /// What the names of such files end in.
  var suffix: String {
    switch self {
    case .render: PhotoNames.renderSuffix
    case .base: PhotoNames.baseSuffix
    case .version(let name): PhotoNames.versionMark + name + ".jpg"
    }
  }

  /// The error for such a file that is not as it was recorded.
  func changed(_ path: FilePath) -> StorageError {
    self == .base ? .baseChanged(path) : .renderChanged(path)
  }
}

/// An edit that a later one took the place of, or one that was undone.
public struct HistoryEntry: Sendable {
  /// Everything that the record said about it, in its own bytes.
  let element: PropertyList

  init(_ element: PropertyList) {
    self.element = element
  }

  /// The edit; `nil` when the entry is of a form that this version does not know. Such an entry is
  /// kept as it is.
  public var adjustmentData: AdjustmentData? {
    try? Record.adjustmentData(in: RecordDictionary(element))
  }

  /// The program that made it, by its bundle identifier; `nil` when not recorded.
  public var editorBundleID: String? { value("adjustmentEditorBundleID")?.text }

  /// When it was committed, to the second; `nil` when not recorded.
  public var timestamp: Date? { value("adjustmentTimestamp")?.date }

  /// The render that it had, which is gone unless it became a base; `nil` when not recorded.
  public var render: RecordedRender? {
    own.flatMap { own in
      try? own.dictionary("render").map { render throws(RecordError) in try RecordedRender(render) }
    } ?? nil
  }

  /// The base that it was made on; `nil` when that was the original, or not recorded.
  public var base: RecordedFile? {
    own.flatMap { own in
      try? own.dictionary("base").map { base throws(RecordError) in try RecordedFile(base) }
    } ?? nil
  }

  /// Whether it is Safelight's own edit, of which the oldest give way when there are many.
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
public enum HistoryStep: Sendable, Hashable {
  /// It goes into the history, and what was undone before can no longer be redone. Other
  /// programs' edits among those go into the history instead, as they are never dropped.
  case edit
  /// The new edit is the one so many steps back in the history, and is taken out there; the present
  /// one and those between can be redone. One step further than the history goes, the new edit is
  /// one of nothing.
  case undo(steps: Int)
  /// The new edit is the one so many steps on among those undone; the present one and those between
  /// go back into the history.
  case redo(steps: Int)
  /// The new edit is the present one, rendered again; the history stays as it is.
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
    // A photo without an edit is no step: the beginning of every history goes without saying.
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
  /// Whether it is the photo without an edit, which is what undoing the first one leaves: an empty
  /// edit of Safelight's own with nothing before it, on the original.
  public var isBeginning: Bool {
    !isForeign && history.isEmpty && base == nil && adjustmentData == EditStack().adjustmentData
  }
}
