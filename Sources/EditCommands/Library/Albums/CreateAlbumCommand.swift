import PhotoLibraryKit
import SafelightArguments

/// `edit library album create`: makes an album.
struct CreateAlbumCommand: CatalogCommand {
  static let configuration = CommandConfiguration(
    commandName: "create",
    abstract: "Make an album, or a folder of albums.",
    discussion: """
      No two of one folder have the same name.

      Example:
        edit library album create Holidays
        edit library album create --folder Trips
        edit library album create Italy --in Trips
      """)

  @Argument(help: "The new album's name.")
  var name: String

  @Flag(help: "Make a folder for albums instead.")
  var folder = false

  @Option(
    name: .customLong("in"),
    help: ArgumentHelp("Make it in this folder of albums.", valueName: "folder"),
    completion: .albumFolders)
  var parent: String?

  @OptionGroup var options: LibraryOptions

  func validate() throws {
    if name.isEmpty { throw ValidationError("The name is empty.") }
  }

  func run(in library: PhotoLibrary, on console: Console) async throws -> ExitCode {
    let albums = try Albums(of: library)
    let parent = try parent.map { name throws(PhotoFailure) in try albums.folder(named: name) }
    if albums.has(name, in: parent) { throw PhotoFailure.albumExists(name) }
    let (name, isFolder) = (name, folder)
    try await library.performChanges {
      let made =
        isFolder
        ? CollectionListChangeRequest.creationRequestForCollectionList(withTitle: name)
          .placeholderForCreatedCollectionList
        : AssetCollectionChangeRequest.creationRequestForAssetCollection(withTitle: name)
          .placeholderForCreatedAssetCollection
      if let parent { CollectionListChangeRequest(for: parent).addChildCollections([made]) }
    }
    let entry = try Albums(of: library).entries.first { entry in
      entry.collection.localizedTitle == name && entry.folders.last == parent?.localizedTitle
    }
    let json = entry.map {
      JSONValue.object([.init("status", .string("created"))] + AlbumLine($0).members)
    }
    print(json ?? .null, ["\(name): made"], on: console)
    return .success
  }
}

/// `edit library album rename`: gives an album another name.
struct RenameAlbumCommand: CatalogCommand {
  static let configuration = CommandConfiguration(
    commandName: "rename",
    abstract: "Give an album or a folder of albums another name.",
    discussion: """
      Example:
        edit library album rename Italy "Italy 2024"
      """)

  @Argument(help: "The album or folder.", completion: .albums)
  var album: String

  @Argument(help: ArgumentHelp("Its new name.", valueName: "name"))
  var newName: String

  @OptionGroup var options: LibraryOptions

  func validate() throws {
    if newName.isEmpty { throw ValidationError("The new name is empty.") }
  }

  func run(in library: PhotoLibrary, on console: Console) async throws -> ExitCode {
    let albums = try Albums(of: library)
    let old = try albums.collection(named: album)
    let isTaken = albums.siblings(of: old).contains {
      $0.localizedTitle == newName && $0.localIdentifier != old.localIdentifier
    }
    if isTaken { throw PhotoFailure.albumExists(newName) }
    let title = newName
    try await library.performChanges {
      switch old {
      case .album(let album): AssetCollectionChangeRequest(for: album).title = title
      case .list(let list): CollectionListChangeRequest(for: list).title = title
      }
    }
    let json = JSONValue.object([
      .init("status", .string("renamed")),
      .init("localIdentifier", .string(old.localIdentifier)), .init("title", .string(title)),
    ])
    print(json, ["\(old.localizedTitle): renamed to \(title)"], on: console)
    return .success
  }
}
