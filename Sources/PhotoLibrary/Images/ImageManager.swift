import Dispatch
import FoundationEssentials
import PhotoEditing
import SafelightFiles
import Synchronization

/// Makes pictures of a library's photos for the screen, in any size.
///
/// ```swift
/// let manager = ImageManager(library)
/// let image = try await manager.requestImage(
///   for: asset, targetSize: PixelSize(width: 400, height: 400))
/// try image.jpegData().write(to: url)
/// ```
///
/// Pictures are upright and in sRGB. Threads of their own make them, in the whole process as many at
/// once as there are cores. A request that is cancelled while it waits is never begun, and two requests
/// for the same picture make it once. Pictures of up to four megapixels are stored on disk as JPEGs of
/// quality 90, see ``PhotoLibrary/imageCacheLimit``. All processes use them while neither the photo nor
/// its edit changes.
public class ImageManager: @unchecked Sendable {
  // Sendable: all properties, also the subclass's, are constants of Sendable types.
  let source: ImageSource
  let requests = RunningRequests()

  /// The library whose photos the manager shows.
  public var library: PhotoLibrary { source.library }

  /// A manager for a library; creating one costs nothing.
  public convenience init(_ library: PhotoLibrary) { self.init(source: ImageSource(library)) }

  init(source: ImageSource) { self.source = source }

  private static let standard = Mutex<ImageManager?>(nil)

  /// The manager of ``PhotoLibrary/shared()``.
  public class func `default`() -> ImageManager {
    let library = PhotoLibrary.shared()
    return standard.withLock { standard in
      if let manager = standard, manager.library === library { return manager }
      let manager = ImageManager(library)
      standard = manager
      return manager
    }
  }

  /// The picture of a photo, in good quality unless the options ask for the fastest.
  ///
  /// - Parameters:
  ///   - asset: The photo.
  ///   - targetSize: The size in pixels, or ``imageManagerMaximumSize``.
  ///   - contentMode: Whether the picture fits inside the size or covers it.
  ///   - options: Version, delivery mode and resize mode.
  /// - Throws: ``PhotoLibraryError``: ``PhotoLibraryError/userCancelled`` when the task is cancelled,
  ///   ``PhotoLibraryError/accessUserDenied``, ``PhotoLibraryError/accessRestricted``,
  ///   ``PhotoLibraryError/accessNotDetermined(client:)`` or
  ///   ``PhotoLibraryError/identifierNotFound(_:)`` when this client may not see the photo,
  ///   ``PhotoLibraryError/editing(_:)`` when the photo is missing or damaged,
  ///   ``PhotoLibraryError/invalidValue(_:)`` for a target size below one pixel.
  public func requestImage(
    for asset: Asset, targetSize: PixelSize, contentMode: ImageContentMode = .aspectFit,
    options: ImageRequestOptions? = nil
  ) async throws(PhotoLibraryError) -> DisplayImage {
    let options = options ?? ImageRequestOptions()
    let recipe = ImageRecipe(targetSize: targetSize, contentMode: contentMode, options: options)
    // The caller gets one picture, so a degraded one before it would be made for nothing.
    let mode =
      options.deliveryMode == .opportunistic ? .highQualityFormat : options.deliveryMode
    return try await source.image(.asset(asset), recipe, deliveryMode: mode)
  }

  /// The pictures of a photo as they become ready. With opportunistic options a degraded picture comes
  /// first when there is one; the picture in good quality comes last.
  ///
  /// Parameters and errors are those of the request for a single picture. The request begins with the
  /// call. It is cancelled with the task that reads the pictures, or when the sequence is released.
  public func images(
    for asset: Asset, targetSize: PixelSize, contentMode: ImageContentMode = .aspectFit,
    options: ImageRequestOptions? = nil
  ) -> ImageDeliveries {
    let options = options ?? ImageRequestOptions()
    let recipe = ImageRecipe(targetSize: targetSize, contentMode: contentMode, options: options)
    return ImageDeliveries { deliver in
      let request = ImageRequest(
        .asset(asset), recipe, deliveryMode: options.deliveryMode, onEvent: deliver)
      source.begin(request)
      return request
    }
  }
}

extension ImageSource {
  /// The last picture of a request.
  func image(
    _ subject: ImageRequest.Subject, _ recipe: ImageRecipe,
    deliveryMode: ImageRequestOptions.DeliveryMode
  ) async throws(PhotoLibraryError) -> DisplayImage {
    try await waitForEnd(
      of: { end in
        ImageRequest(subject, recipe, deliveryMode: deliveryMode) { event in
          switch event {
          case .image(let delivery, isLast: true): end(.success(delivery.image))
          case .failure(let error): end(.failure(error))
          case .image(_, isLast: false): break
          }
        }
      }, begin: begin, cancel: { $0.cancel() })
  }
}

/// Waits for the end of a request, and cancels the request with the task.
///
/// - Parameter request: Makes the request, which calls the closure once at its end.
private func waitForEnd<Request: Sendable, Value: Sendable>(
  of request: (@escaping @Sendable (Result<Value, PhotoLibraryError>) -> Void) -> Request,
  begin: (Request) -> Void, cancel: @Sendable (Request) -> Void
) async throws(PhotoLibraryError) -> Value {
  // The task may be cancelled before the request is made, or after.
  let running = Mutex<(request: Request?, isCancelled: Bool)>((nil, false))
  let result: Result<Value, PhotoLibraryError> = await withTaskCancellationHandler {
    await withCheckedContinuation { continuation in
      let request = request { continuation.resume(returning: $0) }
      let isCancelled = running.withLock { running in
        running.request = request
        return running.isCancelled
      }
      if isCancelled { cancel(request) } else { begin(request) }
    }
  } onCancel: {
    let request = running.withLock { running in
      running.isCancelled = true
      return running.request
    }
    if let request { cancel(request) }
  }
  return try result.get()
}

extension ImageManager {
  /// The bytes of a photo's file: the render for the current version of an edited photo, otherwise the
  /// original.
  ///
  /// - Parameters:
  ///   - asset: The photo.
  ///   - options: Only the version counts.
  /// - Throws: ``PhotoLibraryError``, as a request for a picture does.
  public func requestImageData(
    for asset: Asset, options: ImageRequestOptions? = nil
  ) async throws(PhotoLibraryError) -> ImageData {
    let version = options?.version ?? .current
    return try await waitForEnd(
      of: { ImageDataRequest($0) },
      begin: { $0.begin(asset, version: version, by: source) },
      cancel: { $0.finish(.failure(.userCancelled)) })
  }
}

/// A request for the bytes of a photo's file. It ends exactly once.
final class ImageDataRequest: Sendable {
  private let onEnd: Mutex<(@Sendable (Result<ImageData, PhotoLibraryError>) -> Void)?>

  init(_ onEnd: @escaping @Sendable (Result<ImageData, PhotoLibraryError>) -> Void) {
    self.onEnd = Mutex(onEnd)
  }

  /// Ends the request, unless it has ended.
  func finish(_ result: Result<ImageData, PhotoLibraryError>) {
    onEnd.withLock { $0.take() }?(result)
  }

  /// Reads the file on a thread that makes pictures: an edit without its render has to be rendered.
  func begin(_ asset: Asset, version: ImageRequestOptions.Version, by source: ImageSource) {
    ImageQueue.making.add(.requested) { self.perform(asset, version: version, by: source) }
  }

  /// Reads the file on the calling thread.
  func perform(_ asset: Asset, version: ImageRequestOptions.Version, by source: ImageSource) {
    guard onEnd.withLock({ $0 != nil }) else { return }
    do throws(PhotoLibraryError) {
      let content = try source.content(of: asset, showsEdit: version == .current)
      finish(
        .success(
          ImageData(
            data: content.bytes, contentType: content.contentType,
            orientation: Int32(content.orientation))))
    } catch {
      finish(.failure(error))
    }
  }
}

// PhotoKit's form of requests, with handlers and numbers.
extension ImageManager {
  /// Asks for the picture of a photo.
  ///
  /// The manager calls the handler on its own thread, never twice at the same time. With opportunistic
  /// options the first call may have a degraded picture. The last call has the picture, or no picture
  /// and the reason, which is ``PhotoLibraryError/userCancelled`` after ``cancelImageRequest(_:)``. A
  /// synchronous request calls the handler once on the calling thread, and then returns.
  /// - Parameters:
  ///   - asset: The photo.
  ///   - targetSize: The size in pixels, or ``imageManagerMaximumSize``.
  ///   - contentMode: Whether the picture fits inside the size or covers it.
  ///   - options: Version, delivery mode, resize mode, and whether the request is synchronous.
  ///   - resultHandler: Called with each picture.
  /// - Returns: The request's number.
  @discardableResult
  public func requestImage(
    for asset: Asset, targetSize: PixelSize, contentMode: ImageContentMode,
    options: ImageRequestOptions? = nil,
    resultHandler: @escaping @Sendable (DisplayImage?, ImageRequestInfo) -> Void
  ) -> ImageRequestID {
    let options = options ?? ImageRequestOptions()
    let recipe = ImageRecipe(targetSize: targetSize, contentMode: contentMode, options: options)
    let id = requests.newID()
    if options.isSynchronous {
      source.perform(
        ImageRequest(.asset(asset), recipe, deliveryMode: .highQualityFormat) { event in
          event.call(resultHandler, for: id)
        })
      return id
    }
    let requests = requests
    let request = ImageRequest(.asset(asset), recipe, deliveryMode: options.deliveryMode) { event in
      if event.isLast { requests.remove(id) }
      requests.handlers.async { event.call(resultHandler, for: id) }
    }
    requests.add(id) { request.cancel() }
    source.begin(request)
    return id
  }

  /// Asks for the bytes of a photo's file: the render for the current version of an edited photo,
  /// otherwise the original.
  ///
  /// Of the options only the version counts, and whether the request is synchronous. The handler is
  /// called exactly once, with the file or the reason why there is none, on the manager's own thread; a
  /// synchronous request calls it on the calling thread.
  /// - Returns: The request's number.
  @discardableResult
  public func requestImageData(
    for asset: Asset, options: ImageRequestOptions? = nil,
    resultHandler: @escaping @Sendable (ImageData?, ImageRequestInfo) -> Void
  ) -> ImageRequestID {
    let options = options?.copy() ?? ImageRequestOptions()
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
      request.perform(asset, version: options.version, by: source)
    } else {
      requests.add(id) { request.finish(.failure(.userCancelled)) }
      request.begin(asset, version: options.version, by: source)
    }
    return id
  }

  /// Cancels a request. A request that still waits is never begun. The handler is called with
  /// ``PhotoLibraryError/userCancelled`` unless its last call was before. Nothing happens for a request
  /// that has ended, or of another manager.
  public func cancelImageRequest(_ requestID: ImageRequestID) { requests.cancel(requestID) }
}

/// The running requests of a manager, by their numbers.
final class RunningRequests: Sendable {
  /// Calls the handlers.
  let handlers = DispatchQueue(label: "org.safelight.library.handlers")
  private let running = Mutex<[ImageRequestID: @Sendable () -> Void]>([:])
  private let last = Atomic<ImageRequestID>(invalidImageRequestID)

  /// A number that none of the last two thousand million requests has.
  func newID() -> ImageRequestID {
    let next = last.wrappingAdd(1, ordering: .relaxed).newValue & .max
    return next == invalidImageRequestID ? newID() : next
  }

  func add(_ id: ImageRequestID, _ cancel: @escaping @Sendable () -> Void) {
    running.withLock { $0[id] = cancel }
  }

  func remove(_ id: ImageRequestID) { running.withLock { $0[id] = nil } }

  func cancel(_ id: ImageRequestID) { running.withLock { $0[id] }?() }

  /// How many requests are running.
  var count: Int { running.withLock(\.count) }
}

extension ImageRequest.Event {
  fileprivate var isLast: Bool {
    if case .image(_, isLast: false) = self { false } else { true }
  }

  fileprivate func call(
    _ handler: (DisplayImage?, ImageRequestInfo) -> Void, for id: ImageRequestID
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
