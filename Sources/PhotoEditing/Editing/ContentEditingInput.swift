import FoundationEssentials
import SafelightDarkroom
import SafelightFiles
import SafelightMetadata
import SafelightRendering
import SafelightStorage
import Synchronization

/// How an editor asks for a photo to edit.
///
/// ```swift
/// let options = ContentEditingInputRequestOptions()
/// options.canHandleAdjustmentData = { data in
///   data.formatIdentifier == "com.example.sketch" && FormatVersion(data.formatVersion)?.major == 1
/// }
/// let input = try await editor.contentEditingInput(for: photo, options: options)
/// ```
///
/// Options are a reference, as in PhotoKit. A request takes the values that they have at the call.
public final class ContentEditingInputRequestOptions: Sendable {
  private struct Values {
    var canHandleAdjustmentData: (@Sendable (AdjustmentData) -> Bool)?
    var isNetworkAccessAllowed = false
  }

  private let values: Mutex<Values>

  /// Decides, from format identifier and version, whether the caller can read the photo's present
  /// edit and go on from it. `nil` means it cannot read any.
  ///
  /// Compare versions as `FormatVersion`: 1.10 is newer than 1.9. Not called when the photo has no
  /// edit.
  public var canHandleAdjustmentData: (@Sendable (AdjustmentData) -> Bool)? {
    get { values.withLock { $0.canHandleAdjustmentData } }
    set { values.withLock { $0.canHandleAdjustmentData = newValue } }
  }
  /// Has no effect: photos are on this computer.
  public var isNetworkAccessAllowed: Bool {
    get { values.withLock { $0.isNetworkAccessAllowed } }
    set { values.withLock { $0.isNetworkAccessAllowed = newValue } }
  }

  /// Options; by default those of an editor that can read no earlier edit.
  public init(canHandleAdjustmentData: (@Sendable (AdjustmentData) -> Bool)? = nil) {
    values = Mutex(Values(canHandleAdjustmentData: canHandleAdjustmentData))
  }
}

/// What an edit starts from: pixels, and the earlier edit if the caller can read it.
///
/// When the caller can handle the photo's present edit, the image is the one that edit started
/// from, and ``adjustmentData`` holds the edit, to be revised. Otherwise the image is the present
/// render and ``adjustmentData`` is `nil`: the new edit goes on top, and committing it keeps those
/// pixels as the photo's base photo.
///
/// ```swift
/// let input = try await editor.contentEditingInput(for: photo)
/// let output = ContentEditingOutput(contentEditingInput: input)
/// output.adjustmentData = AdjustmentData(
///   formatIdentifier: "com.example.sketch", formatVersion: "1.0", data: parameters)
/// try sketch(input.fullSizeImageURL).write(to: output.renderedContentURL)  // an upright JPEG
/// try await editor.commit(output)
/// ```
public struct ContentEditingInput: Sendable {
  /// The photo.
  public let photo: Photo
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

  let start: EditStart
  /// The present edit's video; `nil` when it has none in a file of its own.
  let editedVideo: FilePath?
  /// What the photo was when the input was made.
  let moment: PhotoMoment
  /// The editor that made the input.
  let editor: PhotoEditor

  /// The URL of ``fullSizeImagePath``.
  public var fullSizeImageURL: URL { fullSizeImagePath.fileURL }

  /// An upright JPEG of the input for the screen, without any edit. Not for the final render.
  ///
  /// - Parameter longestSide: Most pixels along the longer side; below 1 is taken as 1.
  /// - Throws: ``EditError``.
  public func displaySizeImage(longestSide: Int = 1024) async throws -> Data {
    var request = PictureRequest()
    request.look = .file(
      RenderOutput(format: .jpeg, quality: 85, longestSide: max(longestSide, 1)))
    return Data(
      try await editor.picture(request, of: self, EditStack(), name: fullSizeImagePath).bytes)
  }
}

/// A photo and its edit at one moment, to find out later whether they changed.
struct PhotoMoment: Sendable, Hashable {
  let originalSize: Int64
  private let originalTime: FileStatus.Time
  private let adjustmentData: AdjustmentData?
  private let render: Digest?
  private let date: Date?

  init(originalSize: Int64, modified: FileStatus.Time, record: Record?) {
    self.originalSize = originalSize
    originalTime = modified
    adjustmentData = record?.adjustmentData
    render = record?.render?.file.sha256
    date = record?.timestamp
  }
}

extension PhotoEditor {
  /// Hands out what an edit of a photo starts from.
  ///
  /// - Parameters:
  ///   - photo: The photo.
  ///   - options: Which earlier edits the caller can go on from; `nil` is none.
  /// - Throws: ``EditError``: the photo is missing or no picture, its sidecar does not parse or
  ///   belongs to another photo, the original or the render changed since the edit.
  public func contentEditingInput(
    for photo: Photo, options: ContentEditingInputRequestOptions? = nil
  ) async throws(EditError) -> ContentEditingInput {
    try await reading(photo, canHandle: options?.canHandleAdjustmentData) { edit, _ in
      try edit.checkStart()
      let start = try edit.start()
      let original = try edit.originalFacts()
      let facts = try edit.pixels(of: start).header().facts
      return ContentEditingInput(
        photo: photo, adjustmentData: start.adjustmentData, fullSizeImagePath: start.path,
        contentType: facts.format.contentType,
        fullSizeImageOrientation: Int32(facts.orientation),
        pixelSize: PixelSize(width: facts.pixelWidth, height: facts.pixelHeight),
        creationDate: original.creationDate, location: original.location, start: start,
        editedVideo: edit.files.path(of: .video), moment: edit.files.moment, editor: self)
    }
  }
}
