import PhotoEditing
import PhotoLibraryKit
import SafelightArguments
import Synchronization

/// What one agent works with: its folders, its library, and the plans that were made for it.
final class AgentSession: Sendable {
  let folders: AgentFolders
  /// The library to search in; `nil` without one.
  let library: PhotoLibrary?
  let isReadOnly: Bool
  let plans = BatchPlans()

  init(_ folders: AgentFolders, library: PhotoLibrary? = nil, isReadOnly: Bool = false) {
    self.folders = folders
    self.library = library
    self.isReadOnly = isReadOnly
  }

  private static func all(hasLibrary: Bool) -> [AgentTool] {
    [
      .listPhotos, hasLibrary ? .searchLibrary : .searchFolders, .seePhoto, .comparePhoto,
      .listAdjustments, .listFilters, .tryEdit, .commitEdit, .listHistory, .listVersions,
    ] + AgentTool.operations + [
      .syncEdit, .runBatch, .exportRender, .listPresets, .savePreset, .removePreset,
    ]
  }

  /// The tools that the agent may call.
  var tools: [AgentTool] {
    Self.all(hasLibrary: library != nil).filter { !isReadOnly || !$0.isChanging }
  }

  /// The tool of a name, also one that may not be called here, so that the call is refused with a reason.
  func tool(named name: String) -> AgentTool? {
    Self.all(hasLibrary: library != nil).first { $0.name == name }
  }

  /// What is said of a tool that there is not.
  func unknownTool(_ name: String) -> String {
    let names = tools.map(\.name)
    return "There is no tool “\(name.prefix(100))”. "
      + (didYouMean(nearest(to: name, among: names))
        ?? "There are \(names.joined(separator: ", ")).")
  }

  /// What a client tells its model about this server.
  var instructions: String {
    let places = folders.paths.map { FileWords.quoted($0) }.joined(separator: ", ")
    return """
      Safelight edits photos without changing them: the original file is only read; an edit is stored in a sidecar \
      beside it, and its render as NAME_edited.jpg. Every edit can be undone. The folders you may use: \(places). \
      A path is absolute\(folders.paths.count == 1 ? " or relative to that folder" : ""). Find photos with list_photos \
      or search_photos, look with see_photo, compare candidates with try_edit (it writes nothing), then commit_edit \
      the same edit. Names and ranges of adjustments are in list_adjustments, looks in list_filters. Pass the \
      “revision” that see_photo or try_edit gave to commit_edit, so that nobody else's edit is overwritten. For many \
      photos use run_batch or sync_edit: the first call only answers a plan with a dryRunToken. \
      \(FileWords.notice)\
      \(isReadOnly ? " This server is read-only: nothing can be written." : "")
      """
  }

  /// Calls a tool. What goes wrong is in the result.
  func call(
    _ tool: AgentTool, _ arguments: JSONValue, progress: ToolCall.Progress? = nil
  ) async -> ToolResult {
    do {
      if isReadOnly, tool.isChanging { throw AgentError.readOnly(tool: tool.name) }
      try ToolArgument.check(arguments, tool.arguments)
      return try await tool.run(
        ToolCall(session: self, arguments: arguments, progress: progress))
    } catch {
      return ToolResult(PhotoFailure(anyError: error))
    }
  }

  // MARK: - Photos

  /// Does something to one photo that changes no edit.
  ///
  /// - Parameter photo: The photo, in the folders.
  /// - Throws: What `PhotoFailure(anyError:)` takes, before there is a report.
  func report(
    on photo: FilePath, noVideo: Bool = false,
    _ work: @escaping @Sendable (PhotoEditor) async throws(EditError) -> PhotoResult
  ) async throws -> PhotoReport {
    let work = PhotoWork(noVideo: noVideo) { _, editor throws(EditError) in try await work(editor) }
    guard let report = await work.report(on: photo) else { throw CancellationError() }
    return report
  }

  /// Does operations to a photo.
  ///
  /// - Throws: As ``report(on:_:)``.
  func perform(
    _ operations: [EditOperation], on photo: FilePath, quality: Int?, noVideo: Bool, dryRun: Bool,
    ifRevision revision: String?
  ) async throws -> PhotoReport {
    try await report(on: photo, noVideo: noVideo) { editor throws(EditError) in
      let result = try await editor.perform(
        operations, on: Photo(path: photo), quality: quality, dryRun: dryRun, requiring: revision)
      return PhotoResult(result, of: operations, to: photo, dryRun: dryRun)
    }
  }

  /// Throws for a file of a photo's edit, which is edited through its photo.
  static func checkIsPhoto(_ path: FilePath) throws {
    var recognizer = PhotoRecognizer()
    if let part = recognizer.part(path) {
      throw AgentError.invalidArguments("\(path) is no photo to edit. \(part.reason)")
    }
  }

  /// Lets the library read the new edits of photos.
  ///
  /// - Returns: Why that failed, for people; `nil` when it did not.
  func refreshLibrary(_ photos: [FilePath]) async -> String? {
    photos.isEmpty ? nil : await library?.tellOfEdits(photos)
  }
}
