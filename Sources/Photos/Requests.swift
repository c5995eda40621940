// PhotoKit's names begin with capital letters.
// swift-format-ignore-file: AlwaysUseLowerCamelCase

// PhotoKit's requests for pictures, with sizes of CGSize and dictionaries of information. Their handlers are called
// on the main thread, and may use what belongs to it.

/// The target size that asks for a photo in its full size.
public let PHImageManagerMaximumSize = CGSize(width: -1, height: -1)

/// Whether the picture has fewer pixels than the program asked for: a `Bool`.
public let PHImageResultIsDegradedKey = "PHImageResultIsDegradedKey"
/// The request: a `PHImageRequestID`.
public let PHImageResultRequestIDKey = "PHImageResultRequestIDKey"
/// Whether the photo has to be loaded first: always `false`.
public let PHImageResultIsInCloudKey = "PHImageResultIsInCloudKey"
/// Whether the request was cancelled: a `Bool`.
public let PHImageCancelledKey = "PHImageCancelledKey"
/// Why there is no picture: a `PHPhotosError`.
public let PHImageErrorKey = "PHImageErrorKey"
/// Why there is no input: a `PHPhotosError`.
public let PHContentEditingInputErrorKey = "PHContentEditingInputErrorKey"
/// Whether the request was cancelled: a `Bool`.
public let PHContentEditingInputCancelledKey = "PHContentEditingInputCancelledKey"
/// Whether the photo has to be loaded first: always `false`.
public let PHContentEditingInputResultIsInCloudKey = "PHContentEditingInputResultIsInCloudKey"

extension PixelSize {
  /// The pixels of a size that a program asks for; a size that no picture has becomes 0, which is an error.
  init(_ size: CGSize) {
    if size == PHImageManagerMaximumSize {
      self = imageManagerMaximumSize
      return
    }
    func side(_ length: CGFloat) -> Int {
      guard length >= 1 else { return 0 }
      return Int(min(Double(length).rounded(), Double(Int32.max)))
    }
    self.init(width: side(size.width), height: side(size.height))
  }
}

extension ImageRequestInfo {
  /// The information in PhotoKit's form.
  var dictionary: [AnyHashable: Any] {
    var dictionary: [AnyHashable: Any] = [
      PHImageResultRequestIDKey: requestID, PHImageResultIsDegradedKey: isDegraded,
      PHImageResultIsInCloudKey: false, PHImageCancelledKey: isCancelled,
    ]
    if let error, !isCancelled { dictionary[PHImageErrorKey] = error }
    return dictionary
  }
}

extension ContentEditingInputRequestInfo {
  /// The information for one of PhotoKit's keys.
  public subscript(key: String) -> Any? {
    switch key {
    case PHContentEditingInputErrorKey: isCancelled ? nil : error
    case PHContentEditingInputCancelledKey: isCancelled
    case PHContentEditingInputResultIsInCloudKey: false
    default: nil
    }
  }
}

/// A program's handler on its way to the thread that calls it.
struct CarriedHandler<Handler>: @unchecked Sendable {
  // A handler is called on the main thread only, or by a synchronous request on the thread that made it; a frame
  // processor is called by one thread at a time.
  let handler: Handler
}

extension ImageManager {
  /// Asks for the picture of a photo.
  ///
  /// - Parameters:
  ///   - targetSize: In pixels, or `PHImageManagerMaximumSize`.
  ///   - resultHandler: Called with each picture and its information on the main thread, which must not wait for
  ///     it; by a synchronous request on the calling thread.
  @discardableResult
  public func requestImage(
    for asset: PHAsset, targetSize: CGSize, contentMode: PHImageContentMode,
    options: PHImageRequestOptions?,
    resultHandler: @escaping (DisplayImage?, [AnyHashable: Any]?) -> Void
  ) -> PHImageRequestID {
    let (options, carried) = (options?.copy(), CarriedHandler(handler: resultHandler))
    let isSynchronous = options?.isSynchronous ?? false
    return requestImage(
      for: asset, targetSize: PixelSize(targetSize), contentMode: contentMode, options: options
    ) { image, info in
      if isSynchronous { return carried.handler(image, info.dictionary) }
      DispatchQueue.main.async { carried.handler(image, info.dictionary) }
    }
  }

  /// Asks for the bytes of a photo's file: the render for the current version of an edited photo, otherwise
  /// the original.
  ///
  /// - Parameter resultHandler: Called with the bytes, their uniform type identifier, the orientation that the
  ///   pixels still need, and the information, on the same thread as that of a picture.
  @discardableResult
  public func requestImageDataAndOrientation(
    for asset: PHAsset, options: PHImageRequestOptions?,
    resultHandler:
      @escaping (Data?, String?, CGImagePropertyOrientation, [AnyHashable: Any]?) -> Void
  ) -> PHImageRequestID {
    let (options, carried) = (options?.copy(), CarriedHandler(handler: resultHandler))
    let isSynchronous = options?.isSynchronous ?? false
    return requestImageData(for: asset, options: options) { data, info in
      let orientation =
        data.flatMap { CGImagePropertyOrientation(rawValue: UInt32($0.orientation)) } ?? .up
      if isSynchronous {
        return carried.handler(data?.data, data?.contentType, orientation, info.dictionary)
      }
      DispatchQueue.main.async {
        carried.handler(data?.data, data?.contentType, orientation, info.dictionary)
      }
    }
  }
}

extension ImageManager {
  /// Asks for the Live Photo that an asset is.
  ///
  /// - Parameters:
  ///   - targetSize: Has no effect: a Live Photo is its files, which are whole.
  ///   - contentMode: Has no effect.
  ///   - options: Only the version counts.
  ///   - resultHandler: Called once on the main thread, which must not wait for it.
  @discardableResult
  public func requestLivePhoto(
    for asset: PHAsset, targetSize: CGSize, contentMode: PHImageContentMode,
    options: PHLivePhotoRequestOptions?,
    resultHandler: @escaping (PHLivePhoto?, [AnyHashable: Any]?) -> Void
  ) -> PHImageRequestID {
    let carried = CarriedHandler(handler: resultHandler)
    return requestLivePhoto(for: asset, options: options?.copy()) { live, info in
      DispatchQueue.main.async { carried.handler(live, info.dictionary) }
    }
  }
}

extension Asset {
  /// PhotoKit's name of `AssetPlaybackStyle`.
  public typealias PlaybackStyle = AssetPlaybackStyle
}

extension LivePhoto {
  /// Width and height of the upright still in pixels.
  public var size: CGSize { CGSize(width: pixelWidth, height: pixelHeight) }
}

/// Reports how far a photo has been loaded from elsewhere.
public typealias PHAssetImageProgressHandler =
  @Sendable (Double, (any Error)?, UnsafeMutablePointer<ObjCBool>, [AnyHashable: Any]?) -> Void

extension ImageRequestOptions {
  /// Never called, and not kept: no photo has to be loaded from elsewhere.
  public var progressHandler: PHAssetImageProgressHandler? {
    get { nil }
    set {}
  }
}

extension ContentEditingInputRequestOptions {
  /// Never called, and not kept: no photo has to be loaded from elsewhere.
  public var progressHandler: (@Sendable (Double, UnsafeMutablePointer<ObjCBool>) -> Void)? {
    get { nil }
    set {}
  }
}

extension CachingImageManager {
  /// Makes the pictures of photos ahead.
  public func startCachingImages(
    for assets: [PHAsset], targetSize: CGSize, contentMode: PHImageContentMode,
    options: PHImageRequestOptions?
  ) {
    startCachingImages(
      for: assets, targetSize: PixelSize(targetSize), contentMode: contentMode, options: options)
  }

  /// Drops the pictures of photos, made or not.
  public func stopCachingImages(
    for assets: [PHAsset], targetSize: CGSize, contentMode: PHImageContentMode,
    options: PHImageRequestOptions?
  ) {
    stopCachingImages(
      for: assets, targetSize: PixelSize(targetSize), contentMode: contentMode, options: options)
  }
}

/// How the pixels of a file have to be turned and mirrored to be upright; the numbers are EXIF's.
public enum CGImagePropertyOrientation: UInt32, Sendable, Hashable, CaseIterable {
  /// As stored.
  case up = 1
  /// Mirrored from left to right.
  case upMirrored = 2
  /// Turned by half.
  case down = 3
  /// Mirrored from top to bottom.
  case downMirrored = 4
  /// Mirrored along the diagonal from the upper left.
  case leftMirrored = 5
  /// To be turned to the right by a quarter.
  case right = 6
  /// Mirrored along the other diagonal.
  case rightMirrored = 7
  /// To be turned to the left by a quarter.
  case left = 8
}
