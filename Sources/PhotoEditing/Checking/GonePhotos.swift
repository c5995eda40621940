import Glibc
import SafelightFiles
import SafelightStorage

/// An edit whose photo is gone, with what can be done about it.
///
/// ```swift
/// for gone in try await editor.gonePhotos(in: ["photos"]) where gone.obstacle == nil {
///   print("The edit of \(gone.photo) is now in \(try await editor.putAway(gone)).")
/// }
/// ```
public struct GonePhoto: Sendable {
  /// Why the edit stays where it is.
  public enum Obstacle: Sendable, Equatable {
    /// A file has the photo's content or its picture: the photo was moved or renamed.
    case isElsewhere(FilePath)
    /// A file has the photo's content or its picture, and an edit of its own. Perhaps the photo was renamed and edited
    /// again. Photos that are named one by one have no such obstacle.
    case contentHasAnotherEdit(FilePath)
    /// A folder where the photo may be cannot be looked through.
    case folderUnseen(FilePath)
    /// All edited photos of the folder are gone, and there are several. Perhaps its disk is not mounted, or a sync
    /// has not brought them yet. Photos that are named one by one have no such obstacle.
    case allAreGone(folder: FilePath, count: Int)
    /// A process makes a change of the photo.
    case isPending
    /// The folder may not be written.
    case readOnly(EditError)
    /// The record cannot be read, or one of the files cannot.
    case unreadable(EditError)
  }

  /// Where the photo was.
  public let photo: FilePath
  /// Its sidecar.
  public var record: FilePath { photo.recordPath }
  /// The files that go to the trash, the record last.
  public internal(set) var files: [FilePath] = []
  /// The files that somebody changed, which stay.
  public internal(set) var changed: [FilePath] = []
  /// What is said of the files that stay.
  package var warnings: [String] {
    changed.map { "\($0) was changed by another program and stays." }
  }
  /// Why all stay; `nil` when the files may go.
  public internal(set) var obstacle: Obstacle?
  /// Why all stay, in one sentence, with the command that helps; `nil` when the files may go.
  public var reason: String? {
    guard case .isElsewhere(let place) = obstacle else { return obstacle?.description }
    return "The photo is now \(place); “\(relinkCommand)” moves its edit along."
  }
  /// The command that moves the edit to the photo, wherever that is.
  var relinkCommand = "edit relink"
  let lost: LostRecord?
}

extension GonePhoto.Obstacle: CustomStringConvertible {
  /// Why the edit stays, in one sentence.
  public var description: String {
    switch self {
    case .isElsewhere(let path): "The photo is now \(path)."
    case .contentHasAnotherEdit(let path):
      "\(path) has the photo's content and an edit of its own. To put this edit away, name its sidecar."
    case .folderUnseen(let folder):
      """
      \(folder) cannot be looked through, and the photo may be there. If it is not, leave that folder out \
      with --exclude.
      """
    case .allAreGone(let folder, let count):
      """
      All \(count) edited photos of \(folder.isEmpty ? "." : folder) are gone, as when a disk is not \
      mounted or a sync is not done. If they are gone for good, name the sidecars one by one.
      """
    case .isPending: "A process makes a change of it."
    case .readOnly(let error), .unreadable(let error): error.description
    }
  }
}

extension PhotoEditor {
  /// Finds edits whose photos are gone and nowhere in the folders, by content and by picture. Nothing is
  /// written.
  ///
  /// - Parameters:
  ///   - paths: Folders to look through for such edits, or single sidecars or photos that are gone.
  ///   - recursively: Whether folders inside are looked through too; hidden ones and links are not.
  ///   - folders: Where else the photos may be. These and the folders of `paths` are searched with all
  ///     folders inside.
  ///   - rules: In what folders and of what photos no such edits are looked for. Photos are looked for everywhere but in
  ///     folders that are left out and cannot be listed.
  /// - Throws: ``EditError`` when a folder is missing or cannot be listed, or when one of `folders` is empty: a photo may
  ///   be there that is not seen.
  public func gonePhotos(
    in paths: [FilePath], recursively: Bool = false, lookingIn folders: [FilePath] = [],
    rules: FolderRules = .standard
  ) async throws(EditError) -> [GonePhoto] {
    try await gonePhotos(in: paths, recursively: recursively, lookingIn: folders) { _ in rules }
  }

  /// The same with rules for each of the folders.
  package func gonePhotos(
    in paths: [FilePath], recursively: Bool = false, lookingIn folders: [FilePath] = [],
    rules: @escaping @Sendable (FilePath) -> FolderRules
  ) async throws(EditError) -> [GonePhoto] {
    try await working(on: paths.first ?? ".") { cancellation in
      var orphans = OrphanSearch(fileSystem: fileSystem)
      var originals = OriginalSearch(fileSystem: fileSystem) {
        if cancellation.isCancelled { throw CancellationError() }
      }
      var named: Set<FilePath> = []
      for path in paths {
        let rules = rules(path)
        if fileSystem.folder(at: path) != nil {
          try orphans.search(WalkedFolder(path, rules, fileSystem), recursively: recursively)
          try originals.add(everythingIn: path, unseen: rules)
        } else {
          let photo = path.originalOfRecord ?? path
          named.insert(photo)
          try orphans.add(named: photo)
          try originals.add(everythingIn: photo.removingLastComponent(), unseen: rules)
        }
      }
      for folder in folders {
        guard try !fileSystem.names(in: folder).isEmpty else {
          throw FileSystemError(.init(.openFolder, folder), errno: ENOMEDIUM)
        }
        try originals.add(everythingIn: folder, unseen: rules(folder))
      }
      let lost = orphans.found.filter { $0.place == .empty }
      let (found, unseen) = try originals.searchEverything(for: lost)
      let emptied = try foldersWithoutEditedPhotos(Set(lost.map(\.folder)))
      return lost.map { orphan in
        let isNamed = named.contains(orphan.photo)
        var gone = gone(
          orphan, at: orphan.sought.flatMap { found[$0.sha256] } ?? [], isNamed: isNamed
        ) { folder in
          let count = lost.count { $0.folder == folder }
          return emptied.contains(folder) && count > 1 && !isNamed ? count : nil
        }
        if gone.obstacle == nil, let folder = unseen.first { gone.obstacle = .folderUnseen(folder) }
        return gone
      }
    }
  }

  private func gone(
    _ orphan: Orphan, at places: [FilePath], isNamed: Bool, emptied: (FilePath) -> Int?
  ) -> GonePhoto {
    if let problem = orphan.problem {
      var gone = GonePhoto(photo: orphan.photo, lost: nil)
      gone.obstacle = .unreadable(EditError(problem, path: orphan.photo))
      return gone
    }
    do {
      let lost = try LostRecord.load(of: orphan.photo, fileSystem)
      var gone = GonePhoto(photo: orphan.photo, lost: lost)
      let folder = orphan.photo.removingLastComponent()
      if let files = try lost?.files(fileSystem) {
        gone.files = files.going.map(folder.appending)
        gone.changed = files.changed.map(folder.appending)
      }
      let place = try places.first {
        try PhotoFiles($0, fileSystem: fileSystem).isFree(forEditOf: orphan.photo, fileSystem)
      }
      if let place {
        gone.obstacle = .isElsewhere(place)
        gone.relinkCommand = try relinkCommand(gone.record, to: place, fromFolder: orphan.folder)
      } else if let place = places.first, !isNamed {
        gone.obstacle = .contentHasAnotherEdit(place)
      } else if try lost?.isBusy(fileSystem) != false {
        gone.obstacle = .isPending
      } else if let count = emptied(orphan.folder) {
        gone.obstacle = .allAreGone(folder: folder, count: count)
      } else {
        do {
          try fileSystem.checkMayWrite(in: folder)
        } catch {
          gone.obstacle = .readOnly(EditError(error, path: orphan.photo))
        }
      }
      return gone
    } catch {
      var gone = GonePhoto(photo: orphan.photo, lost: nil)
      gone.obstacle = .unreadable(EditError(error, path: orphan.photo))
      return gone
    }
  }

  /// The command that finds a photo even where walks through folders do not look.
  private func relinkCommand(
    _ record: FilePath, to place: FilePath, fromFolder folder: FilePath
  ) throws -> String {
    var words = ["edit", "relink", record.shellWord]
    let other = place.removingLastComponent()
    if fileSystem.folder(at: other) != folder {
      words += ["--in", (other.isEmpty ? "." : other).shellWord]
    }
    if let name = place.lastComponent,
      try WalkedFolder(other, .standard, fileSystem).isExcluded(name, isFolder: false)
    {
      words += ["--exclude", "'!*'"]
    }
    return words.joined(separator: " ")
  }

  /// The folders in which no photo is left that has an edit.
  private func foldersWithoutEditedPhotos(_ folders: Set<FilePath>) throws -> Set<FilePath> {
    try folders.filter { folder in
      let names = Set(try fileSystem.names(in: folder))
      return !names.contains { $0.originalOfRecord.map(names.contains) == true }
    }
  }

  /// Moves the files of an edit whose photo is gone into the trash of their folder, as one set. To get them
  /// back, move them into the folder again.
  ///
  /// - Returns: The folder in the trash where they are.
  /// - Throws: ``EditError`` when there is an obstacle, when the photo is back, or when the disk refuses.
  public func putAway(_ gone: GonePhoto) async throws(EditError) -> FilePath {
    try await working(on: gone.photo) { _ in
      guard gone.obstacle == nil, let lost = gone.lost else {
        throw StorageError.recordChanged(gone.photo.recordPath)
      }
      return try lost.putAway(fileSystem)
    }
  }
}

extension FilePath {
  /// The path as a word of a command that somebody can copy.
  fileprivate var shellWord: String {
    let text = description
    let isPlain = bytes.allSatisfy { byte in
      byte >= 0x80 || "/._-+=:,@%".utf8.contains(byte) || Character(Unicode.Scalar(byte)).isLetter
        || Character(Unicode.Scalar(byte)).isNumber
    }
    // Bytes that are not UTF-8 are quoted already.
    if isPlain || text != string { return text }
    return "'" + text.replacing("'", with: "'\\''") + "'"
  }
}
