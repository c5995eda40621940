import Glibc
import PhotoEditing
import PhotoLibraryKit
import SafelightFiles

/// Edits whose photos were deleted outside: which there are, and putting them away.
extension PhotoService {
  var goneRoutes: [Route] {
    [
      .task("gone") { [self] _ in
        let gone = try await gonePhotos()
        return HTTPResponse(.object(["photos": .array(gone.map(\.json))]))
      },
      .task("putGoneAway") { [self] call in
        let wanted = try call.body().photos()
        // Whoever saw the list may have seen it long ago.
        let gone = Dictionary(
          try await gonePhotos().map { ($0.photo.string, $0) },
          uniquingKeysWith: { first, _ in first })
        let editor = PhotoEditor()
        var seen: Set<String> = []
        var results: [JSONValue] = []
        for photo in wanted where seen.insert(photo).inserted {
          results.append(
            .object(
              [.init("photo", .string(photo))] + (try await putAway(gone[photo], with: editor))))
        }
        return HTTPResponse(.object(["photos": .array(results)]))
      },
    ]
  }

  /// The edits in the folders whose photos are in none of the folders.
  ///
  /// - Throws: ``FileSystemError`` or ``EditError`` when a folder is not there, or is empty beside others: the photos may
  ///   be in it, on a disk that is not mounted.
  private func gonePhotos() async throws -> [GonePhoto] {
    let folders = try await library.folders
    for folder in folders where FileSystem.real.folder(at: folder) != folder {
      throw FileSystemError(.init(.openFolder, folder), errno: ENOENT)
    }
    let exclusions = try await library.exclusions
    return try await PhotoEditor().gonePhotos(
      in: folders, recursively: true, lookingIn: folders.count > 1 ? folders : []
    ) { FolderRules(excluding: exclusions[$0] ?? []) }
  }

  /// What was done with the edit of a photo; without an edit, or with one that must stay, nothing is.
  ///
  /// - Throws: ``EditError`` when it is cancelled.
  private func putAway(
    _ gone: GonePhoto?, with editor: PhotoEditor
  ) async throws(EditError) -> [JSONValue.Member] {
    let reason =
      gone.map(\.reason) ?? "There is no edit whose photo was here and is gone."
    guard let gone, reason == nil else {
      return JSONValue.members([
        "status": .string("unchanged"), "reason": reason.map { .string($0) },
      ])
    }
    do {
      let trash = try await editor.putAway(gone)
      return JSONValue.members(["status": .string("removed")]) + gone.going
        + JSONValue.members(["trash": .string(trash.string)])
    } catch {
      if case .cancelled = error { throw error }
      return JSONValue.members(["status": .string("failed"), "error": failure(error).json])
    }
  }
}

extension GonePhoto {
  fileprivate var json: JSONValue {
    .object(
      JSONValue.members([
        "photo": .string(photo.string), "name": .string((photo.lastComponent ?? photo).string),
        "folder": .string(photo.removingLastComponent().string),
      ]) + going
        + JSONValue.members([
          "canPutAway": .bool(obstacle == nil),
          "reason": reason.map { .string($0) },
        ]))
  }

  /// The files that go, and what is said of those that do not.
  fileprivate var going: [JSONValue.Member] {
    JSONValue.members([
      "files": .strings(files.map(\.string)),
      "warnings": warnings.isEmpty ? nil : .strings(warnings),
    ])
  }
}
