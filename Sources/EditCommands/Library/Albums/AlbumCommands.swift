import PhotoLibraryKit
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

  var isReading: Bool { true }

  func run(in library: PhotoLibrary, on console: Console) throws -> ExitCode {
    let albums = try Albums(of: library)
    let lines =
      albums.entries.map { AlbumLine($0) } + albums.smartAlbums.map { AlbumLine($0, folders: []) }
    let width = lines.map(\.name.columns).max() ?? 0
    for line in lines { print(.object(line.members), [line.text(width: width)], on: console) }
    return .success
  }
}

/// An album or folder on one line.
struct AlbumLine {
  /// The name, further to the right the more folders it is in.
  let name: String
  /// What JSON says.
  let members: [JSONValue.Member]
  private let count: Int?

  init(_ entry: Albums.Entry) {
    if let album = entry.collection as? AssetCollection {
      self.init(album, folders: entry.folders)
    } else {
      self.init(entry.collection, kind: "folder", folders: entry.folders, count: nil)
    }
  }

  init(_ album: AssetCollection, folders: [String]) {
    self.init(
      album, kind: album.kind == .album ? "album" : "smartAlbum", folders: folders,
      count: album.estimatedAssetCount)
  }

  private init(
    _ collection: UserCollection, kind: String, folders: [String], count: Int?
  ) {
    let title = collection.localizedTitle
    name = String(repeating: "  ", count: folders.count) + title + (kind == "folder" ? "/" : "")
    members = JSONValue.members([
      "localIdentifier": collection.localIdentifier, "title": title, "kind": kind,
      "folder": folders.isEmpty ? nil : folders.joined(separator: "/"), "count": count,
    ])
    self.count = count
  }

  func text(width: Int) -> String {
    count.map { name.filled(to: width + 2) + "\($0)" } ?? name
  }
}

extension CatalogCommand {
  /// Prints what became of an album or a folder of albums.
  ///
  /// - Parameters:
  ///   - title: Its title now; `nil` when that is as before.
  ///   - text: The line for people, without the title.
  func print(
    _ collection: UserCollection, _ status: String, title: String? = nil, text: String,
    on console: Console
  ) {
    let json = JSONValue.object([
      "status": status, "localIdentifier": collection.localIdentifier,
      "title": title ?? collection.localizedTitle,
    ])
    print(json, ["\(collection.localizedTitle): \(text)"], on: console)
  }
}

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

  var isReading: Bool { true }

  func run(in library: PhotoLibrary, on console: Console) throws -> ExitCode {
    let albums = try Albums(of: library)
    let album = try albums.album(named: album)
    let photos = try library.fetchAssets(in: album).allObjects()
    let folders =
      albums.entries.first { $0.collection.localIdentifier == album.localIdentifier }?.folders ?? []
    if options.json {
      let more = JSONValue.members([
        "creationDate": album.creationDate?.json ?? JSONValue.null,
        "assets": photos.map(\.localIdentifier),
      ])
      console.result(JSONValue.object(AlbumLine(album, folders: folders).members + more).text)
      return .success
    }
    if options.quiet { return .success }
    let place = (folders + [album.localizedTitle]).joined(separator: "/")
    console.result("\(place): \(counted(photos.count, "photo"))".onOneLine)
    let columns = console.columns()
    for (index, asset) in photos.enumerated() {
      let number = "\(index + 1)"
      let start = "  " + "".filled(to: 5 - number.count) + number + "  "
      console.result(start + AssetRow(asset).text(columns: columns.map { $0 - start.columns }))
      if index % 100 == 99, Task.isCancelled { return ExitCode(130) }
    }
    return .success
  }
}

/// `edit library album create`: makes an album.
struct CreateAlbumCommand: CatalogCommand {
  static let configuration = CommandConfiguration(
    commandName: "create",
    abstract: "Make an album, or a folder of albums.",
    discussion: """
      Two albums or folders in one folder cannot have the same name.

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
    let parent = try parent.map { name throws(EditCommandError) in try albums.folder(named: name) }
    if albums.has(name, in: parent) { throw EditCommandError.albumExists(name) }
    let (name, isFolder) = (name, folder)
    try await library.performChanges {
      let made: ObjectPlaceholder =
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
      JSONValue.object(JSONValue.members(["status": "created"]) + AlbumLine($0).members)
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
    if isTaken { throw EditCommandError.albumExists(newName) }
    let title = newName
    try await library.performChanges {
      if let album = old as? AssetCollection {
        AssetCollectionChangeRequest(for: album).title = title
      } else if let list = old as? CollectionList {
        CollectionListChangeRequest(for: list).title = title
      }
    }
    print(old, "renamed", title: title, text: "renamed to \(title)", on: console)
    return .success
  }
}

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
      if let folder = found as? CollectionList, !recursive {
        let inside = all.siblings(in: folder).count
        if inside > 0 {
          throw EditCommandError.albumFolderNotEmpty(folder.localizedTitle, count: inside)
        }
      }
      if !chosen.contains(found) { chosen.append(found) }
    }
    let doomed = chosen
    try await library.performChanges {
      for collection in doomed {
        if collection.canContainAssets {
          AssetCollectionChangeRequest.deleteAssetCollections([collection])
        } else {
          CollectionListChangeRequest.deleteCollectionLists([collection])
        }
      }
    }
    for collection in chosen {
      print(collection, "deleted", text: "deleted", on: console)
    }
    return .success
  }
}
