import PhotoEditing
import SafelightFiles

import struct SafelightStorage.PhotoStamp

/// Finds or makes the pictures of one image manager's requests.
///
/// A picture comes from memory, from the cache on disk, or is made from the photo. The camera's
/// thumbnail serves as a degraded picture.
final class ImageSource: Sendable {
  let library: PhotoLibrary
  let memory: ImageMemory?
  private let display = DisplaySource()
  private let inWork = ImagesInWork()
  private let making: ImageQueue

  /// - Parameter making: The threads that make pictures.
  init(_ library: PhotoLibrary, memory: ImageMemory? = nil, making: ImageQueue = .making) {
    self.library = library
    self.memory = memory
    self.making = making
  }

  /// Begins a request.
  func begin(_ request: ImageRequest) {
    ImageQueue.finding.add(request.lane) { self.findOrMake(request) }
  }

  /// Does a request on the calling thread.
  func perform(_ request: ImageRequest) {
    do throws(PhotoLibraryError) {
      try request.recipe.check()
      let stamp = try library.stamp(of: request.subject)
      let key = request.recipe.key(of: stamp)
      if let image = found(key, for: request) { return request.finish(image) }
      let image = try made(request.recipe, of: stamp)
      keep(image, for: key, request.recipe, of: stamp)
      request.finish(image)
    } catch {
      request.fail(error)
    }
  }

  /// All bytes of one of a photo's files.
  func content(
    of asset: Asset, showsEdit: Bool
  ) throws(PhotoLibraryError) -> DisplaySource.FileContent {
    let stamp = try library.stamp(of: .asset(asset))
    do {
      return try display.content(of: stamp, showsEdit: showsEdit)
    } catch {
      throw .editing(error)
    }
  }

  private func findOrMake(_ request: ImageRequest) {
    guard !request.isOver else { return }
    do throws(PhotoLibraryError) {
      try request.recipe.check()
      let stamp = try library.stamp(of: request.subject)
      let key = request.recipe.key(of: stamp)
      if let image = found(key, for: request) { return request.finish(image) }
      if answerQuickly(request, key: key, stamp: stamp) { return }
      if request.quickOnly { return request.cancel() }
      guard let work = inWork.join(key, request) else { return }
      making.add(request.lane) { self.make(work, request.recipe, of: stamp) }
    } catch {
      request.fail(error)
    }
  }

  /// The picture from memory or disk; `nil` when neither has it.
  private func found(_ key: ImageKey, for request: ImageRequest) -> DisplayImage? {
    if let image = memory?.image(key) { return image }
    guard let image = library.imageCache.image(for: key) else { return nil }
    library.imageCache.noteUse(of: request.recipe)
    memory?.keep(image, for: key, of: request)
    return image
  }

  /// Passes on a degraded picture when the request takes one and there is one.
  ///
  /// - Returns: Whether the degraded picture ends the request.
  private func answerQuickly(
    _ request: ImageRequest, key: ImageKey, stamp: PhotoStamp
  ) -> Bool {
    guard request.deliveryMode != .highQualityFormat, request.recipe.fit.crop == .whole,
      let image = degraded(request.recipe, key: key, stamp: stamp)
    else { return false }
    if request.deliveryMode == .opportunistic {
      request.deliver(degraded: image)
      return false
    }
    guard request.recipe.fit.isServed(byWidth: image.width, height: image.height) else {
      return false
    }
    memory?.keep(thumbnail: image, for: key, of: request)
    request.finish(image, isDegraded: true)
    return true
  }

  /// The largest picture that there is without making one: a smaller one from memory or disk, or the
  /// camera's thumbnail.
  private func degraded(
    _ recipe: ImageRecipe, key: ImageKey, stamp: PhotoStamp
  ) -> DisplayImage? {
    let smaller = library.imageCache.smallerImage(than: recipe, of: stamp) { memory?.image($0) }
    let thumbnail =
      memory?.thumbnail(key) ?? display.thumbnail(of: stamp, showsEdit: recipe.showsEdit)
    guard let smaller, let thumbnail else { return smaller ?? thumbnail }
    return smaller.pixels.count > thumbnail.pixels.count ? smaller : thumbnail
  }

  private func make(_ work: ImagesInWork.Work, _ recipe: ImageRecipe, of stamp: PhotoStamp) {
    guard work.begin() else { return }
    do throws(PhotoLibraryError) {
      let image = try made(recipe, of: stamp, for: work)
      // Before the requests end: a program may end with its last picture.
      keep(image, for: work.key, recipe, of: stamp)
      let requests = inWork.end(work)
      for request in requests { memory?.keep(image, for: work.key, of: request) }
      for request in requests { request.finish(image) }
    } catch {
      for request in inWork.end(work) { request.fail(error) }
    }
  }

  private func made(
    _ recipe: ImageRecipe, of stamp: PhotoStamp, for work: ImagesInWork.Work? = nil
  ) throws(PhotoLibraryError) -> DisplayImage {
    do {
      return try display.image(
        of: stamp, showsEdit: recipe.showsEdit, fit: recipe.fit, cancellation: work?.cancellation)
    } catch {
      throw .editing(error)
    }
  }

  /// Puts a picture on disk, unless the photo's files changed while it was made.
  private func keep(
    _ image: DisplayImage, for key: ImageKey, _ recipe: ImageRecipe, of stamp: PhotoStamp
  ) {
    guard recipe.fit.target != nil, library.imageCache.keeps(image, madeFrom: stamp),
      let now = try? PhotoStamp(stamp.path), recipe.key(of: now) == key
    else { return }
    library.imageCache.store(image, for: key)
    library.imageCache.noteUse(of: recipe)
  }
}

extension PhotoLibrary {
  /// The present stamp of a photo's files, when this client may see the photo.
  ///
  /// - Throws: ``PhotoLibraryError/accessUserDenied`` and its like, or
  ///   ``PhotoLibraryError/identifierNotFound(_:)``, for an asset that the client may not see;
  ///   ``PhotoLibraryError/objectOfAnotherLibrary(_:)``;
  ///   ``PhotoLibraryError/editing(_:)`` when the photo's file is gone.
  func stamp(of subject: ImageRequest.Subject) throws(PhotoLibraryError) -> PhotoStamp {
    switch subject {
    case .file(let path): return try Self.stamp(path)
    case .asset(let asset):
      try checkOrigin(of: asset)
      try checkVisibility(of: asset.localIdentifier)
      do throws(PhotoLibraryError) {
        return try Self.stamp(asset.path)
      } catch .editing(.storage(.originalMissing(let path))) {
        // The photo may have been moved since the asset was fetched.
        guard let now = try present(asset), now.path != path else {
          throw .editing(.storage(.originalMissing(path)))
        }
        return try Self.stamp(now.path)
      }
    }
  }

  /// The asset as it is now; `nil` when it was removed or the client may not see it.
  private func present(_ asset: Asset) throws(PhotoLibraryError) -> Asset? {
    try fetchAssets(withLocalIdentifiers: [asset.localIdentifier]).allObjects().first
  }

  private static func stamp(_ path: FilePath) throws(PhotoLibraryError) -> PhotoStamp {
    do {
      return try PhotoStamp(path)
    } catch {
      throw .editing(.storage(error))
    }
  }
}
