import PhotoLibraryKit
import SafelightArguments

/// `edit library album show`: shows an album's photos in order.
struct ShowAlbumCommand: CatalogCommand {
  static let configuration = CommandConfiguration(
    commandName: "show",
    abstract: "Show an album and the places of its photos.",
    discussion: """
      With --json it is one object, with the identifiers of the photos under “assets”; “edit \
      library list --album” says more of each.

      Example:
        edit library album show Italy
        edit library album show Favorites --json
      """)

  @Argument(help: "The album, by name or identifier.", completion: .albums)
  var album: String

  @OptionGroup var options: LibraryOptions

  func run(in library: PhotoLibrary, on console: Console) throws -> ExitCode {
    let albums = try Albums(of: library)
    let album = try albums.album(named: album)
    let photos = try library.fetchAssets(in: album)
    let folders =
      albums.entries.first { $0.collection.localIdentifier == album.localIdentifier }?.folders ?? []
    if options.json {
      let identifiers = photos.map { JSONValue.string($0.localIdentifier) }
      let members =
        AlbumLine(album, folders: folders).members + [
          .init(
            "creationDate",
            album.creationDate.map { .string(StateDescription.timestamp($0)) } ?? .null),
          .init("assets", .array(identifiers)),
        ]
      console.result(JSONValue.object(members).text)
      return .success
    }
    if options.quiet { return .success }
    let place = (folders + [album.localizedTitle]).joined(separator: "/")
    console.result("\(place): \(counted(photos.count, "photo"))".onOneLine)
    let columns = console.columns()
    for (index, asset) in photos.enumerated() {
      let number = "\(index + 1)"
      let start = "  " + String(repeating: " ", count: max(0, 5 - number.count)) + number + "  "
      console.result(start + AssetRow(asset).text(columns: columns.map { $0 - start.columns }))
      if index % 100 == 99, Task.isCancelled { return ExitCode(130) }
    }
    return .success
  }
}
