import PhotoEditing
import SafelightFiles
import SafelightRendering
import Synchronization

/// Previews of edits that are not committed.
///
/// Photos stay decoded between previews, in an ``EditSession`` for each size of whole pictures. All viewers
/// of a photo share them, and parts of it come from any of them. At most ``mostOpen`` sessions are open at
/// once, each with a process of its own whose memory is that of `EditSession`. A session is closed when
/// another photo needs its place, when its photo has changed, when nobody used it for ``patience``, and when
/// the server stops. While all of them are making pictures, and for sizes below ``smallestSide`` and above
/// ``largestSide``, a photo is decoded for that picture alone.
///
/// Of the previews of one photo for one viewer the newest wins.
final class LivePreviews: Sendable {
  /// What is asked for.
  struct Wish: Sendable {
    /// Most pixels along the longer side of the whole picture.
    var longestSide: Int
    /// The part that is shown.
    var crop = NormalizedRect.whole { didSet { isPart = true } }
    /// Whether a part was asked for, though it be the whole. Every session of the photo can make parts.
    private(set) var isPart = false
    /// Of the JPEG, 1 to 100.
    var quality = 85
    /// Whether its codes are counted.
    var wantsHistogram = false
    /// Whether a quick picture will do, which differs from the render at hard edges.
    var isDraft = false
  }

  /// A photo that stays decoded.
  private struct OpenPhoto {
    let number: Int
    let id: String, revision: String
    /// The size of whole pictures.
    let side: Int
    let session: Task<EditSession, any Error>
    /// How many pictures are being made.
    var users = 0
    var lastUse = ContinuousClock.now
  }

  private struct State {
    var open: [OpenPhoto] = []
    /// What each viewer waits for.
    var newest: [String: (number: Int, task: Task<LivePhoto.Picture, any Error>)] = [:]
    var numbers = 0
    var isClosed = false

    mutating func number() -> Int {
      numbers += 1
      return numbers
    }

    /// Takes sessions out that nobody uses.
    mutating func takeIdle(where isUnwanted: (OpenPhoto) -> Bool) -> [OpenPhoto] {
      let taken = open.filter { $0.users == 0 && isUnwanted($0) }
      open.removeAll { photo in taken.contains { $0.number == photo.number } }
      return taken
    }
  }

  /// Most photos that stay decoded.
  static let mostOpen = 4
  /// Largest whole picture that a photo stays decoded for: 151 MB for 50 megapixels.
  static let largestSide = 4096
  /// Smallest whole picture that a photo stays decoded for. Edits act on millions of pixels of a photo that
  /// stays decoded, so that previews agree with the render; for a thumbnail, to decode a few pixels takes
  /// less time: 2.4 seconds against 4.6 for one of each filter, with a photo of 50 megapixels.
  static let smallestSide = 320
  /// How long a photo stays decoded that nobody looks at.
  static let patience = Duration.seconds(120)

  private let state = Mutex(State())
  private let threads: Threads

  init(_ threads: Threads) { self.threads = threads }

  /// Photos that are decoded now.
  var openCount: Int { state.withLock(\.open.count) }

  /// A picture of an edit.
  ///
  /// - Parameter viewer: Any word of the client's; `nil` for a picture that stands alone, which nothing
  ///   supersedes.
  /// - Throws: ``ServerError/superseded`` when a newer picture of the photo was asked for the viewer meanwhile.
  func picture(
    of photo: ServedPhoto, _ stack: EditStack, for viewer: String?, _ wish: Wish
  ) async throws -> LivePhoto.Picture {
    guard let viewer = viewer.map({ "\(photo.id) \($0)" }) else {
      let alone = "alone \(state.withLock { $0.number() })"
      return try await made(of: photo, stack, for: alone, wish)
    }
    let (number, task) = state.withLock { state in
      let number = state.number()
      state.newest[viewer]?.task.cancel()
      let task = Task { try await self.made(of: photo, stack, for: viewer, wish) }
      state.newest[viewer] = (number, task)
      return (number, task)
    }
    let result = await withTaskCancellationHandler {
      await task.result
    } onCancel: {
      task.cancel()
    }
    let isNewest = state.withLock { state in
      guard state.newest[viewer]?.number == number else { return false }
      state.newest[viewer] = nil
      return true
    }
    if !isNewest { throw ServerError.superseded }
    return try result.get()
  }

  private func made(
    of photo: ServedPhoto, _ stack: EditStack, for viewer: String, _ wish: Wish
  ) async throws -> LivePhoto.Picture {
    guard let open = take(photo, wish) else {
      return try await LivePhoto(photo, threads).picture(of: stack, wish)
    }
    do {
      let picture = try await open.session.value.picture(of: stack, wish, for: viewer)
      giveBack(open)
      return picture
    } catch {
      giveBack(open)
      throw error
    }
  }

  // MARK: - Photos that stay decoded

  /// Takes the session for a picture; `nil` when there is no room for another one.
  private func take(_ photo: ServedPhoto, _ wish: Wish) -> OpenPhoto? {
    let (taken, unwanted) = state.withLock { state -> (OpenPhoto?, [OpenPhoto]) in
      guard !state.isClosed else { return (nil, []) }
      var unwanted = state.takeIdle { $0.id == photo.id && $0.revision != photo.revision }
      let index = state.open.lastIndex {
        $0.id == photo.id && $0.revision == photo.revision
          && (wish.isPart || $0.side == wish.longestSide)
      }
      if let index {
        var found = state.open.remove(at: index)
        found.users += 1
        state.open.append(found)
        return (found, unwanted)
      }
      let sides = Self.smallestSide...Self.largestSide
      guard wish.isPart || sides.contains(wish.longestSide) else { return (nil, unwanted) }
      if state.open.count >= Self.mostOpen {
        guard let oldest = state.open.first(where: { $0.users == 0 }) else {
          return (nil, unwanted)
        }
        unwanted += state.takeIdle { $0.number == oldest.number }
      }
      let side = min(wish.longestSide, wish.isPart ? 1600 : Self.largestSide)
      var made = OpenPhoto(
        number: state.number(), id: photo.id, revision: photo.revision, side: side,
        session: Task {
          try await EditSession(photo.photo, fitting: PixelSize(width: side, height: side))
        })
      made.users = 1
      state.open.append(made)
      return (made, unwanted)
    }
    close(unwanted)
    return taken
  }

  private func giveBack(_ photo: OpenPhoto) {
    let isClosed = state.withLock { state in
      if let index = state.open.firstIndex(where: { $0.number == photo.number }) {
        state.open[index].users -= 1
        state.open[index].lastUse = .now
      }
      return state.isClosed
    }
    // A session that could not be opened makes no pictures; the next wish tries again.
    Task {
      if !isClosed, (try? await photo.session.value) != nil { return }
      close(state.withLock { $0.takeIdle { $0.number == photo.number } })
    }
  }

  /// Closes sessions that were not used since some time.
  func closeIdle(before time: ContinuousClock.Instant = .now - patience) {
    close(state.withLock { $0.takeIdle { $0.lastUse <= time } })
  }

  /// Closes all sessions, now or after the pictures that are being made. Later pictures are made without.
  func close() {
    close(
      state.withLock { state in
        state.isClosed = true
        return state.takeIdle { _ in true }
      })
  }

  private func close(_ photos: [OpenPhoto]) {
    for photo in photos { Task { try? await photo.session.value.close() } }
  }
}

extension EditSession {
  /// A picture for a client.
  fileprivate func picture(
    of stack: EditStack, _ wish: LivePreviews.Wish, for viewer: String
  ) async throws -> LivePhoto.Picture {
    var layout = PreviewLayout()
    layout.quality = wish.quality
    layout.isCounted = wish.wantsHistogram
    layout.isDraft = wish.isDraft
    if wish.isPart {
      var part = DisplayLayout.Part()
      (part.left, part.top) = (wish.crop.x, wish.crop.y)
      (part.width, part.height) = (wish.crop.width, wish.crop.height)
      layout.tile = part
      layout.tiledSide = wish.longestSide
    }
    let whole = try renderSize(of: stack)
    let picture = try await picture(of: stack, layout, for: viewer)
    return LivePhoto.Picture(
      jpeg: SharedBytes(picture.bytes),
      size: PixelSize(width: picture.width, height: picture.height),
      photoSize: whole, histogram: picture.histogram)
  }
}

/// A photo with an edit that is decoded for one picture.
struct LivePhoto: Sendable {
  /// A picture with the size of the whole render.
  struct Picture: Sendable {
    let jpeg: SharedBytes
    let size: PixelSize
    let photoSize: PixelSize
    let histogram: PhotoHistogram?
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
  func picture(of stack: EditStack, _ wish: LivePreviews.Wish) async throws -> Picture {
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
          return wish.layout(of: whole)
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

extension LivePreviews.Wish {
  /// What is made of a picture, for the renderer.
  fileprivate func layout(of size: PixelSize) -> DisplayLayout {
    var layout = DisplayLayout()
    layout.part = DisplayLayout.Part(crop)
    if longestSide < max(size.width, size.height) { layout.longestSide = longestSide }
    return layout
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
