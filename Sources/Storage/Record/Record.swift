import FoundationEssentials
import SafelightAdjustments

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
