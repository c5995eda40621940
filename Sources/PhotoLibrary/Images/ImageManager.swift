import PhotoEditing
import Synchronization

/// Makes pictures of a library's photos for the screen, in the sizes that are asked for.
///
/// ```swift
/// let manager = ImageManager(library)
/// let image = try await manager.requestImage(
///   for: asset, targetSize: PixelSize(width: 400, height: 400))
/// try image.jpegData().write(to: url)
/// ```
///
/// Pictures are upright and in sRGB. They are made on threads of their own, as many at once as there
/// are cores in all of the process, those asked for first; a request that is cancelled before its
/// turn is never begun, and two requests for the same picture make it once. Pictures of up to four
/// megapixels are kept on disk as JPEGs of quality 90, see ``PhotoLibrary/imageCacheLimit``, and come
/// from there while neither the photo nor its edit has changed, for any process.
public class ImageManager: @unchecked Sendable {
  // Safe to share: it and its subclass hold constants that are safe to share.
  let source: ImageSource
  let requests = ImageRequests()

  /// The library whose photos it shows.
  public var library: PhotoLibrary { source.library }

  /// A manager for a library; making one costs nothing.
  public convenience init(_ library: PhotoLibrary) { self.init(source: ImageSource(library)) }

  init(source: ImageSource) { self.source = source }

  /// The picture of a photo: the good one, unless the options ask for the fastest.
  ///
  /// - Parameters:
  ///   - asset: The photo.
  ///   - targetSize: The size in pixels, or ``imageManagerMaximumSize``. Sizes below 1 are a mistake
  ///     of the caller's.
  ///   - contentMode: Whether the picture lies inside the size or covers it.
  ///   - options: Version, delivery and how exactly the size is met.
  /// - Throws: ``PhotoLibraryError``: ``PhotoLibraryError/userCancelled`` when the task is cancelled,
  ///   ``PhotoLibraryError/accessUserDenied`` and its like, or
  ///   ``PhotoLibraryError/identifierNotFound(_:)``, when the photo does not show to this client,
  ///   ``PhotoLibraryError/editing(_:)`` when the photo is missing or damaged.
  public func requestImage(
    for asset: Asset, targetSize: PixelSize, contentMode: ImageContentMode = .aspectFit,
    options: ImageRequestOptions = ImageRequestOptions()
  ) async throws(PhotoLibraryError) -> DisplayImage {
    let recipe = ImageRecipe(targetSize: targetSize, contentMode: contentMode, options: options)
    // Of several pictures only the last would be seen.
    let mode =
      options.deliveryMode == .opportunistic ? .highQualityFormat : options.deliveryMode
    return try await source.image(.asset(asset), recipe, deliveryMode: mode)
  }

  /// The pictures of a photo as they come: a degraded one first where there is one and the options
  /// are opportunistic, the good one last.
  ///
  /// The parameters and errors are those of the request for a single picture. The request begins with
  /// the call, and is cancelled with the task that reads them or when nobody can read them any more.
  public func images(
    for asset: Asset, targetSize: PixelSize, contentMode: ImageContentMode = .aspectFit,
    options: ImageRequestOptions = ImageRequestOptions()
  ) -> ImageDeliveries {
    let recipe = ImageRecipe(targetSize: targetSize, contentMode: contentMode, options: options)
    return ImageDeliveries { tell in
      let request = ImageRequest(
        .asset(asset), recipe, deliveryMode: options.deliveryMode, tell)
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
    // The request and its cancelling meet here, whichever comes first.
    let running = Mutex<(request: ImageRequest?, isCancelled: Bool)>((nil, false))
    let result: Result<DisplayImage, PhotoLibraryError> = await withTaskCancellationHandler {
      await withCheckedContinuation { continuation in
        let request = ImageRequest(subject, recipe, deliveryMode: deliveryMode) { event in
          switch event {
          case .image(let delivery, isLast: true):
            continuation.resume(returning: .success(delivery.image))
          case .failure(let error): continuation.resume(returning: .failure(error))
          case .image(_, isLast: false): break
          }
        }
        let isCancelled = running.withLock { running in
          running.request = request
          return running.isCancelled
        }
        if isCancelled { request.cancel() } else { begin(request) }
      }
    } onCancel: {
      let request = running.withLock { running in
        running.isCancelled = true
        return running.request
      }
      request?.cancel()
    }
    return try result.get()
  }
}
