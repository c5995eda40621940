import SafelightFiles

/// The files of the page: those in the program, or in a folder while the page is worked on.
struct PageFiles: Sendable {
  private let folder: FilePath?
  private let embedded: [String: (bytes: SharedBytes, tag: String)]

  /// - Parameter folder: The files are read from here for each request; `nil` takes those in the program.
  init(folder: FilePath?) {
    self.folder = folder
    embedded = EmbeddedPage.files.mapValues { bytes in (SharedBytes(bytes), HTTPResponse.tag(bytes))
    }
  }

  private static let types = [
    "html": "text/html; charset=utf-8", "js": "text/javascript; charset=utf-8",
    "mjs": "text/javascript; charset=utf-8", "css": "text/css; charset=utf-8",
    "svg": "image/svg+xml", "json": "application/json", "webmanifest": "application/manifest+json",
    "png": "image/png", "woff2": "font/woff2",
  ]

  /// The answer with a file; `nil` when there is none of this name.
  func response(_ name: String) -> HTTPResponse? {
    let path = FilePath(name)
    guard let type = path.extension.flatMap({ Self.types[$0] }), !name.contains("/"),
      name.utf8.first != UInt8(ascii: "."), let (bytes, tag) = file(path)
    else { return nil }
    var response = HTTPResponse(bytes, type: type)
    response.fields += [("ETag", tag), ("Cache-Control", "no-cache")]
    return response
  }

  private func file(_ name: FilePath) -> (SharedBytes, String)? {
    guard let folder else { return embedded[name.string].map { ($0.bytes, $0.tag) } }
    guard let bytes = try? Folder(folder).contents(of: name, limit: 16 << 20) else { return nil }
    return (SharedBytes(bytes), HTTPResponse.tag(bytes))
  }
}
