import SafelightFiles
import SafelightRendering
import SafelightStorage

/// A photo's edit while a change of several parts is made in it, with what the change may ask of the photo.
package struct StackEditing {
  /// The edit; what the change leaves here is rendered.
  package var stack: EditStack

  let path: FilePath
  /// Gives width and height of the photo with an edit, at full size.
  let size: (EditStack) throws -> PixelSize

  /// Crops to an area of the picture as the rest of the edit leaves it.
  ///
  /// - Parameter area: What to keep; `nil` takes the crop away.
  package mutating func crop(to area: CropArea?) throws {
    try stack.crop(to: area, path: path, size: size)
  }
}

/// A change of several parts of an edit, which is one step of the photo's history.
package typealias StackChange = @Sendable (inout StackEditing) throws -> Void

extension PhotoEditor {
  /// Changes several parts of a photo's edit at once, its crop too; ``adjust(_:quality:dryRun:_:)`` says what else
  /// happens.
  ///
  /// - Throws: ``EditError``; the old edit stands then.
  @discardableResult
  package func change(
    _ photo: Photo, quality: Int? = nil, dryRun: Bool = false, _ change: StackChange
  ) async throws(EditError) -> EditResult {
    try await perform(on: photo, dryRun: dryRun) { edit in
      try edit.planToChange(quality: quality) { stack in
        stack = try edit.changed(stack, by: change)
      }
    }
  }

  /// The edit that a photo has, or would have after a change, with the photo's revision. Nothing is rendered.
  ///
  /// - Returns: An empty edit for a photo without one, and for another program's.
  /// - Throws: ``EditError``.
  package func presentEdit(
    of photo: Photo, changedBy change: StackChange? = nil
  ) async throws(EditError) -> (revision: String, edit: EditStack) {
    try await reading(photo) { edit, _ in
      let stack = try edit.stack()
      return (
        try PhotoStamp(photo.path).revision,
        try change.map { try edit.changed(stack, by: $0) } ?? stack
      )
    }
  }

  /// Throws when a photo is not as it was at the revision that changes are made for.
  ///
  /// - Throws: ``EditError/inputOutdated(_:)``.
  func checkRevision(of photo: Photo) throws {
    guard let required = configuration.requiredRevision else { return }
    guard try PhotoStamp(photo.path, fileSystem: fileSystem).revision == required else {
      throw EditError.inputOutdated(photo.path)
    }
  }
}

extension OpenEdit {
  /// What a change makes of an edit.
  func changed(_ stack: EditStack, by change: StackChange) throws -> EditStack {
    var editing = StackEditing(stack: stack, path: path) { try self.size(with: $0) }
    try change(&editing)
    return editing.stack
  }
}
