import SafelightFiles
import SafelightRendering
import SafelightStorage
import Synchronization

/// An order for the pixels of a photo, which is looked for on the way. It ends exactly once: with the picture, with an
/// error, or cancelled.
package final class PictureOrder: Sendable {
  /// Something that happens to an order.
  package enum Event: Sendable {
    /// A picture. A degraded one has fewer pixels than were asked for. Unless it is the last, a better picture follows.
    case picture(DisplayImage, isDegraded: Bool, isLast: Bool)
    /// There is no picture. This is the last event.
    case failure(any Error)
  }

  /// What a degraded picture that is there at once is good for.
  package enum DegradedUse: Sendable {
    case nothing
    /// It comes before the picture.
    case first
    /// It comes in place of the picture.
    case instead
    /// It alone is wanted.
    case only
  }

  let request: PictureRequest
  let degradedUse: DegradedUse
  let memory: (pictures: PictureMemory, photo: String)?
  /// Finds the photo's files.
  let find: @Sendable () throws -> PhotoRevision
  private let onEvent: @Sendable (Event) -> Void

  private struct State {
    var isOver = false
    /// Removes the order from the work whose picture it waits for.
    var leave: (@Sendable () -> Void)?
  }

  private let state = Mutex(State())

  /// An order; ``PictureService/begin(_:)`` begins it.
  ///
  /// - Parameters:
  ///   - request: What is asked for.
  ///   - memory: Pictures in memory, with the word that the photo has there.
  ///   - find: Finds the photo's files. What it throws, the order fails with.
  ///   - onEvent: Called with each event, one after the other. Must not block.
  package init(
    _ request: PictureRequest, degraded degradedUse: DegradedUse = .nothing,
    in memory: (PictureMemory, photo: String)? = nil,
    of find: @escaping @Sendable () throws -> PhotoRevision,
    onEvent: @escaping @Sendable (Event) -> Void
  ) {
    var request = request
    request.look = .pixels
    (self.request, self.degradedUse) = (request, degradedUse)
    self.memory = memory.map { ($0.0, $0.photo) }
    (self.find, self.onEvent) = (find, onEvent)
  }

  /// Whether the order has ended.
  var isOver: Bool { state.withLock(\.isOver) }

  /// Passes on a degraded picture; a better one follows.
  func deliver(degraded image: DisplayImage) {
    // Under the lock, so that no event comes after the last one.
    state.withLock { state in
      guard !state.isOver else { return }
      onEvent(.picture(image, isDegraded: true, isLast: false))
    }
  }

  /// Ends the order with a picture.
  func finish(_ image: DisplayImage, isDegraded: Bool = false) {
    finish(.picture(image, isDegraded: isDegraded, isLast: true))
  }

  /// Ends the order without a picture.
  func fail(_ error: any Error) { finish(.failure(error)) }

  /// Ends the order because the picture is no longer wanted.
  package func cancel() { fail(CancellationError()) }

  /// Calls a closure when the order ends; at once when it has ended.
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

  // MARK: - Memory

  /// The picture of a request for the same photo, in memory.
  func remembered(
    _ request: PictureRequest, _ key: PictureKey, isDegraded: Bool = false
  ) -> DisplayImage? {
    memory.flatMap { memory in
      memory.pictures.image(
        of: PictureMemory.Entry(memory.photo, request), key, isDegraded: isDegraded)
    }
  }

  /// Keeps a picture in memory, when it is wanted there.
  func remember(_ image: DisplayImage, for key: PictureKey, isDegraded: Bool = false) {
    guard let memory else { return }
    memory.pictures.keep(
      image, of: PictureMemory.Entry(memory.photo, request), key, isDegraded: isDegraded)
  }
}

/// The pictures that are being made, so that no picture is made twice at the same time.
final class PicturesInWork: Sendable {
  /// A picture to make, and the orders that wait for it.
  final class Work: Sendable {
    fileprivate struct State {
      var waiting: [ObjectIdentifier: PictureOrder] = [:]
      var urgency: PictureRequest.Urgency
      var hasBegun = false
    }

    let key: PictureKey
    /// Cancels the rendering when no order waits any more.
    let cancellation = RenderCancellation()
    fileprivate let state: Mutex<State>

    fileprivate init(_ key: PictureKey, _ urgency: PictureRequest.Urgency) {
      self.key = key
      state = Mutex(State(urgency: urgency))
    }

    /// Begins the work; `false` when another thread has begun it or no order waits.
    func begin() -> Bool {
      state.withLock { state in
        guard !state.hasBegun, !state.waiting.isEmpty else { return false }
        state.hasBegun = true
        return true
      }
    }
  }

  private let work = Mutex<[PictureKey: Work]>([:])

  /// Lets an order wait for a picture.
  ///
  /// - Returns: The work when the caller has to add it to the queue with the order's urgency, because the work is new
  ///   or was less urgent before; otherwise `nil`.
  func join(_ key: PictureKey, _ order: PictureOrder) -> Work? {
    let urgency = order.request.urgency
    let (joined, isDue) = work.withLock { work in
      let isNew = work[key] == nil
      let joined = work[key] ?? Work(key, urgency)
      work[key] = joined
      return joined.state.withLock { state in
        state.waiting[ObjectIdentifier(order)] = order
        let isUrgent = urgency == .requested && state.urgency == .ahead && !state.hasBegun
        if isUrgent { state.urgency = .requested }
        return (joined, isNew || isUrgent)
      }
    }
    order.onEnd { [weak self, weak order] in
      guard let self, let order else { return }
      leave(joined, order)
    }
    return isDue ? joined : nil
  }

  /// Ends the work; no order can join it any more.
  ///
  /// - Returns: The orders that wait for the picture.
  func end(_ ended: Work) -> [PictureOrder] {
    work.withLock { work in
      if work[ended.key] === ended { work[ended.key] = nil }
      return ended.state.withLock { state in
        defer { state.waiting = [:] }
        return Array(state.waiting.values)
      }
    }
  }

  private func leave(_ left: Work, _ order: PictureOrder) {
    work.withLock { work in
      let isLast = left.state.withLock { state in
        state.waiting.removeValue(forKey: ObjectIdentifier(order)) != nil
          && state.waiting.isEmpty
      }
      guard isLast else { return }
      left.cancellation.cancel()
      if work[left.key] === left { work[left.key] = nil }
    }
  }
}
