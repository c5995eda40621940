import PhotoLibraryKit
import SafelightArguments

/// `edit library add`: takes in the photos of folders, or single photos.
struct AddFoldersCommand: CatalogCommand {
  static let configuration = CommandConfiguration(
    commandName: "add",
    abstract: "Take in the photos of folders, where they are.",
    discussion: """
      Looks through the folders and all folders in them for photos, by content and not by name. \
      Hidden files, symbolic links, sidecars and renders are passed over. The folders are \
      remembered: “edit library scan” looks through them again. Of a single photo's folder nothing \
      else is taken in. Interrupted, the same command goes on where it was.

      Example:
        edit library add Photos /mnt/archive
        edit library add --json Photos
      """)

  @Argument(help: "The folders, or photos.", completion: .directory)
  var folders: [String]

  @OptionGroup var options: LibraryOptions

  func run(in library: PhotoLibrary, on console: Console) async throws -> ExitCode {
    let folders = folders.map { FilePath(argument: $0) }
    let result = try await IndexingReport.showingProgress(unless: options.quiet) { progress in
      try await library.add(folders, progress: progress)
    }
    return report(result, as: "added", on: console)
  }
}

/// `edit library scan`: looks through the folders again.
struct ScanFoldersCommand: CatalogCommand {
  static let configuration = CommandConfiguration(
    commandName: "scan",
    abstract: "Look for what changed in the folders of the library.",
    discussion: """
      Finds photos that are new, changed, edited, moved or gone. A photo that was moved within the \
      folders stays what it is, with its albums; one that is gone leaves the library, and what was \
      said of it comes back when it does. When a folder itself is gone, as a disk that is not \
      mounted, its photos stay.

      Example:
        edit library scan
      """)

  @OptionGroup var options: LibraryOptions

  func run(in library: PhotoLibrary, on console: Console) async throws -> ExitCode {
    if try await library.folders.isEmpty {
      note("The library has no folders. Add some with “edit library add”.", on: console)
    }
    let result = try await IndexingReport.showingProgress(unless: options.quiet) { progress in
      try await library.scan(progress: progress)
    }
    return report(result, as: "scanned", on: console)
  }
}
