import SafelightFiles
import SafelightRendering
import SafelightStorage
import Synchronization

/// Pictures of edits that are tried, from photos that stay decoded between them.
///
/// There is an ``EditSession`` for each photo and each size of whole pictures. All viewers of a photo share them, and
/// parts of it come from any of them. At most ``mostOpen`` sessions are open at once, each with a process of its own
/// whose memory is that of `EditSession`. A session is closed when another photo needs its place, when its photo has
/// changed, when nobody used it for ``patience``, and when ``close()`` is called. While all of them are making pictures,
/// and for sizes below ``smallestSide`` and above ``largestSide``, a photo is decoded for that picture alone.
///
/// Of the pictures of one photo for one viewer the newest wins.
package final class PictureSessions: Sendable {
  /// A photo that stays decoded.
  private struct OpenPhoto {
    let number: Int
    let stamp: PhotoRevision
    /// The size of whole pictures.
    let side: Int
    let session: Task<EditSession, any Error>
    /// How many pictures are being made.
    var users = 0
    var lastUse = ContinuousClock.now
  }

  private struct State {
    var open: [OpenPhoto] = []
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
  package static let mostOpen = 4
  /// Largest whole picture that a photo stays decoded for: 151 MB for 50 megapixels.
  static let largestSide = 4096
  /// Smallest whole picture that a photo stays decoded for. Edits act on millions of pixels of a photo that
  /// stays decoded, so that previews agree with the render; for a thumbnail, to decode a few pixels takes
  /// less time: 2.4 seconds against 4.6 for one of each filter, with a photo of 50 megapixels.
  static let smallestSide = 320
  /// How long a photo stays decoded that nobody looks at.
  static let patience = Duration.seconds(120)

  private let state = Mutex(State())
  private let newest = NewestPictures()

  /// Photos that are decoded now.
  package var openCount: Int { state.withLock(\.open.count) }

  /// A picture of an edit.
  ///
  /// - Throws: ``SupersededPicture`` when a newer picture of the photo was asked for the viewer meanwhile.
  func picture(
    _ request: PictureRequest, _ edit: EditStack, of stamp: PhotoRevision
  ) async throws -> ShownPicture {
    guard let viewer = request.viewer else { return try await made(request, edit, of: stamp) }
    let task = Task { try await self.made(request, edit, of: stamp) }
    let number = newest.begin(.preview(viewer: "\(stamp.path) \(viewer)")) { task.cancel() }
    if number == nil { task.cancel() }
    let result = await withTaskCancellationHandler {
      await task.result
    } onCancel: {
      task.cancel()
    }
    if let number, !newest.end(number) { throw SupersededPicture() }
    return try result.get()
  }

  private func made(
    _ request: PictureRequest, _ edit: EditStack, of stamp: PhotoRevision
  ) async throws -> ShownPicture {
    guard let open = take(request, of: stamp) else {
      return try await PictureService.alone(request, of: stamp)
    }
    do {
      let picture = try await open.session.value.picture(of: edit, request)
      giveBack(open)
      return picture
    } catch {
      giveBack(open)
      throw error
    }
  }

  // MARK: - Photos that stay decoded

  /// Takes the session for a picture; `nil` when there is no room for another one.
  private func take(_ request: PictureRequest, of stamp: PhotoRevision) -> OpenPhoto? {
    let isPart = request.fit.part != nil
    let longestSide = request.fit.longestSide ?? .max
    let (taken, unwanted) = state.withLock { state -> (OpenPhoto?, [OpenPhoto]) in
      guard !state.isClosed else { return (nil, []) }
      var unwanted = state.takeIdle { $0.stamp.path == stamp.path && $0.stamp != stamp }
      let index = state.open.lastIndex {
        $0.stamp == stamp && (isPart || $0.side == longestSide)
      }
      if let index {
        var found = state.open.remove(at: index)
        found.users += 1
        state.open.append(found)
        return (found, unwanted)
      }
      let sides = Self.smallestSide...Self.largestSide
      guard isPart || sides.contains(longestSide) else { return (nil, unwanted) }
      if state.open.count >= Self.mostOpen {
        guard let oldest = state.open.first(where: { $0.users == 0 }) else {
          return (nil, unwanted)
        }
        unwanted += state.takeIdle { $0.number == oldest.number }
      }
      let side = min(longestSide, isPart ? 1600 : Self.largestSide)
      var made = OpenPhoto(
        number: state.number(), stamp: stamp, side: side,
        session: Task {
          try await EditSession(
            Photo(path: stamp.path), fitting: PixelSize(width: side, height: side))
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
    // A session that could not be opened makes no pictures; the next request tries again.
    Task {
      if !isClosed, (try? await photo.session.value) != nil { return }
      close(state.withLock { $0.takeIdle { $0.number == photo.number } })
    }
  }

  /// Closes sessions that were not used since some time.
  package func closeIdle(before time: ContinuousClock.Instant = .now - patience) {
    close(state.withLock { $0.takeIdle { $0.lastUse <= time } })
  }

  /// Closes all sessions, now or after the pictures that are being made. Later pictures are made without.
  package func close() {
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

/// Why there is no picture for a viewer: a newer one of the same photo was asked for.
package struct SupersededPicture: Error {}
