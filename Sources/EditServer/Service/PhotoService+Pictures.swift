import PhotoEditing
import PhotoLibraryKit
import SafelightFiles

/// Pictures of photos, and their files.
extension PhotoService {
  var pictureRoutes: [Route] {
    [
      Route(
        "thumbnail",
        .quickOr({ [self] in try kept(thumbnailRequest($0), $0) }) { [self] call in
          try await picture(thumbnailRequest(call), call)
        }),
      Route(
        "picture",
        .quickOr({ [self] in try kept(pictureRequest($0), $0) }) { [self] call in
          try await picture(pictureRequest(call), call)
        }),
      .task("file") { [self] call in try await file(call) },
      .task("preview") { [self] call in try await preview(call) },
      .task("outputs") { [self] _ in try await outputs() },
      .task("savePreset") { [self] call in try await savePreset(call) },
      .task("removePreset") { [self] call in try await removePreset(call) },
      .task("export") { [self] call in try await export(call) },
    ]
  }

  private func thumbnailRequest(_ call: Call) throws -> PictureRequest {
    var request = PictureRequest(try shownState(call))
    request.fit = PictureFit(longestSide: try call.integer("size"))
    request.look = .jpeg(quality: 85)
    return request
  }

  private func pictureRequest(_ call: Call) throws -> PictureRequest {
    let side = try call.integer("fit")
    var request = PictureRequest(try shownState(call))
    request.look = .jpeg(quality: try call.count("quality"))
    var part = try call.text("crop", atMost: 200).map { text in
      try Self.part(
        text.split(separator: ",", omittingEmptySubsequences: false).map { Double($0) ?? .nan })
    }
    if part == .whole { part = nil }
    request.fit = PictureFit(
      longestSide: side, part: part, request.hasFilter || part == nil ? .close : .exact)
    // Larger ones are few, and the disk keeps JPEGs whose loss would be seen.
    request.isStored = part == nil && side.map { $0 <= 2048 } == true
    return request
  }

  /// Reads with which edit the photo is wanted.
  private func shownState(_ call: Call) throws -> PictureRequest.State {
    let showsEdit = try call.choice("state") != "original"
    guard let name = try call.text("filter", atMost: 200) else {
      return showsEdit ? .present : .original
    }
    return .filter(try words.filter(named: name), intensity: try call.share("intensity"))
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
  private func kept(_ request: PictureRequest, _ call: Call) throws(ServerError) -> HTTPResponse? {
    guard let revision = try call.text("v", atMost: 100),
      let bytes = library.pictures.kept(
        request, as: Self.name(call.parameter("photo"), revision))
    else { return nil }
    return response(bytes, request.tag(revision), isLasting: !request.mayChange)
  }

  /// What stands for a photo's files among the pictures in memory.
  private static func name(_ photo: String, _ revision: String) -> String { "\(photo) \(revision)" }

  private func picture(_ request: PictureRequest, _ call: Call) async throws -> HTTPResponse {
    let photo = try photo(of: call)
    let isLasting = try call.text("v", atMost: 100) == photo.revision && !request.mayChange
    let tag = request.tag(photo.revision)
    if call.request["if-none-match"] == tag { return response([], tag, isLasting: isLasting) }
    let name = Self.name(photo.id, photo.revision)
    let kept = library.pictures.kept(request, as: name)
    let bytes =
      if let kept { kept } else {
        try await library.pictures.picture(request, of: photo.stamp, keptAs: name).bytes
      }
    return response(bytes, tag, isLasting: isLasting)
  }

  private func response(_ bytes: [UInt8], _ tag: String, isLasting: Bool) -> HTTPResponse {
    var response = HTTPResponse(SharedBytes(bytes), type: "image/jpeg")
    response.fields += Self.fields(tag, isLasting: isLasting)
    return response
  }

  /// What the header of a picture or a file says. One that is asked for by its revision may be kept for ever.
  private static func fields(_ tag: String, isLasting: Bool) -> [(name: String, value: String)] {
    [
      ("ETag", tag), ("Accept-Ranges", "bytes"),
      ("Cache-Control", isLasting ? "private, max-age=31536000, immutable" : "private, no-cache"),
    ]
  }

  private func file(_ call: Call) async throws -> HTTPResponse {
    let photo = try photo(of: call)
    let kind = try call.choice("kind")
    var (path, type) = (photo.path, photo.asset.format.file.mediaType)
    var part: Range<Int64>?
    switch kind {
    case "video", "original-video":
      let live = try await PhotoEditor().livePhoto(of: photo.photo, showsEdit: kind == "video")
      guard let video = live?.video else { throw EditError.noVideo(photo.path) }
      (path, part) = (video.path, video.byteRange)
      type = video.mediaType
    case "render":
      let state = try await PhotoEditor().state(of: photo.photo)
      let resources = state.resources
      guard let render = resources.first(where: { $0.type == .fullSizePhoto }) else {
        if !state.isEdited { throw ServerError.notEdited(photo.name) }
        throw EditError.renderMissing(photo.path)
      }
      (path, type) = (render.path, "image/jpeg")
    default: break
    }
    let (file, status) = try photos.open(path, of: photo)
    let range = (part ?? 0..<status.size).clamped(to: 0..<status.size)
    var response = HTTPResponse(
      file, Int(range.lowerBound)..<Int(range.upperBound), type: type)
    let stamp = "\(status.size) \(status.modified) \(status.changed) \(status.inode) \(kind ?? "")"
    let isLasting = try call.text("v", atMost: 100) == photo.revision
    response.fields += Self.fields(HTTPResponse.tag(stamp.utf8), isLasting: isLasting)
    return response
  }

  private func preview(_ call: Call) async throws -> HTTPResponse {
    let body = try call.body()
    guard let stack = try body.stack() else {
      throw ServerError.badRequest("“adjustments” is missing.")
    }
    let side = try body.count("fit")
    let part = try body.list("crop").map { try Self.part($0.map { $0.number ?? .nan }) }
    // A part is as large as a screen, whatever the size of the whole.
    guard part != nil || side <= 8192 else {
      throw ServerError.badRequest("“fit” is at most 8192 without a “crop”.")
    }
    var request = PictureRequest(.edit(stack))
    request.fit = PictureFit(longestSide: side, part: part)
    request.look = .jpeg(quality: try body.count("quality"))
    request.isCounted = try body.truth("histogram") ?? false
    request.isDraft = try body.truth("draft") ?? false
    request.viewer = try body.text("session")
    let isHDR = try body.truth("hdr") ?? false
    if isHDR {
      guard part == nil, !request.isDraft else {
        throw ServerError.badRequest("“hdr” is for the whole picture, and for no draft.")
      }
      var output = RenderOutput(
        format: .jpeg, quality: try body.count("quality"), longestSide: side)
      (output.profile, output.metadata) = (.sRGB, .none)
      request.look = .file(output)
      // It is made as a render is, and stands alone.
      (request.isCounted, request.viewer) = (false, nil)
    }
    let sequence = try body.integer("sequence")
    let photo = try photo(of: call)
    let picture = try await library.pictures.picture(request, of: photo.stamp)
    var response = HTTPResponse(SharedBytes(picture.bytes), type: "image/jpeg")
    response.fields += [
      ("Cache-Control", "no-store"),
      ("Safelight-Size", "\(picture.size.width)x\(picture.size.height)"),
    ]
    if !isHDR {
      response.fields.append(
        ("Safelight-Photo-Size", "\(picture.fullSize.width)x\(picture.fullSize.height)"))
    }
    if let sequence { response.fields.append(("Safelight-Sequence", "\(sequence)")) }
    if let histogram = picture.histogram.map({ PreviewHistogram($0) }) {
      response.fields += [
        ("Safelight-Histogram", histogram.text), ("Safelight-Clipped", histogram.clipped),
      ]
    }
    return response
  }
}

extension PictureRequest {
  fileprivate var hasFilter: Bool { if case .filter = state { true } else { false } }

  /// Whether its address may stand for other bytes later, though the photo stays the same.
  fileprivate var mayChange: Bool {
    if case .filter(let filter, _) = state { !Filter.shipped.contains(filter) } else { false }
  }

  /// The tag of a picture: everything that decides its bytes.
  fileprivate func tag(_ revision: String) -> String {
    HTTPResponse.tag("2 \(PhotoEditor.rendererVersion) \(revision) \(text)".utf8)
  }
}

/// How light a preview is, small enough for a field of the answer's header.
struct PreviewHistogram: Sendable {
  /// Base64 of 256 bins of luma, red, green and blue, in 255ths of the channel's largest between the ends.
  let text: String
  /// Shares of the pixels that are clipped.
  let shadows: Double, highlights: Double

  init(_ counted: PhotoHistogram) {
    (shadows, highlights) = (counted.clippedShadows, counted.clippedHighlights)
    var bytes: [UInt8] = []
    for channel in [PhotoHistogram.Channel.luma, .red, .green, .blue] {
      let counts = counted.counts(channel)
      let largest = max(counts[1..<255].max() ?? 0, 1)
      bytes += counts.map { UInt8(min($0 * 255 / largest, 255)) }
    }
    text = Base64.text(bytes)
  }

  /// What the field for clipping says.
  var clipped: String {
    func share(_ number: Double) -> Double { (number * 1e6).rounded() / 1e6 }
    return "shadows=\(share(shadows)), highlights=\(share(highlights))"
  }
}
