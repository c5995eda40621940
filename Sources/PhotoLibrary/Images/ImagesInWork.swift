import PhotoEditing
import SafelightRendering
import Synchronization

/// The pictures that are being made, so that nobody makes one twice at the same time.
final class ImagesInWork: Sendable {
  /// A picture that is to be made, and who waits for it.
  final class Work: Sendable {
    fileprivate struct State {
      var waiting: [ObjectIdentifier: ImageRequest] = [:]
      var lane: ImageQueue.Lane
      var hasBegun = false
    }

    let key: ImageKey
    /// Ends the work when nobody waits any more.
    let cancellation = RenderCancellation()
    fileprivate let state: Mutex<State>

    fileprivate init(_ key: ImageKey, _ lane: ImageQueue.Lane) {
      self.key = key
      state = Mutex(State(lane: lane))
    }

    /// Whether the work is the caller's to do: nobody has begun it, and somebody waits.
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
  /// - Returns: The work, when it has to be lined up in the request's lane: it is new, or was less
  ///   urgent so far.
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

  /// Ends the work; nobody joins any more.
  ///
  /// - Returns: Who waits for its picture.
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
