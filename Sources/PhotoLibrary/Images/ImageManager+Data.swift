import FoundationEssentials
import PhotoEditing
import Synchronization

extension ImageManager {
  /// A photo's file as it is: that of its edit's render for the current version of an edited photo,
  /// otherwise the original.
  ///
  /// - Parameters:
  ///   - asset: The photo.
  ///   - options: Which version; nothing else counts.
  /// - Throws: ``PhotoLibraryError``, as a request for a picture does.
  public func requestImageData(
    for asset: Asset, options: ImageRequestOptions = ImageRequestOptions()
  ) async throws(PhotoLibraryError) -> ImageData {
    let running = Mutex<(request: ImageDataRequest?, isCancelled: Bool)>((nil, false))
    let result: Result<ImageData, PhotoLibraryError> = await withTaskCancellationHandler {
      await withCheckedContinuation { continuation in
        let request = ImageDataRequest { continuation.resume(returning: $0) }
        let isCancelled = running.withLock { running in
          running.request = request
          return running.isCancelled
        }
        if isCancelled {
          request.finish(.failure(.userCancelled))
        } else {
          request.begin(asset, options.version, by: source)
        }
      }
    } onCancel: {
      let request = running.withLock { running in
        running.isCancelled = true
        return running.request
      }
      request?.finish(.failure(.userCancelled))
    }
    return try result.get()
  }
}

/// A request for a photo's file; its end comes exactly once.
final class ImageDataRequest: Sendable {
  private let tell: Mutex<(@Sendable (Result<ImageData, PhotoLibraryError>) -> Void)?>

  init(_ tell: @escaping @Sendable (Result<ImageData, PhotoLibraryError>) -> Void) {
    self.tell = Mutex(tell)
  }

  /// Ends the request, if it is not over.
  func finish(_ result: Result<ImageData, PhotoLibraryError>) {
    let tell = tell.withLock { tell in
      defer { tell = nil }
      return tell
    }
    tell?(result)
  }

  /// Reads the file when it is its turn.
  func begin(_ asset: Asset, _ version: ImageRequestOptions.Version, by source: ImageSource) {
    // An edit without its render is rendered, so this is work for those who make pictures.
    ImageQueue.making.add(.requested) { self.perform(asset, version, by: source) }
  }

  /// Reads the file.
  func perform(_ asset: Asset, _ version: ImageRequestOptions.Version, by source: ImageSource) {
    guard tell.withLock({ $0 != nil }) else { return }
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
