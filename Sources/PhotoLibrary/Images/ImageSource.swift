import PhotoEditing
import SafelightFiles

import struct SafelightStorage.PhotoRevision

/// The photo that a picture shows.
enum PictureSubject: Sendable, Hashable {
  /// A photo of the library, which the client must be allowed to see.
  case asset(Asset)
  /// A file, in the library or not.
  case file(FilePath)
}

/// Something that happens to a request for a picture.
enum ImageEvent: Sendable {
  /// A picture. Unless it is the last, a better picture follows.
  case image(ImageDelivery, isLast: Bool)
  /// There is no picture. This is the last event.
  case failure(PhotoLibraryError)

  init(_ event: PictureOrder.Event, of asset: Asset) {
    switch event {
    case .picture(let image, let isDegraded, let isLast):
      self = .image(ImageDelivery(image: image, isDegraded: isDegraded), isLast: isLast)
    case .failure(let error): self = .failure(PhotoLibraryError(error, showing: .asset(asset)))
    }
  }

  var isLast: Bool {
    if case .image(_, isLast: false) = self { false } else { true }
  }
}

extension PhotoLibraryError {
  /// Why there is no picture.
  init(_ error: any Error, showing subject: PictureSubject) {
    switch (error, subject) {
    case (let error as PhotoLibraryError, _): self = error
    case (is CancellationError, _): self = .userCancelled
    case (_, .asset(let asset)): self = .editing(EditError(error, path: asset.path))
    case (_, .file(let path)): self = .editing(EditError(error, path: path))
    }
  }
}

/// Where the pictures of one image manager's requests come from: the pictures of its library, and those that the manager
/// keeps in memory.
final class ImageSource: Sendable {
  let library: PhotoLibrary
  let memory: PictureMemory?
  private let pictures: PictureService

  /// - Parameter making: The threads that make pictures; `nil` for those of the library.
  init(_ library: PhotoLibrary, memory: PictureMemory? = nil, making: WorkQueue? = nil) {
    (self.library, self.memory) = (library, memory)
    pictures = making.map { PictureService(library.imageCache, making: $0) } ?? library.pictures
  }

  /// An order for a picture. ``begin(_:)`` begins it.
  func order(
    _ subject: PictureSubject, _ request: PictureRequest,
    degraded: PictureOrder.DegradedUse = .nothing,
    onEvent: @escaping @Sendable (PictureOrder.Event) -> Void
  ) -> PictureOrder {
    let library = library
    var kept: (PictureMemory, photo: String)?
    if let memory, case .asset(let asset) = subject { kept = (memory, asset.localIdentifier) }
    return PictureOrder(request, degraded: degraded, in: kept) {
      try request.check()
      return try library.stamp(of: subject)
    } onEvent: {
      onEvent($0)
    }
  }

  /// Begins an order.
  func begin(_ order: PictureOrder) { pictures.begin(order) }

  /// Does an order on the calling thread.
  func perform(_ order: PictureOrder) { pictures.perform(order) }

  /// The last picture of a request.
  func image(
    _ subject: PictureSubject, _ request: PictureRequest,
    degraded: PictureOrder.DegradedUse = .nothing
  ) async throws(PhotoLibraryError) -> DisplayImage {
    do {
      return try await pictures.lastPicture {
        order(subject, request, degraded: degraded, onEvent: $0)
      }
    } catch {
      throw PhotoLibraryError(error, showing: subject)
    }
  }

  /// All bytes of one of a photo's files.
  func content(of asset: Asset, showsEdit: Bool) throws(PhotoLibraryError) -> ImageData {
    let stamp = try library.stamp(of: .asset(asset))
    do {
      let file = try PictureService.content(of: stamp, showsEdit: showsEdit)
      return ImageData(
        data: file.bytes, contentType: file.contentType, orientation: Int32(file.orientation))
    } catch {
      throw .editing(error)
    }
  }
}

extension ImageRequestOptions.DeliveryMode {
  /// What degraded pictures are good for.
  var degradedUse: PictureOrder.DegradedUse {
    switch self {
    case .opportunistic: .first
    case .highQualityFormat: .nothing
    case .fastFormat: .instead
    }
  }
}

extension PhotoLibrary {
  /// Where pictures are kept on disk.
  var imageCache: PictureDisk { pictures.disk }

  /// The largest number of bytes of pictures on disk for image managers and selections, normally 512 MiB;
  /// 0 keeps none and uses none.
  ///
  /// The pictures are in the folder `cache` of the library, which may be removed at any time.
  public var imageCacheLimit: Int {
    get { imageCache.limit }
    set { imageCache.limit = newValue }
  }

  /// Removes all pictures on disk.
  public func removeCachedImages() { imageCache.removeAll() }

  /// Why no pictures are kept on disk, for people, such as a symbolic link in the place of the folder; `nil` when
  /// nothing is wrong.
  public var imageCacheProblem: String? { imageCache.problem }
}

extension PhotoLibrary {
  /// The present stamp of a photo's files, when this client may see the photo.
  ///
  /// - Throws: ``PhotoLibraryError/accessUserDenied`` and its like, or
  ///   ``PhotoLibraryError/identifierNotFound(_:)``, for an asset that the client may not see;
  ///   ``PhotoLibraryError/objectOfAnotherLibrary(_:)``;
  ///   ``PhotoLibraryError/editing(_:)`` when the photo's file is gone.
  func stamp(of subject: PictureSubject) throws(PhotoLibraryError) -> PhotoRevision {
    switch subject {
    case .file(let path): return try Self.stamp(path)
    case .asset(let asset):
      try checkOrigin(of: asset)
      try checkVisibility(of: asset.localIdentifier)
      do throws(PhotoLibraryError) {
        return try Self.stamp(asset.path)
      } catch .editing(.storage(.originalMissing(let path))) {
        // The photo may have been moved since the asset was fetched.
        guard let now = try present(asset), now.path != path else {
          throw .editing(.storage(.originalMissing(path)))
        }
        return try Self.stamp(now.path)
      }
    }
  }

  /// The asset as it is now; `nil` when it was removed or the client may not see it.
  private func present(_ asset: Asset) throws(PhotoLibraryError) -> Asset? {
    try fetchAssets(withLocalIdentifiers: [asset.localIdentifier]).allObjects().first
  }

  private static func stamp(_ path: FilePath) throws(PhotoLibraryError) -> PhotoRevision {
    do {
      return try PhotoRevision(path)
    } catch {
      throw .editing(.storage(error))
    }
  }
}
