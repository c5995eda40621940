import Glibc
import PhotoEditing
import SafelightArguments
import SafelightFiles
import Synchronization

/// The files, besides the console, that the results of a batch are written to. Used by one task at
/// a time.
struct BatchFiles: Sendable {
  private let report: ReportFile?
  private let page: HTMLReport?

  /// Makes the files that were asked for.
  ///
  /// - Throws: `ValidationError` when one cannot be made.
  init(_ options: BatchOptions, title: String) throws {
    do {
      report = try options.report.map { name in try ReportFile(FilePath(argument: name)) }
    } catch let error as FileSystemError {
      throw ValidationError(error.description)
    }
    do throws(HTMLReportError) {
      page = try options.html.map { name throws(HTMLReportError) in
        try HTMLReport(in: FilePath(argument: name), title: title)
      }
    } catch {
      throw ValidationError(error.description)
    }
  }

  /// The pictures that the page wants of the file of this number; `nil` without a page.
  func pictures(at index: Int) -> ReportPictures? {
    page.map { page in
      let names = HTMLReport.pictures(at: index)
      return ReportPictures(
        before: page.folder.appending(names.before), after: page.folder.appending(names.after))
    }
  }

  /// Adds the file of this number.
  func add(_ photo: PhotoReport, at index: Int) {
    report?.add(photo)
    guard let page else { return }
    var entry = ReportEntry(photo.photo, status: photo.status)
    entry.milliseconds = Int(photo.milliseconds)
    entry.filter = photo.pictures?.filter
    let names = HTMLReport.pictures(at: index)
    if photo.pictures?.before != nil { entry.before = names.before }
    if photo.pictures?.after != nil { entry.after = names.after }
    switch photo.outcome {
    case .success(let result):
      entry.text = result.text
      // The line itself says why a file is skipped.
      if photo.status != EditResult.Status.skipped.rawValue { entry.warnings = result.warnings }
    case .failure(let failure): entry.failure = failure
    }
    // A page that cannot grow can be read as it is. The batch goes on.
    try? page.add(entry)
  }

  /// Says where the page is; `nil` without one.
  func finish() -> String? {
    guard let page, (try? page.finish()) != nil else { return nil }
    return "The report is \(page.page)."
  }

  /// Why the report is not complete; `nil` when it is, or none was asked for.
  var failure: FileSystemError? { report?.failure }
}

/// A file that gets the JSON object of each photo, one on a line.
final class ReportFile: Sendable {
  private let fileSystem: FileSystem
  private let file: OpenFile
  /// Whether it is a device or a pipe, which may take nothing for as long as it likes.
  private let isStream: Bool
  private let firstFailure = Mutex<FileSystemError?>(nil)

  /// Makes the file by the ``OutputRule``. An earlier report is emptied; a device or a pipe is
  /// written to.
  ///
  /// - Throws: `ValidationError` for a file that is no report, `FileSystemError`.
  init(_ path: FilePath, _ fileSystem: FileSystem = .real) throws {
    self.fileSystem = fileSystem
    let kind = try fileSystem.statusFollowingLinks(of: path)?.kind
    if kind != .other {
      do {
        try OutputRule(fileSystem).check(path, replacing: false) {
          try Self.isReport(path, fileSystem)
        }
      } catch EditError.destinationTaken(_, .exists) {
        throw ValidationError(
          "\(path) is there and is no report. Choose another name, or remove the file.")
      } catch let error as EditError {
        throw ValidationError(error.message)
      }
    }
    isStream = kind == .other
    file =
      switch kind {
      case nil: try fileSystem.createExclusive(path, mode: 0o666)
      case .other: try Self.openStream(path, fileSystem)
      default: try fileSystem.openForOutput(path)
      }
  }

  /// Opens a device or a pipe, and waits until somebody reads the pipe or a signal ends the program.
  private static func openStream(_ path: FilePath, _ fileSystem: FileSystem) throws -> OpenFile {
    while true {
      do throws(FileSystemError) {
        return try fileSystem.openForOutput(path, waiting: false)
      } catch {
        guard error.errno == ENXIO else { throw error }
        if Interruption.hasCome { throw ExitCode(130) }
        usleep(20_000)
      }
    }
  }

  /// Whether a file is empty or begins with the result of a photo.
  private static func isReport(_ path: FilePath, _ fileSystem: FileSystem) throws -> Bool {
    let beginning = try fileSystem.beginningOfFile(at: path)
    let line = beginning.prefix { $0 != UInt8(ascii: "\n") }
    guard !beginning.isEmpty else { return true }
    guard let json = try? JSONValue(parsing: Array(line)) else { return false }
    return json["photo"] != nil && json["status"] != nil
  }

  /// The first write that failed.
  var failure: FileSystemError? { firstFailure.withLock { $0 } }

  /// Adds a photo. A report that cannot grow is no reason to stop the batch.
  func add(_ report: PhotoReport) {
    var rest = Array((report.json.text + "\n").utf8)[...]
    do throws(FileSystemError) {
      while !rest.isEmpty {
        if isStream, !waitForRoom() { return }
        // What a pipe with room takes without waiting.
        let part = isStream ? rest.prefix(Int(PIPE_BUF)) : rest
        try fileSystem.write(Array(part), to: file)
        rest = rest.dropFirst(part.count)
      }
    } catch {
      firstFailure.withLock { $0 = $0 ?? error }
    }
  }

  /// Waits until a pipe takes something.
  ///
  /// - Returns: `false` when a signal shall end the program first.
  private func waitForRoom() -> Bool {
    while true {
      var entry = pollfd(fd: file.descriptor, events: Int16(POLLOUT), revents: 0)
      if poll(&entry, 1, 100) > 0 { return true }
      if Interruption.hasCome { return false }
    }
  }
}
