import PhotoLibraryKit
import SafelightArguments

/// Which library.
struct LibraryLocation: ParsableArguments {
  @Option(
    help: ArgumentHelp(
      "The library's folder; without it safelight/library in $XDG_DATA_HOME or ~/.local/share.",
      valueName: "folder"),
    completion: .directory)
  var library: String?

  /// The library's folder.
  var folder: FilePath {
    library.map { FilePath(argument: $0) } ?? CommandSurroundings.libraryFolder
  }

  /// Opens the library.
  ///
  /// - Throws: ``PhotoFailure`` when there is none, ``PhotoLibraryError`` when it cannot be opened.
  func open(
    for client: Client = .owner, prompt: AuthorizationPrompt? = nil
  ) throws -> PhotoLibrary {
    switch PhotoLibrary.presence(at: folder) {
    case .catalog: try PhotoLibrary(at: folder, client: client, prompt: prompt)
    case .exportOnly: throw PhotoFailure.catalogMissing(folder)
    case .nothing: throw PhotoFailure.noLibrary(folder, isNamed: library != nil)
    }
  }
}

/// Options of the commands on a library: which one, and how results are printed.
struct LibraryOptions: ParsableArguments {
  @OptionGroup var location: LibraryLocation
  @OptionGroup(title: "Another program") var acting: ClientOptions

  @Flag(help: "Print JSON, one object to a line.")
  var json = false

  @Flag(name: .shortAndLong, help: "Print nothing but errors; with --json, results too.")
  var quiet = false
}

extension CommandSurroundings {
  /// Where the user's library is, beside the filters that the user saved.
  static var libraryFolder: FilePath {
    userFilters.folder.removingLastComponent().appending("library")
  }
}
