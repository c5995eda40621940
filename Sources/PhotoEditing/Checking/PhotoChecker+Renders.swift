import FoundationEssentials
import SafelightMetadata
import SafelightStorage

extension PhotoChecker {
  /// Checks a file as the render or base that a record beside it names, or as a render that none
  /// does; `nil` when it is a photo like any other.
  func checkAsRender(_ path: FilePath) throws -> PhotoCheck? {
    guard let name = path.lastComponent, FolderRecords.mayBeMember(name),
      try fileSystem.exists(path), try !fileSystem.exists(path.recordPath)
    else { return nil }
    let original = try rendered(path)
    guard let owner = try owner(of: name, in: path.removingLastComponent(), original) else {
      return original.map {
        PhotoCheck(path, isEdited: false, [PhotoProblem(.orphanRender(original: $0), path)])
      }
    }
    do {
      return try editor.files(of: Photo(path: owner))
        .reading(timeout: editor.configuration.lockTimeout) { snapshot in
          guard let named = snapshot.record?.files.first(where: { $0.file.name == name }) else {
            return nil
          }
          return try PhotoCheck(path, named, snapshot)
        }
    } catch StorageError.originalMissing {
      return PhotoCheck(
        path, isEdited: true, [PhotoProblem(.originalMissing, owner)])
    }
  }

  /// The photo whose record names a file; `nil` when no readable record does.
  private func owner(
    of name: FilePath, in folder: FilePath, _ original: String?
  ) throws -> FilePath? {
    // What the picture says is nearly always right, and the folder need not be listed then.
    if let likely = original.map({ folder.appending(FilePath($0)) }),
      try fileSystem.filesNamed(byRecordAt: likely.recordPath)?.contains(name) == true
    {
      return likely
    }
    return try FolderRecords(folder, fileSystem: fileSystem).membership(of: name)?.original
  }

  /// The name of the original that Safelight rendered a picture from, as the picture itself says;
  /// `nil` for other files.
  func rendered(_ path: FilePath) throws -> String? {
    guard try fileSystem.sizeOfFile(at: path) != nil else { return nil }
    let reference = XMPPacket.derivedFrom(
      inJPEG: Data(try fileSystem.beginningOfFile(at: path)))
    guard let reference, reference.manager == OriginalReference.safelight else { return nil }
    return reference.fileName
  }
}
