import SafelightFiles
import SafelightRendering
import SafelightStorage

/// The result of moving one edit along with a photo that was moved or renamed.
///
/// ```swift
/// try await editor.relink(["photos"], lookingIn: ["archive"]) { former, result in
///   if case .success(let relinking) = result, let photo = relinking.photo {
///     print("\(former) is now \(photo).")
///   }
/// }
/// ```
public struct Relinking: Sendable, Equatable {
  /// Where the photo should be by the place and the name of its record.
  public let former: FilePath
  /// Where the photo is; `nil` when there was nothing to do.
  public let photo: FilePath?
  /// What became of the edit: ``EditResult/Status/relinked`` or ``EditResult/Status/unchanged``.
  public let result: EditResult
}

/// Why an edit could not follow its photo. All files are as they were before the call.
public enum RelinkError: Error, Equatable, CustomStringConvertible {
  /// No file in the folders that were searched has the original's content.
  case originalNotFound(record: FilePath)
  /// Several files have the original's content, and none of them is preferred.
  case ambiguous(record: FilePath, candidates: [FilePath])
  /// The files could not be read or changed, one of them is not as recorded, or the photo has an edit of its own.
  case failed(EditError)

  /// What happened, in one sentence.
  public var description: String {
    switch self {
    case .originalNotFound(let record): "The original of \(record) was not found."
    case .ambiguous(let record, let candidates):
      "The original of \(record) may be \(Self.list(candidates))."
    case .failed(let error): error.description
    }
  }

  /// The stable names of the errors that only relinking throws.
  package enum Code: String, CaseIterable {
    case originalNotFound = "original-not-found"
    case ambiguousOriginal = "ambiguous-original"
  }

  /// A stable word for programs.
  public var code: String {
    switch self {
    case .originalNotFound: Code.originalNotFound.rawValue
    case .ambiguous: Code.ambiguousOriginal.rawValue
    case .failed(let error): error.code
    }
  }

  private static func list(_ paths: [FilePath]) -> String {
    let first = paths.dropLast().map(\.description).joined(separator: ", ")
    return [first, paths.last?.description ?? ""].filter { !$0.isEmpty }.joined(separator: " or ")
  }
}

// MARK: - Calls

extension PhotoEditor {
  /// Moves edits along with photos that were moved or renamed without their sidecars.
  ///
  /// A record without its original is an orphan, also when another picture has the original's name now. Its
  /// original is found by its content, by size first and then by SHA-256. When another program wrote metadata into it meanwhile, it is found
  /// by its picture: under its own name, or with nearly its size. Sidecar, render and base get the photo's folder and names, and the
  /// record says so; the edit and its history stay byte for byte. A record that was renamed
  /// together with its photo gets the right names.
  ///
  /// When several files have the content, a file without an edit is preferred, then a file in the
  /// record's own folder. When the photo has an edit of another orphan, that edit moves first, so that photos
  /// may have exchanged their names.
  ///
  /// A photo that has its recorded name and length, and has not changed since its record was written, is not
  /// read, unless it is named itself.
  ///
  /// - Parameters:
  ///   - paths: Folders to look through for orphans, or single sidecars or photos that are gone.
  ///     Their folders are searched for the photos.
  ///   - recursively: Whether folders inside are looked through too; hidden ones and links are not.
  ///   - folders: Where else to look for the photos, with all folders inside.
  ///   - rules: What is left out of all these folders: neither edits nor photos are looked for there.
  ///   - dryRun: Whether only to find out what would happen.
  ///   - report: Called for each orphan in the order of their names, on the editor's thread, with
  ///     the place where its photo should be; then for each folder inside that may not be listed.
  /// - Throws: ``EditError`` when a folder cannot be listed, or the surrounding task was cancelled;
  ///   no edit is half moved then.
  public func relink(
    _ paths: [FilePath], recursively: Bool = false, lookingIn folders: [FilePath] = [],
    rules: FolderRules = .standard, dryRun: Bool = false,
    _ report: @escaping @Sendable (FilePath, Result<Relinking, RelinkError>) -> Void
  ) async throws(EditError) {
    try await working(on: paths.first ?? ".") { cancellation in
      var orphans = OrphanSearch(fileSystem: fileSystem)
      var originals = OriginalSearch(fileSystem: fileSystem) {
        if cancellation.isCancelled { throw CancellationError() }
      }
      for path in paths {
        if fileSystem.folder(at: path) != nil {
          let folder = try WalkedFolder(path, rules, fileSystem)
          try orphans.search(folder, recursively: recursively)
          originals.add(folder, recursively: recursively)
        } else {
          try orphans.add(named: path.originalOfRecord ?? path)
          originals.add(
            try WalkedFolder(path.removingLastComponent(), rules, fileSystem), recursively: false)
        }
      }
      for folder in folders {
        originals.add(try WalkedFolder(folder, rules, fileSystem), recursively: true)
      }
      let run = RelinkRun(
        orphans.found, among: try originals.search(for: orphans.found), isDry: dryRun)
      for index in orphans.found.indices {
        if cancellation.isCancelled { throw CancellationError() }
        report(orphans.found[index].photo, relink(index, in: run, cancellation))
      }
      for (folder, error) in orphans.unseen { report(folder, .failure(.failed(error))) }
    }
  }

  /// Where the picture is that a photo's edit was made for, when another picture has the photo's name now.
  ///
  /// - Parameters:
  ///   - photo: The photo, by the path of the picture that is there now.
  ///   - folders: Where else to look than in the photo's folder, with all folders inside.
  /// - Returns: `nil` when the photo has no edit, or is the picture that was edited; else the files that have
  ///   that picture, if there are any.
  public func editedOriginals(
    of photo: Photo, lookingIn folders: [FilePath] = []
  ) async throws(EditError) -> [FilePath]? {
    try await working(on: photo.path) { cancellation in
      try editedOriginals(of: photo, lookingIn: folders, cancellation)
    }
  }

  func editedOriginals(
    of photo: Photo, lookingIn folders: [FilePath], _ cancellation: RenderCancellation
  ) throws -> [FilePath]? {
    var orphans = OrphanSearch(fileSystem: fileSystem)
    try orphans.add(named: photo.path)
    guard let orphan = orphans.found.first, orphan.place == .anotherPicture,
      let sought = orphan.sought
    else { return nil }
    var originals = OriginalSearch(fileSystem: fileSystem) {
      if cancellation.isCancelled { throw CancellationError() }
    }
    originals.add(
      try WalkedFolder(photo.path.removingLastComponent(), .standard, fileSystem),
      recursively: false)
    for folder in folders {
      originals.add(try WalkedFolder(folder, .standard, fileSystem), recursively: true)
    }
    return try originals.search(for: [orphan])[sought.sha256] ?? []
  }

  /// Goes on with the edit of a photo although its original is another picture now.
  ///
  /// The record then is about the picture that is there, and the edit is rendered from it. For
  /// metadata that another program wrote into the original this is not needed.
  ///
  /// When the picture that was edited has another name now, the edit belongs to it:
  /// ``relink(_:recursively:lookingIn:rules:dryRun:_:)`` moves the edit there.
  /// - Parameters:
  ///   - photo: The photo, by the original's path.
  ///   - folders: Where else to look for the picture that was edited than in the photo's folder, with all
  ///     folders inside.
  ///   - takingFromOriginal: Whether the picture that is there gets the edit even when the one that was
  ///     edited is found.
  ///   - dryRun: Whether only to find out what would happen.
  /// - Returns: ``EditResult/Status/relinked``, or ``EditResult/Status/unchanged`` when the original
  ///   is the picture that was edited, or has no edit of Safelight's own.
  /// - Throws: ``EditError``, such as ``EditError/originalElsewhere(_:found:)``; everything stays as it was
  ///   then.
  @discardableResult
  public func acceptOriginal(
    of photo: Photo, lookingIn folders: [FilePath] = [], takingFromOriginal: Bool = false,
    dryRun: Bool = false
  ) async throws(EditError) -> EditResult {
    try await perform(
      .acceptOriginal(lookingIn: folders, takingFromOriginal: takingFromOriginal), on: photo,
      dryRun: dryRun)
  }
}

// MARK: - Plans

extension OpenEdit {
  /// A plan to give the photo the edit that it had under another name or in another folder.
  ///
  /// - Parameters:
  ///   - former: Where the photo was; `nil` when record and photo were renamed together.
  ///   - photo: The photo, as the caller names it.
  ///   - expectingRoom: Whether an edit that the photo has will have gone elsewhere before. Such a plan is
  ///     only for a dry run.
  func planToRelink(
    from former: FilePath?, to photo: FilePath, expectingRoom: Bool = false
  ) throws -> EditPlan {
    let move = try files.editMove(from: former, expectingRoom: expectingRoom)
    switch move.outcome {
    case .nothingToMove:
      return EditPlan(change: .none(.noEdit), report: EditResult(status: .unchanged))
    case .hasAnEdit:
      throw EditError.targetHasAnEdit(record: (former ?? photo).recordPath, target: photo)
    case .moved:
      return EditPlan(
        change: .move(move),
        report: EditResult(
          status: .relinked, rendered: move.render, record: photo.recordPath,
          warnings: (move.isRenderMissing
            ? ["Its render is missing and has to be rendered again."] : [])
            + warnings(ofNewerRenders: move.newerRenders)))
    }
  }
}
