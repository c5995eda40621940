import PhotoEditing
import PhotoLibraryKit
import SafelightFiles

/// Lists, single photos, and their pictures.
extension PhotoService {
  var photoRoutes: [Route] {
    [
      .get("/v1/folders") { [photos] _ in
        let folders = photos.folders.map { ServedFolder(path: $0).json }
        return HTTPResponse(.object(["folders": .array(folders)]))
      },
      .get("/v1/photos") { [self] call in try list(call) },
      .get("/v1/photos/{photo}") { [self] call in try await state(call) },
      .get("/v1/photos/{photo}/histogram") { [self] call in
        let photo = try photos.photo(call.parameter("photo"))
        let histograms = try await PhotoEditor().histograms(of: photo.photo)
        return tagged(words.histogram(histograms), "histogram \(photo.revision)")
      },
    ]
  }

  /// JSON that stays the same while something else does.
  private func tagged(_ json: JSONValue, _ what: String) -> HTTPResponse {
    var response = HTTPResponse(json)
    let digest = SHA256.digest(of: Array((what + json.text).utf8)).description.prefix(24)
    response[field: "ETag"] = "\"\(digest)\""
    response[field: "Cache-Control"] = "no-cache"
    return response
  }

  // MARK: - Lists

  private func list(_ call: Call) throws -> HTTPResponse {
    var query = ListQuery()
    query.sort = try call.text("sort")
    query.search = try call.text("search", atMost: 1000)
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
    var offset = try call.integer("offset", in: 0...1_000_000_000) ?? 0
    if let cursor = try call.text("cursor", atMost: 100) {
      guard !(try call.has("offset")) else {
        throw ServerError.badRequest("Give either “cursor” or “offset”.")
      }
      offset = try Cursor(cursor, of: query).offset
    }
    let limit = try call.integer("limit", in: 1...1000) ?? 100
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
    let photo = try photos.photo(call.parameter("photo"))
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
    return tagged(.object(members + details + more), photo.revision)
  }

  // MARK: - Pictures

  var pictureRoutes: [Route] {
    [
      Route(
        "GET", "/v1/photos/{photo}/thumbnail",
        .quickOr({ [self] in try kept(thumbnailWish($0), $0) }) { [self] call in
          try await picture(thumbnailWish(call), call)
        }),
      Route(
        "GET", "/v1/photos/{photo}/picture",
        .quickOr({ [self] in try kept(pictureWish($0), $0) }) { [self] call in
          try await picture(pictureWish(call), call)
        }),
      .get("/v1/photos/{photo}/file") { [self] call in try await file(call) },
      Route(
        "POST", "/v1/photos/{photo}/preview", isReading: true, with: .edit,
        .task { [self] in try await preview($0) }),
    ]
  }

  private func thumbnailWish(_ call: Call) throws -> PictureWish {
    var wish = PictureWish()
    wish.longestSide = try call.integer("size", in: 16...1024) ?? 320
    try setState(of: &wish, call)
    return wish
  }

  private func pictureWish(_ call: Call) throws -> PictureWish {
    var wish = PictureWish()
    wish.longestSide = try call.integer("fit", in: 16...65_500)
    try setState(of: &wish, call)
    wish.quality = try call.integer("quality", in: 1...100) ?? 90
    if let text = try call.text("crop", atMost: 200) {
      wish.crop = try Self.part(
        text.split(separator: ",", omittingEmptySubsequences: false).map { Double($0) ?? .nan })
    }
    return wish
  }

  /// Reads with which edit the photo is wanted.
  private func setState(of wish: inout PictureWish, _ call: Call) throws {
    wish.showsEdit = try call.choice("state", of: ["edited", "original"]) != "original"
    guard let name = try call.text("filter", atMost: 200) else { return }
    wish.filter = try words.filter(named: name)
    wish.intensity = try call.number("intensity", in: 0...1) ?? 1
  }

  /// A part of a picture from four shares.
  private static func part(_ numbers: [Double]) throws(ServerError) -> NormalizedRect {
    guard numbers.count == 4, numbers.allSatisfy({ (0...1).contains($0) }) else {
      throw .badRequest("“crop” is not four shares from 0 to 1: left, top, width and height.")
    }
    let rectangle = NormalizedRect(
      x: numbers[0], y: numbers[1], width: numbers[2], height: numbers[3])
    guard rectangle.width > 0 else { throw .badRequest("“crop” keeps no part of the picture.") }
    return rectangle
  }

  /// A picture that the client asks for by its revision, when it is in memory.
  private func kept(_ wish: PictureWish, _ call: Call) throws(ServerError) -> HTTPResponse? {
    guard let revision = try call.text("v", atMost: 100),
      let bytes = pictures.kept(wish, of: call.parameter("photo"), revision: revision)
    else { return nil }
    return picture(bytes, wish, revision, isLasting: !wish.mayChange)
  }

  private func picture(_ wish: PictureWish, _ call: Call) async throws -> HTTPResponse {
    let photo = try photos.photo(call.parameter("photo"))
    let isLasting = try call.text("v", atMost: 100) == photo.revision && !wish.mayChange
    let tag = Pictures.tag(wish, revision: photo.revision)
    if call.request["if-none-match"] == tag {
      return picture(SharedBytes([]), wish, photo.revision, isLasting: isLasting)
    }
    let bytes = try await pictures.picture(wish, of: photo)
    return picture(bytes, wish, photo.revision, isLasting: isLasting)
  }

  private func picture(
    _ bytes: SharedBytes, _ wish: PictureWish, _ revision: String, isLasting: Bool
  ) -> HTTPResponse {
    var response = HTTPResponse(bytes, type: "image/jpeg")
    response.fields += [
      ("ETag", Pictures.tag(wish, revision: revision)), ("Accept-Ranges", "bytes"),
      ("Cache-Control", isLasting ? "private, max-age=31536000, immutable" : "private, no-cache"),
    ]
    return response
  }

  private func file(_ call: Call) async throws -> HTTPResponse {
    let photo = try photos.photo(call.parameter("photo"))
    let isRender = try call.choice("kind", of: ["original", "render"]) == "render"
    var (path, type) = (photo.path, photo.asset.format.file.mediaType)
    if isRender {
      let state = try await PhotoEditor().state(of: photo.photo)
      let resources = state.resources
      guard let render = resources.first(where: { $0.type == .fullSizePhoto }) else {
        if !state.isEdited { throw ServerError.notEdited(photo.name) }
        throw EditError.renderMissing(photo.path)
      }
      (path, type) = (render.path, "image/jpeg")
    }
    let (file, status) = try photos.open(path, of: photo)
    var response = HTTPResponse(file, count: Int(status.size), type: type)
    let stamp = "\(status.size) \(status.modified) \(status.changed) \(status.inode) \(isRender)"
    let digest = SHA256.digest(of: Array(stamp.utf8)).description.prefix(24)
    let isLasting = try call.text("v", atMost: 100) == photo.revision
    response.fields += [
      ("ETag", "\"\(digest)\""), ("Accept-Ranges", "bytes"),
      ("Cache-Control", isLasting ? "private, max-age=31536000, immutable" : "private, no-cache"),
    ]
    return response
  }

  private func preview(_ call: Call) async throws -> HTTPResponse {
    let body = try call.body([
      "adjustments", "session", "sequence", "fit", "crop", "quality", "histogram", "draft",
    ])
    guard let stack = try body.stack() else {
      throw ServerError.badRequest("“adjustments” is missing.")
    }
    var wish = LivePreviews.Wish(longestSide: try body.integer("fit", in: 16...65_500) ?? 1600)
    if let crop = try body.list("crop", atMost: 4) {
      wish.crop = try Self.part(crop.map { $0.number ?? .nan })
    }
    // A part is as large as a screen, whatever the size of the whole.
    guard wish.isPart || wish.longestSide <= 8192 else {
      throw ServerError.badRequest("“fit” is at most 8192 without a “crop”.")
    }
    wish.quality = try body.integer("quality", in: 1...100) ?? wish.quality
    wish.wantsHistogram = try body.truth("histogram") ?? false
    wish.isDraft = try body.truth("draft") ?? false
    let viewer = try body.text("session", atMost: 64)
    let sequence = try body.integer("sequence", in: 0...Int(1e15))
    let photo = try photos.photo(call.parameter("photo"))
    let picture = try await previews.picture(of: photo, stack, for: viewer, wish)
    var response = HTTPResponse(picture.jpeg, type: "image/jpeg")
    response.fields += [
      ("Cache-Control", "no-store"),
      ("Safelight-Size", "\(picture.size.width)x\(picture.size.height)"),
      ("Safelight-Photo-Size", "\(picture.photoSize.width)x\(picture.photoSize.height)"),
    ]
    if let sequence { response.fields.append(("Safelight-Sequence", "\(sequence)")) }
    if let histogram = picture.histogram.map({ PreviewHistogram($0) }) {
      response.fields += [
        ("Safelight-Histogram", histogram.text), ("Safelight-Clipped", histogram.clipped),
      ]
    }
    return response
  }
}
