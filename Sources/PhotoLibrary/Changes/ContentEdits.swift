import FoundationEssentials
import PhotoEditing
import SafelightStorage

/// The edits of a change set: got ready before anything is written, and made when all else is.
struct ContentEdits: Sendable {
  /// What is to become of a photo's edit.
  enum Change: Sendable {
    case edit(ContentEditingOutput)
    case revert
  }

  /// An edit that was made.
  struct Made {
    let identifier: String
    /// The photo since then.
    let seen: SeenPhoto
  }

  private struct Edit: Sendable {
    let identifier: String
    let photo: FilePath
    let change: Change
    /// The photo by its own path, all links followed, which an output may have it by too.
    var original: FilePath?
  }

  private var edits: [Edit] = []
  private let editor: PhotoEditor

  /// Finds the edits of a change set.
  ///
  /// - Parameter stage: The new assets, whose edits were made with their files.
  init(
    _ steps: [ChangeStep], _ stage: Stage?, _ snapshots: Snapshots
  ) throws(PhotoLibraryError) {
    var configuration = PhotoEditor.Configuration()
    configuration.holdsChanges = true
    editor = PhotoEditor(configuration)
    for step in steps {
      guard case .asset(let identifier, let step) = step, stage?.assets[identifier] == nil else {
        continue
      }
      switch step {
      case .edit(let output): try add(identifier, .edit(output), snapshots)
      case .revert: try add(identifier, .revert, snapshots)
      default: break
      }
    }
    // Two change sets that wait for each other's photos would wait forever otherwise.
    edits.sort { $0.photo.bytes.lexicographicallyPrecedes($1.photo.bytes) }
  }

  private mutating func add(
    _ identifier: String, _ change: Change, _ snapshots: Snapshots
  ) throws(PhotoLibraryError) {
    let photos = try snapshots.now().read { (database) throws(DatabaseError) in
      try database.rows(
        "SELECT \(Asset.columns) FROM \(Asset.source) WHERE asset.identifier = ?", [identifier]
      ) { Asset(row: $0).path }
    }
    guard let photo = photos.first else { throw .identifierNotFound(identifier) }
    if edits.contains(where: { $0.identifier == identifier }) {
      throw .operationInterrupted("\(identifier) is edited twice in one change set.")
    }
    edits.append(Edit(identifier: identifier, photo: photo, change: change))
  }

  /// Gets all edits ready, so that only renames are left to do; the photos are locked from then on.
  ///
  /// - Throws: ``PhotoLibraryError/editing(_:)``, or ``PhotoLibraryError/changeNotSupported(_:)`` when
  ///   an output was made from another photo. Call ``drop()`` then.
  mutating func prepare() async throws(PhotoLibraryError) {
    var ready: [Edit] = []
    for var edit in edits where try await prepare(&edit) { ready.append(edit) }
    edits = ready
  }

  /// - Returns: Whether there is anything to do.
  private func prepare(_ edit: inout Edit) async throws(PhotoLibraryError) -> Bool {
    do {
      switch edit.change {
      case .edit(let output):
        let snapshot = try PhotoFiles(edit.photo).read(timeout: .seconds(30))
        edit.original = snapshot.original.path
        let result = try await editor.commit(output)
        guard result.record == snapshot.recordPath else {
          throw PhotoLibraryError.changeNotSupported(
            "The edit of \(edit.identifier) was made from another photo.")
        }
        return true
      case .revert:
        let photo = Photo(path: edit.photo)
        return try await editor.revertAssetContentToOriginal(photo).status != .unchanged
      }
    } catch let error as EditError {
      throw PhotoLibraryError(error)
    } catch let error as StorageError {
      throw .editing(.storage(error))
    } catch let error as PhotoLibraryError {
      throw error
    } catch {
      throw .catalog(edit.photo, detail: "\(error)")
    }
  }

  /// Makes the edits that are ready, one after the other.
  ///
  /// - Throws: ``PhotoLibraryError/editing(_:)``; those before the one that failed are made then.
  func make() async throws(PhotoLibraryError) -> [Made] {
    var made: [Made] = []
    for edit in edits {
      do throws(EditError) {
        for path in [edit.photo, edit.original].compactMap(\.self) {
          try await editor.makeHeldChange(to: Photo(path: path))
        }
        made.append(
          Made(identifier: edit.identifier, seen: try await SeenPhoto(at: edit.photo, editor)))
      } catch {
        throw PhotoLibraryError(error)
      }
    }
    return made
  }

  /// Lets go of what is ready and was not made.
  func drop() async {
    if !edits.isEmpty { await editor.dropHeldChanges() }
  }
}

extension PhotoLibraryError {
  /// What an editor throws, in the library's terms.
  init(_ error: EditError) {
    self = if case .cancelled = error { .userCancelled } else { .editing(error) }
  }
}
