import PhotoEditing
import Synchronization

/// An image manager that makes pictures ahead, before they are scrolled to, and keeps them in memory.
///
/// A picture that was made ahead is found by a request of the same size, content mode, version, resize
/// mode and crop; one that is being made is waited for, and one that waits for its turn gets it at
/// once. An edit made meanwhile is noticed, and the picture made anew when it is asked for.
public final class CachingImageManager: ImageManager, @unchecked Sendable {
  // Safe to share: constants that are safe to share, as in the class above it.
  private let memory: ImageMemory
  private let ahead = Mutex<[ImageMemory.Entry: ImageRequest]>([:])
  private let highQuality = Atomic<Bool>(true)

  /// A caching manager for a library.
  ///
  /// - Parameters:
  ///   - library: The library whose photos it shows.
  ///   - memoryLimit: Most bytes of pixels that are kept, 256 MiB unless told otherwise: those not asked
  ///     for for the longest time go first.
  public convenience init(_ library: PhotoLibrary, memoryLimit: Int = 256 << 20) {
    let memory = ImageMemory(limit: memoryLimit)
    self.init(source: ImageSource(library, memory: memory), memory)
  }

  init(source: ImageSource, _ memory: ImageMemory) {
    self.memory = memory
    super.init(source: source)
  }

  /// How many pictures are still to be made ahead.
  var waitingCount: Int { ahead.withLock(\.count) }

  /// Most bytes of pixels that are kept; three for each.
  public var memoryLimit: Int {
    get { memory.limit }
    set { memory.limit = newValue }
  }

  /// Bytes of the pixels that are kept now.
  public var memoryUse: Int { memory.bytes }

  /// Whether the good pictures are made ahead; otherwise only those that cameras put into photos, for
  /// fast scrolling. True at first, and takes effect for what is started later.
  public var allowsCachingHighQualityImages: Bool {
    get { highQuality.load(ordering: .relaxed) }
    set { highQuality.store(newValue, ordering: .relaxed) }
  }

  /// Makes the pictures of photos ahead, in this order, when nobody waits for others.
  ///
  /// The parameters are those that the pictures will be asked for with. What is being cached already
  /// is left alone; a photo that cannot be shown is passed over.
  public func startCachingImages(
    for assets: [Asset], targetSize: PixelSize, contentMode: ImageContentMode = .aspectFit,
    options: ImageRequestOptions = ImageRequestOptions()
  ) {
    let recipe = ImageRecipe(targetSize: targetSize, contentMode: contentMode, options: options)
    for asset in assets {
      let entry = ImageMemory.Entry(asset: asset.localIdentifier, recipe: recipe)
      guard memory.want(entry) else { continue }
      let request = ImageRequest(
        .asset(asset), recipe,
        deliveryMode: allowsCachingHighQualityImages ? .highQualityFormat : .fastFormat,
        quickOnly: !allowsCachingHighQualityImages, lane: .ahead
      ) { [weak self] _ in
        self?.ahead.withLock { $0[entry] = nil }
      }
      ahead.withLock { $0[entry] = request }
      source.begin(request)
    }
  }

  /// Lets go of the pictures of photos, made or not; with the parameters they were started with.
  public func stopCachingImages(
    for assets: [Asset], targetSize: PixelSize, contentMode: ImageContentMode = .aspectFit,
    options: ImageRequestOptions = ImageRequestOptions()
  ) {
    let recipe = ImageRecipe(targetSize: targetSize, contentMode: contentMode, options: options)
    for asset in assets {
      let entry = ImageMemory.Entry(asset: asset.localIdentifier, recipe: recipe)
      memory.forget(entry)
      ahead.withLock { $0[entry] }?.cancel()
    }
  }

  /// Lets go of all pictures, made or not.
  public func stopCachingImagesForAllAssets() {
    memory.forgetAll()
    for request in ahead.withLock({ Array($0.values) }) { request.cancel() }
  }
}
