import Rendering
import Storage

extension PhotoEditor {
  /// The name of the photo that this one is the render or the base photo of; `nil` for a photo to
  /// edit.
  ///
  /// Safelight's own renders say so themselves. Those of other editors are known by the records
  /// beside them.
  nonisolated func owner(
    of snapshot: AssetSnapshot, _ facts: PhotoFacts
  ) throws(StorageError) -> String? {
    // A render that somebody made an edit of nevertheless is a photo like any other.
    guard snapshot.record == nil else { return nil }
    if let original = facts.derivedFrom { return original.fileName }
    return try sibling(naming: snapshot.original)
  }

  private nonisolated func sibling(
    naming photo: OriginalFile
  ) throws(StorageError) -> String? {
    let name = photo.name
    let suffixes = ["_edited.jpg", "_base.jpg"].map { Array($0.utf8) }
    guard let suffix = suffixes.first(where: { name.bytes.ends(with: $0) }) else { return nil }
    let stem = name.bytes.dropLast(suffix.count)
    let folder = photo.path.removingLastComponent()
    for sidecar in try fileSystem.fileNames(in: folder)
    where sidecar.bytes.starts(with: stem) && sidecar.bytes.ends(with: Array(".aae".utf8)) {
      // A sidecar that does not parse is for the photo that it stands beside to report.
      let path = folder.appending(sidecar)
      guard let bytes = try? fileSystem.contents(of: path, limit: Record.maximumSize),
        let record = try? Record(parsing: bytes),
        [record.render?.file.name, record.base?.name].contains(name)
      else { continue }
      return record.original?.name.string
    }
    return nil
  }
}

extension [UInt8] {
  fileprivate func ends(with suffix: [UInt8]) -> Bool { self.suffix(suffix.count) == suffix[...] }
}
