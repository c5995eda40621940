import PhotoEditing
import PhotoLibraryKit
import SafelightFiles
import Synchronization

/// How a server is set up.
package struct ServerSettings: Sendable {
  /// The address to listen on; loopback unless the user names another.
  package var address = "127.0.0.1"
  /// The port; 0 is a free one.
  package var port = 0
  /// Further names that clients know the server by, as behind a proxy.
  package var hosts: [String] = []
  /// The word that lets clients in; `nil` makes a new one.
  package var token: String?
  /// Whether nothing may be changed.
  package var isReadOnly = false
  /// Whether a library was given rather than folders.
  package var isLibrary = false
  /// A folder with the page's files in place of those in the program.
  package var page: FilePath?
  package var limits = ServerLimits()

  package init() {}
}

/// A server of a library's photos: the page, and the interface under `/v1`.
package final class PhotoServer: Sendable {
  /// What answers requests.
  let service: PhotoService
  private let http: HTTPServer
  private let gate: Guard
  private let settings: ServerSettings

  /// Starts to answer. Photos are taken in by ``run()``.
  ///
  /// - Throws: ``SystemFailure`` when nothing can listen there, ``PhotoLibraryError``.
  package init(
    _ library: PhotoLibrary, _ settings: ServerSettings, words: any ServerWords
  ) async throws {
    let service = try PhotoService(library, settings, words: words)
    try await service.photos.openFolders()
    let router = Router(service.routes)
    let page = PageFiles(folder: settings.page)
    let token = settings.token ?? Guard.makeToken()
    // The port is known only once the socket listens.
    let gate = Mutex<Guard?>(nil)
    @Sendable func guarding() throws -> Guard {
      guard let guardian = gate.withLock(\.self) else { throw ServerError.busy }
      return guardian
    }
    http = try HTTPServer(
      address: settings.address, port: settings.port, limits: settings.limits,
      HTTPServer.Service(
        check: { request in
          do {
            try Self.check(request, guarding(), router, settings)
            return nil
          } catch {
            return service.response(to: error, router.methods(of: request.path))
          }
        },
        answer: { request in
          do {
            if let response = Self.entrance(request, try guarding()) { return .now(response) }
            return try Self.answer(request, router, page, service)
          } catch {
            return .now(service.response(to: error, router.methods(of: request.path)))
          }
        },
        failure: { status in
          switch status {
          case 413: service.response(to: ServerError.tooLarge)
          case 503: service.response(to: ServerError.busy)
          default: service.response(to: ServerError.badRequest("The address is none."))
          }
        }, fields: Guard.fields))
    let guardian = Guard(
      token: token, address: settings.address, port: http.port, hosts: settings.hosts)
    gate.withLock { $0 = guardian }
    self.gate = guardian
    (self.service, self.settings) = (service, settings)
  }

  /// A new token for a server.
  package static func makeToken() -> String { Guard.makeToken() }

  /// The port that the server listens on.
  package var port: Int { http.port }

  /// The word that lets clients in.
  package var token: String { gate.token }

  /// Open connections.
  package var connectionCount: Int { http.watch.count }

  /// The address for a browser, with the token.
  package var address: String {
    let host =
      ["0.0.0.0", "::"].contains(settings.address)
      ? "127.0.0.1" : settings.address.contains(":") ? "[\(settings.address)]" : settings.address
    return "http://\(host):\(port)/?token=\(token)"
  }

  /// Takes photos in and tells of changes until the task is cancelled; then stops, after what is being done.
  package func run() async {
    await service.run()
    // The task is cancelled by now, and what is being done is not to be.
    await Task {
      await service.stopWork()
      await http.stop {
        service.events.end()
      } streamCount: {
        service.events.streamCount
      }
    }.value
  }

  // MARK: - Requests

  /// Where large bodies are read, one at a time and away from the threads that other requests need.
  private static let largeBodies = WorkQueue("bodies")

  private static func check(
    _ request: HTTPRequest, _ gate: Guard, _ router: Router, _ settings: ServerSettings
  ) throws {
    if isEntrance(request) { return try gate.checkHost(request) }
    try gate.check(request)
    guard request.path.first == "v1" else {
      guard request.method == "GET" else { throw ServerError.methodNotAllowed(request.method) }
      return
    }
    let (route, _) = try router.route(request)
    if settings.isReadOnly, !route.row.isReading { throw ServerError.readOnly }
    let length = request["content-length"].map { Int($0) ?? .max } ?? 0
    if length > settings.limits.bodyBytes(of: route.row.content) { throw ServerError.tooLarge }
  }

  /// The address that the user opens first.
  private static func isEntrance(_ request: HTTPRequest) -> Bool {
    request.path.isEmpty && request.method == "GET" && request.query["token"] != nil
  }

  /// Gives a browser that comes with the token the cookie, and takes the token out of the address.
  private static func entrance(_ request: HTTPRequest, _ gate: Guard) -> HTTPResponse? {
    guard isEntrance(request), let token = request.query["token"] else { return nil }
    guard gate.isToken(token) else { return nil }
    var response = HTTPResponse(status: 303)
    response.fields = [
      ("Location", "/"), ("Cache-Control", "no-store"),
      ("Set-Cookie", "\(gate.cookie)=\(gate.session); HttpOnly; SameSite=Strict; Path=/"),
    ]
    return response
  }

  private static func answer(
    _ request: HTTPRequest, _ router: Router, _ page: PageFiles, _ service: PhotoService
  ) throws -> HTTPServer.Answer {
    // A wrong token came this far.
    if isEntrance(request) { throw ServerError.unauthorized }
    guard request.path.first == "v1" else {
      let name = request.path.isEmpty ? "index.html" : request.path.joined(separator: "/")
      guard let response = page.response(name) else { throw ServerError.unknownAddress }
      return .now(response)
    }
    let (route, call) = try router.route(request)
    // One without a Content-Length has come this far.
    let limits = service.settings.limits
    if request.body.count > limits.bodyBytes(of: route.row.content) { throw ServerError.tooLarge }
    let isLarge = request.body.count > limits.smallBodyBytes
    try router.checkQuery(of: request, for: route)
    let task: @Sendable (Call) async throws -> HTTPResponse
    switch route.handler {
    case .quick(let handler): return .now(try handler(call))
    case .quickOr(let handler, let other):
      if let response = try handler(call) { return .now(response) }
      task = other
    case .task(let handler): task = handler
    }
    @Sendable func response() async -> HTTPResponse {
      do {
        guard isLarge else { return try await task(call) }
        return try await task(largeBodies.run { _ in call.readingBody() })
      } catch {
        return service.response(to: error)
      }
    }
    // What only reads may be done again, is too large to keep, and ends when its client goes away.
    if route.row.isReading { return .later { await response() } }
    return .later {
      do {
        return try await service.idempotency.answer(request, response)
      } catch {
        return service.response(to: error)
      }
    }
  }
}
