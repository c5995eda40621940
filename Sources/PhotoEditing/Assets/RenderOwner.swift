import SafelightRendering
import SafelightStorage

extension PhotoEditor {
  /// The result for a picture that is a render, which calls on an edit pass over; `nil` for a photo.
  nonisolated func skippedRender(_ snapshot: PhotoSnapshot) throws -> EditResult? {
    guard snapshot.record == nil else { return nil }
    return try owner(of: snapshot, renderer.facts(of: source(snapshot.original)))
      .map { EditResult(skippingRenderOf: $0) }
  }

  /// The name of the photo that this one is the render or the base photo of; `nil` for a photo to
  /// edit.
  ///
  /// The records beside it know the renders of every editor; Safelight's own also say so
  /// themselves.
  nonisolated func owner(
    of snapshot: PhotoSnapshot, _ facts: PhotoFacts
  ) throws(StorageError) -> String? {
    // A render that somebody made an edit of nevertheless is a photo like any other.
    guard snapshot.record == nil else { return nil }
    let original = snapshot.original
    // Most photos have no such name, and then the folder need not be listed.
    if FolderRecords.mayBeMember(original.name) {
      let folder = try FolderRecords(
        original.path.removingLastComponent(), fileSystem: fileSystem)
      if let member = folder.membership(of: original.name) {
        return member.original.lastComponent?.string
      }
    }
    return facts.derivedFrom?.fileName
  }
}
