// PhotoKit's names begin with capital letters.
// swift-format-ignore-file: AlwaysUseLowerCamelCase

/// Makes a picture of a frame. Without one, and with an error at the pointer, the edit ends with the error.
public typealias PHLivePhotoFrameProcessingBlock =
  (PHLivePhotoFrame, UnsafeMutablePointer<NSError?>?) -> DisplayImage?

/// `LivePhotoEditingContext` of PhotoLibraryKit with PhotoKit's forms of calls.
///
/// Pictures are a `DisplayImage` each, and upright; times are seconds.
public final class PHLivePhotoEditingContext {
  private let context: LivePhotoEditingContext

  /// A context for the Live Photo of an input; `nil` for another photo.
  public init?(livePhotoEditingInput input: PHContentEditingInput) {
    guard let context = LivePhotoEditingContext(livePhotoEditingInput: input) else { return nil }
    self.context = context
  }

  /// What makes new frames: of the still first, then of the video in order, on a thread of its own, one frame at a time.
  /// `nil` leaves all pictures as they are.
  public var frameProcessor: PHLivePhotoFrameProcessingBlock? {
    didSet {
      guard let carried = frameProcessor.map({ CarriedHandler(handler: $0) }) else {
        context.frameProcessor = nil
        return
      }
      context.frameProcessor = { frame in
        var error: NSError?
        let image = carried.handler(frame, &error)
        if image == nil, let error { throw error }
        return image
      }
    }
  }
  /// How loud the sound is: 1 keeps it byte for byte, 0 leaves it out; the calls refuse other numbers.
  public var audioVolume: Float {
    get { context.audioVolume }
    set { context.audioVolume = newValue }
  }
  /// How long the video plays, in seconds.
  public var duration: Double { context.duration }
  /// When the still was taken, in seconds from the video's beginning; `nil` when nothing says it.
  public var photoTime: Double? { context.photoTime }
  /// How the pictures have to be turned: always up.
  public var orientation: CGImagePropertyOrientation { .up }

  /// The still, as the frame processor gets it; `nil` when it cannot be read. It is made at each call, which waits for it.
  public var fullSizeImage: DisplayImage? {
    let (context, found) = (context, FoundImage())
    Task.detached {
      found.image = try? await context.fullSizeImage()
      found.done.signal()
    }
    found.done.wait()
    return found.image
  }

  /// Makes a Live Photo with the frame processor, to be played.
  ///
  /// - Parameters:
  ///   - targetSize: In pixels, or `PHImageManagerMaximumSize`. Pictures that are larger come smaller, inside of this size.
  ///   - options: Has no effect.
  ///   - completionHandler: Called once on the main thread, with the Live Photo or the reason why there is none. Its files go
  ///     with the context.
  public func prepareLivePhotoForPlayback(
    withTargetSize targetSize: CGSize, options: [String: Any]? = nil,
    completionHandler: @escaping (PHLivePhoto?, (any Error)?) -> Void
  ) {
    let (context, carried) = (context, CarriedHandler(handler: completionHandler))
    let size = targetSize == PHImageManagerMaximumSize ? nil : PixelSize(targetSize)
    Self.answer {
      try await context.prepareLivePhotoForPlayback(targetSize: size)
    } with: { outcome in
      switch outcome {
      case .success(let live): carried.handler(live, nil)
      case .failure(let error): carried.handler(nil, error)
      }
    }
  }

  /// Writes still and video with the frame processor to an output, which can then be committed.
  ///
  /// - Parameters:
  ///   - output: An output for the input that the context was made for.
  ///   - options: Has no effect.
  ///   - completionHandler: Called once on the main thread, with whether all was written, and the reason why not.
  public func saveLivePhoto(
    to output: PHContentEditingOutput, options: [String: Any]? = nil,
    completionHandler: @escaping (Bool, (any Error)?) -> Void
  ) {
    let (context, carried) = (context, CarriedHandler(handler: completionHandler))
    Self.answer {
      _ = try await context.saveLivePhoto(to: output)
    } with: { outcome in
      switch outcome {
      case .success: carried.handler(true, nil)
      case .failure(let error): carried.handler(false, error)
      }
    }
  }

  /// Ends the calls that run. Their handlers get `PHPhotosError.userCancelled`.
  public func cancel() { context.cancel() }

  /// Does work, and hands its outcome on in the main thread.
  private static func answer<Value: Sendable>(
    _ work: @escaping @Sendable () async throws -> Value,
    with handler: @escaping @Sendable (Result<Value, any Error>) -> Void
  ) {
    Task.detached {
      let outcome: Result<Value, any Error>
      do {
        outcome = .success(try await work())
      } catch {
        outcome = .failure(inPhotoKitsTerms(error))
      }
      DispatchQueue.main.async { handler(outcome) }
    }
  }

  /// Errors of an edit as those of the library; errors of frames, and those of the frame processor, as they are.
  private static func inPhotoKitsTerms(_ error: any Error) -> any Error {
    (error as? EditError).map { PhotoLibraryError($0) } ?? error
  }
}

/// A picture that a thread waits for, which reads it when it is there.
private final class FoundImage: @unchecked Sendable {
  var image: DisplayImage?
  let done = DispatchSemaphore(value: 0)
}
