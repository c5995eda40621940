import PhotoEditing
import PhotoLibraryKit
import SafelightFiles

/// Lists, single photos, and their pictures.
extension PhotoService {
  var photoRoutes: [Route] {
    [
      .task("folders") { [photos] _ in
        let folders = photos.folders.map { ServedFolder(path: $0).json }
        return HTTPResponse(.object(["folders": .array(folders)]))
      },
      .task("photos") { [self] call in try list(call) },
      .task("photo") { [self] call in try await state(call) },
      .task("histogram") { [self] call in
        let photo = try photo(of: call)
        let histograms = try await PhotoEditor().histograms(of: photo.photo)
        return Self.tagged(words.histogram(histograms), "histogram \(photo.revision)")
      },
    ]
  }

  /// JSON that stays the same while something else does.
  static func tagged(_ json: JSONValue, _ what: String = "") -> HTTPResponse {
    var response = HTTPResponse(json)
    response[field: "ETag"] = HTTPResponse.tag((what + json.text).utf8)
    response[field: "Cache-Control"] = "no-cache"
    return response
  }

  // MARK: - Lists

  private func list(_ call: Call) throws -> HTTPResponse {
    var query = ListQuery()
    query.sort = try call.text("sort")
    query.search = try call.text("search")
    query.predicate = try call.text("where")
    query.album = try call.text("album", atMost: 100)
    query.isEdited = try call.truth("edited")
    query.isFavorite = try call.truth("favorite")
    query.includesHidden = try call.truth("hidden") ?? false
    query.isTrash = try call.truth("trash") ?? false
    if let id = try call.text("folder", atMost: 100) {
      guard let folder = photos.folders.first(where: { ServedFolder(path: $0).id == id }) else {
        throw ServerError.noSuchFolder(id)
      }
      query.folder = folder
    }
    var offset = try call.count("offset")
    if let cursor = try call.text("cursor", atMost: 100) {
      guard !(try call.has("offset")) else {
        throw ServerError.badRequest("Give either “cursor” or “offset”.")
      }
      offset = try Cursor(cursor, of: query).offset
    }
    let limit = try call.count("limit")
    let page = try lists.page(query, from: offset, atMost: limit)
    let end = offset + page.photos.count
    return HTTPResponse(
      .object([
        "photos": .array(page.photos.map(summary)), "total": .integer(page.total),
        "offset": .integer(offset), "list": .string(page.list),
        "next": end < page.total && !page.photos.isEmpty
          ? .string(Cursor(offset: end, of: query).text) : nil,
      ]))
  }

  /// A photo in a list.
  func summary(_ asset: Asset) -> JSONValue {
    .object(
      JSONValue.members([
        "id": .string(PhotoID.id(asset.localIdentifier)),
        "name": .string((asset.path.lastComponent ?? asset.path).description),
        "revision": .string(photos.revision(of: asset)),
      ]) + words.asset(asset))
  }

  /// A place in the list of one query.
  private struct Cursor {
    let offset: Int
    /// The query in a word.
    private let query: String

    init(offset: Int, of query: ListQuery) { (self.offset, self.query) = (offset, query.word) }

    /// - Throws: ``ServerError/badRequest(_:)`` when the text is no cursor, or one of another query.
    init(_ text: String, of query: ListQuery) throws(ServerError) {
      let parts = text.split(separator: "-", omittingEmptySubsequences: false)
      guard parts.count == 2, parts[0].hasPrefix("o"), let offset = Int(parts[0].dropFirst()),
        (0...1_000_000_000).contains(offset)
      else { throw .badRequest("“cursor” is none; take the “next” of the page before.") }
      guard parts[1] == query.word else {
        throw .badRequest(
          "“cursor” belongs to a list with another order or other conditions; repeat those of its first "
            + "page, or begin without a cursor.")
      }
      self.init(offset: offset, of: query)
    }

    var text: String { "o\(offset)-\(query)" }
  }

  private func state(_ call: Call) async throws -> HTTPResponse {
    let photo = try photo(of: call)
    let state = try await PhotoEditor().state(of: photo.photo)
    let details = words.state(state, of: photo.path)
    func path(_ type: AssetResource.ResourceType) -> JSONValue? {
      state.resources.first { $0.type == type }.map { .string($0.path.string) }
    }
    let members = JSONValue.members([
      "photo": .string(photo.path.string), "id": .string(photo.id), "name": .string(photo.name),
      "status": .string("shown"), "revision": .string(photo.revision),
      "rendered": path(.fullSizePhoto), "record": path(.adjustmentData),
    ])
    let more = JSONValue.members([
      "warnings": state.warnings.isEmpty ? nil : .strings(state.warnings),
      "asset": summary(photo.asset),
    ])
    return Self.tagged(.object(members + details + more), photo.revision)
  }
}
