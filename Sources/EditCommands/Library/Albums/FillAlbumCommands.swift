import PhotoLibraryKit
import SafelightArguments

/// `edit library album add`: puts photos into an album.
struct AddToAlbumCommand: CatalogCommand {
  static let configuration = CommandConfiguration(
    commandName: "add",
    abstract: "Put photos into an album.",
    discussion: """
      They go to its end, or with --at to a place counted from 1. A photo that is in the album \
      already is refused, and the others are added all the same.

      Example:
        edit library album add Italy beach.jpg harbour.jpg
        edit library album add Italy beach.jpg --at 1
      """)

  @Argument(help: "The album.", completion: .albums)
  var album: String

  @Argument(help: "The photos, by path or identifier.", completion: .photos)
  var photos: [String]

  @Option(help: ArgumentHelp("The place of the first of them; 1 is the start.", valueName: "place"))
  var at: Int?

  @OptionGroup var options: LibraryOptions

  func validate() throws {
    if let at { try Limits.check(Double(at), in: 1...1e9, "--at") }
  }

  func run(in library: PhotoLibrary, on console: Console) async throws -> ExitCode {
    let album = try Albums(of: library).album(named: album, smart: false)
    let named = try NamedAssets(photos, in: library)
    let present = try library.members(of: album)
    let added = named.assets.filter { !present.contains($0.localIdentifier) }
    let count = album.estimatedAssetCount ?? 0
    let start = at.map { min($0 - 1, count) }
    if !added.isEmpty {
      try await library.performChanges {
        let request = AssetCollectionChangeRequest(for: album)
        if let start {
          request.insertAssets(added, at: Array(start..<start + added.count))
        } else {
          request.addAssets(added)
        }
      }
    }
    return try report(named.items.map(\.name), on: console) { index in
      let asset = try named.items[index].found.get()
      if present.contains(asset.localIdentifier) {
        throw PhotoFailure.alreadyInAlbum(album.localizedTitle, named.items[index].name)
      }
      return asset.result("added", "added to \(album.localizedTitle)")
    }
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
    let named = try NamedAssets(photos, in: library)
    let present = try library.members(of: album)
    let removed = named.assets.filter { present.contains($0.localIdentifier) }
    if !removed.isEmpty {
      try await library.performChanges {
        AssetCollectionChangeRequest(for: album).removeAssets(removed)
      }
    }
    return try report(named.items.map(\.name), on: console) { index in
      let asset = try named.items[index].found.get()
      return present.contains(asset.localIdentifier)
        ? asset.result("removed", "taken out of \(album.localizedTitle)")
        : asset.result("unchanged", "unchanged, it is not in \(album.localizedTitle)")
    }
  }
}

extension PhotoLibrary {
  /// The identifiers of an album's photos, hidden ones too.
  fileprivate func members(of album: AssetCollection) throws(PhotoLibraryError) -> Set<String> {
    let options = FetchOptions(includeHiddenAssets: true)
    return Set(try fetchAssets(in: album, options: options).map(\.localIdentifier))
  }
}

extension Asset {
  /// What became of it.
  func result(_ status: String, _ text: String) -> PhotoResult {
    PhotoResult(
      status: status, text: text,
      details: [.init("localIdentifier", .string(localIdentifier))])
  }
}
