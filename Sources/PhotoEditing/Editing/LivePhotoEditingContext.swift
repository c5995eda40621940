import FoundationEssentials
import SafelightFiles
import SafelightRendering
import Synchronization

/// One picture of a Live Photo, on its way through a frame processor: the still, or a frame of the video.
public struct LivePhotoFrame: Sendable {
  /// What a frame is of.
  public enum FrameType: Int, Sendable, Hashable, CaseIterable {
    /// The still. The numbers are PhotoKit's.
    case photo = 0
    /// The video.
    case video = 1
  }

  /// The pixels, upright.
  public let image: DisplayImage
  /// When it is shown, in seconds from the video's beginning; of a still whose moment nothing says, 0.
  public let time: Double
  /// Whether it is the still or a frame of the video.
  public let type: FrameType
  /// The longer side of the frame, as a share of the longer side that the still has in full size. Multiply lengths in pixels
  /// with it, such as the radius of a blur, and all frames look alike.
  public let renderScale: Double

  /// A frame.
  public init(image: DisplayImage, time: Double, type: FrameType, renderScale: Double) {
    (self.image, self.time, self.type, self.renderScale) = (image, time, type, renderScale)
  }
}

/// Why a Live Photo has no edit by a frame processor.
public enum LivePhotoEditingError: Error, Sendable, Hashable, CustomStringConvertible {
  /// The frame processor gave nothing for the still, or for the frame of the video that is shown at this second.
  case noImage(type: LivePhotoFrame.FrameType, time: Double)
  /// A frame has not the size of the video's first one.
  case differentSize(PixelSize, expected: PixelSize, time: Double)
  /// The video cannot be edited; `reason` says why, as the end of a sentence.
  case video(path: FilePath, reason: String)
  /// Sound is kept, at 1, or left out, at 0.
  case audioVolume(Float)
  /// The output was made for another photo than the context.
  case otherPhoto

  /// What happened, in one sentence.
  public var description: String {
    switch self {
    case .noImage(.photo, _): "The frame processor gave no picture for the still."
    case .noImage(.video, let time):
      "The frame processor gave no picture for the frame at \(time.decimal(digits: 3)) s."
    case .differentSize(let size, let expected, let time):
      """
      The frame at \(time.decimal(digits: 3)) s has \(size.width) × \(size.height) pixels, and the video's first one has \
      \(expected.width) × \(expected.height).
      """
    case .video(let path, let reason): "The video of \(path) cannot be edited: \(reason)."
    case .audioVolume(let volume):
      "Sound is kept as it is, with the volume 1, or left out, with 0; it cannot have \(volume)."
    case .otherPhoto: "The output is for another photo than the one that is edited."
    }
  }
}

/// Edits a Live Photo or a motion photo frame by frame, as a program wants: the still and its video together.
///
/// ```swift
/// if let context = LivePhotoEditingContext(livePhotoEditingInput: input) {
///   context.frameProcessor = { frame in
///     let image = frame.image
///     return DisplayImage(
///       width: image.width, height: image.height, pixels: image.pixels.map { 255 - $0 })
///   }
///   let output = ContentEditingOutput(contentEditingInput: input)
///   output.adjustmentData = data
///   try await context.saveLivePhoto(to: output)
///   try await editor.commit(output)
/// }
/// ```
///
/// Sound, times, the moment of the still, content identifier, date and place stay as they are. Frames of the video come with
/// its own colors as red, green and blue, 8 bits each, and go back into as many bits as the camera's. Videos are decoded and
/// coded by ffmpeg, which has no rights; see <doc:VideosOfPhotos> for what it needs, and for videos that cannot be edited.
///
/// A context is a reference, as in PhotoKit. Its calls take the processor and the volume that it has at the call.
public final class LivePhotoEditingContext: Sendable {
  /// Makes a picture of a frame.
  ///
  /// It is called for the still first, then for the frames of the video in order, on the thread of the editor. A picture of
  /// the still may have any size; those of the video have one size, and an odd side of it loses its last column or row.
  /// What it throws ends the work; `nil` is ``LivePhotoEditingError/noImage(type:time:)``.
  public typealias FrameProcessor = @Sendable (LivePhotoFrame) throws -> DisplayImage?

  private struct Values {
    var frameProcessor: FrameProcessor?
    var audioVolume: Float = 1
    /// What ends the calls that run, by their numbers.
    var running: [Int: @Sendable () -> Void] = [:]
    var last = 0
    /// The files of the Live Photo that was prepared last.
    var playback: RenderFolder?
  }

  private let values = Mutex(Values())
  private let input: ContentEditingInput
  private let livePhoto: LivePhoto

  /// A context for the Live Photo or motion photo of an input; `nil` for another photo.
  public init?(livePhotoEditingInput input: ContentEditingInput) {
    guard let livePhoto = input.livePhoto else { return nil }
    (self.input, self.livePhoto) = (input, livePhoto)
  }

  /// What makes new frames; `nil` leaves all pictures as they are.
  public var frameProcessor: FrameProcessor? {
    get { values.withLock { $0.frameProcessor } }
    set { values.withLock { $0.frameProcessor = newValue } }
  }
  /// How loud the sound is: 1 keeps it byte for byte, 0 leaves it out; the calls refuse other numbers.
  public var audioVolume: Float {
    get { values.withLock { $0.audioVolume } }
    set { values.withLock { $0.audioVolume = newValue } }
  }
  /// How long the video plays, in seconds.
  public var duration: Double { livePhoto.video.duration }
  /// When the still was taken, in seconds from the video's beginning; `nil` when nothing says it.
  public var photoTime: Double? { livePhoto.video.stillImageTime }
  /// The EXIF orientation that the pictures need: always 1, since they are upright.
  public var orientation: Int32 { 1 }

  /// The still, as the frame processor gets it.
  ///
  /// - Throws: ``EditError``.
  public func fullSizeImage() async throws(EditError) -> DisplayImage {
    try await input.displayImage()
  }

  /// Makes a Live Photo with the present frame processor, to be played.
  ///
  /// - Parameter targetSize: Pictures that are larger come smaller, with the same shape, inside of this size; a video without
  ///   a frame processor has its own. `nil` keeps all sizes.
  /// - Returns: The Live Photo. Its files go with the context, or when another one is prepared.
  /// - Throws: As ``saveLivePhoto(to:)``.
  public func prepareLivePhotoForPlayback(
    targetSize: PixelSize? = nil
  ) async throws -> LivePhoto {
    let folder = RenderFolder()
    let made = try await make(
      in: folder, still: "still.jpg", video: "video.mov", fitting: targetSize)
    values.withLock { $0.playback = folder }
    return made.livePhoto
  }

  /// Writes still and video with the present frame processor to an output, which can then be committed.
  ///
  /// The still is a JPEG with the metadata of the pixels that the edit starts from, in sRGB. A save that fails leaves the
  /// output without a picture.
  ///
  /// - Parameter output: An output for the input that the context was made for.
  /// - Returns: What of the photo the still does not have, in sentences for people.
  /// - Throws: ``LivePhotoEditingError``, ``EditError``, or what the frame processor throws; ``EditError/cancelled(path:)``
  ///   when it was cancelled.
  @discardableResult
  public func saveLivePhoto(to output: ContentEditingOutput) async throws -> [String] {
    guard output.photo == input.photo else { throw LivePhotoEditingError.otherPhoto }
    output.dropLivePhoto()
    do {
      let made = try await make(
        in: output.folder, still: ContentEditingOutput.renderName,
        video: ContentEditingOutput.videoName, fitting: nil)
      output.hasLivePhoto = true
      return made.warnings
    } catch {
      output.dropLivePhoto()
      throw error
    }
  }

  /// Ends the calls that run. They throw ``EditError/cancelled(path:)``.
  public func cancel() {
    for end in values.withLock({ Array($0.running.values) }) { end() }
  }

  private func make(
    in folder: RenderFolder, still: FilePath, video: FilePath, fitting limit: PixelSize?
  ) async throws -> MadeLivePhoto {
    let (processor, volume) = values.withLock { ($0.frameProcessor, $0.audioVolume) }
    guard volume == 0 || volume == 1 else { throw LivePhotoEditingError.audioVolume(volume) }
    guard folder.isMade else {
      throw EditError.outputRefused(path: folder.path, problem: .noTemporaryFolder)
    }
    let order = LivePhotoOrder(
      input: input, livePhoto: livePhoto, process: processor, hasSound: volume == 1, limit: limit,
      still: folder.path.appending(still), video: folder.path.appending(video))
    let task = Task { [editor = input.editor] in try await editor.make(order) }
    let number = values.withLock { values in
      values.last += 1
      values.running[values.last] = { task.cancel() }
      return values.last
    }
    defer { values.withLock { _ = $0.running.removeValue(forKey: number) } }
    return try await withTaskCancellationHandler {
      try await task.value
    } onCancel: {
      task.cancel()
    }
  }
}
