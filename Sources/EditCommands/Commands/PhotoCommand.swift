import Arguments
import PhotoEditing

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
protocol PhotoCommand: ConsoleCommand {
  /// The photos as given on the command line.
  var photos: [String] { get }
  var options: PhotoOptions { get }
  /// The editor that does the work.
  var editor: PhotoEditor { get }

  /// What every photo needs and only one message should refuse, such as the filter.
  associatedtype Preparation: Sendable
  func prepare() async throws -> Preparation

  /// Does the command's work on one photo, the `index`th of those given.
  func work(
    on photo: FilePath, at index: Int, with preparation: Preparation, by editor: PhotoEditor
  ) async throws(EditError) -> PhotoResult
}

extension PhotoCommand {
  var editor: PhotoEditor { PhotoEditor() }

  /// Works through the photos in the order given; one that fails does not stop the others.
  func run(on console: Console) async throws -> ExitCode {
    let report = ResultPrinter(console: console, json: options.json, quiet: options.quiet)
    let preparation: Preparation
    do {
      preparation = try await prepare()
    } catch let error as EditError {
      report.print(error, forAll: photos.map { FilePath(argument: $0) })
      return .failure
    }
    let editor = editor
    var failures = 0
    for (index, photo) in photos.enumerated() {
      let path = FilePath(argument: photo)
      let start = ContinuousClock.now
      do {
        let result = try await work(on: path, at: index, with: preparation, by: editor)
        report.print(result, for: path, since: start)
      } catch EditError.cancelled {
        report.interrupted(remaining: photos.count - index)
        return ExitCode(130)
      } catch {
        failures += 1
        report.print(error, for: path, since: start)
      }
      if Task.isCancelled, index + 1 < photos.count {
        report.interrupted(remaining: photos.count - index - 1)
        return ExitCode(130)
      }
    }
    return failures == 0 ? .success : .failure
  }
}
