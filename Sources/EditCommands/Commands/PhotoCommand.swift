import PhotoEditing
import SafelightArguments

/// A command that writes to a console, which tests can read.
protocol ConsoleCommand: AsyncParsableCommand {
  /// Does the command's work.
  ///
  /// - Returns: The code to end with. What went wrong has been printed by then.
  func run(on console: Console) async throws -> ExitCode
}

extension ConsoleCommand {
  mutating func run() async throws {
    let code = try await run(on: .standard)
    if !code.isSuccess { throw code }
  }
}

/// A command that does one thing to each of several photos.
protocol PhotoCommand: ConsoleCommand, Sendable {
  /// The words that name the command: `apply`, or `version` and `save`.
  static var words: [String] { get }
  /// Whether renders and base photos count as photos. Most commands pass them over.
  static var takesRenders: Bool { get }

  /// Which photos.
  var selection: SelectionOptions { get }
  /// How several are worked on.
  var batch: BatchOptions { get }
  /// How results are printed.
  var options: PhotoOptions { get }
  /// How the editor that does the work behaves.
  var editing: PhotoEditor.Configuration { get }

  /// Makes what every photo needs, such as the filter. When that fails, one message says so.
  associatedtype Preparation: Sendable
  func prepare(for photos: [FilePath]) async throws -> Preparation

  /// Does the command's work on one photo, the `index`th of those it was prepared for.
  func work(
    on photo: FilePath, at index: Int, with preparation: Preparation, by editor: PhotoEditor
  ) async throws(EditError) -> PhotoResult

  /// The file that the `index`th photo's picture goes to; `nil` for a command that writes none.
  ///
  /// A worker works on the photo alone, and gets this in place of the folder for all pictures.
  func output(for index: Int, with preparation: Preparation) -> FilePath?
}

/// A command that changes the edits of photos, so that a batch of it may be atomic.
protocol ChangingCommand: PhotoCommand {
  /// Whether it only says what it would do.
  var dryRun: DryRunOption { get }
}

/// Options that are about a batch as a whole: a worker, which works on one photo alone, is not given
/// them.
protocol BatchWideOptions: ParsableArguments {}

/// The file or folder that a picture is written to: the value of an option `--output`.
///
/// The type tells which option a worker is given another value for.
struct OutputPath: ExpressibleByArgument {
  /// The path.
  let path: FilePath

  init(argument: String) { path = FilePath(argument: argument) }
}

extension PhotoCommand {
  static var words: [String] { configuration.commandName.map { [$0] } ?? [] }
  static var takesRenders: Bool { false }
  var editing: PhotoEditor.Configuration { PhotoEditor.Configuration() }
  func output(for index: Int, with preparation: Preparation) -> FilePath? { nil }

  /// Finds the photos and works on them.
  func run(on console: Console) async throws -> ExitCode {
    if batch.atomic, !(self is any ChangingCommand) {
      throw ValidationError("--atomic is for commands that change the edits of photos.")
    }
    let printer = ResultPrinter(console: console, json: options.json, quiet: options.quiet)
    let found: PhotoSelection
    do {
      found = try PhotoSelection(selection, takesRenders: Self.takesRenders)
    } catch let error as PathList.Failure {
      throw ValidationError("\(error.name) cannot be read: \(error.reason).")
    } catch {
      return try LibraryFailure(error).say(on: console, json: options.json)
    }
    let code = try await Batch(command: self, selection: found, printer: printer).run()
    if let problem = await found.refreshLibrary() { printer.note(problem) }
    return code
  }

  /// What was given for the work itself: without the photos, and without what is about the batch and
  /// how its results are printed.
  var ownWords: [GivenWord] {
    selection.words.filter { word in
      !word.groups.contains { $0 is any BatchWideOptions.Type }
    }
  }

  /// The words with which a worker does the same to the `index`th photo.
  func words(for index: Int, with preparation: Preparation) -> [String] {
    var words = ownWords
    if let output = output(for: index, with: preparation) {
      for index in words.indices where words[index].valueType == OutputPath.self {
        words[index].value = output.argument
      }
    }
    return Self.words + words.commandLine
  }
}

/// A command that changes the edit of each of several photos and renders it.
protocol EditingCommand: ChangingCommand {
  var rendering: RenderingOptions { get }
}

extension EditingCommand {
  var editing: PhotoEditor.Configuration { rendering.decoding.configuration }
  var quality: Int { rendering.quality }
  var dryRun: DryRunOption { rendering.dryRun }

  /// Changes a photo's edit.
  ///
  /// - Parameter did: What was done to the photo, for people.
  func adjust(
    _ photo: FilePath, by editor: PhotoEditor, did: String,
    _ change: @Sendable (inout EditStack) throws(AdjustmentError) -> Void
  ) async throws(EditError) -> PhotoResult {
    let result = try await editor.adjust(
      Photo(path: photo), quality: quality, dryRun: dryRun.isOn, change)
    return PhotoResult(result, did: did, to: photo, dryRun: dryRun)
  }
}
