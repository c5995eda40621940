import SafelightFiles

/// Who may ask the server: programs with the token, and the browser that opened the address with the token in it.
///
/// Other pages in that browser may not: their requests have another Origin. A page whose name leads to this machine
/// (DNS rebinding) may not either: its requests have its name in Host.
struct Guard: Sendable {
  /// The word that lets clients in.
  let token: String
  /// The port that the server listens on.
  let port: Int
  /// The names of this server in the field Host, without a port.
  private let names: Set<String>
  /// Names that come with any port, or none, as behind a proxy.
  private let otherNames: Set<String>
  /// Whether every address of this machine counts: addresses cannot be rebound, only names can.
  private let takesAddresses: Bool

  /// - Parameters:
  ///   - address: The address that the server listens on.
  ///   - hosts: Further names that clients know this server by.
  init(token: String, address: String, port: Int, hosts: [String]) {
    (self.token, self.port) = (token, port)
    otherNames = Set(hosts.map { $0.lowercased() })
    takesAddresses = ["0.0.0.0", "::"].contains(address)
    let shown = address.contains(":") ? "[\(address)]" : address
    let isLoopback = address.hasPrefix("127.") || address == "::1" || takesAddresses
    names = Set([shown] + (isLoopback ? ["127.0.0.1", "localhost", "[::1]"] : []))
  }

  /// The name of the cookie. Browsers keep cookies by host and not by port, so the port is in it.
  var cookie: String { "safelight-\(port)" }

  /// The value of the cookie. Other servers of this machine get it too, so it is not the token.
  var session: String { SHA256.digest(of: Array("session \(token)".utf8)).description }

  /// Says who may not ask.
  ///
  /// - Throws: ``ServerError/refused(_:)`` or ``ServerError/unauthorized``.
  func check(_ request: HTTPRequest) throws(ServerError) {
    try checkHost(request)
    // Another port of this machine is the same site, and still another server.
    if let site = request["sec-fetch-site"], !["same-origin", "none"].contains(site),
      request.path.first == "v1"
    {
      throw .refused("Pages of other servers may not ask this one.")
    }
    if let authorization = request["authorization"] {
      let words = authorization.split(separator: " ")
      guard words.count == 2, words[0].lowercased() == "bearer", isToken(String(words[1])) else {
        throw .unauthorized
      }
      return
    }
    guard let cookie = request.cookie(cookie), Self.areEqual(cookie, session) else {
      throw .unauthorized
    }
    // A browser says for every request that could change something which page it comes from.
    if request.method != "GET", request["origin"] == nil, request["sec-fetch-site"] != "same-origin"
    {
      throw .refused("A request with a cookie that changes something needs an Origin.")
    }
  }

  /// Says whether the request is for this server, and from its page or no page.
  func checkHost(_ request: HTTPRequest) throws(ServerError) {
    guard let host = request["host"], !request.repeatedFields.contains("host"), isOwn(host) else {
      throw .refused("The request is for another host.")
    }
    guard let origin = request["origin"] else { return }
    let own = ["http://" + host, "https://" + host].map { $0.lowercased() }
    guard !request.repeatedFields.contains("origin"), own.contains(origin.lowercased()) else {
      throw .refused("The request is from a page of another origin.")
    }
  }

  private func isOwn(_ host: String) -> Bool {
    let host = host.lowercased()
    var (name, given) = (host, "80")
    if let colon = host.lastIndex(of: ":"), !host[colon...].contains("]") {
      name = String(host[..<colon])
      given = String(host[host.index(after: colon)...])
    }
    if otherNames.contains(name) { return true }
    guard given == "\(port)" else { return false }
    return names.contains(name) || (takesAddresses && Self.isAddress(name))
  }

  private static func isAddress(_ name: String) -> Bool {
    if name.hasPrefix("["), name.hasSuffix("]") {
      return name.dropFirst().dropLast().allSatisfy { $0.isHexDigit || $0 == ":" || $0 == "." }
    }
    let parts = name.split(separator: ".", omittingEmptySubsequences: false)
    return parts.count == 4 && parts.allSatisfy { UInt8($0) != nil }
  }

  /// Compares in a time that does not tell how much of a word is right.
  func isToken(_ word: String) -> Bool { Self.areEqual(word, token) }

  private static func areEqual(_ given: String, _ own: String) -> Bool {
    let (given, own) = (Array(given.utf8), Array(own.utf8))
    guard given.count == own.count else { return false }
    return zip(given, own).reduce(0) { $0 | ($1.0 ^ $1.1) } == 0
  }

  /// A new token: 32 random bytes in hexadecimal digits.
  static func makeToken() -> String {
    var generator = SystemRandomNumberGenerator()
    return (0..<4).map { _ in
      let digits = String(generator.next() as UInt64, radix: 16)
      return String(repeating: "0", count: 16 - digits.count) + digits
    }.joined()
  }

  /// The fields that every answer has, so that a page in which somebody managed to put text of their own can load
  /// and run nothing.
  static let fields: [(name: String, value: String)] = [
    (
      "Content-Security-Policy",
      "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self' blob: data:; media-src 'self'; "
        + "connect-src 'self'; font-src 'self'; manifest-src 'self'; base-uri 'none'; "
        + "form-action 'none'; frame-ancestors 'none'"
    ),
    ("X-Content-Type-Options", "nosniff"), ("Referrer-Policy", "no-referrer"),
    ("Cross-Origin-Opener-Policy", "same-origin"), ("Cross-Origin-Resource-Policy", "same-origin"),
    ("X-Frame-Options", "DENY"),
  ]
}
