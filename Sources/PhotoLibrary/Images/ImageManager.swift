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
    let request = PictureRequest(targetSize: targetSize, contentMode: contentMode, options: options)
    // The caller gets one picture, so a degraded one before it would be made for nothing.
    return try await source.image(
      .asset(asset), request,
      degraded: options.deliveryMode == .fastFormat ? .instead : .nothing)
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
    let request = PictureRequest(targetSize: targetSize, contentMode: contentMode, options: options)
    return ImageDeliveries { deliver in
      let order = source.order(
        .asset(asset), request, degraded: options.deliveryMode.degradedUse
      ) { deliver(ImageEvent($0, of: asset)) }
      source.begin(order)
      return order
    }
  }
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
    do {
      // On a thread that makes pictures: an edit without its render has to be rendered.
      return try await WorkQueue.making.run { [source] _ in
        try source.content(of: asset, showsEdit: version == .current)
      }
    } catch {
      throw PhotoLibraryError(error, showing: .asset(asset))
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
    let request = PictureRequest(targetSize: targetSize, contentMode: contentMode, options: options)
    let id = requests.newID()
    if options.isSynchronous {
      source.perform(
        source.order(.asset(asset), request) {
          ImageEvent($0, of: asset).call(resultHandler, for: id)
        })
      return id
    }
    let requests = requests
    let order = source.order(
      .asset(asset), request, degraded: options.deliveryMode.degradedUse
    ) { event in
      let event = ImageEvent(event, of: asset)
      if event.isLast { requests.remove(id) }
      requests.handlers.async { event.call(resultHandler, for: id) }
    }
    requests.add(id) { order.cancel() }
    source.begin(order)
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
    if options.isSynchronous {
      do throws(PhotoLibraryError) {
        let data = try source.content(of: asset, showsEdit: options.version == .current)
        resultHandler(data, ImageRequestInfo(requestID: id, isDegraded: false, error: nil))
      } catch {
        resultHandler(nil, ImageRequestInfo(requestID: id, isDegraded: false, error: error))
      }
      return id
    }
    requests.begin(id) {
      Task { [requests] in
        var (data, failure): (ImageData?, PhotoLibraryError?) = (nil, nil)
        do throws(PhotoLibraryError) {
          data = try await requestImageData(for: asset, options: options)
        } catch {
          failure = error
        }
        requests.remove(id)
        let info = ImageRequestInfo(requestID: id, isDegraded: false, error: failure)
        requests.handlers.async { [data] in resultHandler(data, info) }
      }
    }
    return id
  }

  /// Asks for the Live Photo that an asset is.
  ///
  /// The handler is called exactly once, on the manager's own thread, with the Live Photo or the reason why there is none:
  /// ``PhotoLibraryError/missingResource(_:)`` for an asset without a video.
  ///
  /// - Parameters:
  ///   - asset: The asset.
  ///   - options: Only the version counts.
  ///   - resultHandler: Called with the Live Photo.
  /// - Returns: The request's number.
  @discardableResult
  public func requestLivePhoto(
    for asset: Asset, options: ImageRequestOptions? = nil,
    resultHandler: @escaping @Sendable (LivePhoto?, ImageRequestInfo) -> Void
  ) -> ImageRequestID {
    let showsEdit = (options?.version ?? .current) == .current
    let id = requests.newID()
    requests.begin(id) {
      Task { [requests] in
        var (live, failure): (LivePhoto?, PhotoLibraryError?) = (nil, nil)
        do throws(PhotoLibraryError) {
          live = try await asset.livePhoto(showsEdit: showsEdit)
          if Task.isCancelled { throw .userCancelled }
          if live == nil {
            throw .missingResource("\(asset.path) has no video, so it is no Live Photo.")
          }
        } catch {
          failure = error
        }
        requests.remove(id)
        let info = ImageRequestInfo(requestID: id, isDegraded: false, error: failure)
        let found = failure == nil ? live : nil
        requests.handlers.async { resultHandler(found, info) }
      }
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
  /// Those for editing inputs, which need no manager.
  static let forInputs = RunningRequests()

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

  /// Begins a request that is a task.
  func begin(_ id: ImageRequestID, _ begin: () -> Task<Void, Never>) {
    // Under the lock, so that the task does not end before it is here.
    running.withLock { running in
      let task = begin()
      running[id] = { task.cancel() }
    }
  }

  func remove(_ id: ImageRequestID) { running.withLock { $0[id] = nil } }

  func cancel(_ id: ImageRequestID) { running.withLock { $0[id] }?() }

  /// How many requests are running.
  var count: Int { running.withLock(\.count) }
}

extension ImageEvent {
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
