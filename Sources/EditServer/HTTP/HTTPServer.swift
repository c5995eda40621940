import Glibc
import SafelightCMicroHTTPD
import SafelightFiles
import Synchronization

/// Answers requests of HTTP/1.1 on one socket, by GNU libmicrohttpd: it reads and writes the protocol on a few
/// threads of its own, and this server gives it what to say.
final class HTTPServer: Sendable {
  /// What becomes of a request.
  enum Answer: Sendable {
    /// It is answered at once, on the thread of the connection.
    case now(HTTPResponse)
    /// It is answered by a task, which is cancelled when the client goes.
    case later(@Sendable () async -> HTTPResponse)
  }

  /// Whom the server asks.
  struct Service: Sendable {
    /// Looks at a request before its body comes; an answer refuses it.
    let check: @Sendable (HTTPRequest) -> HTTPResponse?
    /// Answers a request. Called on the thread of the connection, so it does not wait.
    let answer: @Sendable (HTTPRequest) -> Answer
    /// The answer to what cannot be a request, by status.
    let failure: @Sendable (Int) -> HTTPResponse
    /// Fields that every answer has.
    let fields: [(name: String, value: String)]
  }

  let service: Service
  let limits: ServerLimits
  let watch = ConnectionWatch()
  /// The port of the socket.
  let port: Int

  private struct State {
    nonisolated(unsafe) var daemon: OpaquePointer?
    var exchanges: [ObjectIdentifier: HTTPExchange] = [:]
    var isStopping = false
  }

  private let state = Mutex(State())

  /// Starts to answer.
  ///
  /// - Parameters:
  ///   - address: An IPv4 or IPv6 address of this machine.
  ///   - port: 0 takes a free one.
  /// - Throws: ``SystemFailure``.
  init(
    address: String, port: Int, limits: ServerLimits, _ service: Service
  ) throws(SystemFailure) {
    (self.service, self.limits) = (service, limits)
    let socket = try ListeningSocket(address: address, port: port)
    self.port = socket.port
    var handlers = safelight_handlers()
    handlers.context = Unmanaged.passUnretained(self).toOpaque()
    handlers.begin = { context, address, connection in
      guard let context, let address, let connection else { return nil }
      let exchange = HTTPExchange(
        HTTPServer.at(context), address: String(cString: address), connection)
      return Unmanaged.passRetained(exchange).toOpaque()
    }
    handlers.handle = { _, connection, _, method, _, data, size, exchange in
      guard let connection, let method, let size, let exchange = exchange?.pointee else {
        return safelight_give_up
      }
      return HTTPExchange.at(exchange).proceed(
        connection, String(cString: method),
        UnsafeRawBufferPointer(start: data, count: size.pointee),
        size)
    }
    handlers.complete = { _, _, exchange, _ in
      guard let pointer = exchange?.pointee else { return }
      exchange?.pointee = nil
      Unmanaged<HTTPExchange>.fromOpaque(pointer).takeRetainedValue().complete()
    }
    handlers.connected = { context, connection, _, moment in
      guard let context, let connection else { return }
      let server = HTTPServer.at(context)
      let socket = safelight_socket_of(connection)
      if safelight_has_begun(moment) != 0 {
        server.awaitRequest(on: socket)
      } else {
        server.watch.forget(socket)
      }
    }
    guard
      let daemon = safelight_start_server(
        socket.descriptor, UInt32(limits.threads), UInt32(limits.connections), limits.headerBytes,
        UInt32(limits.idleSeconds), &handlers)
    else {
      close(socket.descriptor)
      throw SystemFailure(what: "The server cannot be started", errno: errno)
    }
    state.withLock { $0.daemon = daemon }
  }

  /// A connection is new, or done with a request.
  fileprivate func awaitRequest(on socket: Int32) {
    watch.awaitRequest(
      socket, atMost: limits.headerSeconds, most: limits.connections - limits.connections / 4)
  }

  fileprivate static func at(_ context: UnsafeMutableRawPointer) -> HTTPServer {
    Unmanaged<HTTPServer>.fromOpaque(context).takeUnretainedValue()
  }

  /// Stops: takes no new connections, lets requests finish, and closes everything.
  ///
  /// - Parameters:
  ///   - ending: Called once no new request comes; ends streams.
  ///   - streamCount: How many streams have not come to their end yet.
  func stop(ending: () -> Void, streamCount: () -> Int) async {
    guard
      let daemon = state.withLock({ state in
        state.isStopping = true
        return Daemon(pointer: state.daemon)
      }).pointer
    else { return }
    let socket = MHD_quiesce_daemon(daemon)
    ending()
    let end = ContinuousClock.now + .seconds(limits.stopSeconds)
    while true {
      let running = state.withLock { Array($0.exchanges.values) }
      let isLate = ContinuousClock.now > end
      if running.isEmpty, isLate || streamCount() == 0 { break }
      if isLate { for exchange in running { exchange.cancel() } }
      try? await Task.sleep(for: .milliseconds(10))
    }
    // Streams that sleep must have woken, or the library waits for them.
    MHD_stop_daemon(daemon)
    if socket >= 0 { close(socket) }
    state.withLock { $0.daemon = nil }
  }

  /// A pointer on its way between threads.
  private struct Daemon: @unchecked Sendable {
    // Sendable: the library's calls for starting and stopping may come from any thread.
    let pointer: OpaquePointer?
  }

  /// Remembers a request that waits for its answer.
  ///
  /// - Returns: `false` when too many wait, or the server stops.
  fileprivate func begin(_ exchange: HTTPExchange) -> Bool {
    state.withLock { state in
      guard !state.isStopping, state.exchanges.count < limits.requests else { return false }
      state.exchanges[ObjectIdentifier(exchange)] = exchange
      return true
    }
  }

  fileprivate func end(_ exchange: HTTPExchange) {
    state.withLock { $0.exchanges[ObjectIdentifier(exchange)] = nil }
  }
}

/// A call of the system that failed.
package struct SystemFailure: Error, CustomStringConvertible {
  let what: String
  let errno: Int32

  package var description: String { "\(what): \(String(cString: strerror(errno)))." }
}

/// A socket that waits for connections.
private struct ListeningSocket {
  let descriptor: Int32
  let port: Int

  init(address: String, port: Int) throws(SystemFailure) {
    var hints = addrinfo()
    hints.ai_flags = AI_NUMERICHOST | AI_NUMERICSERV | AI_PASSIVE
    hints.ai_socktype = Int32(SOCK_STREAM.rawValue)
    var found: UnsafeMutablePointer<addrinfo>?
    guard getaddrinfo(address, "\(port)", &hints, &found) == 0, let info = found?.pointee else {
      throw SystemFailure(what: "\(address) port \(port) is no address", errno: EINVAL)
    }
    defer { freeaddrinfo(found) }
    let flags = SOCK_STREAM.rawValue | SOCK_CLOEXEC.rawValue | SOCK_NONBLOCK.rawValue
    let descriptor = socket(info.ai_family, Int32(flags), 0)
    var yes: Int32 = 1
    setsockopt(descriptor, SOL_SOCKET, SO_REUSEADDR, &yes, socklen_t(MemoryLayout<Int32>.size))
    guard descriptor >= 0, bind(descriptor, info.ai_addr, info.ai_addrlen) == 0,
      listen(descriptor, 1024) == 0
    else {
      let reason = Glibc.errno
      if descriptor >= 0 { close(descriptor) }
      throw SystemFailure(what: "Nothing can listen on \(address) port \(port)", errno: reason)
    }
    var name = sockaddr_storage()
    var length = socklen_t(MemoryLayout<sockaddr_storage>.size)
    let bound = withUnsafeMutablePointer(to: &name) { name in
      name.withMemoryRebound(to: sockaddr.self, capacity: 1) {
        getsockname(descriptor, $0, &length)
      }
    }
    self.descriptor = descriptor
    // The port has the same place in both kinds of addresses.
    self.port =
      bound != 0
      ? port
      : withUnsafeBytes(of: &name) {
        Int(UInt16(bigEndian: $0.load(fromByteOffset: 2, as: UInt16.self)))
      }
  }
}

/// One request and its answer.
final class HTTPExchange: Sendable {
  private let server: HTTPServer
  private let address: String
  private let socket: Int32

  private struct State {
    nonisolated(unsafe) var connection: OpaquePointer?
    var request: HTTPRequest?
    var response: HTTPResponse?
    var task: Task<Void, Never>?
    var isOver = false
  }

  private let state: Mutex<State>

  fileprivate init(_ server: HTTPServer, address: String, _ connection: OpaquePointer) {
    self.server = server
    self.address = address
    socket = safelight_socket_of(connection)
    state = Mutex(State())
  }

  fileprivate static func at(_ pointer: UnsafeMutableRawPointer) -> HTTPExchange {
    Unmanaged<HTTPExchange>.fromOpaque(pointer).takeUnretainedValue()
  }

  /// Takes the next step of the request: its header, a part of its body, its end, or its answer.
  fileprivate func proceed(
    _ connection: OpaquePointer, _ method: String, _ data: UnsafeRawBufferPointer,
    _ size: UnsafeMutablePointer<Int>
  ) -> MHD_Result {
    enum Step {
      case header, more, tooMuch
      case whole(HTTPRequest)
      case answered(HTTPResponse)
    }
    let step = state.withLock { state -> Step in
      if let response = state.response { return .answered(response) }
      guard let request = state.request else { return .header }
      if data.isEmpty { return .whole(request) }
      guard request.body.count + data.count <= server.limits.bodyBytes else { return .tooMuch }
      state.request = nil
      var longer = consume request
      longer.body += data
      state.request = longer
      return .more
    }
    switch step {
    case .header: return begin(connection, method)
    case .more:
      size.pointee = 0
      return safelight_go_on
    case .tooMuch: return safelight_give_up
    case .whole(let request): return answer(request, on: connection)
    case .answered(let response): return queue(response, on: connection)
    }
  }

  /// The header is there.
  private func begin(_ connection: OpaquePointer, _ method: String) -> MHD_Result {
    server.watch.limit(socket, to: server.limits.bodySeconds)
    guard let address = HTTPAddress(address) else {
      return queue(server.service.failure(400), on: connection)
    }
    let fields = HTTPFields(of: connection)
    let request = HTTPRequest(
      method: method == "HEAD" ? "GET" : method, path: address.path, query: address.query,
      fields: fields.values, repeatedFields: fields.repeated)
    // Where a body ends must be said once, or a proxy before this server may think otherwise (RFC 9112, 6.3).
    let coding = request["transfer-encoding"]?.lowercased()
    if request.repeatedFields.contains("content-length")
      || coding != nil
        && (coding != "chunked" || request["content-length"] != nil)
    {
      return queue(server.service.failure(400), on: connection)
    }
    if let refusal = server.service.check(request) { return queue(refusal, on: connection) }
    if let length = request["content-length"], Int(length) ?? .max > server.limits.bodyBytes {
      return queue(server.service.failure(413), on: connection)
    }
    state.withLock { $0.request = request }
    return safelight_go_on
  }

  /// The request is whole.
  private func answer(_ request: HTTPRequest, on connection: OpaquePointer) -> MHD_Result {
    switch server.service.answer(request) {
    case .now(let response): return queue(response.meeting(request), on: connection)
    case .later(let work):
      guard server.begin(self) else { return queue(server.service.failure(503), on: connection) }
      server.watch.limit(socket, to: nil)
      MHD_suspend_connection(connection)
      server.watch.listen(to: socket) { [weak self] in self?.cancel() }
      state.withLock { state in
        state.connection = connection
        state.request = nil
        state.task = Task {
          let response = await work().meeting(request)
          self.finish(response)
        }
      }
      return safelight_go_on
    }
  }

  /// The client has gone, or the server stops.
  func cancel() {
    state.withLock { $0.task }?.cancel()
  }

  private func finish(_ response: HTTPResponse) {
    server.watch.stopListening(to: socket)
    state.withLock { state in
      state.response = response
      state.task = nil
      guard let connection = state.connection, !state.isOver else { return }
      state.connection = nil
      MHD_resume_connection(connection)
    }
    server.end(self)
  }

  /// The connection is done with the request.
  fileprivate func complete() {
    let (task, response) = state.withLock { state in
      state.isOver = true
      return (state.task, state.response)
    }
    task?.cancel()
    if case .events(let stream) = response?.body { stream.close() }
    server.awaitRequest(on: socket)
  }

  private func queue(_ response: HTTPResponse, on connection: OpaquePointer) -> MHD_Result {
    let queued = QueuedResponse(response, on: connection)
    guard let answer = queued.pointer else { return safelight_give_up }
    for (name, value) in server.service.fields + response.fields {
      MHD_add_response_header(answer, name, value)
    }
    var seconds: Int? = server.limits.answerSeconds
    if case .events = response.body { seconds = nil }
    server.watch.limit(socket, to: seconds)
    state.withLock { $0.response = response }
    defer { MHD_destroy_response(answer) }
    return MHD_queue_response(connection, UInt32(response.status), answer)
  }
}

/// The fields of a request's header.
private struct HTTPFields {
  var values: [String: String] = [:]
  var repeated: Set<String> = []

  init(of connection: OpaquePointer) {
    withUnsafeMutablePointer(to: &self) { fields in
      _ = MHD_get_connection_values_n(
        connection, safelight_header_fields,
        { fields, _, name, nameLength, value, valueLength in
          guard let fields = fields?.assumingMemoryBound(to: HTTPFields.self), let name else {
            return safelight_go_on
          }
          func text(_ start: UnsafePointer<CChar>?, _ count: Int) -> String {
            String(decoding: UnsafeRawBufferPointer(start: start, count: count), as: UTF8.self)
          }
          let key = text(name, nameLength).lowercased()
          if fields.pointee.values[key] != nil {
            fields.pointee.repeated.insert(key)
          } else {
            fields.pointee.values[key] = text(value, valueLength)
          }
          return safelight_go_on
        }, fields)
    }
  }
}

/// A response as the HTTP library has it.
private struct QueuedResponse {
  let pointer: OpaquePointer?

  init(_ response: HTTPResponse, on connection: OpaquePointer) {
    switch response.body {
    case .bytes(let bytes, let range):
      pointer = MHD_create_response_from_buffer_with_free_callback_cls(
        range.count, bytes.start + range.lowerBound,
        { owner in owner.map { Unmanaged<SharedBytes>.fromOpaque($0).release() } },
        Unmanaged.passRetained(bytes).toOpaque())
    case .file(let file, let range):
      // The library closes the descriptor that it is given.
      let own = fcntl(file.descriptor, F_DUPFD_CLOEXEC, 0)
      pointer =
        own < 0
        ? nil
        : MHD_create_response_from_fd_at_offset64(
          UInt64(range.count), own, UInt64(range.lowerBound))
    case .events(let stream):
      let reader = StreamReader(stream, connection)
      pointer = MHD_create_response_from_callback(
        safelight_unknown_size, 4096,
        { reader, _, buffer, room in
          guard let reader, let buffer else { return safelight_end_of_stream }
          let owner = Unmanaged<StreamReader>.fromOpaque(reader).takeUnretainedValue()
          return owner.stream.read(
            UnsafeMutableRawBufferPointer(start: buffer, count: room), owner.connection)
        }, Unmanaged.passRetained(reader).toOpaque(),
        { reader in reader.map { Unmanaged<StreamReader>.fromOpaque($0).release() } })
    }
  }

  /// A stream with the connection that reads it.
  private final class StreamReader {
    let stream: EventStream
    let connection: OpaquePointer

    init(_ stream: EventStream, _ connection: OpaquePointer) {
      (self.stream, self.connection) = (stream, connection)
    }
  }
}
