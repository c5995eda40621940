/// One thing that clients can ask for.
struct Route: Sendable {
  /// How a request is answered.
  enum Handler: Sendable {
    /// On the thread of the connection, without waiting; `nil` when that is not possible, and then by a task.
    case quick(@Sendable (Call) throws -> HTTPResponse)
    case quickOr(
      @Sendable (Call) throws -> HTTPResponse?, @Sendable (Call) async throws -> HTTPResponse)
    /// By a task.
    case task(@Sendable (Call) async throws -> HTTPResponse)
  }

  /// What a request has in its body, which says how large it may be.
  enum Content: Sendable {
    /// A few values, or nothing.
    case values
    /// Any number of photos, by their identifiers.
    case photos
    /// An edit, whose lookup tables have megabytes, or an output, whose files have them. It may have photos too.
    case edit
  }

  /// What it is called, and what it takes.
  let row: InterfaceRow
  let handler: Handler
  /// The parts between the slashes.
  let parts: [Substring]

  /// - Parameter id: The name of its row in the interface's table.
  init(_ id: String, _ handler: Handler) {
    row = InterfaceDescription.row(id)
    self.handler = handler
    parts = row.path.split(separator: "/")
  }

  /// A route that is answered by a task.
  static func task(
    _ id: String, _ handler: @escaping @Sendable (Call) async throws -> HTTPResponse
  ) -> Route {
    Route(id, .task(handler))
  }

  /// A route that is answered at once.
  static func quick(
    _ id: String, _ handler: @escaping @Sendable (Call) throws -> HTTPResponse
  ) -> Route {
    Route(id, .quick(handler))
  }
}

/// Finds the route of a request.
struct Router: Sendable {
  let routes: [Route]
  private let byLength: [Int: [Route]]

  init(_ routes: [Route]) {
    self.routes = routes
    byLength = Dictionary(grouping: routes, by: \.parts.count)
  }

  /// Throws when a request has a value behind the question mark that its address does not take.
  func checkQuery(of request: HTTPRequest, for route: Route) throws(ServerError) {
    let known = route.row.query.map(\.key)
    guard let other = request.query.keys.filter({ !known.contains($0) }).min() else { return }
    let rest =
      known.isEmpty
      ? "this address takes nothing there." : "there are \(known.joined(separator: ", "))."
    throw .badRequest("There is no “\(other.prefix(50))” behind the question mark here; \(rest)")
  }

  /// The route with the call.
  ///
  /// - Throws: ``ServerError/unknownAddress`` or ``ServerError/methodNotAllowed(_:)``.
  func route(_ request: HTTPRequest) throws(ServerError) -> (Route, Call) {
    var isKnown = false
    for route in byLength[request.path.count] ?? [] {
      guard let parameters = Self.match(route.parts, request.path) else { continue }
      if route.row.method == request.method {
        return (route, Call(request: request, parameters: parameters, row: route.row))
      }
      isKnown = true
    }
    throw isKnown ? .methodNotAllowed(request.method) : .unknownAddress
  }

  /// The methods that an address takes.
  func methods(of path: [String]) -> [String] {
    (byLength[path.count] ?? []).filter { Self.match($0.parts, path) != nil }.map(\.row.method)
  }

  private static func match(_ parts: [Substring], _ path: [String]) -> [String: String]? {
    var parameters: [String: String] = [:]
    for (part, name) in zip(parts, path) {
      if part.first == "{" {
        guard !name.isEmpty else { return nil }
        parameters[String(part.dropFirst().dropLast())] = name
      } else if part != name {
        return nil
      }
    }
    return parameters
  }
}
