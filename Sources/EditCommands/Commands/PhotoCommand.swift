import PhotoEditing
import SafelightArguments

/// A command that says what it does on a console, so that tests can hear it.
protocol ConsoleCommand: AsyncParsableCommand {
  /// Does the command's work.
  ///
  /// - Returns: The code to end with; what went wrong has been said then.
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

  /// Whether it changes the edits of photos, which ``BatchOptions/atomic`` is about.
  static var changesEdits: Bool { get }

  /// Which photos.
  var selection: SelectionOptions { get }
  /// How several are worked on.
  var batch: BatchOptions { get }
  /// How results are printed.
  var options: PhotoOptions { get }
  /// How the editor that does the work behaves.
  var editing: PhotoEditor.Configuration { get }

  /// What every photo needs and only one message should refuse, such as the filter.
  associatedtype Preparation: Sendable
  func prepare(for photos: [FilePath]) async throws -> Preparation

  /// Does the command's work on one photo, the `index`th of those it was prepared for.
  func work(
    on photo: FilePath, at index: Int, with preparation: Preparation, by editor: PhotoEditor
  ) async throws(EditError) -> PhotoResult

  /// The options that are other ones when the photo is worked on alone by another process: by the
  /// names of their properties.
  func options(for index: Int, with preparation: Preparation) -> [String: String]
}

extension PhotoCommand {
  static var words: [String] { configuration.commandName.map { [$0] } ?? [] }
  static var takesRenders: Bool { false }
  static var changesEdits: Bool { false }
  var editing: PhotoEditor.Configuration { PhotoEditor.Configuration() }
  func options(for index: Int, with preparation: Preparation) -> [String: String] { [:] }

  /// Finds the photos and works on them.
  func run(on console: Console) async throws -> ExitCode {
    if batch.atomic, !Self.changesEdits {
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
    if let problem = await found.tellLibrary() { printer.note(problem) }
    return code
  }

  /// What was given for the work itself, without the photos, and without what is about the batch and
  /// how its results are printed.
  var ownWords: [GivenWord] {
    selection.words.filter { word in
      !["selection.", "batch.", "options."].contains(where: word.key.hasPrefix)
    }
  }

  /// The words with which a worker does the same to the `index`th photo.
  func words(for index: Int, with preparation: Preparation) -> [String] {
    let other = options(for: index, with: preparation)
    let words = ownWords.map { word in
      GivenWord(key: word.key, name: word.name, value: other[word.key] ?? word.value)
    }
    return Self.words + words.commandLine
  }
}
