import PhotoEditing
import Synchronization

/// What a command or an operation does to one photo after another.
struct PhotoWork: Sendable {
  /// What the work on a photo may take.
  struct Bounds: Sendable {
    /// Where photos are decoded, and the memory that they may take there.
    var darkroom = PhotoDarkroom.current
    /// The longest that a photo may take; `nil` is for ever.
    var time: Duration?
  }

  /// Whether renders and base photos are photos to the command.
  let takesRenders: Bool
  private let bounds: Bounds
  private let configuration: PhotoEditor.Configuration
  private let work: @Sendable (FilePath, Int, PhotoEditor) async throws(EditError) -> PhotoResult
  private let held = HeldChanges()
  private let leftAlone = LeftAlone()

  /// Prepares a command.
  ///
  /// - Parameter holding: Whether changes wait for ``makeHeldChange(of:)``.
  /// - Throws: ``EditError`` or a usage error, when no photo at all can be worked on.
  init<Command: PhotoCommand>(
    _ command: Command, for photos: [FilePath], within bounds: Bounds = Bounds(),
    holding: Bool = false
  ) async throws {
    let preparation = try await command.prepare(for: photos)
    var configuration = command.editing
    configuration.holdsChanges = holding
    self.init(configuration, within: bounds, takesRenders: Command.takesRenders) {
      photo, index, editor throws(EditError) in
      try await command.work(
        on: PhotoTask(path: photo, index: index, preparation: preparation, editor: editor))
    }
  }

  /// Prepares operations on edits, which are one step of the history.
  ///
  /// - Throws: ``EditError`` when one of its names means nothing.
  init(
    _ edit: EditRequest, quality: Int? = nil, noVideo: Bool = false, dryRun: Bool = false
  ) async throws {
    let operations = try await edit.resolved(by: .commandLine).operations
    self.init(.rendering(noVideo: noVideo), within: Bounds(), takesRenders: false) {
      photo, _, editor throws(EditError) in
      let result = try await editor.perform(
        operations, on: Photo(path: photo), quality: quality, dryRun: dryRun)
      return PhotoResult(result, of: operations, to: photo, dryRun: dryRun)
    }
  }

  /// Prepares a picture for a file of its own.
  ///
  /// - Parameter edit: The edit that it shows in place of the photo's own; `nil` for none.
  /// - Throws: ``EditCommandError/badJob(_:)`` when the file cannot be such a picture, or ``EditError``.
  init(
    _ request: ExportRequest, showing edit: EditRequest? = nil, of photo: FilePath, dryRun: Bool
  ) async throws {
    let edit = try await edit?.resolved(by: .commandLine)
    let destination = request.destination(of: photo, at: FilePath(argument: request.output))
    if request.output == "-" { throw Worker.standardOutput }
    if let mismatch = destination.mismatch { throw EditCommandError.badJob(mismatch) }
    self.init { photo, editor throws(EditError) in
      try await request.write(
        photo, to: destination, showing: edit, by: editor, dryRun: dryRun)
    }
  }

  /// Prepares work that is neither a command nor an operation, such as reading a history.
  init(
    noVideo: Bool = false,
    _ work: @escaping @Sendable (FilePath, PhotoEditor) async throws(EditError) -> PhotoResult
  ) {
    self.init(.rendering(noVideo: noVideo), within: Bounds(), takesRenders: false) {
      photo, _, editor throws(EditError) in try await work(photo, editor)
    }
  }

  private init(
    _ configuration: PhotoEditor.Configuration, within bounds: Bounds, takesRenders: Bool,
    _ work: @escaping @Sendable (FilePath, Int, PhotoEditor) async throws(EditError) -> PhotoResult
  ) {
    (self.bounds, self.takesRenders, self.work) = (bounds, takesRenders, work)
    var configuration = configuration
    configuration.darkroom = bounds.darkroom
    self.configuration = configuration
  }

  /// Works on a photo, and then makes pictures of it if they are asked for.
  ///
  /// - Parameters:
  ///   - index: The photo's place in the list that the command was prepared for.
  ///   - pictures: Where the pictures go; `nil` makes none.
  /// - Returns: `nil` when the surrounding task was cancelled; the photo is as it was then.
  func report(
    on photo: FilePath, at index: Int = 0, making pictures: ReportPictures? = nil
  ) async -> PhotoReport? {
    let start = ContinuousClock.now
    let editor = PhotoEditor(configuration)
    let result = await withinTime(bounds.time, leaving: leftAlone.add) {
      () async -> Result<PhotoReport, EditError> in
      do throws(EditError) {
        let result = try await work(photo, index, editor)
        var report = PhotoReport(photo: photo, outcome: .success(result), since: start)
        if let pictures { report.pictures = await pictures.made(of: photo, by: editor) }
        return .success(report)
      } catch {
        return .failure(error)
      }
    }
    switch result {
    case .success(let report):
      if configuration.holdsChanges { held.add(photo, editor) }
      return report
    case .failure(let error):
      // The render process has the same limit; whichever of the two clocks rings first, the photo took too long.
      switch (error, bounds.time) {
      case (.render(_, .tookTooLong), let time?): return tookTooLong(after: time)
      case (.cancelled, let time?) where !Task.isCancelled: return tookTooLong(after: time)
      case (.cancelled, _): return nil
      default: return failed(PhotoFailure(error))
      }
    case nil:
      guard !Task.isCancelled, let time = bounds.time else { return nil }
      return tookTooLong(after: time)
    }

    func failed(_ failure: PhotoFailure) -> PhotoReport {
      PhotoReport(photo: photo, outcome: .failure(failure), since: start)
    }
    func tookTooLong(after time: Duration) -> PhotoReport {
      failed(PhotoFailure(EditCommandError.timedOut(photo, after: time)))
    }
  }
}

// MARK: - Photos that took too long

extension PhotoWork {
  /// Waits a moment for the photos that took too long and had not ended, so that they roll back what they are at.
  func waitForLeftAlone() async {
    let tasks = leftAlone.all
    guard !tasks.isEmpty else { return }
    _ = await withinTime(.seconds(5), grace: .zero) { for task in tasks { await task.value } }
  }
}

/// Work that took too long and had not ended.
private final class LeftAlone: Sendable {
  private let tasks = Mutex<[Task<Void, Never>]>([])

  @Sendable func add(_ task: Task<Void, Never>) { tasks.withLock { $0.append(task) } }
  var all: [Task<Void, Never>] { tasks.withLock(\.self) }
}

// MARK: - Held changes

extension PhotoWork {
  /// Makes the change that waits for a photo. Gives warnings.
  func makeHeldChange(of photo: FilePath) async -> Result<[String], PhotoFailure> {
    guard let editor = held.take(photo) else { return .success([]) }
    do throws(EditError) {
      return .success(try await editor.makeHeldChange(to: Photo(path: photo)))
    } catch {
      return .failure(PhotoFailure(error))
    }
  }

  /// Drops the changes that still wait.
  func dropHeldChanges() async {
    for editor in held.takeAll() { await editor.dropHeldChanges() }
  }
}

/// The editors that hold changes, by their photos.
private final class HeldChanges: Sendable {
  private let editors = Mutex<[FilePath: PhotoEditor]>([:])

  func add(_ photo: FilePath, _ editor: PhotoEditor) { editors.withLock { $0[photo] = editor } }

  func take(_ photo: FilePath) -> PhotoEditor? {
    editors.withLock { $0.removeValue(forKey: photo) }
  }

  func takeAll() -> [PhotoEditor] {
    editors.withLock { editors in
      defer { editors = [:] }
      return Array(editors.values)
    }
  }
}
