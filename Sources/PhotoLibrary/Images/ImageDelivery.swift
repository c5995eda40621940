import FoundationEssentials
import PhotoEditing
import SafelightFiles

/// The number of a request; only the image manager that gave it knows it.
public typealias ImageRequestID = Int32

/// A number that no request has.
public let invalidImageRequestID: ImageRequestID = 0

/// One picture of a request.
///
/// ```swift
/// for try await delivery in manager.images(for: asset, targetSize: size) {
///   show(delivery.image, isSharp: !delivery.isDegraded)
/// }
/// ```
public struct ImageDelivery: Sendable, Hashable {
  /// The picture.
  public let image: DisplayImage
  /// Whether the picture has fewer pixels than the program asked for.
  public let isDegraded: Bool
}

/// What a request's handler gets with the picture.
public struct ImageRequestInfo: Sendable {
  /// The request.
  public let requestID: ImageRequestID
  /// Whether the picture has fewer pixels than the program asked for. A better picture follows, except
  /// in the mode ``ImageRequestOptions/DeliveryMode/fastFormat``.
  public let isDegraded: Bool
  /// Why there is no picture; `nil` when there is one.
  public let error: PhotoLibraryError?

  /// Whether there is no picture because the request was cancelled.
  public var isCancelled: Bool { error == .userCancelled }
}

/// The bytes of one of a photo's files.
public struct ImageData: Sendable, Hashable {
  /// All bytes of the file.
  public let data: Data
  /// Its uniform type identifier, such as `public.jpeg`.
  public let contentType: String
  /// The EXIF orientation, 1 to 8, that the pixels still need. HEIC and AVIF files have 1, because
  /// their decoders turn the pixels.
  public let orientation: Int32
}

/// The pictures of one request, in the order in which they are ready.
public struct ImageDeliveries: AsyncSequence, Sendable {
  /// One picture of the request.
  public typealias Element = ImageDelivery
  /// Why the request ended without a picture.
  public typealias Failure = PhotoLibraryError

  private let events: AsyncStream<ImageEvent>

  /// - Parameter begin: Begins the request, which passes its events to the closure.
  init(_ begin: (@escaping @Sendable (ImageEvent) -> Void) -> PictureOrder) {
    let (events, continuation) = AsyncStream.makeStream(of: ImageEvent.self)
    self.events = events
    let order = begin { event in
      continuation.yield(event)
      if case .image(_, isLast: false) = event { return }
      continuation.finish()
    }
    continuation.onTermination = { _ in order.cancel() }
  }

  /// Reads the pictures.
  public struct AsyncIterator: AsyncIteratorProtocol {
    fileprivate var events: AsyncStream<ImageEvent>.Iterator
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
        // The stream of a cancelled task ends without an event.
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

  /// Begins to read the pictures. They can be read once.
  public func makeAsyncIterator() -> AsyncIterator {
    AsyncIterator(events: events.makeAsyncIterator())
  }
}
