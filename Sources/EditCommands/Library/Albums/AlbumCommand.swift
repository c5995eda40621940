import SafelightArguments

/// `edit library album`: makes, fills and arranges albums.
struct AlbumCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "album",
    abstract: "Make, fill and arrange albums.",
    discussion: """
      An album holds photos of the library in an order of its own, each photo once. Folders hold \
      albums and other folders. Some albums fill themselves, such as Favorites and Edited. An \
      album is named by its name, by its folders and its name as “Trips/Italy”, or by its identifier.

      Example:
        edit library album list
        edit library album create Italy
        edit library album add Italy beach.jpg harbour.jpg
        edit library album move Italy harbour.jpg --to 1
        edit library album show Italy
      """,
    subcommands: [
      ListAlbumsCommand.self, ShowAlbumCommand.self, CreateAlbumCommand.self,
      RenameAlbumCommand.self, DeleteAlbumCommand.self, AddToAlbumCommand.self,
      RemoveFromAlbumCommand.self, MoveInAlbumCommand.self,
    ])
}
