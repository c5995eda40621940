import PhotoEditing

/// The pictures that one request gives, in the order in which they come.
public struct ImageDeliveries: AsyncSequence, Sendable {
  /// A picture as it came.
  public typealias Element = ImageDelivery
  /// Why no further picture comes.
  public typealias Failure = PhotoLibraryError

  private let events: AsyncStream<ImageRequest.Event>

  /// - Parameter begin: Sets the request going, which tells the closure what it hears.
  init(_ begin: (@escaping @Sendable (ImageRequest.Event) -> Void) -> ImageRequest) {
    let (events, continuation) = AsyncStream.makeStream(of: ImageRequest.Event.self)
    self.events = events
    let request = begin { event in
      continuation.yield(event)
      if case .image(_, isLast: false) = event { return }
      continuation.finish()
    }
    continuation.onTermination = { _ in request.cancel() }
  }

  /// Reads the pictures.
  public struct AsyncIterator: AsyncIteratorProtocol {
    fileprivate var events: AsyncStream<ImageRequest.Event>.Iterator
    fileprivate var isOver = false

    /// The next picture; `nil` after the last.
    ///
    /// - Throws: ``PhotoLibraryError``.
    public mutating func next(
      isolation actor: isolated (any Actor)? = #isolation
    ) async throws(PhotoLibraryError) -> ImageDelivery? {
      switch await events.next(isolation: actor) {
      case .image(let delivery, let isLast):
        isOver = isLast
        return delivery
      case .failure(let error):
        isOver = true
        throw error
      case nil:
        // A cancelled task's stream ends without a word.
        guard isOver else {
          isOver = true
          throw .userCancelled
        }
        return nil
      }
    }

    /// The next picture; `nil` after the last.
    ///
    /// - Throws: ``PhotoLibraryError``.
    public mutating func next() async throws(PhotoLibraryError) -> ImageDelivery? {
      try await next(isolation: nil)
    }
  }

  /// Begins to read the pictures, which can be done once.
  public func makeAsyncIterator() -> AsyncIterator {
    AsyncIterator(events: events.makeAsyncIterator())
  }
}
