import Arguments
import PhotoEditing

/// A command made ready: what it does to one photo after another.
struct PhotoWork: Sendable {
  /// Whether renders and base photos are photos to the command.
  let takesRenders: Bool
  /// Does the work on a photo, the `index`th of those it was made ready for.
  let report: @Sendable (_ photo: FilePath, _ index: Int) async throws(WorkCancelled) -> PhotoReport
  /// The words with which a worker does the same to the `index`th photo.
  let words: @Sendable (_ index: Int) -> [String]

  /// Makes a command ready.
  ///
  /// - Throws: ``EditError`` or a usage error, when no photo at all can be worked on.
  init<Command: PhotoCommand>(_ command: Command, for photos: [FilePath]) async throws {
    takesRenders = Command.takesRenders
    let preparation = try await command.prepare(for: photos)
    words = { index in command.words(for: index, with: preparation) }
    let editor = PhotoEditor(command.editing)
    report = { photo, index throws(WorkCancelled) in
      let start = ContinuousClock.now
      func report(_ outcome: Result<PhotoResult, PhotoFailure>) -> PhotoReport {
        PhotoReport(photo: photo, outcome: outcome, since: start)
      }
      do throws(EditError) {
        return report(
          .success(try await command.work(on: photo, at: index, with: preparation, by: editor)))
      } catch {
        if case .cancelled = error { throw WorkCancelled() }
        return report(.failure(PhotoFailure(error)))
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
