import FoundationEssentials

extension Record {
  /// The bytes of the sidecar.
  public func encoded() -> [UInt8] {
    PropertyListWriter.write(.dictionary(parsed ?? entries))
  }

  /// This record as an entry of a later one's history: everything it says about its own edit, in
  /// the bytes it was read in, without the history that the later record carries itself.
  var historyEntry: HistoryEntry {
    let entries = (parsed ?? entries).map { entry in
      guard entry.key == Key.own, let own = entry.value.entries else { return entry }
      let kept = own.filter { !Key.leftOutOfHistory.contains($0.key) }
      return PropertyList.Entry(Key.own, .dictionary(kept))
    }
    return HistoryEntry(.dictionary(entries))
  }

  private var entries: [PropertyList.Entry] {
    var entries: [PropertyList.Entry] = [
      .init(Key.baseVersion, .integer(0)),
      .init(Key.data, .data(adjustmentData.data)),
    ]
    if let editorBundleID { entries.append(.init(Key.editor, .string(editorBundleID))) }
    entries.append(.init(Key.formatIdentifier, .string(adjustmentData.formatIdentifier)))
    entries.append(.init(Key.formatVersion, .string(adjustmentData.formatVersion)))
    if let timestamp {
      entries.append(.init(Key.timestamp, PropertyList(.date(Timestamp.text(timestamp)))))
    }
    entries += unknown
    if original != nil { entries.append(.init(Key.own, .dictionary(ownEntries))) }
    return entries
  }

  private var ownEntries: [PropertyList.Entry] {
    let version = versions.isEmpty ? 1 : Self.version
    var entries: [PropertyList.Entry] = [.init("recordVersion", .integer(Int64(version)))]
    if let original { entries.append(.init("original", .dictionary(original.entries))) }
    if let render { entries.append(.init("render", .dictionary(render.entries))) }
    if let base { entries.append(.init("base", .dictionary(base.entries))) }
    entries.append(.init("history", .array(history.map(\.element))))
    if !redo.isEmpty { entries.append(.init("redo", .array(redo.map(\.element)))) }
    if !versions.isEmpty { entries.append(.init("versions", .dictionary(versions.map(\.entry)))) }
    if let newVersion { entries.append(.init("newVersion", .string(newVersion))) }
    if let replaces { entries.append(.init("replaces", .string(replaces.description))) }
    if let replacesRecord {
      entries.append(.init("replacesRecord", .string(replacesRecord.description)))
    }
    if let replacedSidecar { entries.append(.init("replacedSidecar", .data(replacedSidecar))) }
    return entries + unknownOwn
  }
}
