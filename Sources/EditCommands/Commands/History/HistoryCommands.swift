import PhotoEditing
import SafelightArguments

/// `edit undo`: takes photos back to their earlier edits.
struct UndoCommand: StepCommand {
  static let direction = HistoryDirection.back
  static let configuration = CommandConfiguration(
    commandName: "undo",
    abstract: "Take photos back to their earlier edits.",
    discussion: """
      Renders the edit before the present one again; “edit redo” brings the present one back. \
      Undoing the first edit shows the original again: the render goes, and the record stays for redo; \
      “edit revert” drops the record, too.

      The last \(EditHistory.limit) edits are kept. Another program's edit cannot be rendered \
      again, so undoing ends there.

      Example:
        edit undo beach.jpg
        edit undo --steps 3 holiday/*.jpg
      """)

  @OptionGroup var moving: StepOptions
  @OptionGroup var whole: BatchWideOptions
}

/// `edit redo`: brings back edits that were undone.
struct RedoCommand: StepCommand {
  static let direction = HistoryDirection.forth
  static let configuration = CommandConfiguration(
    commandName: "redo",
    abstract: "Bring back edits that were undone.",
    discussion: """
      Renders the edit that was undone last again. After another edit, undone ones can no longer \
      be brought back.

      Example:
        edit redo beach.jpg
        edit redo --steps 3 holiday/*.jpg
      """)

  @OptionGroup var moving: StepOptions
  @OptionGroup var whole: BatchWideOptions
}

/// Which way a command goes through the edits of photos.
enum HistoryDirection: String {
  case back = "undo"
  case forth = "redo"

  /// What was done to a photo.
  var participle: String { self == .back ? "undone" : "redone" }
}

/// A command that goes some steps back or forth through the edits of photos.
protocol StepCommand: ChangingCommand where Preparation == Void {
  static var direction: HistoryDirection { get }
  /// How far, and how the edit is rendered.
  var moving: StepOptions { get }
}

extension StepCommand {
  var dryRun: DryRunOption { moving.dryRun }
  var editing: PhotoEditor.Configuration { moving.decoding.configuration }

  func work(on task: PhotoTask<Void>) async throws(EditError) -> PhotoResult {
    let (editor, photo) = (task.editor, task.photo)
    let (steps, quality) = (moving.steps, moving.quality)
    let result =
      switch Self.direction {
      case .back:
        try await editor.undo(photo, steps: steps, quality: quality, dryRun: dryRun.isOn)
      case .forth:
        try await editor.redo(photo, steps: steps, quality: quality, dryRun: dryRun.isOn)
      }
    return PhotoResult(
      result, did: Self.direction.participle,
      nothing: "there is nothing to \(Self.direction.rawValue)", to: task.path, dryRun: dryRun)
  }
}

/// Options of the commands that go back and forth through the edits of photos.
struct StepOptions: ParsableArguments {
  @Option(help: "How many edits to go, at most.")
  var steps = 1

  @Option(
    help: ArgumentHelp(
      "JPEG quality of the render, from 1 to 100; without it what the edit was rendered with."))
  var quality: Int?

  @OptionGroup var dryRun: DryRunOption
  @OptionGroup var decoding: DecodingOptions

  func validate() throws {
    try Limits.check(Double(steps), in: 1...1_000_000, "--steps")
    if let quality { try Limits.check(Double(quality), in: Limits.quality, "--quality") }
  }
}

/// `edit history`: lists the edits of photos, goes to one of them, or merges those of other machines.
struct HistoryCommand: ChangingCommand {
  static let configuration = CommandConfiguration(
    commandName: "history",
    abstract: "List the edits of photos, go to one of them, or merge those of other machines.",
    discussion: """
      Prints what each edit changed, when, and which program made it if that was another \
      one. The present one has a star; those after it were undone and can be redone. Step 0 is \
      the original. Without --to nothing is written.

      The last \(EditHistory.limit) edits before the present one are kept, and those of other \
      programs; older ones are dropped, and the steps are numbered again.

      When two machines edited the photo, a program that syncs folders keeps one sidecar and copies \
      the other, as “beach.jpg.sync-conflict-20240101.aae” or “beach.jpg (conflicted copy).aae”. The \
      edits in such a copy that the photo's history does not have are listed under it. With --merge \
      its newest edit becomes a version of the photo, with the edits before it, which “edit version \
      list” shows, and its versions become versions of the photo. The copy goes to \
      “.safelight-trash” in the photo's folder. The photo's own edit stays as it is; “edit version \
      use” gives it the other one.

      Example:
        edit history beach.jpg
        edit history --merge beach.jpg
        edit history --to 2 beach.jpg
        edit history --json beach.jpg
      """)

  @Option(
    name: .customLong("to"),
    help: ArgumentHelp("Go to the step of this number, back or forth.", valueName: "step"))
  var target: Int?

  @Flag(help: "Keep other machines' edits as versions, and put the copies of the sidecar away.")
  var merge = false

  @Option(
    help: ArgumentHelp(
      "With --to: JPEG quality of the render, from 1 to 100; without it what it was before."))
  var quality: Int?

  @OptionGroup var dryRun: DryRunOption
  @OptionGroup var decoding: DecodingOptions
  @OptionGroup var whole: BatchWideOptions

  var editing: PhotoEditor.Configuration { decoding.configuration }

  func validate() throws {
    if let quality { try Limits.check(Double(quality), in: Limits.quality, "--quality") }
    if let target {
      if merge { throw ValidationError("--to and --merge do two things; give one of them.") }
      try Limits.check(Double(target), in: 0...1_000_000, "--to")
    } else if quality != nil || dryRun.isOn && !merge {
      throw ValidationError("--quality and --dry-run say how to go to a step: name it with --to.")
    }
  }

  func work(on task: PhotoTask<Void>) async throws(EditError) -> PhotoResult {
    if let target {
      let result = try await task.editor.goToStep(
        target, ofHistoryOf: task.photo, quality: quality, dryRun: dryRun.isOn)
      return PhotoResult(
        result, did: "taken to step \(target)", nothing: "it is at step \(target)", to: task.path,
        dryRun: dryRun)
    }
    if merge {
      let result = try await task.editor.mergeConflictingEdits(of: task.photo, dryRun: dryRun.isOn)
      return PhotoResult(
        result, of: task.path, dryRun: dryRun,
        details: JSONValue.members(["versions": result.versions])
      ) { _ in
        let names = result.versions.joined(separator: ", ")
        return switch result.status {
        case .unchanged: "unchanged, there is no other machine's edit"
        case _ where names.isEmpty && dryRun.isOn: "would be merged, nothing is new"
        case _ where names.isEmpty: "merged, nothing was new"
        default: dryRun.isOn ? "would be merged as \(names)" : "merged as \(names)"
        }
      }
    }
    let description = HistoryDescription(
      history: try await task.editor.history(of: task.photo),
      conflicts: try await task.editor.conflictingEdits(of: task.photo), photo: task.path)
    return PhotoResult(
      status: "shown", text: description.text, rows: description.rows,
      details: description.details)
  }
}

extension PhotoResult {
  /// The result for a photo that was taken through its history.
  ///
  /// - Parameters:
  ///   - did: What was done to it, as “undone”.
  ///   - nothing: Why nothing was done, for a photo that is unchanged.
  init(
    _ result: EditResult, did: String, nothing: String, to photo: FilePath, dryRun: DryRunOption
  ) {
    let place = result.step == 0 ? "\(did), back at the original" : did
    self.init(
      result, of: photo, dryRun: dryRun, details: JSONValue.members(["step": result.step])
    ) { name in
      switch result.status {
      case .edited where result.rendered == nil: dryRun.isOn ? "would be \(place)" : place
      case .edited where dryRun.isOn: "would be \(place), rendered to \(name)"
      case .edited: "\(place), rendered to \(name)"
      default: "unchanged, \(nothing)"
      }
    }
  }
}
