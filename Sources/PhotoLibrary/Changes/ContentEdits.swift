import FoundationEssentials
import PhotoEditing

/// The edits of a change set, which are made after everything else is known to be possible.
struct ContentEdits {
  struct Edit {
    let identifier: String
    /// The original.
    let photo: FilePath
    /// What is to be done, ``AssetStep/edit(_:)`` or ``AssetStep/revert``.
    let step: AssetStep
  }

  /// An edit that was made.
  struct Made {
    let identifier: String
    /// The photo since then.
    let seen: SeenPhoto
  }

  private var edits: [Edit] = []

  /// Adds an edit.
  ///
  /// - Returns: `false` when the same asset has one already.
  mutating func add(_ edit: Edit) -> Bool {
    if edits.contains(where: { $0.identifier == edit.identifier }) { return false }
    edits.append(edit)
    return true
  }

  /// Makes them, one after the other, each in one step for its readers.
  ///
  /// - Throws: ``PhotoLibraryError/editing(_:)``; those before the one that failed are made then.
  func make() async throws(PhotoLibraryError) -> [Made] {
    if edits.isEmpty { return [] }
    let editor = PhotoEditor()
    var made: [Made] = []
    do {
      for edit in edits {
        let result = try await Self.make(edit, editor)
        if result.status == .unchanged { continue }
        made.append(
          Made(identifier: edit.identifier, seen: try await SeenPhoto(at: edit.photo, editor)))
      }
    } catch {
      throw PhotoLibraryError(error)
    }
    return made
  }

  private static func make(
    _ edit: Edit, _ editor: PhotoEditor
  ) async throws(EditError) -> EditResult {
    switch edit.step {
    case .edit(let output): try await editor.commit(output)
    default:
      try await editor.revertAssetContentToOriginal(PhotoEditing.Asset(path: edit.photo))
    }
  }
}

extension PhotoLibraryError {
  /// What an editor throws, in the library's terms.
  init(_ error: EditError) {
    self = if case .cancelled = error { .userCancelled } else { .editing(error) }
  }
}
