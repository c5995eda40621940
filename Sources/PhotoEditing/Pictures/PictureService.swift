import FoundationEssentials
import SafelightDarkroom
import SafelightFiles
import SafelightRendering
import SafelightStorage
import Synchronization

/// Finds and makes the pictures of photos that are asked for again and again.
///
/// A picture comes from memory, from the disk, or is made from the photo; two requests for the same picture make it
/// once. The camera's thumbnail, and smaller pictures that are there, serve as degraded pictures. Pictures of edits that
/// are tried come from photos that stay decoded, see ``PictureSessions``. Everything else is decoded for itself.
package final class PictureService: Sendable {
  /// Bytes of encoded pictures in memory: some six thousand thumbnails.
  package static let memoryLimit = 128 << 20
  /// Larger encoded pictures are few and not kept.
  package static let largestKept = 1 << 20

  /// The pictures on disk.
  package let disk: PictureDisk
  /// The photos that stay decoded.
  package let sessions = PictureSessions()
  private let inWork = PicturesInWork()
  private let making: WorkQueue
  private let encoded = Mutex(RecentlyUsed<String, [UInt8]>(limit: memoryLimit))

  /// - Parameters:
  ///   - disk: Where pictures are kept.
  ///   - making: The threads that make them.
  package init(_ disk: PictureDisk, making: WorkQueue = .making) {
    (self.disk, self.making) = (disk, making)
  }

  // MARK: - Pictures that are awaited

  /// A picture of a photo.
  ///
  /// - Parameters:
  ///   - stamp: What the photo's files are now.
  ///   - name: A word that stands for these files, by which the encoded picture is kept in memory; `nil` keeps none.
  /// - Throws: ``EditError``, `CancellationError`; ``SupersededPicture`` when a newer picture was asked for the viewer
  ///   meanwhile.
  package func picture(
    _ request: PictureRequest, of stamp: PhotoRevision, keptAs name: String? = nil
  ) async throws -> ShownPicture {
    if case .edit(let edit) = request.state, !request.isFile {
      return try await sessions.picture(request, edit, of: stamp)
    }
    let picture = try await made(request, of: stamp)
    if let name, case .bytes(let bytes) = picture.content { keep(bytes, request, as: name) }
    return picture
  }

  /// An encoded picture that is in memory.
  package func kept(_ request: PictureRequest, as name: String) -> [UInt8]? {
    encoded.withLock { $0.value(Self.key(request, name)) }
  }

  /// Keeps an encoded picture in memory.
  package func keep(_ bytes: [UInt8], _ request: PictureRequest, as name: String) {
    guard bytes.count <= Self.largestKept else { return }
    encoded.withLock { $0.insert(bytes, bytes: bytes.count, for: Self.key(request, name)) }
  }

  /// The bytes of all encoded pictures in memory.
  package var memoryUse: Int { encoded.withLock(\.bytes) }

  private static func key(_ request: PictureRequest, _ name: String) -> String {
    "\(name) \(request.text)"
  }

  private func made(_ request: PictureRequest, of stamp: PhotoRevision) async throws -> ShownPicture
  {
    switch request.state {
    case .original, .present:
      if request.isStored {
        let image = try await lastPicture { onEvent in
          PictureOrder(request, of: { stamp }, onEvent: onEvent)
        }
        do {
          return ShownPicture(
            content: try request.content(of: image), size: image.size, fullSize: image.size)
        } catch {
          throw EditError(error, path: stamp.path)
        }
      }
      return try await WorkQueue.alone.run { cancellation in
        try Self.quickPicture(request, of: stamp, cancellation)
      }
    case .version, .changed, .filter, .edit:
      return try await Self.alone(request, of: stamp)
    }
  }

  /// A picture of a photo that is decoded for it alone.
  static func alone(_ request: PictureRequest, of stamp: PhotoRevision) async throws -> ShownPicture
  {
    let editor = PhotoEditor()
    let shown = try await editor.shown(request.state, of: Photo(path: stamp.path))
    return try await WorkQueue.alone.run { cancellation in
      do {
        return try editor.darkroom.picture(request, of: shown, cancellation: cancellation)
      } catch {
        throw EditError(error, path: stamp.path)
      }
    }
  }

  /// Begins an order and waits for its last picture.
  ///
  /// - Throws: What the order fails with; `CancellationError` when the task is cancelled.
  package func lastPicture(
    of order: (@escaping @Sendable (PictureOrder.Event) -> Void) -> PictureOrder
  ) async throws -> DisplayImage {
    let answer = Answer<DisplayImage>()
    let order = order { event in
      switch event {
      case .picture(let image, isDegraded: _, isLast: true): answer.give(.success(image))
      case .failure(let error): answer.give(.failure(error))
      case .picture: break
      }
    }
    return try await withTaskCancellationHandler {
      try await withCheckedThrowingContinuation { continuation in
        answer.deliver(to: continuation)
        begin(order)
      }
    } onCancel: {
      order.cancel()
    }
  }

  // MARK: - Orders

  /// Begins an order.
  package func begin(_ order: PictureOrder) {
    WorkQueue.finding.add(order.request.urgency) { self.findOrMake(order) }
  }

  /// Does an order on the calling thread.
  package func perform(_ order: PictureOrder) {
    do {
      let stamp = try order.find()
      let key = order.request.key(of: stamp)
      if let image = found(key, for: order) { return order.finish(image) }
      let image = try Self.quickPicture(order.request, of: stamp).image
      keep(image, for: key, order.request, of: stamp)
      order.finish(image)
    } catch {
      order.fail(error)
    }
  }

  private func findOrMake(_ order: PictureOrder) {
    guard !order.isOver else { return }
    do {
      let stamp = try order.find()
      let key = order.request.key(of: stamp)
      if let image = found(key, for: order) { return order.finish(image) }
      if answerQuickly(order, key: key, stamp: stamp) { return }
      if order.degradedUse == .only { return order.cancel() }
      guard let work = inWork.join(key, order) else { return }
      making.add(order.request.urgency) { self.make(work, order.request, of: stamp) }
    } catch {
      order.fail(error)
    }
  }

  /// The picture from memory or disk; `nil` when neither has it.
  private func found(_ key: PictureKey, for order: PictureOrder) -> DisplayImage? {
    if let image = order.remembered(order.request, key) { return image }
    guard let image = disk.image(for: key) else { return nil }
    disk.noteUse(of: order.request)
    order.remember(image, for: key)
    return image
  }

  /// Passes on a degraded picture when the order takes one and there is one.
  ///
  /// - Returns: Whether the degraded picture ends the order.
  private func answerQuickly(_ order: PictureOrder, key: PictureKey, stamp: PhotoRevision) -> Bool {
    guard order.degradedUse != .nothing, order.request.fit.crop == .whole,
      let image = degraded(for: order, key: key, stamp: stamp)
    else { return false }
    if order.degradedUse == .first {
      order.deliver(degraded: image)
      return false
    }
    guard order.request.fit.isServed(byWidth: image.width, height: image.height) else {
      return false
    }
    order.remember(image, for: key, isDegraded: true)
    order.finish(image, isDegraded: true)
    return true
  }

  /// The largest picture that there is without making one: a smaller one from memory or disk, or the
  /// camera's thumbnail.
  private func degraded(
    for order: PictureOrder, key: PictureKey, stamp: PhotoRevision
  ) -> DisplayImage? {
    let request = order.request
    let smaller = disk.smallerImage(than: request, of: stamp) { order.remembered($0, $1) }
    let thumbnail =
      order.remembered(request, key, isDegraded: true)
      ?? PhotoEditor.quick.thumbnail(of: stamp, showsEdit: request.showsEdit)
    guard let smaller, let thumbnail else { return smaller ?? thumbnail }
    return smaller.pixels.count > thumbnail.pixels.count ? smaller : thumbnail
  }

  private func make(_ work: PicturesInWork.Work, _ request: PictureRequest, of stamp: PhotoRevision)
  {
    guard work.begin() else { return }
    do {
      let image = try Self.quickPicture(request, of: stamp, work.cancellation).image
      // Before the orders end: a program may end with its last picture.
      keep(image, for: work.key, request, of: stamp)
      let orders = inWork.end(work)
      for order in orders { order.remember(image, for: work.key) }
      for order in orders { order.finish(image) }
    } catch {
      for order in inWork.end(work) { order.fail(error) }
    }
  }

  /// Puts a picture on disk, unless the photo's files changed while it was made.
  private func keep(
    _ image: DisplayImage, for key: PictureKey, _ request: PictureRequest, of stamp: PhotoRevision
  ) {
    guard request.fit.target != nil, disk.keeps(image, madeFrom: stamp),
      let now = try? PhotoRevision(stamp.path), request.key(of: now) == key
    else { return }
    disk.store(image, for: key)
    disk.noteUse(of: request)
  }

  /// Makes a picture of a photo with its edit, or as it was taken.
  private static func quickPicture(
    _ request: PictureRequest, of stamp: PhotoRevision, _ cancellation: RenderCancellation? = nil
  ) throws(EditError) -> ShownPicture {
    let editor = PhotoEditor.quick
    do {
      return try editor.darkroom.picture(
        request, of: editor.shownQuickly(stamp, showsEdit: request.showsEdit),
        cancellation: cancellation)
    } catch {
      throw EditError(error, path: stamp.path)
    }
  }

  // MARK: - Files

  /// The bytes of a photo's render, or of its original when the photo has no edit or is shown without it, with their
  /// uniform type identifier and the EXIF orientation, 1 to 8, that their pixels still need.
  ///
  /// A render that is missing or of another length than recorded is made anew, in memory.
  /// - Throws: ``EditError``.
  package static func content(
    of stamp: PhotoRevision, showsEdit: Bool
  ) throws(EditError) -> (bytes: Data, contentType: String, orientation: Int) {
    let editor = PhotoEditor.quick
    do {
      let shown = try editor.shownQuickly(stamp, showsEdit: showsEdit)
      let facts = try editor.darkroom.open(shown.source).facts
      guard !shown.needed.isEmpty else {
        return (
          Data(try editor.fileSystem.contents(of: shown.source.file, limit: .max)),
          facts.format.contentType, facts.orientation
        )
      }
      var request = PictureRequest()
      request.look = .file(.standard)
      return (Data(try editor.darkroom.picture(request, of: shown).bytes), "public.jpeg", 1)
    } catch {
      throw EditError(error, path: stamp.path)
    }
  }
}
