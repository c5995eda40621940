import SafelightRendering
import SafelightStorage

extension PhotoEditor {
  /// Compares the files of a photo with its record, without changing anything.
  ///
  /// Takes as long as reading the original, the render and the base once; a photo without a record
  /// is not read at all, unless its name could be a render's. A file that is a render or a base by
  /// a record beside it is compared with that.
  ///
  /// - Parameters:
  ///   - asset: The photo.
  ///   - fixing: Whether to finish a change that was interrupted and to remove what a program that
  ///     died left behind. That waits until nobody else works on the photo, and changes nothing
  ///     else.
  /// - Returns: What is not as recorded; see ``PhotoProblem/Kind``.
  /// - Throws: ``EditError`` when there is neither a photo nor a record, or the disk refuses.
  public func verify(
    _ asset: Photo, fixing: Bool = false
  ) async throws(EditError) -> PhotoCheck {
    try await working(on: asset.path) { _ in
      let checker = PhotoChecker(editor: self, fixing: fixing)
      if let check = try checker.checkAsRender(asset.path) { return check }
      return try checker.check(asset.path)
    }
  }

  /// Checks everything that Safelight may have left in a folder, one photo after the other.
  ///
  /// Photos with a record are compared with it, in the order of their names; then come hidden files
  /// of unfinished work, and renders that no record names. Photos without a record are neither read
  /// nor reported, and memory does not grow with their number.
  ///
  /// - Parameters:
  ///   - path: A folder; or a photo or a sidecar, which is then checked alone.
  ///   - recursively: Whether folders inside are checked too; hidden ones and links are not.
  ///   - fixing: As in ``verify(_:fixing:)``.
  ///   - report: Called for each photo as soon as it is checked, on the editor's thread. What could
  ///     not be checked is reported as ``PhotoProblem/Kind/failed(_:)``.
  /// - Throws: ``EditError`` when the folder itself cannot be listed, or the surrounding task was
  ///   cancelled.
  public func verify(
    contentsOf path: FilePath, recursively: Bool = false, fixing: Bool = false,
    _ report: @escaping @Sendable (PhotoCheck) -> Void
  ) async throws(EditError) {
    guard fileSystem.folder(at: path) != nil else {
      report(try await verify(Photo(path: path.originalOfRecord ?? path), fixing: fixing))
      return
    }
    try await working(on: path) { cancellation in
      try FolderCheck(
        checker: PhotoChecker(editor: self, fixing: fixing), cancellation: cancellation,
        report: report
      ).check(path, recursively: recursively)
    }
  }
}
