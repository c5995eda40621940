import PhotoLibraryKit
import SafelightArguments

/// `edit library album list`: lists the albums.
struct ListAlbumsCommand: CatalogCommand {
  static let configuration = CommandConfiguration(
    commandName: "list",
    abstract: "List the albums, with their numbers of photos.",
    discussion: """
      First your own, with those in folders below these, then those that fill themselves. Hidden \
      photos are not counted.

      Example:
        edit library album list
        edit library album list --json
      """)

  @OptionGroup var options: LibraryOptions

  func run(in library: PhotoLibrary, on console: Console) throws -> ExitCode {
    let albums = try Albums(of: library)
    let lines =
      albums.entries.map { AlbumLine($0) } + albums.smartAlbums.map { AlbumLine($0, folders: []) }
    let width = lines.map(\.name.columns).max() ?? 0
    for line in lines { print(line.json, [line.text(width: width)], on: console) }
    return .success
  }
}

/// An album or folder on one line.
struct AlbumLine {
  /// The name, further to the right the more folders it is in.
  let name: String
  private let title: String
  private let identifier: String
  private let kind: String
  private let folders: [String]
  private let count: Int?

  init(_ entry: Albums.Entry) {
    switch entry.collection {
    case .album(let album): self.init(album, folders: entry.folders)
    case .list(let list):
      self.init(
        list.localizedTitle, list.localIdentifier, kind: "folder", entry.folders, count: nil)
    }
  }

  init(_ album: AssetCollection, folders: [String]) {
    let kind = album.kind == .album ? "album" : "smartAlbum"
    self.init(
      album.localizedTitle, album.localIdentifier, kind: kind, folders,
      count: album.estimatedAssetCount)
  }

  private init(
    _ title: String, _ identifier: String, kind: String, _ folders: [String], count: Int?
  ) {
    (self.title, self.identifier, self.kind) = (title, identifier, kind)
    (self.folders, self.count) = (folders, count)
    name = String(repeating: "  ", count: folders.count) + title + (kind == "folder" ? "/" : "")
  }

  func text(width: Int) -> String {
    count.map { name.filled(to: width + 2) + "\($0)" } ?? name
  }

  var members: [JSONValue.Member] {
    [
      .init("localIdentifier", .string(identifier)), .init("title", .string(title)),
      .init("kind", .string(kind)),
    ]
      + (folders.isEmpty
        ? [] : [.init("folder", .string(folders.joined(separator: "/")))])
      + (count.map { [.init("count", .number(Double($0)))] } ?? [])
  }

  var json: JSONValue { .object(members) }
}
