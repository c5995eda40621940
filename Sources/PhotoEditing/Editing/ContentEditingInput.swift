import FoundationEssentials
import SafelightRendering
import SafelightStorage

/// How an editor asks for a photo to edit.
public struct ContentEditingInputRequestOptions: Sendable {
  /// Decides, from format identifier and version, whether the caller can read the photo's present
  /// edit and go on from it. `nil` means it cannot read any.
  ///
  /// Compare versions as `FormatVersion`: 1.10 is newer than 1.9. Not called when the photo has no
  /// edit.
  public var canHandleAdjustmentData: (@Sendable (AdjustmentData) -> Bool)?

  /// Options of an editor that can read no earlier edit, unless told otherwise.
  public init(canHandleAdjustmentData: (@Sendable (AdjustmentData) -> Bool)? = nil) {
    self.canHandleAdjustmentData = canHandleAdjustmentData
  }
}

/// What an edit starts from: pixels, and the earlier edit if the caller can read it.
///
/// When the caller can handle the photo's present edit, the image is the one that edit started
/// from, and ``adjustmentData`` holds the edit, to be revised. Otherwise the image is the present
/// render and ``adjustmentData`` is `nil`: the new edit goes on top, and committing it keeps those
/// pixels as the asset's base photo.
public struct ContentEditingInput: Sendable {
  /// The photo.
  public let asset: Photo
  /// The present edit, when the caller can handle it.
  public let adjustmentData: AdjustmentData?
  /// The file with the pixels to start from, in its own format and size. Only to be read.
  public let fullSizeImagePath: FilePath
  /// The uniform type identifier of that file, such as `public.jpeg`.
  public let contentType: String
  /// The EXIF orientation, 1 to 8, that the file's pixels still need; they are not rotated. HEIC
  /// and AVIF have 1, since their decoders turn the pixels.
  public let fullSizeImageOrientation: Int32
  /// Width and height of the file's pixels, as stored.
  public let pixelSize: PixelSize
  /// When the original was taken; `nil` when it does not say.
  public let creationDate: Date?
  /// Where the original was taken; `nil` when it does not say.
  public let location: PhotoFacts.Location?

  /// Which of the asset's files the edit starts from.
  enum Start: Sendable, Hashable {
    case original
    case base
    case render
  }

  let start: Start
  /// Length and time of the original when the input was made.
  let original: OriginalStamp
  /// The edit that was there when the input was made.
  let edit: EditIdentity?
  /// The editor that made the input.
  let editor: PhotoEditor

  /// The URL of ``fullSizeImagePath``.
  public var fullSizeImageURL: URL { fullSizeImagePath.fileURL }

  /// An upright JPEG of the input for the screen, without any edit. Not for the final render.
  ///
  /// - Parameter longestSide: Most pixels along the longer side.
  /// - Throws: ``EditError``.
  public func displaySizeImage(longestSide: Int = 1024) async throws -> Data {
    try await editor.preview(of: fullSizeImagePath, longestSide: longestSide)
  }
}

/// Tells an original from another that took its place.
struct OriginalStamp: Sendable, Hashable {
  let size: Int64
  let modified: FileStatus.Time

  init(_ original: OriginalFile) {
    size = original.status.size
    modified = original.status.modified
  }
}

/// Tells one stored edit of a photo from another.
struct EditIdentity: Sendable, Hashable {
  let adjustmentData: AdjustmentData
  let render: Digest?
  let date: Date?

  init?(_ record: Record?) {
    guard let record else { return nil }
    adjustmentData = record.adjustmentData
    render = record.render?.file.sha256
    date = record.timestamp
  }
}
