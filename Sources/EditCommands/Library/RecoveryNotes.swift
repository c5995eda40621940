import PhotoLibraryKit

extension PhotoLibrary {
  /// What opening the library found of changes that were interrupted, in sentences for people.
  var recoveryNotes: [String] {
    func list(_ files: [FilePath]) -> String {
      let names = files.prefix(3).map(\.string).joined(separator: ", ")
      return names + (files.count > 3 ? ", and \(files.count - 3) more" : "")
    }
    var notes: [String] = []
    let recovery = recovery
    if !recovery.finished.isEmpty {
      notes.append(
        "Finished a change of the library that was interrupted: \(list(recovery.finished)).")
    }
    if !recovery.waiting.isEmpty {
      notes.append(
        "A change of the library was interrupted and is not finished: \(list(recovery.waiting)). "
          + (isReadOnly
            ? "The next command that changes the library finishes it."
            : "The next command tries again; see that the disk is mounted and may be written."))
    }
    if !recovery.unproven.isEmpty {
      notes.append(
        """
        The catalog asks to move or change \(list(recovery.unproven)), and nothing proves that you decided that on \
        this computer, so nothing was done. When the library comes from another computer or user of yours, open it \
        there, or do it with “edit library verify --finish-changes”. When you got the library from somebody else, \
        leave it.
        """)
    }
    return notes
  }
}
