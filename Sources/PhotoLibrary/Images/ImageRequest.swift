import PhotoEditing
import SafelightFiles
import Synchronization

/// The target size that asks for a photo in its full size; see
/// ``ImageManager/requestImage(for:targetSize:contentMode:options:)``.
public let imageManagerMaximumSize = PixelSize(width: .max, height: .max)

/// How a picture fills the target size; the numbers are PhotoKit's.
public enum ImageContentMode: Int, Sendable, Hashable, CaseIterable, Codable {
  /// The whole picture fits inside the size.
  case aspectFit = 0
  /// The picture covers the size.
  case aspectFill = 1

  /// The mode that PhotoKit uses when nothing else is said: ``aspectFit``.
  public static let `default` = aspectFit
}

/// The options of a request for a picture; the numbers are PhotoKit's.
///
/// ```swift
/// let options = ImageRequestOptions()
/// options.resizeMode = .exact
/// let image = try await manager.requestImage(
///   for: asset, targetSize: PixelSize(width: 200, height: 200), contentMode: .aspectFill,
///   options: options)
/// ```
///
/// Options are a reference, as in PhotoKit. A request takes the values that they have at the call.
public final class ImageRequestOptions: Sendable {
  /// A form of a photo.
  public enum Version: Int, Sendable, Hashable, CaseIterable, Codable {
    /// With its edit.
    case current = 0
    /// Without its edit.
    case unadjusted = 1
    /// The original in its best form. A library has one file of each original, so this is the photo
    /// without its edit.
    case original = 2
  }

  /// How quality and waiting are weighed.
  public enum DeliveryMode: Int, Sendable, Hashable, CaseIterable, Codable {
    /// A degraded picture at once when there is one, then the picture in good quality. The degraded picture
    /// is a smaller one that this process made or found lately, or the camera's thumbnail.
    case opportunistic = 0
    /// One picture, in good quality.
    case highQualityFormat = 1
    /// One picture, whichever is ready first; it may be degraded.
    case fastFormat = 2
  }

  /// How exactly the picture has the target size. Has no effect with ``imageManagerMaximumSize``.
  public enum ResizeMode: Int, Sendable, Hashable, CaseIterable, Codable {
    /// The photo's own pixels, or the mean of squares of them: full size, a half, a quarter or an eighth
    /// along each side; the smallest that is not below the target size.
    case none = 0
    /// The target size, or full size for a smaller photo. A picture that fills the size is longer along
    /// one side.
    case fast = 1
    /// Exactly the target size: small photos are enlarged, and a picture that fills the size is cut on
    /// two sides. A picture that fits has the size along one side and is shorter along the other.
    case exact = 2
  }

  private struct Values {
    var version = Version.current
    var deliveryMode = DeliveryMode.opportunistic
    var resizeMode = ResizeMode.none
    var normalizedCropRect: NormalizedRect?
    var isSynchronous = false
    var isNetworkAccessAllowed = false
  }

  private let values: Mutex<Values>

  /// The form of the photo.
  public var version: Version {
    get { values.withLock(\.version) }
    set { values.withLock { $0.version = newValue } }
  }
  /// How quality and waiting are weighed.
  public var deliveryMode: DeliveryMode {
    get { values.withLock(\.deliveryMode) }
    set { values.withLock { $0.deliveryMode = newValue } }
  }
  /// How exactly the picture has the target size.
  public var resizeMode: ResizeMode {
    get { values.withLock(\.resizeMode) }
    set { values.withLock { $0.resizeMode = newValue } }
  }
  /// The part of the upright picture that is kept before the picture is resized; `nil` keeps all. Has an
  /// effect only when ``resizeMode-swift.property`` is ``ResizeMode-swift.enum/exact``.
  public var normalizedCropRect: NormalizedRect? {
    get { values.withLock(\.normalizedCropRect) }
    set { values.withLock { $0.normalizedCropRect = newValue } }
  }
  /// Whether the handler is called before the request returns: once, on the calling thread, with the
  /// picture in good quality, for every ``deliveryMode-swift.property``. This blocks the thread, so
  /// tasks await requests instead; requests that are awaited ignore this option.
  public var isSynchronous: Bool {
    get { values.withLock(\.isSynchronous) }
    set { values.withLock { $0.isSynchronous = newValue } }
  }
  /// Has no effect: photos are on this computer.
  public var isNetworkAccessAllowed: Bool {
    get { values.withLock(\.isNetworkAccessAllowed) }
    set { values.withLock { $0.isNetworkAccessAllowed = newValue } }
  }

  /// PhotoKit's own choices.
  public init() { values = Mutex(Values()) }

  private init(_ values: Values) { self.values = Mutex(values) }

  /// Options with the same values, which a program can change on their own.
  public func copy() -> ImageRequestOptions { ImageRequestOptions(values.withLock(\.self)) }
}

extension PictureRequest {
  /// What a program asks an image manager for.
  init(
    targetSize: PixelSize, contentMode: ImageContentMode, options: ImageRequestOptions,
    _ urgency: Urgency = .requested
  ) {
    self.init(options.version == .current ? .present : .original)
    self.urgency = urgency
    if targetSize != imageManagerMaximumSize {
      fit.target = targetSize
      fit.fills = contentMode == .aspectFill
    }
    switch options.resizeMode {
    case .none: fit.exactness = .powersOfTwo
    case .fast: fit.exactness = .close
    case .exact:
      fit.exactness = .exact
      fit.crop = options.normalizedCropRect ?? .whole
    }
  }

  /// - Throws: ``PhotoLibraryError/invalidValue(_:)`` for a size that no picture has, as views have before
  ///   they are laid out, and for a crop that keeps nothing.
  func check() throws(PhotoLibraryError) {
    guard fit.crop.width > 0, fit.crop.height > 0 else {
      throw .invalidValue("The crop keeps no part of the picture.")
    }
    guard let target = fit.target, target.width <= 0 || target.height <= 0 else { return }
    throw .invalidValue("There is no picture of \(target.width) × \(target.height) pixels.")
  }
}
