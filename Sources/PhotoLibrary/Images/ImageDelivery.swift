import FoundationEssentials
import PhotoEditing

/// Names a request of an image manager; only that manager knows it.
public typealias ImageRequestID = Int32

/// The number that no request has.
public let invalidImageRequestID: ImageRequestID = 0

/// One picture that a request gave.
public struct ImageDelivery: Sendable, Hashable {
  /// The picture.
  public let image: DisplayImage
  /// Whether it stands for a better one: it has fewer pixels than were asked for.
  public let isDegraded: Bool
}

/// What an image manager says to a request's handler beside the picture.
public struct ImageRequestInfo: Sendable {
  /// The request.
  public let requestID: ImageRequestID
  /// Whether the picture stands for a better one, which follows unless the fastest was asked for.
  public let isDegraded: Bool
  /// Why there is no picture; `nil` where there is one.
  public let error: PhotoLibraryError?

  /// Whether there is no picture because the request was cancelled.
  public var isCancelled: Bool { error == .userCancelled }
}

/// The bytes of one of a photo's files.
public struct ImageData: Sendable, Hashable {
  /// The file, whole.
  public let data: Data
  /// Its uniform type identifier, such as `public.jpeg`.
  public let contentType: String
  /// The EXIF orientation, 1 to 8, that its pixels still need. HEIC and AVIF have 1, since their
  /// decoders turn the pixels.
  public let orientation: Int32
}
