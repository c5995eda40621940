import Dispatch
import FoundationEssentials
import PhotoEditing
import Synchronization

// PhotoKit's form of the same requests, with handlers and numbers.

extension ImageManager {
  /// Asks for the picture of a photo.
  ///
  /// The handler is called on a thread of the manager's, never twice at the same time: with a degraded
  /// picture first where there is one and the options are opportunistic, and once more at the end, with
  /// the picture, or with none and the reason, which is ``PhotoLibraryError/userCancelled`` after
  /// ``cancelImageRequest(_:)``. A synchronous request calls it once, before this returns, on the
  /// calling thread.
  /// - Parameters:
  ///   - asset: The photo.
  ///   - targetSize: The size in pixels, or ``imageManagerMaximumSize``.
  ///   - contentMode: Whether the picture lies inside the size or covers it.
  ///   - options: Version, delivery, how exactly the size is met, and whether to wait.
  ///   - resultHandler: Called with each picture.
  /// - Returns: What names the request; also that of one which is over.
  @discardableResult
  public func requestImage(
    for asset: Asset, targetSize: PixelSize, contentMode: ImageContentMode,
    options: ImageRequestOptions = ImageRequestOptions(),
    resultHandler: @escaping @Sendable (DisplayImage?, ImageRequestInfo) -> Void
  ) -> ImageRequestID {
    let recipe = ImageRecipe(targetSize: targetSize, contentMode: contentMode, options: options)
    let id = requests.newID()
    if options.isSynchronous {
      source.perform(
        ImageRequest(.asset(asset), recipe, deliveryMode: .highQualityFormat) { event in
          event.hand(to: resultHandler, id)
        })
      return id
    }
    let requests = requests
    let request = ImageRequest(.asset(asset), recipe, deliveryMode: options.deliveryMode) { event in
      if event.isLast { requests.remove(id) }
      requests.handlers.async { event.hand(to: resultHandler, id) }
    }
    requests.add(id) { request.cancel() }
    source.begin(request)
    return id
  }

  /// Asks for a photo's file as it is: that of its edit's render for the current version of an edited
  /// photo, otherwise the original.
  ///
  /// Only the version counts of the options, and whether to wait. The handler is called exactly once,
  /// with the file or with the reason why there is none, on a thread of the manager's, or on the
  /// calling one for a synchronous request.
  /// - Returns: What names the request.
  @discardableResult
  public func requestImageData(
    for asset: Asset, options: ImageRequestOptions = ImageRequestOptions(),
    resultHandler: @escaping @Sendable (ImageData?, ImageRequestInfo) -> Void
  ) -> ImageRequestID {
    let id = requests.newID()
    let request = ImageDataRequest { [requests] result in
      requests.remove(id)
      let hand: @Sendable () -> Void = {
        switch result {
        case .success(let data):
          resultHandler(data, ImageRequestInfo(requestID: id, isDegraded: false, error: nil))
        case .failure(let error):
          resultHandler(nil, ImageRequestInfo(requestID: id, isDegraded: false, error: error))
        }
      }
      if options.isSynchronous { hand() } else { requests.handlers.async(execute: hand) }
    }
    if options.isSynchronous {
      request.perform(asset, options.version, by: source)
    } else {
      requests.add(id) { request.finish(.failure(.userCancelled)) }
      request.begin(asset, options.version, by: source)
    }
    return id
  }

  /// Cancels a request: one that was not begun never is, and its handler hears so if it did not hear
  /// its end before. Nothing happens for one that is over or of another manager.
  public func cancelImageRequest(_ requestID: ImageRequestID) { requests.cancel(requestID) }
}

/// The requests of a manager that are not over, by their numbers.
final class ImageRequests: Sendable {
  /// Where handlers are called.
  let handlers = DispatchQueue(label: "org.safelight.images.handlers")
  private let running = Mutex<[ImageRequestID: @Sendable () -> Void]>([:])
  private let last = Atomic<ImageRequestID>(invalidImageRequestID)

  /// A number that no request of the last two thousand million has.
  func newID() -> ImageRequestID {
    let next = last.wrappingAdd(1, ordering: .relaxed).newValue & .max
    return next == invalidImageRequestID ? newID() : next
  }

  func add(_ id: ImageRequestID, _ cancel: @escaping @Sendable () -> Void) {
    running.withLock { $0[id] = cancel }
  }

  func remove(_ id: ImageRequestID) { running.withLock { $0[id] = nil } }

  func cancel(_ id: ImageRequestID) { running.withLock { $0[id] }?() }

  /// How many are not over.
  var count: Int { running.withLock(\.count) }
}

extension ImageRequest.Event {
  fileprivate var isLast: Bool {
    if case .image(_, isLast: false) = self { false } else { true }
  }

  fileprivate func hand(
    to handler: (DisplayImage?, ImageRequestInfo) -> Void, _ id: ImageRequestID
  ) {
    switch self {
    case .image(let delivery, _):
      handler(
        delivery.image,
        ImageRequestInfo(requestID: id, isDegraded: delivery.isDegraded, error: nil))
    case .failure(let error):
      handler(nil, ImageRequestInfo(requestID: id, isDegraded: false, error: error))
    }
  }
}
