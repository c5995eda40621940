import FoundationEssentials
import SafelightAdjustments

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
