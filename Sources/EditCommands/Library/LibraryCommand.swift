import PhotoLibraryKit
import SafelightArguments
import SafelightFiles

/// `edit library`: a catalog over folders of photos.
struct LibraryCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "library",
    abstract: "Keep a catalog over folders of photos: albums, favorites, searches.",
    discussion: """
      A library knows the photos of the folders that were added to it. The photos stay where they \
      are and are only read; edits stay in their sidecars. What only the library knows (albums, \
      favorites, hidden photos, the trash) is also kept as JSON beside its catalog.

      Photos are named by their paths or by the identifiers that “edit library list --json” prints. \
      Every command on photos takes those of the library with --album and --where. The library is \
      in $XDG_DATA_HOME/safelight/library, or in ~/.local/share/safelight/library; another one is \
      named with --library.

      With --client a command acts for another program, which sees and changes what it was \
      allowed: the first time, somebody is asked on the terminal. That is consent between programs \
      that cooperate; who may read the files can read the photos.

      Example:
        edit library init
        edit library add Photos
        edit library list --where "favorite = 1 AND creationDate > '2024-01-01'"
        edit library album create Holidays
        edit library album add Holidays beach.jpg
        edit apply noir --album Holidays
      """,
    groupedSubcommands: [
      CommandGroup(
        name: "Folders",
        subcommands: [
          InitLibraryCommand.self, AddFoldersCommand.self, RemoveFoldersCommand.self,
          ScanFoldersCommand.self, WatchFoldersCommand.self,
        ]),
      CommandGroup(
        name: "Photos",
        subcommands: [
          ListAssetsCommand.self, ShowAssetsCommand.self, AlbumCommand.self, FavoriteCommand.self,
          HideCommand.self, TrashCommand.self,
        ]),
      CommandGroup(
        name: "Upkeep",
        subcommands: [
          AccessCommand.self, ListChangesCommand.self, RebuildCommand.self,
          VerifyLibraryCommand.self,
        ]),
    ])
}

/// Which library.
struct LibraryLocation: ParsableArguments {
  @Option(
    help: ArgumentHelp(
      "The library's folder; without it safelight/library in $XDG_DATA_HOME or ~/.local/share.",
      valueName: "folder"),
    completion: .directory)
  var library: String?

  @Flag(help: "Open a library that belongs to another user. Its catalog decides over files.")
  var trustOwner = false

  /// The library's folder.
  var folder: FilePath {
    library.map { FilePath(argument: $0) } ?? CommandSurroundings.libraryFolder
  }

  /// Opens the library.
  ///
  /// - Parameter readOnly: Whether nothing is changed, not even what an older program or a crash left.
  /// - Throws: ``EditCommandError`` when there is none, ``PhotoLibraryError`` when it cannot be opened.
  func open(
    for client: Client = .owner, prompt: AuthorizationPrompt? = nil, readOnly: Bool = false
  ) throws -> PhotoLibrary {
    switch PhotoLibrary.presence(at: folder) {
    case .catalog:
      try PhotoLibrary(
        at: folder, client: client, prompt: prompt, trustingOwner: trustOwner, readOnly: readOnly)
    case .exportOnly: throw EditCommandError.catalogMissing(folder)
    case .nothing: throw EditCommandError.noLibrary(folder, isNamed: library != nil)
    }
  }
}

extension LibraryLocation {
  /// Opens the library to read it. A catalog of an older program is brought up to date before.
  func openToRead() throws -> PhotoLibrary {
    // A rebuild that died may have left its complete catalog, which only a writer puts into place.
    guard folder.appending("catalogue.sqlite").leadsSomewhere else { return try open() }
    do { return try open(readOnly: true) } catch PhotoLibraryError.olderCatalog(let catalog) {
      guard FileSystem.real.mayWrite(in: folder) else {
        throw PhotoLibraryError.olderCatalog(catalog)
      }
      return try open()
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
