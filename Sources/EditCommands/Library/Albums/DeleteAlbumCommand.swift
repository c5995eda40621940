import PhotoLibraryKit
import SafelightArguments

/// `edit library album delete`: deletes albums.
struct DeleteAlbumCommand: CatalogCommand {
  static let configuration = CommandConfiguration(
    commandName: "delete",
    abstract: "Delete albums; their photos stay in the library.",
    discussion: """
      A folder of albums is deleted when it is empty, or with --recursive with all albums in it.

      Example:
        edit library album delete Italy
        edit library album delete --recursive Trips
      """)

  @Argument(help: "The albums or folders.", completion: .albums)
  var albums: [String]

  @Flag(name: .shortAndLong, help: "Delete folders with all albums in them.")
  var recursive = false

  @OptionGroup var options: LibraryOptions

  func run(in library: PhotoLibrary, on console: Console) async throws -> ExitCode {
    let all = try Albums(of: library)
    var chosen: [UserCollection] = []
    for name in albums {
      let found = try all.collection(named: name)
      if case .list(let folder) = found, !recursive {
        let inside = all.siblings(in: folder).count
        if inside > 0 { throw PhotoFailure.folderNotEmpty(folder.localizedTitle, count: inside) }
      }
      if !chosen.contains(found) { chosen.append(found) }
    }
    let doomed = chosen
    try await library.performChanges {
      for collection in doomed {
        switch collection {
        case .album(let album): AssetCollectionChangeRequest.deleteAssetCollections([album])
        case .list(let list): CollectionListChangeRequest.deleteCollectionLists([list])
        }
      }
    }
    for collection in chosen {
      let json = JSONValue.object([
        .init("status", .string("deleted")),
        .init("localIdentifier", .string(collection.localIdentifier)),
        .init("title", .string(collection.localizedTitle)),
      ])
      print(json, ["\(collection.localizedTitle): deleted"], on: console)
    }
    return .success
  }
}
