import PhotoLibraryKit
import SafelightArguments

/// The albums of a library and the folders of albums that they are in.
struct Albums {
  /// One of the user's, in its place.
  struct Entry {
    let collection: UserCollection
    /// The names of the folders that it is in, the outermost first.
    let folders: [String]

    /// All names that lead to it, with slashes between.
    var path: String { (folders + [collection.localizedTitle]).joined(separator: "/") }
  }

  /// Each folder before what is in it, in the user's order.
  private(set) var entries: [Entry] = []
  /// Those that fill themselves.
  let smartAlbums: [AssetCollection]

  init(of library: PhotoLibrary) throws(PhotoLibraryError) {
    smartAlbums = Array(try library.fetchAssetCollections(with: .smartAlbum))
    var pending = Array(try library.fetchTopLevelUserCollections()).reversed()
      .map { Entry(collection: $0, folders: []) }
    var seen: Set<String> = []
    while let entry = pending.popLast() {
      entries.append(entry)
      // In a damaged catalog a folder may seem to be in itself.
      guard let list = entry.collection as? CollectionList,
        seen.insert(list.localIdentifier).inserted
      else { continue }
      pending += try library.fetchCollections(in: list).reversed()
        .map { Entry(collection: $0, folders: entry.folders + [list.localizedTitle]) }
    }
  }

  /// The album that somebody means: by identifier, name, or the names of its folders and its own with
  /// slashes between. Capital letters matter only if there are several otherwise.
  ///
  /// - Parameter smart: Whether those that fill themselves may be meant.
  /// - Throws: ``EditCommandError`` when there is none, or more than one.
  func album(named name: String, smart: Bool = true) throws(EditCommandError) -> AssetCollection {
    let own = named(AssetCollection.self)
    if let album = try Self.choose(name, among: own) { return album }
    if let album = try Self.choose(name, among: namedSmartAlbums) {
      if !smart { throw .fillsItself(album: album.localizedTitle) }
      return album
    }
    let names = (own + namedSmartAlbums).flatMap(\.1)
    throw .noSuchAlbum(name, nearest: nearest(to: name, among: names))
  }

  /// The user's albums or folders, with the names that they go by.
  private func named<Kind: UserCollection>(_ kind: Kind.Type) -> [(Kind, [String])] {
    entries.compactMap { entry in
      (entry.collection as? Kind).map {
        ($0, [$0.localIdentifier, entry.path, $0.localizedTitle])
      }
    }
  }

  /// The albums that fill themselves, with the names that they go by.
  private var namedSmartAlbums: [(AssetCollection, [String])] {
    smartAlbums.map { album in
      (album, [album.localIdentifier, album.localizedTitle] + album.smartName)
    }
  }

  /// The folder of albums that somebody means.
  ///
  /// - Throws: ``EditCommandError`` when there is none, or more than one.
  func folder(named name: String) throws(EditCommandError) -> CollectionList {
    let all = named(CollectionList.self)
    if let folder = try Self.choose(name, among: all) { return folder }
    throw .noSuchAlbumFolder(name, nearest: nearest(to: name, among: all.flatMap(\.1)))
  }

  /// The album or folder that somebody means.
  func collection(named name: String) throws(EditCommandError) -> UserCollection {
    let all = named(UserCollection.self)
    if let found = try Self.choose(name, among: all) { return found }
    if let album = try Self.choose(name, among: namedSmartAlbums) {
      throw .fillsItself(album: album.localizedTitle)
    }
    throw .noSuchAlbum(name, nearest: nearest(to: name, among: all.flatMap(\.1)))
  }

  /// The object that a name stands for. An exact match comes before one in other letters.
  private static func choose<Object: PhotoLibraryObject>(
    _ name: String, among all: [(object: Object, names: [String])]
  ) throws(EditCommandError) -> Object? {
    let wanted = name.lowercased()
    for isMeant in [{ $0 == name }, { $0.lowercased() == wanted }] as [(String) -> Bool] {
      let found = all.filter { $0.names.contains(where: isMeant) }
      if found.count > 1 {
        throw .ambiguousAlbum(name, identifiers: found.map(\.object.localIdentifier))
      }
      if let one = found.first { return one.object }
    }
    return nil
  }

  /// Whether an album or folder beside others has a name already.
  func has(_ title: String, in folder: CollectionList?) -> Bool {
    siblings(in: folder).contains { $0.localizedTitle == title }
  }

  /// What is in the same folder as an album or folder, that itself included.
  func siblings(of collection: UserCollection) -> [UserCollection] {
    let place = entries.first { $0.collection == collection }?.folders ?? []
    return entries.filter { $0.folders == place }.map(\.collection)
  }

  /// What is in a folder, or at the top.
  func siblings(in folder: CollectionList?) -> [UserCollection] {
    guard let folder else { return entries.filter(\.folders.isEmpty).map(\.collection) }
    guard let entry = entries.first(where: { $0.collection == folder }) else { return [] }
    let place = entry.folders + [folder.localizedTitle]
    return entries.filter { $0.folders == place }.map(\.collection)
  }
}

extension AssetCollection {
  /// PhotoKit's name of an album that fills itself.
  var smartName: [String] {
    guard case .smartAlbum(let album) = kind else { return [] }
    return [album.rawValue]
  }
}
