import PhotoLibraryKit
import SafelightArguments

/// `edit library remove`: lets the photos of folders leave the library.
struct RemoveFoldersCommand: CatalogCommand {
  static let configuration = CommandConfiguration(
    commandName: "remove",
    abstract: "Let the photos of folders leave the library; no file is touched.",
    discussion: """
      Takes folders or photos that were added by name out of the library. Photos, sidecars and \
      renders stay as they are. What was said of the photos is kept, and comes back when they are \
      added again. “edit library trash” is for photos that shall go.

      Example:
        edit library remove /mnt/archive
      """)

  @Argument(help: "The folders, or photos, that were added.", completion: .directory)
  var folders: [String]

  @OptionGroup var options: LibraryOptions

  func run(in library: PhotoLibrary, on console: Console) async throws -> ExitCode {
    let result = try await library.remove(folders.map { FilePath(argument: $0) })
    let left = result.removed
    print(
      .object([
        .init("status", .string("removed")), .init("removed", .number(Double(left))),
      ]), ["\(counted(left, "photo")) left the library; no file was touched"], on: console)
    return .success
  }
}
