import PhotoEditing

extension PhotoLibrary {
  /// What a folder holds of a library.
  public enum Presence: Sendable, Hashable {
    /// A catalog; whether it can be read shows when it is opened.
    case catalog
    /// The export of a catalog that is gone, from which a rebuild makes it anew.
    case exportOnly
    /// Nothing.
    case nothing
  }

  /// What a folder holds of a library, without touching it.
  ///
  /// ``init(at:client:prompt:)`` makes a new catalog where there is none; ask this before where that
  /// would be a surprise.
  public static func presence(at path: FilePath) -> Presence {
    if FileTrace(path.appending("catalogue.sqlite")) != nil { return .catalog }
    let export = ExportJournal(in: path)
    let isExported = FileTrace(export.whole) != nil || FileTrace(export.journal) != nil
    return isExported ? .exportOnly : .nothing
  }
}
