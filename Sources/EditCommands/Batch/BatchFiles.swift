import PhotoEditing
import SafelightArguments

/// The files besides the console that are told what becomes of the photos of a batch. Used by one
/// thread at a time.
struct BatchFiles: Sendable {
  private let report: ReportFile?
  private let page: HTMLReport?

  /// Makes the files that were asked for.
  ///
  /// - Throws: `ValidationError` when one cannot be made.
  init(_ options: BatchOptions, title: String) throws {
    do throws(SystemCallError) {
      report = try options.report.map { name throws(SystemCallError) in
        try ReportFile(FilePath(argument: name))
      }
    } catch {
      throw ValidationError(
        "\(options.report ?? "The report") cannot be written: \(error.reason).")
    }
    do throws(HTMLReportError) {
      page = try options.html.map { name throws(HTMLReportError) in
        try HTMLReport(in: FilePath(argument: name), title: title)
      }
    } catch {
      throw ValidationError("\(error.description) \(error.hint)")
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
      // Why a file is skipped stands in its line.
      if photo.status != EditResult.Status.skipped.rawValue { entry.warnings = result.warnings }
    case .failure(let failure):
      entry.failure = .init(message: failure.message, hint: failure.hint)
    }
    // A page that cannot grow is readable as it is, and no reason to stop the batch.
    try? page.add(entry)
  }

  /// Says what to look at; `nil` without a page.
  func finish() -> String? {
    guard let page, (try? page.finish()) != nil else { return nil }
    return "The report is \(page.page)."
  }
}
