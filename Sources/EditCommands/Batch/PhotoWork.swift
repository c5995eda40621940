import PhotoEditing
import SafelightArguments

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
    takesRenders = Command.takesRenders
    let preparation = try await command.prepare(for: photos)
    words = { index in command.words(for: index, with: preparation) }
    var configuration = command.editing
    configuration.holdsChanges = holding
    configuration.darkroom = darkroom
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
        let result = try await command.work(
          on: PhotoTask(path: photo, index: index, preparation: preparation, editor: editor))
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
