import FoundationEssentials
import PhotoEditing
import PhotoLibraryKit

extension AgentTool {
  /// `list_photos`
  static let listPhotos = AgentTool(
    name: "list_photos", title: "List photos",
    summary: """
      Lists the photos of one folder by name, page by page, with size in pixels, capture date, camera, and whether \
      each has an edit; also the folders in it. Renders, exports and sidecars are left out. Without “folder” it lists the \
      first folder of the server, and “roots” names all. Writes nothing.
      """,
    arguments: [
      ToolArgument("folder", .text, "The folder's path; the server's first folder without it."),
      ToolArgument("limit", .integer(1...200), default: 50, "Most photos of a page."),
      ToolArgument("cursor", .text, "“next” of the page before, to go on behind it."),
    ],
    output: [
      OutputMember("folder", "string", required: true, "The folder."),
      OutputMember("roots", "array", required: true, "The folders that the server may touch."),
      OutputMember("folders", "array", required: true, "The folders in this one."),
    ] + pageMembers
  ) { call in
    let name = call.text("folder")
    let folder =
      try name.map { try call.session.folders.folder($0) } ?? call.session.folders.paths[0]
    let found = try call.session.folders.content(of: folder)
    let start = call.cursor
    let rest = found.photos.drop { photo in
      guard let start, let name = photo.lastComponent else { return false }
      return !start.bytes.lexicographicallyPrecedes(name.bytes)
    }
    let page = rest.prefix(call.integer("limit") ?? 50)
    let next = page.count < rest.count ? page.last?.lastComponent?.argument : nil
    // The folders that the agent may not enter are none of its business.
    let folders = found.folders.filter { call.session.folders.contains($0) }
    return ToolResult(
      text:
        "\(FileWords.quoted(folder)): \(counted(found.photos.count, "photo")), \(page.count) of them on this page"
        + (next == nil ? "" : "; go on with the cursor") + ".",
      members: JSONValue.members([
        "folder": folder.argument, "roots": call.session.folders.paths.map(\.argument),
        "folders": folders.prefix(500).map(\.argument), "total": found.photos.count,
        "photos": page.map { FoundPhoto.json(of: $0) }, "next": next,
      ]))
  }

  private static let pageMembers = [
    OutputMember(
      "photos", "array", required: true,
      "The photos: photo (its path), revision, hasAdjustments, pixelWidth, pixelHeight, creationDate, camera, "
        + "bytes; what is not known is left out."),
    OutputMember("total", "integer", "How many photos there are in all."),
    OutputMember("next", "string", "The cursor of the next page; absent on the last."),
  ]

  /// `search_photos` without a library.
  static let searchFolders = AgentTool(
    name: "search_photos", title: "Search photos",
    summary: """
      Finds photos in a folder and in the folders below it, by file name, capture date, camera, and whether they are \
      edited; all that is given must hold. Results come by path, page by page. It reads file headers, at most \
      \(FolderSearch.mostRead) photos in one call; go on with “next” even when a page is empty. Writes nothing.
      """,
    arguments: [
      ToolArgument("folder", .text, "Where to search; all folders of the server without it."),
      ToolArgument(
        "name", .text, "A part of the file's name; capital and small letters are the same."),
      ToolArgument("camera", .text, "A part of the camera's maker and model."),
      ToolArgument("from", .text, "Taken on this day or later: 2024-05-01, by the camera's clock."),
      ToolArgument("to", .text, "Taken on this day or earlier: 2024-05-31."),
      ToolArgument("edited", .flag, "true: only photos with an edit; false: only those without."),
      ToolArgument("limit", .integer(1...200), default: 50, "Most photos of a page."),
      ToolArgument("cursor", .text, "“next” of the page before, with the same other arguments."),
    ],
    output: pageMembers
  ) { call in
    var search = try FolderSearch(call)
    let name = call.text("folder")
    for folder in try name.map({ [try call.session.folders.folder($0)] })
      ?? call.session.folders.paths
    {
      try search.look(in: call.session.folders.content(of: folder))
    }
    try search.checkCursor()
    return ToolResult(
      text: "\(counted(search.found.count, "photo")) found"
        + (search.next == nil ? "." : "; there may be more: go on with the cursor."),
      members: JSONValue.members(["photos": search.found, "next": search.next?.argument]))
  }

  /// `search_photos` in a library.
  static let searchLibrary = AgentTool(
    name: "search_photos", title: "Search photos",
    summary: """
      Finds photos of the library with a predicate in the words of NSPredicate; only those in the server's folders \
      are given. Keys: filename, creationDate, addedDate, pixelWidth, pixelHeight, favorite, hidden, \
      hasAdjustments, latitude, longitude, \(Asset.details.map(\.name).joined(separator: ", ")). Comparisons: = != < > \
      BETWEEN IN BEGINSWITH CONTAINS ENDSWITH LIKE, with [cd] to ignore case and accents, joined by AND, OR, NOT. \
      Examples: favorite = 1 AND creationDate > '2024-01-01'; camera CONTAINS[c] 'nikon'; \
      keywords CONTAINS 'beach'. exposureTime is in seconds, focalLength in millimeters, rating 0 to 5. Writes nothing.
      """,
    arguments: [
      ToolArgument("where", .text, "The predicate; all photos without it."),
      ToolArgument("album", .text, "Only photos of this album of the library, in its order."),
      ToolArgument(
        "sort", .list(.text, most: 4),
        "Keys to sort by, with “:descending” behind those that are; by creationDate without it."),
      ToolArgument("limit", .integer(1...200), default: 50, "Most photos of a page."),
      ToolArgument("cursor", .text, "“next” of the page before, with the same other arguments."),
    ],
    output: [
      OutputMember(
        "photos", "array", required: true,
        "The photos as the library has them: photo (its path) and the keys of the predicate."),
      OutputMember("next", "string", "The cursor of the next page; absent on the last."),
    ]
  ) { call in
    guard let library = call.session.library else { preconditionFailure("There is no library.") }
    let search = AssetSearch(
      album: call.text("album"), predicate: call.text("where"),
      order: call.arguments["sort"]?.elements?.compactMap(\.string) ?? [])
    let start = call.text("cursor").map { Int($0) } ?? 0
    guard let start, start >= 0 else {
      throw AgentError.invalidArguments("“cursor” must be “next” of the page before.")
    }
    let all = try search.fetch(in: library)
    let limit = call.integer("limit") ?? 50
    var photos: [JSONValue] = []
    let total = try all.counted()
    var index = min(start, total)
    // Photos elsewhere are passed over; a call looks at so many at most.
    let end = min(total, index + FolderSearch.mostPassedOver)
    while index < end, photos.count < limit {
      if index % 1000 == 0 { try Task.checkCancellation() }
      let asset = all[index]
      index += 1
      guard call.session.folders.contains(asset.path) else { continue }
      photos.append(.object(JSONValue.members(["photo": asset.path.argument]) + asset.members))
    }
    if let failure = all.failure { throw failure }
    let next = index < total ? "\(index)" : nil
    return ToolResult(
      text: "\(counted(photos.count, "photo")) found"
        + (next == nil ? "." : "; there may be more: go on with the cursor."),
      members: JSONValue.members(["photos": photos, "next": next]))
  }
}

/// What lists say of a photo.
enum FoundPhoto {
  /// What can be said at a glance; the error of a photo that cannot be read.
  static func json(of photo: FilePath) -> JSONValue {
    do {
      return json(try PhotoGlance(photo))
    } catch {
      return .object(["photo": photo.argument, "error": PhotoFailure(error).json])
    }
  }

  static func json(_ glance: PhotoGlance) -> JSONValue {
    .object([
      "photo": glance.path.argument, "revision": glance.revision,
      "hasAdjustments": glance.hasAdjustments, "pixelWidth": glance.size?.width,
      "pixelHeight": glance.size?.height, "creationDate": glance.creationDate,
      "localDate": glance.localDate.map { ClockText($0, offset: nil) }, "camera": glance.camera,
      "bytes": glance.bytes,
    ])
  }
}

/// A search through folders, photo by photo in the order of their paths.
struct FolderSearch {
  /// Most photos whose headers one call reads.
  static let mostRead = 2000
  /// Most photos of a library that one call passes over.
  static let mostPassedOver = 200_000

  private(set) var found: [JSONValue] = []
  /// The last photo that was looked at, when there are more.
  private(set) var next: FilePath?

  private let name, camera: String?
  private let first, last: String?
  private let isEdited: Bool?
  private let limit: Int
  private var start: FilePath?
  private var read = 0
  private var lastSeen: FilePath?

  init(_ call: ToolCall) throws {
    name = call.text("name")?.lowercased()
    camera = call.text("camera")?.lowercased()
    first = try call.text("from").map(Self.day)
    last = try call.text("to").map(Self.day)
    isEdited = call.arguments["edited"].map { _ in call.flag("edited") }
    limit = call.integer("limit") ?? 50
    start = call.cursor
  }

  private static func day(_ text: String) throws(AgentError) -> String {
    guard text.wholeMatch(of: /\d{4}-\d\d-\d\d/) != nil else {
      throw .invalidArguments("“\(text.prefix(80))” is no day such as 2024-05-01.")
    }
    return text
  }

  /// Throws when the photo that a cursor names was not met.
  func checkCursor() throws(AgentError) {
    if start != nil {
      throw .invalidArguments(
        "The photo of the cursor is not there any more: search again without “cursor”.")
    }
  }

  /// Looks at a folder's photos, then at its folders; those that cannot be listed are passed over.
  mutating func look(in folder: PhotoFolder) throws {
    guard next == nil else { return }
    for photo in folder.photos {
      if let start {
        if photo == start { self.start = nil }
        continue
      }
      try Task.checkCancellation()
      if found.count == limit || read == Self.mostRead {
        next = lastSeen
        return
      }
      lastSeen = photo
      if let name, photo.lastComponent?.string.lowercased().contains(name) != true { continue }
      read += 1
      guard let glance = try? PhotoGlance(photo), fits(glance) else { continue }
      found.append(FoundPhoto.json(glance))
    }
    for inner in folder.folders {
      if let content = try? folder.inner(inner) { try look(in: content) }
    }
  }

  private func fits(_ photo: PhotoGlance) -> Bool {
    if let isEdited, isEdited != photo.hasAdjustments { return false }
    if let camera, photo.camera?.lowercased().contains(camera) != true { return false }
    guard first != nil || last != nil else { return true }
    guard let day = photo.localDate.map({ String($0.formatted(.iso8601).prefix(10)) }) else {
      return false
    }
    return day >= first ?? "" && day <= last ?? "9999-99-99"
  }
}
