import FoundationEssentials
import SafelightDarkroom
import SafelightFiles
import SafelightRendering
import Synchronization

/// A photo that is open for editing by eye: decoded once, and shown with one edit after another.
///
/// ```swift
/// let session = try await EditSession(photo, fitting: PixelSize(width: 1600, height: 1200))
/// var edit = session.currentEdit
/// try edit.set("exposure", to: "0.5")
/// show(try await session.draft(of: edit).jpegData)
/// show(try await session.preview(of: edit).jpegData)
/// try await session.commit(edit)
/// await session.close()
/// ```
///
/// **Order.** The newest call of ``preview(of:countingCodes:)`` or ``draft(of:countingCodes:)`` wins: older
/// ones that still wait or run throw `CancellationError` at once. ``tile(of:_:)`` calls wait for each other
/// while they show the same edit; a call with another edit makes those of the edit before throw
/// `CancellationError`. Pictures come one after the other, in the order in which they were asked for.
///
/// **Files.** Nothing is written before ``commit(_:quality:)``, which is the ordinary commit of
/// ``PhotoEditor``. The photo is locked while it is opened and committed, and not between.
///
/// **Memory.** The photo is decoded in a process of its own, as `PhotoDarkroom` says, and stays there
/// until ``close()``. It takes three bytes a pixel, six for photos of 16 bits, at the size that the session
/// was opened for, and at twice that size along each side or with 7 megapixels, whichever is more, but never
/// above full size: 26 MB for 1,600 × 1,067. An edit that turns the photo by quarters adds as much, one
/// that crops or straightens it 21 MB, noise reduction 13 MB. The first ``tile(of:_:)``, and the first crop
/// to less than two thirds of a side, keep the photo with more pixels as well, up to its full size, at most
/// 256 MB together; a larger photo is decoded again for each tile. While a picture is made, its pixels and
/// the steps of the edit take about as much again. `PhotoDarkroom.memoryLimit` holds for all of it.
///
/// **Agreement.** A preview is the render of the same edit, reduced as light, whatever was shown before it.
/// Where the photo has edges that are too hard for the edit, the adjustments act on the larger photo, and
/// what they give is reduced last; elsewhere the order makes no difference that is seen. A draft is made of
/// the photo at the size of the screen alone, in a fraction of the time: for a slider that moves.
public final class EditSession: Sendable {
  /// The photo.
  public let photo: Photo
  /// The size that previews lie inside.
  public let fittingSize: PixelSize

  private let editor: PhotoEditor
  private let queue: WorkQueue
  private let state: Mutex<State>

  private struct State {
    var pixels: DarkroomSession
    var edit: EditStack
    var moment: PhotoMoment
  }

  /// Opens a photo. Its header is read; decoding goes on while the first preview is asked for.
  ///
  /// - Parameters:
  ///   - photo: The photo, edited or not. An edit of another program is in the pixels that the session
  ///     starts from, as for ``PhotoEditor/adjust(_:quality:dryRun:_:)``.
  ///   - size: The size that previews lie inside, in pixels of the screen. They are never larger than the
  ///     render.
  ///   - editor: Reads and commits the edit, and says where photos are decoded.
  /// - Throws: ``EditError``.
  public init(
    _ photo: Photo, fitting size: PixelSize, editor: PhotoEditor = PhotoEditor()
  ) async throws {
    (self.photo, self.editor, fittingSize) = (photo, editor, size)
    queue = WorkQueue("session")
    state = Mutex(try await Self.open(photo, fitting: size, by: editor, on: queue))
  }

  deinit {
    queue.close()
    state.withLock(\.pixels).close()
  }

  /// The edit as it was recorded when the session was opened, reloaded or last committed; empty for a
  /// photo without an edit of Safelight's own.
  public var currentEdit: EditStack { state.withLock(\.edit) }

  /// Width and height of the pixels that edits start from, upright.
  public var pixelSize: PixelSize { state.withLock(\.pixels).pixelSize }

  /// The picture that the camera put into the file, without any edit, at the camera's own size; there
  /// before anything is decoded.
  ///
  /// It is the largest of the pictures in the Multi-Picture segment, or else the Exif thumbnail. `nil` when
  /// there is none that shows the whole upright photo in sRGB.
  public var embeddedPreview: EditPreview? {
    state.withLock(\.pixels).embeddedPreview.map(EditPreview.init)
  }

  /// A picture of the photo with an edit, inside ``fittingSize``. Nothing is written.
  ///
  /// - Parameters:
  ///   - edit: The edit.
  ///   - isCounted: Whether the picture comes with its histogram.
  /// - Throws: ``EditError``; `CancellationError` when a newer preview is asked for, the task is cancelled
  ///   or the session closed.
  public func preview(
    of edit: EditStack, countingCodes isCounted: Bool = false
  ) async throws -> EditPreview {
    var layout = PreviewLayout()
    layout.isCounted = isCounted
    return EditPreview(try await picture(of: edit, layout, as: .preview(viewer: "")))
  }

  /// A quick picture of the photo with an edit, as large as the preview, which is to follow it: for values
  /// that change faster than previews are made.
  ///
  /// Hard edges may look different from the render, and so may what is as small as a pixel of the screen. It
  /// overtakes previews, and is overtaken by them. Nothing is written.
  ///
  /// - Parameters:
  ///   - edit: The edit.
  ///   - isCounted: Whether the picture comes with its histogram.
  /// - Throws: As ``preview(of:countingCodes:)``.
  public func draft(
    of edit: EditStack, countingCodes isCounted: Bool = false
  ) async throws -> EditPreview {
    var layout = PreviewLayout()
    (layout.isCounted, layout.isDraft) = (isCounted, true)
    return EditPreview(try await picture(of: edit, layout, as: .preview(viewer: "")))
  }

  /// A part of the photo with an edit, as the render has it: a pixel for each pixel.
  ///
  /// - Parameters:
  ///   - edit: The edit.
  ///   - area: The part, in shares of the edited photo's width and height; at most 33 megapixels.
  /// - Throws: ``EditError``; `CancellationError` when a tile of another edit is asked for, the task is
  ///   cancelled or the session closed.
  public func tile(of edit: EditStack, _ area: NormalizedRect) async throws -> EditPreview {
    var layout = PreviewLayout()
    layout.tile = DisplayLayout.Part(area)
    layout.quality = 92
    return EditPreview(try await picture(of: edit, layout, as: .tile(edit)))
  }

  /// Width and height of the render of an edit.
  ///
  /// - Throws: ``EditError`` for an edit of a newer program.
  public func renderSize(of edit: EditStack) throws(EditError) -> PixelSize {
    do {
      return try Renderer().size(of: edit, on: pixelSize)
    } catch {
      throw EditError(error, path: photo.path)
    }
  }

  /// A picture that is asked for in the one form. It overtakes nothing.
  package func picture(
    of edit: EditStack, _ request: PictureRequest
  ) async throws -> ShownPicture {
    var layout = PreviewLayout()
    if case .jpeg(let quality) = request.look { layout.quality = quality }
    (layout.isCounted, layout.isDraft) = (request.isCounted, request.isDraft)
    if let part = request.fit.part {
      layout.tile = DisplayLayout.Part(part)
      layout.tiledSide = request.fit.longestSide
    }
    let fullSize = try renderSize(of: edit)
    let made = try await picture(of: edit, layout, as: nil)
    return ShownPicture(
      content: .bytes(made.bytes), size: PixelSize(width: made.width, height: made.height),
      fullSize: fullSize, edit: edit, histogram: made.histogram)
  }

  /// Makes an edit the photo's: renders it and stores the record, as
  /// ``PhotoEditor/adjust(_:quality:dryRun:_:)`` does.
  ///
  /// - Parameters:
  ///   - edit: The edit, which replaces ``currentEdit``.
  ///   - quality: 1 to 100, of the rendered JPEG; `nil` is that of the present render, or 95.
  /// - Throws: ``EditError/inputOutdated(_:)`` when somebody else edited, reverted or replaced the photo
  ///   since; ``reload()`` shows the new state. Another ``EditError``. The old edit stands then.
  @discardableResult
  public func commit(_ edit: EditStack, quality: Int? = nil) async throws -> EditResult {
    try await editor.commit(edit, to: photo, quality: quality) {
      state.withLock(\.moment)
    } done: { moment in
      state.withLock { ($0.edit, $0.moment) = (edit, moment) }
    }
  }

  /// Reads the photo and its edit again, as after ``EditError/inputOutdated(_:)``. Pictures that wait or
  /// run throw `CancellationError`.
  ///
  /// - Throws: ``EditError``; the session stays as it was.
  public func reload() async throws {
    let new = try await Self.open(photo, fitting: fittingSize, by: editor, on: queue)
    queue.cancelAll()
    let old = state.withLock { state in
      defer { state = new }
      return state.pixels
    }
    await queue.finish(with: old.close)
  }

  /// Frees what the session holds. Pictures that wait or run throw `CancellationError`, and so do those
  /// that are asked for later.
  public func close() async {
    queue.close()
    await queue.finish(with: state.withLock(\.pixels).close)
  }

  // MARK: - Inside

  private static func open(
    _ photo: Photo, fitting size: PixelSize, by editor: PhotoEditor, on queue: WorkQueue
  ) async throws -> State {
    let start = try await editor.sessionStart(of: photo)
    do {
      let pixels = try await queue.run { _ in
        try DarkroomSession(start.source, fitting: size, in: editor.darkroom)
      }
      // Where the photo is decoded in this process, that begins now.
      queue.perform { try? pixels.prepare() }
      return State(pixels: pixels, edit: start.edit, moment: start.moment)
    } catch let error where !(error is CancellationError) {
      throw EditError(error, path: photo.path)
    }
  }

  private func picture(
    of edit: EditStack, _ layout: PreviewLayout, as kind: NewestPictures.Kind?
  ) async throws -> EncodedPreview {
    do {
      try edit.checkIsKnown()
      try edit.checkSize()
      let pixels = decoder
      return try await queue.run(as: kind) { cancellation in
        try pixels.picture(of: edit, layout, unless: cancellation)
      }
    } catch let error where !(error is CancellationError) {
      throw EditError(error, path: photo.path)
    }
  }

  /// The session's decoder, for tests of what happens when it is lost.
  package var decoder: DarkroomSession { state.withLock(\.pixels) }
}

/// A picture of an edit, ready for the screen.
public struct EditPreview: Sendable, Hashable {
  /// A JPEG in sRGB, upright, without metadata.
  public let jpegData: Data
  /// Pixels from left to right.
  public let width: Int
  /// Pixels from top to bottom.
  public let height: Int
  /// How often each code occurs in the picture; `nil` when nobody asked.
  public let histogram: PhotoHistogram?

  init(_ picture: EncodedPreview) {
    jpegData = Data(picture.bytes)
    (width, height, histogram) = (picture.width, picture.height, picture.histogram)
  }
}

// MARK: - The photo's files

extension PhotoEditor {
  /// What a session starts from.
  struct SessionStart: Sendable {
    let source: PhotoSource
    let edit: EditStack
    let moment: PhotoMoment
  }

  fileprivate func sessionStart(of photo: Photo) async throws(EditError) -> SessionStart {
    try await reading(photo) { edit, _ in
      try edit.checkStart()
      return SessionStart(
        source: try edit.pixels(of: edit.start()).source, edit: try edit.stack(),
        moment: edit.files.moment)
    }
  }

  /// Makes an edit the photo's, when the photo is still what it was.
  ///
  /// - Parameters:
  ///   - expected: What the photo was, asked when its files are locked.
  ///   - done: Receives what the photo is now, unless somebody has changed it already.
  fileprivate func commit(
    _ stack: EditStack, to photo: Photo, quality: Int?,
    ifStill expected: @Sendable () -> PhotoMoment,
    done: @Sendable (PhotoMoment) -> Void
  ) async throws(EditError) -> EditResult {
    try await working(on: photo.path) { cancellation in
      let result = try perform(on: photo, .changing, EditCall(cancellation: cancellation)) { edit in
        guard edit.files.moment == expected() else { throw EditError.inputOutdated(photo.path) }
        return try edit.planToChange(quality: quality) { present in
          // Nobody asked for these by name, so that they do not go.
          if let newer = present.unknownEntries.first(where: { !stack.entries.contains($0) }) {
            throw AdjustmentError.newerVersion(id: newer.id, version: newer.version)
          }
          present = stack
        }
      }
      // A held change is not the photo's yet.
      guard !configuration.holdsChanges else { return result }
      try reading(photo, cancellation) { snapshot in
        let edit = open(snapshot)
        // Somebody who was faster is a conflict for the next commit.
        let recorded = edit.record?.adjustmentData ?? EditStack().adjustmentData
        if recorded == stack.adjustmentData { done(edit.files.moment) }
      }
      return result
    }
  }
}
