import SafelightFiles
import Synchronization

/// The answers to requests with an Idempotency-Key, so that a request that is sent again is not done again.
///
/// After draft-ietf-httpapi-idempotency-key-header: the same key with the same request is given the first answer, also
/// while the first request is still worked on; with another request it is an error.
final class Idempotency: Sendable {
  private struct Entry {
    let request: Digest
    let task: Task<HTTPResponse, Never>
    let began: ContinuousClock.Instant
  }

  private struct State {
    var entries: [String: Entry] = [:]
    /// The keys, the oldest first.
    var order: [String] = []
  }

  private let state = Mutex(State())
  /// Most keys that are kept.
  private static let limit = 1000
  /// How long a key is kept.
  private static let time = Duration.seconds(24 * 3600)

  /// Does a request, or answers as it was answered before.
  ///
  /// - Throws: ``ServerError``.
  func answer(
    _ request: HTTPRequest, _ work: @escaping @Sendable () async -> HTTPResponse
  ) async throws(ServerError) -> HTTPResponse {
    guard let key = request["idempotency-key"], request.method == "POST" else {
      return await work()
    }
    guard !key.isEmpty, key.utf8.count <= 255 else {
      throw .badRequest("The Idempotency-Key has not 1 to 255 bytes.")
    }
    let line = Array((request.path.joined(separator: "\u{0}") + "\u{0}").utf8)
    let digest = SHA256.digest(of: line + request.body)
    let (task, isNew) = try state.withLock { (state) throws(ServerError) in
      if let entry = state.entries[key], ContinuousClock.now - entry.began < Self.time {
        guard entry.request == digest else { throw .keyReused }
        return (entry.task, false)
      }
      // The work goes on when the client that asked first goes away.
      let task = Task { await work() }
      state.entries[key] = Entry(request: digest, task: task, began: .now)
      state.order.append(key)
      if state.order.count > Self.limit { state.entries[state.order.removeFirst()] = nil }
      return (task, true)
    }
    var response = await task.value
    if response.status >= 500 { forget(key, task) }
    if !isNew { response[field: "Idempotency-Replayed"] = "true" }
    return response
  }

  /// A failure of the server is not kept: trying again may help.
  private func forget(_ key: String, _ task: Task<HTTPResponse, Never>) {
    state.withLock { state in
      guard state.entries[key]?.task == task else { return }
      state.entries[key] = nil
      state.order.removeAll { $0 == key }
    }
  }
}
