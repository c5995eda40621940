import SafelightRendering
import SafelightStorage

/// Checks a folder: the records, the hidden files, then the renders.
///
/// Each of the three lists the folder anew and keeps a page of names at most, so that a folder of a
/// million photos needs no more memory than one of a thousand.
struct FolderCheck {
  let checker: PhotoChecker
  let cancellation: RenderCancellation
  let report: (PhotoCheck) -> Void

  var fileSystem: FileSystem { checker.fileSystem }

  func check(_ folder: FilePath, recursively: Bool) throws {
    try checkRecords(in: folder)
    try HiddenFileCheck(of: folder, for: self).run()
    try OrphanRenderCheck(of: folder, for: self).run()
    guard recursively else { return }
    try fileSystem.forEachNameInOrder(in: folder, where: \.isVisibleFolder) {
      name in
      let inner = folder.appending(name)
      do {
        try check(inner, recursively: true)
      } catch let error as StorageError {
        let error = EditError(error, path: inner)
        report(PhotoCheck(inner, isEdited: false, [PhotoProblem(.failed(error), inner)]))
      }
    }
  }

  private func checkRecords(in folder: FilePath) throws {
    try fileSystem.forEachNameInOrder(in: folder, where: \.isRecord) { name in
      try checkCancellation()
      if let photo = name.originalOfRecord {
        report(checker.checkInFolder(folder.appending(photo)))
      }
    }
  }

  /// Throws when the work is to end; nothing is left half done.
  func checkCancellation() throws(CancellationError) {
    if cancellation.isCancelled { throw CancellationError() }
  }
}
