import FoundationEssentials
import PhotoEditing
import SafelightCatalog
import SafelightFiles

import struct SafelightStorage.Companions

/// The edits of a change set: staged before the change set is decided, and made after it.
///
/// A staged edit is complete and flushed under hidden names; only renames are missing. Its photo stays
/// locked until the edit is made or dropped.
struct StagedEdits: Sendable {
  /// A change of a photo's edit.
  private enum Change: Sendable {
    case edit(ContentEditingOutput)
    case revert
  }

  private struct Edit: Sendable {
    let identifier: String
    let photo: FilePath
    let change: Change
  }

  /// A staged edit, with what the catalog will know about the photo.
  struct Ready: Sendable {
    let identifier: String
    let photo: FilePath
    /// The SHA-256 of the hidden record that decides the edit.
    let digest: Digest
    /// The new edit's format; `nil` when the photo shows the original after a revert or an undo.
    let adjustmentFormat: String?
    /// The sidecar's modification time in nanoseconds since 1970; `nil` without a sidecar.
    let recordModified: Int64?
    let pixelWidth: Int
    let pixelHeight: Int
    /// When the photo or its edit last changed; `nil` for the time of the change set.
    let modificationDate: Double?
    /// The path that the editor has the photo by.
    fileprivate let held: FilePath

    /// The decision to make the edit, as the catalog stores it.
    var move: FileMove { FileMove(.edit, from: photo, to: digest.bytes) }
  }

  /// The staged edits, in the order of their photos' paths.
  private(set) var ready: [Ready] = []
  private var edits: [Edit] = []
  private let editor: PhotoEditor
  private let fileSystem: FileSystem

  /// The edits among the changes of a change set; `nil` when there are none.
  ///
  /// - Parameter stage: The new assets, whose edits are staged with their files.
  init?(
    of requests: [RequestedChange], except stage: Stage?, in library: PhotoLibrary
  ) throws(PhotoLibraryError) {
    for case .asset(let identifier, let request) in requests
    where stage?.assets[identifier] == nil {
      let change: Change
      switch request {
      case .edit(let output): change = .edit(output)
      case .revert: change = .revert
      default: continue
      }
      if edits.contains(where: { $0.identifier == identifier }) {
        throw .operationInterrupted("\(identifier) is edited twice in one change set.")
      }
      guard let photo = try library.snapshots.now().path(of: identifier) else {
        throw .identifierNotFound(identifier)
      }
      edits.append(Edit(identifier: identifier, photo: photo, change: change))
    }
    guard !edits.isEmpty else { return nil }
    // Two change sets that lock the same photos in different orders would wait for each other.
    edits.sort { $0.photo < $1.photo }
    var configuration = PhotoEditor.Configuration()
    configuration.holdsChanges = true
    fileSystem = library.fileSystem
    editor = PhotoEditor(configuration, fileSystem: fileSystem)
  }

  /// Stages all edits, and locks their photos.
  ///
  /// - Throws: ``PhotoLibraryError/editing(_:)``, or ``PhotoLibraryError/changeNotSupported(_:)`` when
  ///   an output was made from another photo. Call ``drop()`` then.
  mutating func stage() async throws(PhotoLibraryError) {
    for edit in edits {
      if let staged = try await stage(edit) { ready.append(staged) }
    }
  }

  /// - Returns: `nil` when there is nothing to change.
  private func stage(_ edit: Edit) async throws(PhotoLibraryError) -> Ready? {
    do {
      let given: Photo
      switch edit.change {
      case .edit(let output):
        guard let photo = output.photo else {
          throw PhotoLibraryError.changeNotSupported(
            "The edit of \(edit.identifier) was made for another photo, which is to be created.")
        }
        let record = try Photo(path: edit.photo).recordPath(through: fileSystem)
        guard try await editor.commit(output).record == record else {
          throw PhotoLibraryError.changeNotSupported(
            "The edit of \(edit.identifier) was made from another photo.")
        }
        given = photo
      case .revert:
        given = Photo(path: edit.photo)
        let result = try await editor.revertAssetContentToOriginal(given)
        if result.status == .unchanged { return nil }
      }
      // The editor has the change under the path that the photo was given with.
      guard let outcome = try await editor.outcomeOfHeldChange(to: given) else {
        throw PhotoLibraryError.changeNotSupported("The edit of \(edit.identifier) is not held.")
      }
      let job = IndexingJob(unedited: edit.photo)
      guard case .photo(let photo) = PhotoReader(fileSystem).read(job) else {
        throw EditError.render(path: edit.photo, .notAPicture)
      }
      let render = outcome.record?.render
      return Ready(
        identifier: edit.identifier, photo: edit.photo, digest: outcome.digest,
        adjustmentFormat: outcome.record?.visibleFormat,
        recordModified: outcome.modified, pixelWidth: render?.pixelWidth ?? photo.pixelWidth,
        pixelHeight: render?.pixelHeight ?? photo.pixelHeight,
        modificationDate: outcome.modified.map {
          Double(max($0, photo.status.modified.inNanoseconds)) / 1e9
        },
        held: given.path)
    } catch {
      throw PhotoLibraryError(error, at: edit.photo)
    }
  }

  /// Makes the staged edits, after the catalog decided them. An edit that cannot be made now stays
  /// staged, for ``PhotoLibrary/finishFileMoves(_:)``.
  ///
  /// - Returns: The moves of the edits that were made.
  func make() async -> [FileMove] {
    var made: [FileMove] = []
    for edit in ready {
      do { try await editor.makeDecidedChange(to: Photo(path: edit.held)) } catch { continue }
      made.append(edit.move)
    }
    return made
  }

  /// Drops the staged edits, and unlocks their photos.
  func drop() async { await editor.dropHeldChanges() }
}

extension IndexingJob {
  /// To read a photo's own header, without its edit.
  fileprivate init(unedited path: FilePath) {
    self.init(
      folder: path.removingLastComponent(), name: path.lastComponent ?? path,
      times: .none, companions: Companions(), isPending: false, neighbors: FolderNames([]))
  }
}

extension Snapshot {
  /// The path of an asset; `nil` when there is no such asset.
  fileprivate func path(of identifier: String) throws(PhotoLibraryError) -> FilePath? {
    try read { database in
      try database.rows(
        "SELECT \(Asset.columns) FROM \(Asset.source) WHERE asset.identifier = ?", [identifier]
      ) { Asset(row: $0).path }.first
    }
  }
}

extension PhotoLibraryError {
  /// What an editor throws, as the library's error.
  package init(_ error: EditError) {
    self = if case .cancelled = error { .userCancelled } else { .editing(error) }
  }
}
