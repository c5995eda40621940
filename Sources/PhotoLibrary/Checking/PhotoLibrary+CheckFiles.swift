import PhotoEditing
import SafelightStorage

extension PhotoLibrary {
  /// Looks at the files of all photos that are not in the trash.
  func checkFiles(_ check: inout LibraryCheck) async throws(PhotoLibraryError) {
    let folders = try await catalog.folders().sorted { $0.path < $1.path }
    let missing = folders.filter { $0.isRoot && !$0.path.isFolder }.map(\.path)
    check.problems += missing.map { LibraryProblem(.folderMissing, $0) }
    for folder in folders {
      let photos = try await catalog.checkedPhotos(in: folder)
      if missing.contains(where: { folder.path == $0 || folder.path.isInside($0) }) { continue }
      check.photos += photos.count
      guard !photos.isEmpty else { continue }
      let names = FolderNames((try? FileSystem.real.namesIfPresent(in: folder.path)) ?? [])
      for photo in photos {
        if let kind = Self.problem(of: photo, in: folder.path, names) {
          check.problems.append(LibraryProblem(kind, folder.path.appending(photo.file.name)))
        }
      }
    }
  }

  private static func problem(
    of photo: CheckedPhoto, in folder: FilePath, _ names: FolderNames
  ) -> LibraryProblem.Kind? {
    let file = photo.file
    guard let trace = FileTrace(folder.appending(file.name)), trace.kind == .file else {
      return .photoMissing
    }
    guard file.matches(trace) else { return .photoChanged }
    let modified = names.sidecar(of: file.name)
      .flatMap { FileTrace(folder.appending($0))?.modified }
    let isPending = names.hasPendingChange(of: file.name)
    guard modified == file.recordModified || isPending else { return .editOutdated }
    // Photos without an edit, of which there are the most, need not be read.
    if modified == nil, !isPending, photo.adjustmentFormat == nil { return nil }
    let job = IndexingJob(
      folder: folder, name: file.name, sidecarModified: modified,
      isPending: isPending, hasVideo: false, neighbors: names)
    let sidecar = PhotoReader().sidecar(job)
    return sidecar?.adjustmentFormat == photo.adjustmentFormat ? nil : .editOutdated
  }
}

/// A photo as the catalog knows it, with its edit.
private struct CheckedPhoto: Sendable {
  let file: KnownFile
  let adjustmentFormat: String?
}

extension Catalog {
  /// The photos of a folder that are not in the trash.
  fileprivate func checkedPhotos(
    in folder: KnownFolder
  ) throws(PhotoLibraryError) -> [CheckedPhoto] {
    try read { (database) throws(DatabaseError) in
      try database.rows(
        """
        SELECT id, name, size, modified, inode, recordModified, adjustmentFormat
        FROM asset WHERE folder = ? AND trashedDate IS NULL ORDER BY name
        """, [folder.row]
      ) { row in
        CheckedPhoto(
          file: KnownFile(
            row: row[0], name: FilePath(bytes: row[1] as [UInt8]), size: row[2], modified: row[3],
            inode: row[4], recordModified: row[5], isTrashed: false),
          adjustmentFormat: row[6])
      }
    }
  }
}
