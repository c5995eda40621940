import PhotoLibraryKit
import SafelightArguments

/// `edit library watch`: keeps a library up to date and tells of each change.
struct WatchFoldersCommand: CatalogCommand {
  static let configuration = CommandConfiguration(
    commandName: "watch",
    abstract: "Take in what changes in the folders, at once, and tell of every change.",
    discussion: """
      Looks through the folders once, and from then on at what the system says has changed. Changes \
      that other programs make to the library are told too, in the form of “edit library changes”. \
      It ends with Ctrl-C or SIGTERM, with exit code 0.

      Example:
        edit library watch
        edit library watch --json > changes.ndjson
      """)

  @OptionGroup var options: LibraryOptions

  func run(in library: PhotoLibrary, on console: Console) async throws -> ExitCode {
    var last = try library.currentChangeToken
    let changes = library.changes
    try await library.startWatching()
    let folders = try await library.folders.count
    note("Watching \(counted(folders, "folder")); Ctrl-C ends it.", on: console)
    last = try printChanges(since: last, in: library, on: console)
    for await change in changes {
      // One look may have told of several already.
      if change.changeToken == last { continue }
      last = try printChanges(since: last, in: library, on: console)
    }
    library.stopWatching()
    return .success
  }
}
