import PhotoEditing
import SafelightArguments

/// A command's work on the photos it was given.
struct Batch<Command: PhotoCommand> {
  let command: Command
  let selection: PhotoSelection
  let printer: ResultPrinter

  private var isDryRun: Bool { (command as? any ChangingCommand)?.dryRun.isOn == true }

  /// Whether photos change together. A dry run changes none.
  private var isTogether: Bool { command.batch.together && !isDryRun }

  /// Works through the photos; one that fails does not stop the others, unless that was asked for.
  ///
  /// - Returns: The code to end with.
  func run() async throws -> ExitCode {
    let photos = selection.photos
    let work: PhotoWork
    do {
      work = try await PhotoWork(
        command, for: selection.whole, within: command.batch.bounds(photos: photos.count),
        holding: isTogether)
    } catch let error as EditError {
      printer.print(PhotoFailure(error), forAll: selection.items.map(\.path))
      return error.isMisuse ? .validationFailure : .failure
    }
    if isTogether { try Self.makeRoom(forChangesOf: photos.count) }
    let files = try BatchFiles(command.batch, title: title)
    let results = BatchResults(printer, files, of: selection, isDryRun: isDryRun)
    let code = await run(work, files, results)
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

  /// Lets this process hold the changes of so many photos: each keeps its photo and what was made of it open.
  ///
  /// - Throws: `ValidationError` when the system does not let it.
  private static func makeRoom(forChangesOf photos: Int) throws(ValidationError) {
    // Four for a photo whose render changes; more where bases and versions change too.
    let (needed, wanted) = (UInt(photos * 4 + 64), UInt(photos * 8 + 256))
    guard let allowed = EditCommand.openFiles(atLeast: wanted), allowed < needed else { return }
    throw ValidationError(
      "--together with \(photos) photos needs \(needed) open files, and \(allowed) are allowed. "
        + "Raise the limit with “ulimit -n”, or take fewer photos.")
  }

  /// What the batch does, in the words of the command line without its photos.
  private var title: String {
    (["edit"] + Command.words + command.whole.others).joined(separator: " ")
  }

  /// - Parameter parts: How many files of edits were met among the photos.
  private func noteWhatWasLeftOut(_ parts: Int) {
    if parts > 0 {
      let count = counted(parts, "render or sidecar was", "renders and sidecars were")
      printer.note("\(count) passed over.")
    }
    if selection.exports > 0 {
      printer.note("\(countedExports(selection.exports)) left out; name them to work on them.")
    }
    if selection.excluded > 0 {
      let count = counted(selection.excluded, "file or folder was", "files and folders were")
      printer.note("\(count) left out by rules; “edit help exclude” explains them.")
    }
    for folder in selection.outputs {
      printer.note("\(folder) was not looked through: the pictures go there.")
    }
    let kinds = selection.unsupported.sorted { ($1.value, $0.key) < ($0.value, $1.key) }
    if !kinds.isEmpty {
      let total = kinds.map(\.value).reduce(0, +)
      let count = counted(total, "file is", "files are")
      let list = kinds.map { kind, count in
        let article = ["a ", "an "].first(where: kind.hasPrefix) ?? ""
        return "\(kind.dropFirst(article.count)): \(count)"
      }.joined(separator: ", ")
      printer.note("\(count) of a kind that Safelight does not edit (\(list)).")
    }
    if selection.items.isEmpty, selection.elsewhere == 0 {
      printer.note("There are no photos.")
    }
  }

  // MARK: - The work

  private func run(
    _ work: PhotoWork, _ files: BatchFiles, _ results: BatchResults
  ) async -> ExitCode {
    let items = selection.items
    let photos = selection.photos.count
    let stopsAtFailure = command.batch.failFast || isTogether
    // A single photo is done before anybody asks.
    let terminal = command.options.quiet || photos < 2 ? nil : CommandSurroundings.progressTerminal
    let log = BatchLog(
      results, total: items.count, display: ProgressDisplay(on: terminal), waits: isTogether)
    let places = selection.places
    let order = command.mayChangePhotos ? NameOrder(selection) : NameOrder()
    let run = BatchRun(of: items.count, order: order, atOnce: command.batch.atOnce(photos: photos))
    let ticking = Task { await log.tick() }
    await run.run { index in
      await log.started(items[index].path)
    } work: { index -> PhotoReport? in
      if let report = items[index].finalReport { return report }
      return await work.report(
        on: items[index].path, at: places[index], making: files.pictures(at: index))
    } note: { index, report in
      guard let report else { return false }
      await log.finished(index, report)
      let failures = await log.failures
      return !stopsAtFailure || failures == 0
    }
    if isTogether {
      await log.decide(by: work)
      await work.dropHeldChanges()
    }
    ticking.cancel()
    await ticking.value
    await work.waitForLeftAlone()
    return await end(log)
  }

  private func end(_ log: BatchLog) async -> ExitCode {
    await log.end()
    let (failures, remaining) = (await log.failures, await log.remaining)
    if Task.isCancelled, remaining > 0 {
      printer.interrupted(remaining: remaining)
      return ExitCode(130)
    }
    guard failures > 0 else { return .success }
    if isTogether, selection.items.count > 1 {
      printer.notAll(changed: await log.changes)
    } else if command.batch.failFast, remaining > 0 {
      printer.stopped(remaining: remaining)
    }
    return .failure
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

extension Duration {
  var milliseconds: Double {
    let (seconds, attoseconds) = components
    return Double(seconds) * 1000 + Double(attoseconds) / 1e15
  }
}
