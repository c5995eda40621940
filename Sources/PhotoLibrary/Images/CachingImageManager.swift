import PhotoEditing
import SafelightFiles
import Synchronization

/// An image manager that makes pictures ahead, before the user scrolls to them, and keeps them in
/// memory.
///
/// A request with the same size, content mode, version, resize mode and crop finds the picture that was
/// made ahead. When the picture is being made, the request waits for it; when the picture is still in
/// the queue, it is made next. After a new edit of the photo, the picture is made again when a program
/// asks for it.
///
/// ```swift
/// let manager = CachingImageManager(library)
/// manager.startCachingImages(for: nextPage, targetSize: PixelSize(width: 400, height: 400))
/// ```
public final class CachingImageManager: ImageManager, @unchecked Sendable {
  // Sendable: all properties are constants of Sendable types, as in the superclass.
  private let memory: PictureMemory
  private let ahead = Mutex<[PictureMemory.Entry: PictureOrder]>([:])
  private let highQuality = Atomic<Bool>(true)

  /// A caching manager for a library.
  ///
  /// - Parameters:
  ///   - library: The library whose photos the manager shows.
  ///   - memoryLimit: The largest number of bytes of pixels in memory, normally 256 MiB. The least
  ///     recently used pictures are dropped first.
  public convenience init(_ library: PhotoLibrary, memoryLimit: Int = 256 << 20) {
    let memory = PictureMemory(limit: memoryLimit)
    self.init(source: ImageSource(library, memory: memory), memory)
  }

  /// A caching manager for ``PhotoLibrary/shared()``.
  public convenience init() { self.init(.shared()) }

  init(source: ImageSource, _ memory: PictureMemory) {
    self.memory = memory
    super.init(source: source)
  }

  /// The number of pictures that are still to be made ahead.
  var waitingCount: Int { ahead.withLock(\.count) }

  /// The largest number of bytes of pixels in memory; a pixel has three bytes.
  public var memoryLimit: Int {
    get { memory.limit }
    set { memory.limit = newValue }
  }

  /// The number of bytes of pixels in memory now.
  public var memoryUse: Int { memory.bytes }

  /// Whether pictures in good quality are made ahead, normally `true`. `false` makes only the cameras'
  /// thumbnails ahead, for fast scrolling. A new value takes effect for pictures that are started
  /// later.
  public var allowsCachingHighQualityImages: Bool {
    get { highQuality.load(ordering: .relaxed) }
    set { highQuality.store(newValue, ordering: .relaxed) }
  }

  /// Makes the pictures of photos ahead, in this order, while no request waits.
  ///
  /// Use the same parameters as in the later requests. Pictures that are cached already stay; photos
  /// that cannot be shown are skipped.
  public func startCachingImages(
    for assets: [Asset], targetSize: PixelSize, contentMode: ImageContentMode = .aspectFit,
    options: ImageRequestOptions? = nil
  ) {
    let highQuality = allowsCachingHighQualityImages
    let request = PictureRequest(
      targetSize: targetSize, contentMode: contentMode, options: options ?? ImageRequestOptions(),
      .ahead)
    for (asset, entry) in entries(of: assets, request) where memory.want(entry) {
      let order = source.order(
        .asset(asset), request, degraded: highQuality ? .nothing : .only
      ) { [weak self] _ in
        self?.ahead.withLock { $0[entry] = nil }
      }
      ahead.withLock { $0[entry] = order }
      source.begin(order)
    }
  }

  /// Drops the pictures of photos, made or not. Use the same parameters as at the start.
  public func stopCachingImages(
    for assets: [Asset], targetSize: PixelSize, contentMode: ImageContentMode = .aspectFit,
    options: ImageRequestOptions? = nil
  ) {
    let request = PictureRequest(
      targetSize: targetSize, contentMode: contentMode, options: options ?? ImageRequestOptions())
    for (_, entry) in entries(of: assets, request) {
      memory.forget(entry)
      ahead.withLock { $0[entry] }?.cancel()
    }
  }

  /// The library's own assets, with their places in memory.
  private func entries(
    of assets: [Asset], _ request: PictureRequest
  ) -> [(asset: Asset, entry: PictureMemory.Entry)] {
    assets.filter { $0.belongs(to: library.snapshots.path) }
      .map { ($0, PictureMemory.Entry($0.localIdentifier, request)) }
  }

  /// Drops all pictures, made or not.
  public func stopCachingImagesForAllAssets() {
    memory.forgetAll()
    for request in ahead.withLock({ Array($0.values) }) { request.cancel() }
  }
}
