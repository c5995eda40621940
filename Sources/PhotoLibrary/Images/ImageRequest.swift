import PhotoEditing
import SafelightFiles
import SafelightRendering
import Synchronization

/// One request for a picture.
///
/// A request ends exactly once: with the picture, with an error, or cancelled.
final class ImageRequest: Sendable {
  /// Something that happens to a request.
  enum Event: Sendable {
    /// A picture. Unless it is the last, a better picture follows.
    case image(ImageDelivery, isLast: Bool)
    /// There is no picture. This is the last event.
    case failure(PhotoLibraryError)
  }

  /// The photo that the picture shows.
  enum Subject: Sendable, Hashable {
    /// A photo of the library, which the client must be allowed to see.
    case asset(Asset)
    /// A file, in the library or not.
    case file(FilePath)
  }

  let subject: Subject
  let recipe: ImageRecipe
  let deliveryMode: ImageRequestOptions.DeliveryMode
  /// Whether the request ends when no picture is available at once.
  let quickOnly: Bool
  /// How urgent the request is.
  let lane: ImageQueue.Lane
  private let onEvent: @Sendable (Event) -> Void

  private struct State {
    var isOver = false
    /// Removes the request from the work whose picture it waits for.
    var leave: (@Sendable () -> Void)?
  }

  private let state = Mutex(State())

  init(
    _ subject: Subject, _ recipe: ImageRecipe,
    deliveryMode: ImageRequestOptions.DeliveryMode, quickOnly: Bool = false,
    lane: ImageQueue.Lane = .requested, onEvent: @escaping @Sendable (Event) -> Void
  ) {
    self.subject = subject
    self.recipe = recipe
    self.deliveryMode = deliveryMode
    self.quickOnly = quickOnly
    self.lane = lane
    self.onEvent = onEvent
  }

  /// Whether the request has ended.
  var isOver: Bool { state.withLock(\.isOver) }

  /// Passes on a degraded picture; a better one follows.
  func deliver(degraded image: DisplayImage) {
    // Under the lock, so that no event comes after the last one. The closure must not block.
    state.withLock { state in
      guard !state.isOver else { return }
      onEvent(.image(ImageDelivery(image: image, isDegraded: true), isLast: false))
    }
  }

  /// Ends the request with a picture.
  func finish(_ image: DisplayImage, isDegraded: Bool = false) {
    finish(.image(ImageDelivery(image: image, isDegraded: isDegraded), isLast: true))
  }

  /// Ends the request without a picture.
  func fail(_ error: PhotoLibraryError) { finish(.failure(error)) }

  /// Ends the request because the program no longer wants the picture.
  func cancel() { finish(.failure(.userCancelled)) }

  /// Calls a closure when the request ends; at once when it has ended.
  func onEnd(_ leave: @escaping @Sendable () -> Void) {
    let isOver = state.withLock { state in
      if !state.isOver { state.leave = leave }
      return state.isOver
    }
    if isOver { leave() }
  }

  private func finish(_ event: Event) {
    let (isFirst, leave) = state.withLock { state in
      defer { (state.isOver, state.leave) = (true, nil) }
      return (!state.isOver, state.leave)
    }
    guard isFirst else { return }
    leave?()
    onEvent(event)
  }
}

/// The pictures that are being made, so that no picture is made twice at the same time.
final class ImagesInWork: Sendable {
  /// A picture to make, and the requests that wait for it.
  final class Work: Sendable {
    fileprivate struct State {
      var waiting: [ObjectIdentifier: ImageRequest] = [:]
      var lane: ImageQueue.Lane
      var hasBegun = false
    }

    let key: ImageKey
    /// Cancels the rendering when no request waits any more.
    let cancellation = RenderCancellation()
    fileprivate let state: Mutex<State>

    fileprivate init(_ key: ImageKey, _ lane: ImageQueue.Lane) {
      self.key = key
      state = Mutex(State(lane: lane))
    }

    /// Begins the work; `false` when another thread has begun it or no request waits.
    func begin() -> Bool {
      state.withLock { state in
        guard !state.hasBegun, !state.waiting.isEmpty else { return false }
        state.hasBegun = true
        return true
      }
    }
  }

  private let work = Mutex<[ImageKey: Work]>([:])

  /// Lets a request wait for a picture.
  ///
  /// - Returns: The work when the caller has to add it to the request's lane, because the work is new
  ///   or was less urgent before; otherwise `nil`.
  func join(_ key: ImageKey, _ request: ImageRequest) -> Work? {
    let (joined, isDue) = work.withLock { work in
      let isNew = work[key] == nil
      let joined = work[key] ?? Work(key, request.lane)
      work[key] = joined
      return joined.state.withLock { state in
        state.waiting[ObjectIdentifier(request)] = request
        let isUrgent = request.lane == .requested && state.lane == .ahead && !state.hasBegun
        if isUrgent { state.lane = .requested }
        return (joined, isNew || isUrgent)
      }
    }
    request.onEnd { [weak self, weak request] in
      guard let self, let request else { return }
      leave(joined, request)
    }
    return isDue ? joined : nil
  }

  /// Ends the work; no request can join it any more.
  ///
  /// - Returns: The requests that wait for the picture.
  func end(_ ended: Work) -> [ImageRequest] {
    work.withLock { work in
      if work[ended.key] === ended { work[ended.key] = nil }
      return ended.state.withLock { state in
        defer { state.waiting = [:] }
        return Array(state.waiting.values)
      }
    }
  }

  private func leave(_ left: Work, _ request: ImageRequest) {
    work.withLock { work in
      let isLast = left.state.withLock { state in
        state.waiting.removeValue(forKey: ObjectIdentifier(request)) != nil
          && state.waiting.isEmpty
      }
      guard isLast else { return }
      left.cancellation.cancel()
      if work[left.key] === left { work[left.key] = nil }
    }
  }
}
