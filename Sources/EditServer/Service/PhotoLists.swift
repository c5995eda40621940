import PhotoEditing
import PhotoLibraryKit
import SafelightFiles
import Synchronization

/// Which photos a client wants to see, in which order.
struct ListQuery: Sendable, Hashable {
  var sort: String?
  var search: String?
  var predicate: String?
  var folder: FilePath?
  var album: String?
  var isEdited: Bool?
  var isFavorite: Bool?
  var includesHidden = false
  var isTrash = false

  /// A word that other queries do not have.
  var word: String {
    let all: [JSONValue?] = [
      sort.map { .string($0) }, search.map { .string($0) }, predicate.map { .string($0) },
      folder.map { .string($0.string) }, album.map { .string($0) }, isEdited.map { .bool($0) },
      isFavorite.map { .bool($0) }, .bool(includesHidden), .bool(isTrash),
    ]
    let text = JSONValue.array(all.map { $0 ?? .null }).text
    return String(SHA256.digest(of: Array(text.utf8)).description.prefix(12))
  }
}

/// Lists of photos, read page by page. The last few stay open, so that the pages of one agree with each other and
/// a jump to any place costs a page.
final class PhotoLists: Sendable {
  private let library: PhotoLibrary
  private struct Open {
    let query: ListQuery
    let token: String
    let photos: [Asset]?
    let result: FetchResult<Asset>
  }
  private let lists = Mutex<[Open]>([])
  /// Most lists that stay open.
  private static let limit = 8

  init(_ library: PhotoLibrary) { self.library = library }

  /// A page of a list.
  ///
  /// - Returns: The photos, how many there are on all pages, and a word for the state of the list.
  func page(
    _ query: ListQuery, from offset: Int, atMost limit: Int
  ) throws -> (photos: [Asset], total: Int, list: String) {
    let open = try list(query)
    let total = try open.photos?.count ?? open.result.counted()
    let range = min(offset, total)..<min(offset + limit, total)
    if let photos = open.photos { return (Array(photos[range]), total, open.token) }
    // The page at the end shows whether the catalog's counters are right; beyond the end nothing else is read.
    try open.result.preload(range.isEmpty ? max(0, total - 1)..<total : range)
    let photos = open.result.objects(at: range)
    if let failure = open.result.failure { throw failure }
    return (photos, total, open.token)
  }

  private func list(_ query: ListQuery) throws -> Open {
    let token = try library.currentChangeToken.description
    if let open = lists.withLock({ $0.first { $0.query == query && $0.token == token } }) {
      return open
    }
    let open = Open(
      query: query, token: token, photos: query.isTrash ? try library.trashedAssets() : nil,
      result: query.isTrash ? FetchResult() : try fetch(query))
    lists.withLock { lists in
      lists.removeAll { $0.query == query || $0.token != token }
      lists.append(open)
      if lists.count > Self.limit { lists.removeFirst() }
    }
    return open
  }

  private func fetch(_ query: ListQuery) throws -> FetchResult<Asset> {
    let options = FetchOptions(includeHiddenAssets: query.includesHidden)
    options.wantsIncrementalChangeDetails = false
    options.predicate = try Self.predicate(query)
    options.sortDescriptors = try (query.sort ?? "").split(separator: ",").map(Self.descriptor)
    guard let id = query.album else { return try library.fetchAssets(with: options) }
    let identifier = PhotoID.localIdentifier(id)
    guard let album = try library.fetchAssetCollections(withLocalIdentifiers: [identifier]).first
    else { throw ServerError.noSuchAlbum(id) }
    return try library.fetchAssets(in: album, options: options)
  }

  private static func predicate(_ query: ListQuery) throws(ServerError) -> FetchPredicate {
    do throws(PredicateFormatError) {
      var all = FetchPredicate.all
      if let text = query.predicate { all = try all && FetchPredicate(format: text) }
      if let edited = query.isEdited {
        all = try all && FetchPredicate(format: "hasAdjustments = %@", arguments: [.truth(edited)])
      }
      if let favorite = query.isFavorite {
        all = try all && FetchPredicate(format: "favorite = %@", arguments: [.truth(favorite)])
      }
      if let folder = query.folder {
        let beginning = folder == "/" ? "/" : folder.string + "/"
        all =
          try all
          && FetchPredicate(format: "path BEGINSWITH %@", arguments: [.text(beginning)])
      }
      for word in (query.search ?? "").split(separator: " ").prefix(20) {
        let keys = ["filename", "title", "caption", "ANY keywords", "camera", "lens"]
        let format = keys.map { "\($0) CONTAINS[cd] %@" }.joined(separator: " OR ")
        let text = FetchValue.text(String(word))
        all = try all && FetchPredicate(format: format, arguments: keys.map { _ in text })
      }
      return all
    } catch {
      throw .invalidPredicate("“where” cannot be read. \(error.description)")
    }
  }

  private static func descriptor(_ text: Substring) throws -> FetchSortDescriptor {
    let parts = text.split(separator: ":", maxSplits: 1).map(String.init)
    let directions = ["ascending": true, "descending": false]
    guard let key = parts.first,
      let ascending = directions[parts.count > 1 ? parts[1] : "ascending"]
    else { throw ServerError.badRequest("“\(text.prefix(50))” is not an order to sort by.") }
    do {
      return try FetchSortDescriptor(checking: key, ascending: ascending)
    } catch {
      throw ServerError.badRequest("There is no key “\(key.prefix(50))” to sort by.")
    }
  }
}

/// The folders that are served, in the interface.
struct ServedFolder: Sendable {
  let path: FilePath

  /// A word that stays the same while the folder is at its path.
  var id: String { String(SHA256.digest(of: path.bytes).description.prefix(16)) }

  var json: JSONValue {
    .object([
      "id": .string(id), "name": .string((path.lastComponent ?? path).description),
      "path": .string(path.string),
    ])
  }
}
