import Foundation
import PhotoLibraryKit
import SafelightFiles
import Synchronization

/// Bytes as text, RFC 4648.
enum Base64 {
  static func text(_ bytes: [UInt8]) -> String { Data(bytes).base64EncodedString() }
}

/// Tells all open pages and programs what changes.
final class Events: Sendable {
  private struct State {
    var streams: [ObjectIdentifier: EventStream] = [:]
    /// The last events, with their numbers.
    var last: [(number: Int, text: String)] = []
    var number = 0
    var hasEnded = false
    /// The revisions that were told before the library knew of them, by the photos' identifiers.
    var early: [String: String] = [:]
  }

  private let state = Mutex(State())
  /// A word that each start of the server has anew.
  let run = String(UInt64.random(in: .min ... .max), radix: 36)
  private static let kept = 1000
  private let limits: ServerLimits

  init(_ limits: ServerLimits) { self.limits = limits }

  /// The identifier of the last event. A stream after it tells everything that changes from now on.
  var last: String { state.withLock { identifier($0.number) } }

  private func identifier(_ number: Int) -> String { "\(run)-\(number)" }

  /// Tells something.
  func send(_ name: String, _ data: JSONValue) {
    state.withLock { state in
      state.number += 1
      let text = "id: \(identifier(state.number))\nevent: \(name)\ndata: \(data.text)\n\n"
      state.last.append((state.number, text))
      if state.last.count > Self.kept { state.last.removeFirst() }
      for stream in state.streams.values { stream.send(text) }
    }
  }

  /// A stream for a client, which begins with what it missed.
  ///
  /// - Parameter last: The identifier of the last event that it had; `nil` for a new client.
  /// - Throws: ``ServerError/busy`` when there are too many.
  func stream(after last: String?) throws(ServerError) -> EventStream {
    let stream = EventStream { [weak self] in self?.forget($0) }
    try state.withLock { (state) throws(ServerError) in
      guard state.streams.count < limits.streams, !state.hasEnded else { throw .busy }
      state.streams[ObjectIdentifier(stream)] = stream
      let now = identifier(state.number)
      // Without an identifier of its own, so that what is missed is not lost when the connection breaks after it.
      let hello = "event: hello\ndata: \(JSONValue.object(["run": .string(run)]).text)\n\n"
      stream.send("retry: 1000\n" + (last == nil ? "id: \(now)\n" : "") + hello)
      guard let last else { return }
      let first = state.last.first?.number ?? state.number + 1
      let parts = last.split(separator: "-", omittingEmptySubsequences: false)
      if parts.count == 2, parts[0] == run, let number = Int(parts[1]),
        (first - 1...max(first - 1, state.number)).contains(number)
      {
        for event in state.last where event.number > number { stream.send(event.text) }
      } else {
        stream.send("id: \(now)\nevent: reset\ndata: {}\n\n")
      }
    }
    return stream
  }

  private func forget(_ stream: EventStream) {
    state.withLock { $0.streams[ObjectIdentifier(stream)] = nil }
  }

  /// Sends a comment, so that streams over which nothing goes stay open, and those whose client has gone are noticed.
  func keepOpen() {
    let streams = state.withLock { Array($0.streams.values) }
    for stream in streams { stream.send(":\n\n") }
  }

  /// Streams whose clients are there.
  var streamCount: Int { state.withLock(\.streams.count) }

  /// Says goodbye and ends all streams.
  func end() {
    send("bye", .object([] as [JSONValue.Member]))
    let streams = state.withLock { state in
      state.hasEnded = true
      return Array(state.streams.values)
    }
    for stream in streams { stream.end() }
  }
}

extension Events {
  /// Tells what happens in a library until the task is cancelled.
  ///
  /// - Parameter token: The state of the library that clients may have seen before this.
  func follow(_ photos: ServedPhotos, since token: PersistentChangeToken) async {
    let changes = photos.library.changes
    var token = tell(since: token, photos)
    for await change in changes where change.changeToken != token {
      token = tell(since: token, photos)
    }
  }

  /// Tells what happened since a state of the library, and gives the state after it.
  private func tell(
    since token: PersistentChangeToken, _ photos: ServedPhotos
  ) -> PersistentChangeToken {
    guard let changes = try? photos.library.fetchPersistentChanges(since: token) else {
      send("reset", .object([] as [JSONValue.Member]))
      return (try? photos.library.currentChangeToken) ?? token
    }
    var token = token
    for change in changes {
      tell(of: change, photos)
      token = change.changeToken
    }
    return token
  }

  private func tell(of change: PersistentChange, _ photos: ServedPhotos) {
    let list = JSONValue.object(["list": .string(change.changeToken.description)])
    if let assets = try? change.changeDetails(for: .asset) {
      let updated = assets.updatedLocalIdentifiers
      if updated.count <= 100,
        let found = try? photos.library.fetchAssets(withLocalIdentifiers: updated.sorted())
          .allObjects()
      {
        for asset in found { tell(asset.localIdentifier, photos.revision(of: asset)) }
      }
      send("list", list)
    }
    let albums = (try? change.changeDetails(for: .assetCollection)) ?? nil
    let lists = (try? change.changeDetails(for: .collectionList)) ?? nil
    if albums != nil || lists != nil { send("albums", list) }
  }

  /// Tells that a photo or its edit changed, before the library tells the same.
  func tellEarly(_ localIdentifier: String, _ revision: String) {
    tell(localIdentifier, revision)
    state.withLock { $0.early[localIdentifier] = revision }
  }

  /// Forgets what was told early of a photo, because the library could not read it and tells of it later.
  func forgetEarly(_ localIdentifier: String, _ revision: String) {
    state.withLock { state in
      if state.early[localIdentifier] == revision { state.early[localIdentifier] = nil }
    }
  }

  /// Tells that a photo or its edit changed, unless that was told early.
  func tell(_ localIdentifier: String, _ revision: String) {
    let isKnown = state.withLock { state in
      state.early.removeValue(forKey: localIdentifier) == revision
    }
    if isKnown { return }
    send(
      "photo",
      .object(["id": .string(PhotoID.id(localIdentifier)), "revision": .string(revision)]))
  }
}
