import PhotoEditing
import SafelightArguments

/// A command's work on the photos it was given: one alone in this process, several on workers.
struct Batch<Command: PhotoCommand> {
  let command: Command
  let selection: PhotoSelection
  let printer: ResultPrinter

  private var isDryRun: Bool { (command as? any ChangingCommand)?.dryRun.isOn == true }

  /// Whether photos change together. A dry run changes none.
  private var isTogether: Bool { command.batch.changesTogether && !isDryRun }

  /// Whether workers do the work: for several photos, and for one photo with a limit of time or memory.
  private var needsWorkers: Bool {
    photos.count > 1
      || !photos.isEmpty && !command.writesToStandardOutput
        && command.selection.words.contains { $0.groups.contains { $0 == WorkerLimits.self } }
  }

  private var photos: [FilePath] { selection.photos }

  /// Works through the photos; one that fails does not stop the others, unless that was asked for.
  ///
  /// - Returns: The code to end with.
  func run() async throws -> ExitCode {
    let work: PhotoWork
    do {
      work = try await PhotoWork(command, for: photos, in: command.batch.limits.darkroom)
    } catch let error as EditError {
      printer.print(PhotoFailure(error), forAll: selection.items.map(\.path))
      return error.isMisuse ? .validationFailure : .failure
    }
    if isTogether, photos.count > 1, CommandSurroundings.workerProgram == nil {
      throw ValidationError("--together needs worker processes, and they need /proc.")
    }
    let files = try BatchFiles(command.batch, title: title)
    let results = BatchResults(printer, files, of: selection, isDryRun: isDryRun)
    let code =
      if needsWorkers, let program = CommandSurroundings.workerProgram {
        await run(work, onWorkersOf: program, files, results)
      } else {
        await runHere(work, files, results)
      }
    results.finish()
    if let note = files.finish() { printer.note(note) }
    noteWhatWasLeftOut(selection.leftOut + results.parts)
    if results.unfinished > 0 {
      printer.notInPlace(results.unfinished)
      if code == .success { return .failure }
    }
    if let failure = files.failure {
      printer.note("The report is not complete: \(failure.description)")
      if code == .success { return .failure }
    }
    return code
  }

  /// What the batch does, in the words of the command line without its photos.
  private var title: String {
    (["edit"] + Command.words + command.ownWords.commandLine.filter { $0 != "--" })
      .joined(separator: " ")
  }

  /// - Parameter parts: How many files of edits were met among the photos.
  private func noteWhatWasLeftOut(_ parts: Int) {
    if parts > 0 {
      let noun = parts == 1 ? "render or sidecar was" : "renders and sidecars were"
      printer.note("\(parts) \(noun) passed over.")
    }
    if selection.exports > 0 {
      let noun =
        selection.exports == 1
        ? "picture that Safelight made was" : "pictures that Safelight made were"
      printer.note("\(selection.exports) \(noun) left out; name them to work on them.")
    }
    if selection.excluded > 0 {
      let noun = selection.excluded == 1 ? "file or folder was" : "files and folders were"
      printer.note(
        "\(selection.excluded) \(noun) left out by rules; “edit help exclude” explains them.")
    }
    for folder in selection.outputs {
      printer.note("\(folder) was not looked through: the pictures go there.")
    }
    let kinds = selection.unsupported.sorted { ($1.value, $0.key) < ($0.value, $1.key) }
    if !kinds.isEmpty {
      let total = kinds.map(\.value).reduce(0, +)
      let noun = total == 1 ? "file is" : "files are"
      let list = kinds.map { kind, count in
        let article = ["a ", "an "].first(where: kind.hasPrefix) ?? ""
        return "\(kind.dropFirst(article.count)): \(count)"
      }.joined(separator: ", ")
      printer.note("\(total) \(noun) of a kind that Safelight does not edit (\(list)).")
    }
    if selection.items.isEmpty, selection.elsewhere == 0 {
      printer.note("There are no photos.")
    }
  }

  // MARK: - In this process

  private func runHere(
    _ work: PhotoWork, _ files: BatchFiles, _ results: BatchResults
  ) async -> ExitCode {
    var failures = 0
    var index = 0
    for (number, item) in selection.items.enumerated() {
      let report: PhotoReport
      if let known = item.finalReport {
        report = known
      } else {
        do throws(WorkCancelled) {
          report = try await work.report(item.path, index, files.pictures(at: number))
        } catch {
          printer.interrupted(remaining: selection.items.count - number)
          return ExitCode(130)
        }
        index += 1
      }
      results.add(report, at: number)
      if case .failure = report.outcome { failures += 1 }
      let remaining = selection.items.count - number - 1
      if Task.isCancelled, remaining > 0 {
        printer.interrupted(remaining: remaining)
        return ExitCode(130)
      }
      if failures > 0, command.batch.failFast, remaining > 0 {
        printer.stopped(remaining: remaining)
        break
      }
    }
    return failures == 0 ? .success : .failure
  }

  // MARK: - On workers

  private func run(
    _ work: PhotoWork, onWorkersOf program: FilePath, _ files: BatchFiles, _ results: BatchResults
  ) async -> ExitCode {
    let pool = command.batch.pool(program: program, photos: photos.count)
    let terminal = command.options.quiet ? nil : CommandSurroundings.progressTerminal
    let queue = BatchQueue(
      items: selection.items, failsFast: command.batch.failFast, isTogether: isTogether,
      order: command.mayChangePhotos ? NameOrder(selection) : NameOrder(),
      words: work.words, pictures: files.pictures)
    let end = await WakeUp.ringingOnCancel { wakeUp in
      let log = BatchLog(
        results, total: queue.count, display: ProgressDisplay(on: terminal), waits: queue.isTogether
      )
      return queue.run(on: WorkerPool(pool, until: wakeUp), log)
    }
    switch end.reason {
    case .interruption:
      printer.interrupted(remaining: end.remaining)
      return ExitCode(130)
    case .failure where isTogether: printer.notAll(changed: end.changed)
    case .failure where end.remaining > 0: printer.stopped(remaining: end.remaining)
    case .failure, .completion: break
    }
    return end.failures == 0 ? .success : .failure
  }
}

extension NameOrder {
  fileprivate init(_ selection: PhotoSelection) {
    self.init(
      selection.items.enumerated().compactMap { index, item in
        if case .photo(let path) = item { (index, path) } else { nil }
      })
  }
}

extension EditError {
  /// Whether the command line is wrong, whatever the photos are.
  fileprivate var isMisuse: Bool {
    switch self {
    case .unknownFilter, .filterName, .storage(.invalidVersionName): true
    default: false
    }
  }
}

extension PhotoSelection.Item {
  /// The report on a file that is no photo; `nil` for a photo, which is worked on first.
  var finalReport: PhotoReport? {
    switch self {
    case .photo: nil
    case .skipped(let path, let reason):
      PhotoReport(photo: path, outcome: .success(.skipped(because: reason)), milliseconds: 0)
    case .part(let path, let reason):
      PhotoReport(
        photo: path, outcome: .success(.skipped(because: reason)), milliseconds: 0, isPart: true)
    case .failed(let path, let failure): .failed(path, failure)
    }
  }
}

/// A prepared command, which works on one photo after another.
struct PhotoWork: Sendable {
  /// Whether renders and base photos are photos to the command.
  let takesRenders: Bool
  /// Works on the photo at `index` in the list that the command was prepared for, and then makes
  /// pictures of it if they are asked for.
  let report:
    @Sendable (_ photo: FilePath, _ index: Int, _ pictures: ReportPictures?)
      async throws(WorkCancelled) -> PhotoReport
  /// Makes the change that waits for a photo, when the work holds its changes. Gives warnings.
  let makeHeldChange: @Sendable (_ photo: FilePath) async -> Result<[String], PhotoFailure>
  /// The words with which a worker does the same to the `index`th photo.
  let words: @Sendable (_ index: Int) -> [String]

  /// Prepares a command.
  ///
  /// - Parameters:
  ///   - holding: Whether changes wait for ``makeHeldChange``.
  ///   - darkroom: Where photos are decoded, and what they may take.
  /// - Throws: ``EditError`` or a usage error, when no photo at all can be worked on.
  init<Command: PhotoCommand>(
    _ command: Command, for photos: [FilePath], holding: Bool = false,
    in darkroom: PhotoDarkroom = .current
  ) async throws {
    let preparation = try await command.prepare(for: photos)
    var configuration = command.editing
    configuration.holdsChanges = holding
    configuration.darkroom = darkroom
    self.init(
      configuration, takesRenders: Command.takesRenders,
      words: { index in command.words(for: index, with: preparation) },
      work: { photo, index, editor throws(EditError) in
        try await command.work(
          on: PhotoTask(path: photo, index: index, preparation: preparation, editor: editor))
      })
  }

  /// Prepares an operation on edits.
  ///
  /// - Throws: ``EditError`` when one of its names means nothing.
  init(
    _ operation: EditOperation, quality: Int? = nil, dryRun: Bool = false, holding: Bool = false
  ) async throws {
    let operation = try await operation.resolved(by: .commandLine)
    var configuration = PhotoEditor.Configuration()
    configuration.holdsChanges = holding
    self.init(
      configuration, takesRenders: false, words: { _ in [] },
      work: { photo, _, editor throws(EditError) in
        let result = try await editor.perform(
          operation, on: Photo(path: photo), quality: quality, dryRun: dryRun)
        return PhotoResult(result, of: [operation], to: photo, dryRun: dryRun)
      })
  }

  private init(
    _ configuration: PhotoEditor.Configuration, takesRenders: Bool,
    words: @escaping @Sendable (_ index: Int) -> [String],
    work: @escaping @Sendable (FilePath, Int, PhotoEditor) async throws(EditError) -> PhotoResult
  ) {
    (self.takesRenders, self.words) = (takesRenders, words)
    let editor = PhotoEditor(configuration)
    makeHeldChange = { photo in
      do throws(EditError) {
        return .success(try await editor.makeHeldChange(to: Photo(path: photo)))
      } catch {
        return .failure(PhotoFailure(error))
      }
    }
    report = { photo, index, pictures throws(WorkCancelled) in
      let start = ContinuousClock.now
      do throws(EditError) {
        let result = try await work(photo, index, editor)
        var report = PhotoReport(photo: photo, outcome: .success(result), since: start)
        if let pictures { report.pictures = await pictures.made(of: photo, by: editor) }
        return report
      } catch {
        if case .cancelled = error { throw WorkCancelled() }
        return PhotoReport(photo: photo, outcome: .failure(PhotoFailure(error)), since: start)
      }
    }
  }
}

/// The surrounding task was cancelled; the photo in hand is as it was.
struct WorkCancelled: Error {}

extension Duration {
  var milliseconds: Double {
    let (seconds, attoseconds) = components
    return Double(seconds) * 1000 + Double(attoseconds) / 1e15
  }
}
