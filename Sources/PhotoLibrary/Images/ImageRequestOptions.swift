import PhotoEditing

/// What an image manager asks for when it wants a photo as large as it is; see
/// ``ImageManager/requestImage(for:targetSize:contentMode:options:)``.
public let imageManagerMaximumSize = PixelSize(width: .max, height: .max)

/// How a picture fills the size that is asked for; the numbers are PhotoKit's.
public enum ImageContentMode: Int, Sendable, Hashable, CaseIterable {
  /// The whole picture lies inside the size.
  case aspectFit = 0
  /// The picture covers the size.
  case aspectFill = 1
}

/// How a picture of a photo is asked for; the numbers are PhotoKit's.
public struct ImageRequestOptions: Sendable, Hashable {
  /// Which form of a photo is shown.
  public enum Version: Int, Sendable, Hashable, CaseIterable {
    /// With its edit.
    case current = 0
    /// Without its edit.
    case unadjusted = 1
    /// The original in the best form that there is: without its edit, since a library has one file of
    /// each original.
    case original = 2
  }

  /// What is weighed against the wait.
  public enum DeliveryMode: Int, Sendable, Hashable, CaseIterable {
    /// A degraded picture at once where there is one, then the good one.
    case opportunistic = 0
    /// One picture, the good one.
    case highQualityFormat = 1
    /// One picture, the one that is there first; it may be degraded.
    case fastFormat = 2
  }

  /// How exactly the size is met. It plays no part at ``imageManagerMaximumSize``.
  public enum ResizeMode: Int, Sendable, Hashable, CaseIterable {
    /// The photo's own pixels, or the mean of squares of them: the whole photo, a half, a quarter or
    /// an eighth along each side, the smallest that is not below the size.
    case none = 0
    /// As large as asked for, or all that there is of a smaller photo. A picture that fills the size
    /// is longer along one side.
    case fast = 1
    /// Exactly the size: small photos are enlarged, and a picture that fills loses what is too much
    /// on two sides. One that fits has the size along one side and less along the other.
    case exact = 2
  }

  /// Which form of the photo is shown.
  public var version = Version.current
  /// What is weighed against the wait.
  public var deliveryMode = DeliveryMode.opportunistic
  /// How exactly the size is met.
  public var resizeMode = ResizeMode.none
  /// What is kept of the upright picture before it is brought to its size; `nil` for all of it. Only
  /// where ``resizeMode-swift.property`` is ``ResizeMode-swift.enum/exact``.
  public var normalizedCropRect: NormalizedRect?
  /// Whether the handler is called before the request returns, once, on the calling thread, with the
  /// good picture, whatever ``deliveryMode-swift.property`` says. Blocks the thread, so not for tasks
  /// of Swift's, where requests are awaited instead; those do not look at it.
  public var isSynchronous = false

  /// PhotoKit's own choices.
  public init() {}
}
