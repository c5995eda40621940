import PhotoEditing
import SafelightFiles
import SafelightRendering
import SafelightStorage

/// The target size that asks for a photo in its full size; see
/// ``ImageManager/requestImage(for:targetSize:contentMode:options:)``.
public let imageManagerMaximumSize = PixelSize(width: .max, height: .max)

/// How a picture fills the target size; the numbers are PhotoKit's.
public enum ImageContentMode: Int, Sendable, Hashable, CaseIterable {
  /// The whole picture fits inside the size.
  case aspectFit = 0
  /// The picture covers the size.
  case aspectFill = 1
}

/// The options of a request for a picture; the numbers are PhotoKit's.
///
/// ```swift
/// var options = ImageRequestOptions()
/// options.resizeMode = .exact
/// let image = try await manager.requestImage(
///   for: asset, targetSize: PixelSize(width: 200, height: 200), contentMode: .aspectFill,
///   options: options)
/// ```
public struct ImageRequestOptions: Sendable, Hashable {
  /// A form of a photo.
  public enum Version: Int, Sendable, Hashable, CaseIterable {
    /// With its edit.
    case current = 0
    /// Without its edit.
    case unadjusted = 1
    /// The original in its best form. A library has one file of each original, so this is the photo
    /// without its edit.
    case original = 2
  }

  /// How quality and waiting are weighed.
  public enum DeliveryMode: Int, Sendable, Hashable, CaseIterable {
    /// A degraded picture at once when there is one, then the picture in good quality.
    case opportunistic = 0
    /// One picture, in good quality.
    case highQualityFormat = 1
    /// One picture, whichever is ready first; it may be degraded.
    case fastFormat = 2
  }

  /// How exactly the picture has the target size. Has no effect with ``imageManagerMaximumSize``.
  public enum ResizeMode: Int, Sendable, Hashable, CaseIterable {
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

  /// The form of the photo.
  public var version = Version.current
  /// How quality and waiting are weighed.
  public var deliveryMode = DeliveryMode.opportunistic
  /// How exactly the picture has the target size.
  public var resizeMode = ResizeMode.none
  /// The part of the upright picture that is kept before the picture is resized; `nil` keeps all. Has an
  /// effect only when ``resizeMode-swift.property`` is ``ResizeMode-swift.enum/exact``.
  public var normalizedCropRect: NormalizedRect?
  /// Whether the handler is called before the request returns: once, on the calling thread, with the
  /// picture in good quality, for every ``deliveryMode-swift.property``. This blocks the thread, so
  /// tasks await requests instead; requests that are awaited ignore this option.
  public var isSynchronous = false

  /// PhotoKit's own choices.
  public init() {}
}

/// Everything except the photo's files that decides a picture's pixels.
struct ImageRecipe: Sendable, Hashable {
  let showsEdit: Bool
  let fit: DisplayFit

  init(
    targetSize: PixelSize, contentMode: ImageContentMode, options: ImageRequestOptions
  ) {
    precondition(
      targetSize.width > 0 && targetSize.height > 0,
      "A picture of \(targetSize.width) × \(targetSize.height) pixels was asked for.")
    showsEdit = options.version == .current
    var fit = DisplayFit()
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
    self.fit = fit
  }

  private var text: String {
    let (crop, target) = (fit.crop, fit.target)
    return """
      \(showsEdit) \(target?.width ?? 0) \(target?.height ?? 0) \(fit.fills) \
      \(fit.exactness.rawValue) \(crop.x) \(crop.y) \(crop.width) \(crop.height)
      """
  }

  /// The key of the picture of a photo whose files have this stamp.
  func key(of stamp: PhotoStamp) -> ImageKey {
    let stamp = showsEdit ? stamp : stamp.withoutEdit
    let head = "\(ImageKey.form) \(PhotoEditor.rendererVersion) \(text)\n"
    return ImageKey(digest: SHA256.digest(of: Array(head.utf8) + stamp.bytes))
  }
}

/// A hash of everything that decides a picture's pixels: the stamps of the original and of its edit's
/// record, size and resize mode, version, and the renderer's revision.
struct ImageKey: Sendable, Hashable {
  /// The revision of how pictures are made and stored. Pictures of another revision are not found.
  static let form = 1

  let digest: Digest
}
