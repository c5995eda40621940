import PhotoLibraryKit
import SafelightArguments

/// `edit library album add`: puts photos into an album.
struct AddToAlbumCommand: CatalogCommand {
  static let configuration = CommandConfiguration(
    commandName: "add",
    abstract: "Put photos into an album.",
    discussion: """
      They go to the end, or with --at to a place counted from 1. A photo that is in the album \
      already stays where it is.

      Example:
        edit library album add Italy beach.jpg harbour.jpg
        edit library album add Italy beach.jpg --at 1
      """)

  @Argument(help: "The album.", completion: .albums)
  var album: String

  @Argument(help: "The photos, by path or identifier.", completion: .photos)
  var photos: [String]

  @Option(
    help: ArgumentHelp("The place of the first of them; 1 is the start.", valueName: "place"),
    in: 1...1e9)
  var at: Int?

  @OptionGroup var options: LibraryOptions

  func run(in library: PhotoLibrary, on console: Console) async throws -> ExitCode {
    let album = try Albums(of: library).album(named: album, smart: false)
    let members = try library.members(of: album)
    let start = at.map { min($0 - 1, album.estimatedAssetCount ?? 0) }
    let change = AssetChange(
      isDue: { !members.contains($0.localIdentifier) }, status: "added",
      done: "added to \(album.localizedTitle)", already: "in \(album.localizedTitle) already",
      make: { assets in
        let request = AssetCollectionChangeRequest(for: album)
        if let start {
          request.insertAssets(assets, at: Array(start..<start + assets.count))
        } else {
          request.addAssets(assets)
        }
      })
    return try await perform(
      change, on: NamedAssets(photos, in: library), in: library, on: console)
  }
}

/// `edit library album remove`: takes photos out of an album.
struct RemoveFromAlbumCommand: CatalogCommand {
  static let configuration = CommandConfiguration(
    commandName: "remove",
    abstract: "Take photos out of an album; they stay in the library.",
    discussion: """
      Example:
        edit library album remove Italy harbour.jpg
      """)

  @Argument(help: "The album.", completion: .albums)
  var album: String

  @Argument(help: "The photos, by path or identifier.", completion: .photos)
  var photos: [String]

  @OptionGroup var options: LibraryOptions

  func run(in library: PhotoLibrary, on console: Console) async throws -> ExitCode {
    let album = try Albums(of: library).album(named: album, smart: false)
    let members = try library.members(of: album)
    let change = AssetChange(
      isDue: { members.contains($0.localIdentifier) }, status: "removed",
      done: "taken out of \(album.localizedTitle)", already: "not in \(album.localizedTitle)",
      make: { AssetCollectionChangeRequest(for: album).removeAssets($0) })
    return try await perform(
      change, on: NamedAssets(photos, in: library), in: library, on: console)
  }
}

extension PhotoLibrary {
  /// The identifiers of an album's photos, hidden ones too.
  fileprivate func members(of album: AssetCollection) throws(PhotoLibraryError) -> Set<String> {
    let options = FetchOptions(includeHiddenAssets: true)
    return Set(try fetchAssets(in: album, options: options).allObjects().map(\.localIdentifier))
  }
}

/// `edit library album move`: arranges photos in an album, or albums in folders.
struct MoveInAlbumCommand: CatalogCommand {
  static let configuration = CommandConfiguration(
    commandName: "move",
    abstract: "Move photos within an album, or an album to another folder.",
    discussion: """
      With --to, the photos go together to a place of the album, counted from 1 with them taken \
      out. With --in, the album or folder itself goes to the end of another folder, and with --top \
      to the end of those that are in none.

      Example:
        edit library album move Italy harbour.jpg --to 1
        edit library album move Italy --in Trips
        edit library album move Italy --top
      """)

  @Argument(help: "The album, or a folder of albums.", completion: .albums)
  var album: String

  @Argument(help: "The photos, by path or identifier.", completion: .photos)
  var photos: [String] = []

  @Option(
    name: .customLong("to"), help: ArgumentHelp("The photos' new place.", valueName: "place"),
    in: 1...1e9)
  var place: Int?

  @Option(
    name: .customLong("in"), help: ArgumentHelp("The folder to move to.", valueName: "folder"),
    completion: .albumFolders)
  var folder: String?

  @Flag(help: "Move out of all folders.")
  var top = false

  @OptionGroup var options: LibraryOptions

  func validate() throws {
    if [place != nil, folder != nil, top].filter({ $0 }).count != 1 {
      throw ValidationError(
        "Say where to move: --to PLACE for photos, or --in FOLDER or --top for the album.")
    }
    if photos.isEmpty != (place == nil) {
      throw ValidationError(
        "--to moves photos: name the photos, or move the album with --in or --top.")
    }
  }

  func run(in library: PhotoLibrary, on console: Console) async throws -> ExitCode {
    let albums = try Albums(of: library)
    guard let place else { return try await moveAlbum(of: albums, in: library, on: console) }
    let album = try albums.album(named: album, smart: false)
    let named = try NamedAssets(photos, in: library)
    let shown = try library.fetchAssets(in: album)
    let order = try shown.allObjects().map(\.localIdentifier)
    let chosen = Set(named.assets.map(\.localIdentifier))
    let indexes = order.indices.filter { chosen.contains(order[$0]) }
    let target = min(place - 1, order.count - indexes.count)
    if !indexes.isEmpty {
      try await library.performChanges {
        // The positions are those of this fetch, even if the album has just been changed.
        AssetCollectionChangeRequest(for: album, assets: shown).moveAssets(at: indexes, to: target)
      }
    }
    return try report(named, on: console) { _, asset in
      guard order.contains(asset.localIdentifier) else {
        throw EditCommandError.notInAlbum(asset.path, album: album.localizedTitle)
      }
      return asset.result("moved", "moved in \(album.localizedTitle)")
    }
  }

  private func moveAlbum(
    of albums: Albums, in library: PhotoLibrary, on console: Console
  ) async throws -> ExitCode {
    let moved = try albums.collection(named: album)
    let folder = try folder.map { name throws(EditCommandError) in try albums.folder(named: name) }
    let there = albums.siblings(in: folder)
    let isThere = there.contains(moved)
    if !isThere, there.contains(where: { $0.localizedTitle == moved.localizedTitle }) {
      throw EditCommandError.albumExists(moved.localizedTitle)
    }
    if !isThere {
      try await library.performChanges {
        let request =
          folder.map { CollectionListChangeRequest(for: $0) }
          ?? CollectionListChangeRequest.forTopLevelCollectionListUserCollections()
        request.addChildCollections([moved])
      }
    }
    let place =
      isThere
      ? "unchanged, it is there already"
      : folder.map { "moved to \($0.localizedTitle)" } ?? "moved out of all folders"
    print(moved, isThere ? "unchanged" : "moved", text: place, on: console)
    return .success
  }
}
