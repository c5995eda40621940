import SafelightStorage

/// Checks single assets for an editor, and fixes what may be fixed.
struct PhotoChecker {
  let editor: PhotoEditor
  let fixing: Bool

  var fileSystem: FileSystem { editor.fileSystem }

  /// Compares a photo's files with its record.
  func check(_ photo: FilePath) throws -> PhotoCheck {
    let found = try look(at: photo)
    let fixable = found.problems.filter(\.canBeFixed)
    guard fixing, !fixable.isEmpty else { return found }
    do {
      // Beginning a change does all of it, under the photo's lock, before the change itself.
      try editor.files(of: Photo(path: photo)).begin(timeout: editor.configuration.lockTimeout)
        .end()
    } catch {
      return found.adding(PhotoProblem(.failed(EditError(error, path: photo)), photo))
    }
    let now = try look(at: photo)
    return now.fixing(fixable.filter { !now.problems.contains($0) })
  }

  /// ``check(_:)``, with whatever is thrown as a problem of the photo.
  func checkInFolder(_ photo: FilePath) -> PhotoCheck {
    do {
      return try check(photo)
    } catch {
      return PhotoCheck(
        photo, isEdited: true,
        [PhotoProblem(.failed(EditError(error, path: photo)), photo)])
    }
  }

  private func look(at photo: FilePath) throws -> PhotoCheck {
    do {
      return try editor.files(of: Photo(path: photo))
        .reading(timeout: editor.configuration.lockTimeout) { snapshot in
          try PhotoCheck(photo, snapshot)
        }
    } catch StorageError.originalMissing {
      return try lookWithoutOriginal(at: photo)
    } catch let error as StorageError {
      guard let problem = PhotoProblem(error) else { throw error }
      return PhotoCheck(photo, isEdited: true, [problem])
    }
  }

  private func lookWithoutOriginal(at photo: FilePath) throws -> PhotoCheck {
    do throws(StorageError) {
      guard let lost = try LostRecord.load(of: photo, fileSystem) else {
        throw .originalMissing(photo)
      }
      return PhotoCheck(lost)
    } catch {
      // Apple's own sidecars come in binary too, under names that are not a photo's and ours.
      if case .recordUnreadable(let path, .binaryPropertyList) = error {
        return PhotoCheck(photo, isEdited: true, [PhotoProblem(.foreignSidecar, path)])
      }
      guard let problem = PhotoProblem(error) else { throw error }
      return PhotoCheck(
        photo, isEdited: true, [problem, PhotoProblem(.originalMissing, photo)])
    }
  }
}
