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
    /// The bytes of the answer, once it is there.
    var size = 0
  }

  private struct State {
    var entries: [String: Entry] = [:]
    /// The keys, the oldest first.
    var order: [String] = []
    /// The bytes of all answers.
    var size = 0

    mutating func forget(_ key: String) {
      size -= entries.removeValue(forKey: key)?.size ?? 0
      order.removeAll { $0 == key }
    }
  }

  private let state = Mutex(State())
  /// Most keys that are kept.
  private static let limit = 1000
  /// Most bytes of answers that are kept, besides the last.
  private static let mostBytes = 32 << 20
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
      state.forget(key)
      state.entries[key] = Entry(request: digest, task: task, began: .now)
      state.order.append(key)
      if state.order.count > Self.limit { state.forget(state.order[0]) }
      return (task, true)
    }
    var response = await task.value
    if isNew { keep(response, key, task) }
    if !isNew { response[field: "Idempotency-Replayed"] = "true" }
    return response
  }

  /// Keeps an answer, and forgets the oldest when all together are large. A failure of the server is not kept: trying again
  /// may help.
  private func keep(_ response: HTTPResponse, _ key: String, _ task: Task<HTTPResponse, Never>) {
    state.withLock { state in
      guard state.entries[key]?.task == task else { return }
      if response.status >= 500 { return state.forget(key) }
      let size = response.body.size
      state.entries[key]?.size = size
      state.size += size
      while state.size > Self.mostBytes, state.order[0] != key { state.forget(state.order[0]) }
    }
  }
}
