import PhotoEditing
import Synchronization

/// One picture that somebody waits for, from the asking to its end.
///
/// Its end comes exactly once: the picture, an error, or that it was cancelled.
final class ImageRequest: Sendable {
  /// What a request hears.
  enum Event: Sendable {
    /// A picture; the last one unless a better one follows.
    case image(ImageDelivery, isLast: Bool)
    /// There is no picture. The last event.
    case failure(PhotoLibraryError)
  }

  /// What is asked of.
  enum Subject: Sendable, Hashable {
    /// A photo of the library, which must be visible to the client.
    case asset(Asset)
    /// A file that somebody named.
    case file(FilePath)
  }

  let subject: Subject
  let recipe: ImageRecipe
  let deliveryMode: ImageRequestOptions.DeliveryMode
  /// Whether it is over when there is no picture at once.
  let quickOnly: Bool
  /// Whether it is made ahead, for nobody yet.
  let lane: ImageQueue.Lane
  private let tell: @Sendable (Event) -> Void

  private struct State {
    var isOver = false
    /// Takes the request from where it waits for pixels.
    var leave: (@Sendable () -> Void)?
  }

  private let state = Mutex(State())

  init(
    _ subject: Subject, _ recipe: ImageRecipe,
    deliveryMode: ImageRequestOptions.DeliveryMode, quickOnly: Bool = false,
    lane: ImageQueue.Lane = .requested, _ tell: @escaping @Sendable (Event) -> Void
  ) {
    self.subject = subject
    self.recipe = recipe
    self.deliveryMode = deliveryMode
    self.quickOnly = quickOnly
    self.lane = lane
    self.tell = tell
  }

  /// Whether nobody waits any more.
  var isOver: Bool { state.withLock(\.isOver) }

  /// Hands a picture on that a better one follows.
  func deliver(degraded image: DisplayImage) {
    // Under the lock, so that nothing comes after the end. The one who hears does not wait.
    state.withLock { state in
      guard !state.isOver else { return }
      tell(.image(ImageDelivery(image: image, isDegraded: true), isLast: false))
    }
  }

  /// Ends the request with a picture.
  func finish(_ image: DisplayImage, isDegraded: Bool = false) {
    finish(.image(ImageDelivery(image: image, isDegraded: isDegraded), isLast: true))
  }

  /// Ends the request without a picture.
  func fail(_ error: PhotoLibraryError) { finish(.failure(error)) }

  /// Ends the request because nobody wants it any more.
  func cancel() { finish(.failure(.userCancelled)) }

  /// Says how to take the request from where it waits; at once when it is over already.
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
    tell(event)
  }
}
