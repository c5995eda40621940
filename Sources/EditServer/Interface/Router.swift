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
    /// An edit, whose lookup tables have megabytes. It may have photos too.
    case edit
  }

  let method: String
  /// The path as the OpenAPI document has it, such as `/v1/photos/{photo}`.
  let path: String
  /// Whether a server that changes nothing answers it.
  let isReading: Bool
  let handler: Handler
  /// The parts between the slashes.
  let parts: [Substring]
  let content: Content

  init(
    _ method: String, _ path: String, isReading: Bool? = nil, with content: Content = .values,
    _ handler: Handler
  ) {
    self.method = method
    self.path = path
    self.content = content
    self.isReading = isReading ?? (method == "GET")
    self.handler = handler
    parts = path.split(separator: "/")
  }

  static func get(
    _ path: String, _ handler: @escaping @Sendable (Call) async throws -> HTTPResponse
  ) -> Route {
    Route("GET", path, .task(handler))
  }

  static func post(
    _ path: String, with content: Content = .values,
    _ handler: @escaping @Sendable (Call) async throws -> HTTPResponse
  ) -> Route {
    Route("POST", path, with: content, .task(handler))
  }

  static func delete(
    _ path: String, _ handler: @escaping @Sendable (Call) async throws -> HTTPResponse
  ) -> Route {
    Route("DELETE", path, .task(handler))
  }
}

/// Finds the route of a request.
struct Router: Sendable {
  let routes: [Route]
  private let byLength: [Int: [Route]]
  private let queries = QueryNames()

  init(_ routes: [Route]) {
    self.routes = routes
    byLength = Dictionary(grouping: routes, by: \.parts.count)
  }

  /// Throws when a request has a value behind the question mark that its address does not take.
  func checkQuery(of request: HTTPRequest, for route: Route) throws(ServerError) {
    guard let known = queries.names[route.method + " " + route.path],
      let other = request.query.keys.filter({ !known.contains($0) }).min()
    else { return }
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
      if route.method == request.method {
        return (route, Call(request: request, parameters: parameters))
      }
      isKnown = true
    }
    throw isKnown ? .methodNotAllowed(request.method) : .unknownAddress
  }

  /// The methods that an address takes.
  func methods(of path: [String]) -> [String] {
    (byLength[path.count] ?? []).filter { Self.match($0.parts, path) != nil }.map(\.method)
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

/// The values behind the question mark that each address takes, as the OpenAPI document has them.
private struct QueryNames: Sendable {
  /// By method and path.
  let names: [String: [String]]

  init() {
    let document = InterfaceDescription.json
    let shared = document["components"]?["parameters"]
    var names: [String: [String]] = [:]
    for path in document["paths"]?.members ?? [] {
      for method in path.value.members ?? [] {
        let parameters = (method.value["parameters"]?.elements ?? []).compactMap { parameter in
          guard let reference = parameter["$ref"]?.string else { return parameter }
          return shared?[reference.split(separator: "/").last.map(String.init) ?? ""]
        }
        names[method.key.uppercased() + " " + path.key] =
          parameters.filter { $0["in"]?.string == "query" }.compactMap { $0["name"]?.string }
      }
    }
    self.names = names
  }
}
