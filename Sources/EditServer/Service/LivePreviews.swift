import PhotoEditing
import SafelightFiles
import SafelightRendering
import Synchronization

/// A photo that is open to be looked at with edits that are not committed.
///
/// The one place that knows how such pictures are made: what it does for each picture anew, a session that keeps the
/// photo decoded can do in its place.
struct LivePhoto: Sendable {
  /// A picture with the size of the whole render.
  struct Picture: Sendable {
    let jpeg: SharedBytes
    let size: PixelSize
    let photoSize: PixelSize
    let histogram: PhotoHistogram?
  }

  /// How a picture is made.
  struct Wish: Sendable {
    /// How large, and which part.
    let layout: @Sendable (PixelSize) -> DisplayLayout
    /// Of the JPEG, 1 to 100.
    let quality: Int
    /// Whether its codes are counted.
    var wantsHistogram = false
  }

  /// The photo's edit when it was opened; empty for a photo without one of Safelight's.
  let present: EditStack
  private let input: ContentEditingInput
  private let threads: Threads

  init(_ photo: ServedPhoto, _ threads: Threads) async throws {
    let options = ContentEditingInputRequestOptions()
    options.canHandleAdjustmentData = EditStack.canHandle
    input = try await PhotoEditor().contentEditingInput(for: photo.photo, options: options)
    present = try input.adjustmentData.map { try EditStack($0) } ?? EditStack()
    self.threads = threads
  }

  /// The photo with an edit, from the pixels that its edits start from.
  func picture(of stack: EditStack, _ wish: Wish) async throws -> Picture {
    try stack.checkSize()
    let (path, photo) = (input.fullSizeImagePath, input.photo.path)
    return try await threads.run { cancellation in
      do {
        let file = try FileSystem.real.openForReading(path)
        let source = PhotoSource(file, name: (path.lastComponent ?? path).string)
        let size = Mutex(PixelSize(width: 0, height: 0))
        let pixels = try PhotoDarkroom.current.displayPixels(
          of: source, edit: stack, cancellation: cancellation
        ) { whole in
          size.withLock { $0 = whole }
          return wish.layout(whole)
        }
        let image = DisplayImage(pixels)
        return Picture(
          jpeg: SharedBytes(try image.jpegBytes(quality: wish.quality)), size: image.size,
          photoSize: size.withLock(\.self),
          histogram: wish.wantsHistogram ? PhotoHistogram(pixels: image.pixels) : nil)
      } catch {
        throw EditError(error, path: photo)
      }
    }
  }
}

/// Previews of edits that are not committed. Of each session's previews the newest wins.
final class LivePreviews: Sendable {
  private struct Session {
    let photo: String
    let revision: String
    let open: Task<LivePhoto, any Error>
    var running: (number: Int, Task<LivePhoto.Picture, any Error>)?
    var last: Int
  }

  private struct State {
    var sessions: [String: Session] = [:]
    var numbers = 0
  }

  /// Most sessions that stay open.
  private static let limit = 16
  private let state = Mutex(State())
  private let threads: Threads

  init(_ threads: Threads) { self.threads = threads }

  /// A picture of an edit.
  ///
  /// - Throws: ``ServerError/superseded`` when a newer picture of the session was asked for meanwhile.
  func picture(
    of photo: ServedPhoto, _ stack: EditStack, session name: String,
    _ wish: LivePhoto.Wish
  ) async throws -> LivePhoto.Picture {
    let (number, task) = begin(photo, stack, session: name, wish)
    let result = await withTaskCancellationHandler {
      await task.result
    } onCancel: {
      task.cancel()
    }
    let isNewest = state.withLock { state in
      guard state.sessions[name]?.running?.number == number else { return false }
      state.sessions[name]?.running = nil
      return true
    }
    if !isNewest { throw ServerError.superseded }
    return try result.get()
  }

  private func begin(
    _ photo: ServedPhoto, _ stack: EditStack, session name: String,
    _ wish: LivePhoto.Wish
  ) -> (Int, Task<LivePhoto.Picture, any Error>) {
    state.withLock { state in
      state.numbers += 1
      let number = state.numbers
      state.sessions[name]?.running?.1.cancel()
      var session: Session
      if let old = state.sessions[name], old.photo == photo.id, old.revision == photo.revision {
        session = old
      } else {
        let open = Task { [threads] in try await LivePhoto(photo, threads) }
        session = Session(
          photo: photo.id, revision: photo.revision, open: open, running: nil, last: number)
      }
      let task = Task { [open = session.open] in
        try await open.value.picture(of: stack, wish)
      }
      session.running = (number, task)
      session.last = number
      state.sessions[name] = session
      if state.sessions.count > Self.limit,
        let oldest = state.sessions.filter({ $0.value.running == nil })
          .min(by: { $0.value.last < $1.value.last })
      {
        state.sessions[oldest.key] = nil
      }
      return (number, task)
    }
  }
}

/// How light a preview is, small enough for a field of the answer's header.
struct PreviewHistogram: Sendable {
  /// Base64 of 256 bins of luma, red, green and blue, in 255ths of the channel's largest between the ends.
  let text: String
  /// Shares of the pixels that are clipped.
  let shadows: Double, highlights: Double

  init(_ counted: PhotoHistogram) {
    (shadows, highlights) = (counted.clippedShadows, counted.clippedHighlights)
    var bytes: [UInt8] = []
    for channel in [PhotoHistogram.Channel.luma, .red, .green, .blue] {
      let counts = counted.counts(channel)
      let largest = max(counts[1..<255].max() ?? 0, 1)
      bytes += counts.map { UInt8(min($0 * 255 / largest, 255)) }
    }
    text = Base64.text(bytes)
  }

  /// What the field for clipping says.
  var clipped: String {
    func share(_ number: Double) -> Double { (number * 1e6).rounded() / 1e6 }
    return "shadows=\(share(shadows)), highlights=\(share(highlights))"
  }
}
