import PhotoEditing
import PhotoLibraryKit

/// What the library knows of photos: albums, favorites, hidden photos, the trash.
extension PhotoService {
  var libraryRoutes: [Route] {
    [
      .task("albums") { [self] _ in
        HTTPResponse(.object(["albums": .array(try albums())]))
      },
      .task("createAlbum") { [self] call in try await createAlbum(call) },
      .task("renameAlbum") { [self] call in
        let album = try album(call)
        let title = try title(try call.body())
        try checkIsFree(title, except: album)
        try await library.performChanges {
          AssetCollectionChangeRequest(for: album).title = title
        }
        return HTTPResponse(json(try self.album(call), folders: []))
      },
      .task("deleteAlbum") { [self] call in
        let album = try album(call)
        try await library.performChanges {
          AssetCollectionChangeRequest.deleteAssetCollections([album])
        }
        let id = PhotoID.id(album.localIdentifier)
        return HTTPResponse(.object(["status": .string("deleted"), "id": .string(id)]))
      },
      .task("changeAlbum") { [self] call in
        let album = try album(call)
        let body = try call.body()
        var added = try distinct(try body.texts("add") ?? [])
        if !added.isEmpty {
          // A photo that is in the album stays where it is.
          let present = Set(try library.fetchAssets(in: album).allObjects().map(\.localIdentifier))
          added.removeAll { present.contains($0.localIdentifier) }
        }
        let removed = try photos.assets(try body.texts("remove") ?? [])
        try await library.performChanges { [added] in
          let request = AssetCollectionChangeRequest(for: album)
          if !added.isEmpty { request.addAssets(added) }
          if !removed.isEmpty { request.removeAssets(removed) }
        }
        return HTTPResponse(json(try self.album(call), folders: []))
      },
      .task("mark") { [self] call in try await mark(call) },
      .task("trash") { [self] call in
        let wanted = try photos.assets(try call.body().photos())
        try await library.performChanges { AssetChangeRequest.deleteAssets(wanted) }
        return changed(wanted.map { ($0, "trashed") })
      },
      .task("restore") { [self] call in
        let wanted = try call.body().photos()
        let trashed = Dictionary(
          try library.trashedAssets().map { (PhotoID.id($0.localIdentifier), $0) },
          uniquingKeysWith: { first, _ in first })
        let found = try wanted.map { id in
          guard let asset = trashed[id] else { throw ServerError.noSuchPhoto(id) }
          return asset
        }
        try await library.performChanges { AssetChangeRequest.restoreAssets(found) }
        return changed(found.map { ($0, "restored") })
      },
    ]
  }

  private func changed(_ photos: [(Asset, String)]) -> HTTPResponse {
    let all = photos.map { asset, status in
      JSONValue.object([
        "id": .string(PhotoID.id(asset.localIdentifier)), "status": .string(status),
      ])
    }
    return HTTPResponse(.object(["photos": .array(all)]))
  }

  private func mark(_ call: Call) async throws -> HTTPResponse {
    let body = try call.body()
    let (favorite, hidden) = (try body.truth("favorite"), try body.truth("hidden"))
    guard favorite != nil || hidden != nil else {
      throw ServerError.badRequest("Either “favorite” or “hidden” is needed.")
    }
    let wanted = try photos.assets(try body.photos())
    func isDue(_ asset: Asset) -> Bool {
      favorite ?? asset.isFavorite != asset.isFavorite || hidden ?? asset.isHidden != asset.isHidden
    }
    let due = wanted.filter(isDue)
    if !due.isEmpty {
      try await library.performChanges {
        for asset in due {
          let request = AssetChangeRequest(for: asset)
          if let favorite { request.isFavorite = favorite }
          if let hidden { request.isHidden = hidden }
        }
      }
    }
    return changed(wanted.map { ($0, isDue($0) ? "changed" : "unchanged") })
  }

  // MARK: - Albums

  private func albums() throws -> [JSONValue] {
    var all: [JSONValue] = []
    var pending = Array(try library.fetchTopLevelUserCollections()).reversed()
      .map { (collection: $0, folders: [String]()) }
    var seen: Set<String> = []
    while let (collection, folders) = pending.popLast() {
      if let album = collection as? AssetCollection {
        all.append(json(album, folders: folders))
      } else if let list = collection as? CollectionList {
        // In a damaged catalog a folder may seem to be in itself.
        guard seen.insert(list.localIdentifier).inserted else { continue }
        pending += try library.fetchCollections(in: list).reversed()
          .map { ($0, folders + [list.localizedTitle]) }
      }
    }
    return all
      + (try library.fetchAssetCollections(with: .smartAlbum)).map { json($0, folders: []) }
  }

  private func json(_ album: AssetCollection, folders: [String]) -> JSONValue {
    var smart: String?
    if case .smartAlbum(let kind) = album.kind { smart = kind.rawValue }
    return .object([
      "id": .string(PhotoID.id(album.localIdentifier)), "title": .string(album.localizedTitle),
      "kind": .string(smart == nil ? "album" : "smartAlbum"), "smart": smart.map { .string($0) },
      "count": .integer(album.estimatedAssetCount ?? 0),
      "folders": folders.isEmpty ? nil : .strings(folders),
    ])
  }

  private func album(_ call: Call) throws -> AssetCollection {
    let id = call.parameter("album")
    guard id.utf8.count <= 100,
      let album = try library.fetchAssetCollections(
        withLocalIdentifiers: [PhotoID.localIdentifier(id)]
      ).first
    else { throw ServerError.noSuchAlbum(id) }
    return album
  }

  private func title(_ body: JSONBody) throws(ServerError) -> String {
    guard let title = try body.text("title"), !title.isEmpty else {
      throw .badRequest("“title” is missing.")
    }
    return title
  }

  /// Two albums at the top with one name would be mixed up.
  private func checkIsFree(_ title: String, except album: AssetCollection? = nil) throws {
    let taken = try library.fetchTopLevelUserCollections().contains {
      $0.localizedTitle == title && $0.localIdentifier != album?.localIdentifier
    }
    if taken { throw ServerError.albumExists(title) }
  }

  /// The photos of ids, each once.
  private func distinct(_ ids: [String]) throws -> [Asset] {
    var seen: Set<String> = []
    return try photos.assets(ids.filter { seen.insert($0).inserted })
  }

  private func createAlbum(_ call: Call) async throws -> HTTPResponse {
    let body = try call.body()
    let title = try title(body)
    let wanted = try distinct(try body.texts("photos") ?? [])
    try checkIsFree(title)
    let identifier = try await library.performChanges {
      let request = AssetCollectionChangeRequest.creationRequestForAssetCollection(withTitle: title)
      if !wanted.isEmpty { request.addAssets(wanted) }
      return request.placeholderForCreatedAssetCollection.localIdentifier
    }
    guard let album = try library.fetchAssetCollections(withLocalIdentifiers: [identifier]).first
    else { throw ServerError.noSuchAlbum(title) }
    return HTTPResponse(status: 201, json(album, folders: []))
  }
}
