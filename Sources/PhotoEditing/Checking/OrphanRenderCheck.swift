import SafelightStorage

/// Finds pictures in a folder that Safelight rendered and no record names.
///
/// Only files whose names could be a render's are opened. What a picture says of its original leads
/// to the record that should name it; for those where it does not, all records are read, once for
/// many pictures.
struct OrphanRenderCheck {
  private let folder: FilePath
  private let parent: FolderCheck
  /// So many pictures are looked for in the records at once.
  private static let limit = 1024

  init(of folder: FilePath, for parent: FolderCheck) {
    self.folder = folder
    self.parent = parent
  }

  func run() throws {
    // The original's name by the picture's.
    var unclaimed: [FilePath: String] = [:]
    try parent.fileSystem.forEachNameInOrder(
      in: folder, where: \.mayBeRender
    ) { name in
      try parent.checkCancellation()
      // A render that was edited itself is a photo like any other.
      if try parent.fileSystem.exists(folder.appending(name).recordPath) { return }
      guard let original = try? parent.checker.rendered(folder.appending(name)),
        !isClaimed(name, by: original)
      else { return }
      unclaimed[name] = original
      if unclaimed.count == Self.limit {
        try reportOrphans(among: unclaimed)
        unclaimed = [:]
      }
    }
    try reportOrphans(among: unclaimed)
  }

  /// Whether the record of the original that a picture names is about the picture; also when that
  /// record cannot be read, which is reported as it is.
  private func isClaimed(_ name: FilePath, by original: String) -> Bool {
    let record = folder.appending(FilePath(original).recordPath)
    guard let files = try? parent.fileSystem.filesNamed(byRecordAt: record) else { return true }
    return files.contains(name)
  }

  private func reportOrphans(among pictures: [FilePath: String]) throws {
    guard !pictures.isEmpty else { return }
    var orphans = pictures
    try parent.fileSystem.forEachNameInOrder(in: folder, where: \.isRecordOrPending) { record in
      let path = folder.appending(record)
      for name in (try? parent.fileSystem.filesNamed(byRecordAt: path)) ?? [] {
        orphans[name] = nil
      }
    }
    for (name, original) in orphans.sorted(by: { $0.key < $1.key }) {
      let path = folder.appending(name)
      parent.report(
        PhotoCheck(
          path, isEdited: false, [PhotoProblem(.orphanRender(original: original), path)]))
    }
  }
}
