import PhotoEditing
import SafelightArguments
import SafelightFiles

/// The part of `edit verify --fix --gone` that puts away the edits of photos that are gone.
struct GoneRemoval {
  /// Folders, sidecars, or photos that are gone.
  let paths: [FilePath]
  let recursive: Bool
  /// Where else the photos may be.
  let folders: [FilePath]
  /// What is left out of the folders.
  let rules: @Sendable (FilePath) -> FolderRules
  let yes: Bool
  let dryRun: DryRunOption
  let quiet: Bool

  /// What became of the edits whose photos are gone.
  struct Outcome {
    /// The photos whose edits are put away, and the sidecars.
    var done: Set<FilePath> = []
    /// Why the edits of other photos stay, which was told already.
    var reasons: [FilePath: String] = [:]
  }

  /// Finds such edits, asks, and puts them away.
  ///
  /// - Throws: The code to end with when the check is not to go on.
  func run(
    with editor: PhotoEditor, _ tally: ResultTally, on console: Console
  ) async throws(ExitCode) -> Outcome {
    let found: [GonePhoto]
    do throws(EditError) {
      found = try await editor.gonePhotos(
        in: paths, recursively: recursive, lookingIn: folders, rules: rules)
    } catch .cancelled {
      console.message("edit: Interrupted; nothing was put away.")
      throw ExitCode(130)
    } catch {
      throw console.fail(PhotoFailure(error))
    }
    let going = found.filter { $0.obstacle == nil }
    var outcome = Outcome()
    for kept in found {
      guard let reason = kept.reason else { continue }
      outcome.reasons[kept.photo] = reason
      console.message("edit: The edit of \(kept.photo) stays. \(reason)")
    }
    if going.isEmpty { return outcome }
    let places = Self.list((paths.map(\.folderToSearch) + folders).uniqued().map(\.description))
    if !dryRun.isOn, !yes {
      let names = Self.list(going.map(\.photo.description))
      let question = """
        Put the \(going.count == 1 ? "edit" : "edits") of \(counted(going.count, "photo")) into \
        .safelight-trash: \(names)? No file in \(places) has \
        \(going.count == 1 ? "its" : "their") content.
        """
      let instead = "Say yes with --yes; --dry-run says what would happen."
      do throws(EditCommandError) {
        guard try await QuestionTerminal.confirm(question, instead: instead) else { return outcome }
      } catch .cancelled {
        throw ExitCode(130)
      } catch {
        throw console.fail(PhotoFailure(error))
      }
    }
    for gone in going {
      if await putAway(gone, with: editor, tally) {
        outcome.done.formUnion([gone.photo, gone.record])
      }
    }
    if !quiet, dryRun.isOn {
      console.message("edit: No file in \(places) has the content of these photos.")
    }
    return outcome
  }

  /// - Returns: Whether the edit is put away, or would be.
  private func putAway(
    _ gone: GonePhoto, with editor: PhotoEditor, _ tally: ResultTally
  ) async -> Bool {
    func add(_ text: String, to trash: FilePath?) {
      let result = PhotoResult(
        status: dryRun.isOn ? "unchanged" : "removed", text: text, warnings: gone.warnings,
        details: JSONValue.members(["files": gone.files, "trash": trash]) + dryRun.details)
      tally.add(.success(result), of: gone.photo, isSound: true, done: 1)
    }
    let count = counted(gone.files.count, "file")
    if dryRun.isOn {
      add("is gone, its \(count) would go to .safelight-trash", to: nil)
      return true
    }
    do {
      let trash = try await editor.putAway(gone)
      add("is gone, its \(count) went to \(trash)", to: trash)
      return true
    } catch {
      tally.add(.failure(PhotoFailure(error)), of: gone.photo, isSound: false)
      return false
    }
  }

  /// The first names of a list, and how many more there are.
  private static func list(_ names: [String]) -> String {
    let shown = names.prefix(5).joined(separator: ", ")
    return names.count > 5 ? "\(shown) and \(names.count - 5) more" : shown
  }
}

extension FilePath {
  /// The folder that is searched for photos, for a path that the command line names.
  fileprivate var folderToSearch: FilePath {
    if FileSystem.real.folder(at: self) != nil { return self }
    let folder = removingLastComponent()
    return folder.isEmpty ? "." : folder
  }
}

extension [FilePath] {
  /// The paths without those that stand before.
  fileprivate func uniqued() -> [FilePath] {
    var seen: Set<FilePath> = []
    return filter { seen.insert($0).inserted }
  }
}
