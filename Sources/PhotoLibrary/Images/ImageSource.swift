import PhotoEditing
import SafelightStorage

/// Finds or makes the pictures that requests of one image manager wait for.
///
/// A request first looks into memory and on disk, and for the camera's thumbnail; what it does not
/// find it has made.
final class ImageSource: Sendable {
  let library: PhotoLibrary
  let memory: ImageMemory?
  private let display = DisplaySource()
  private let inWork = ImagesInWork()
  private let making: ImageQueue

  /// - Parameter making: Where pictures are made.
  init(_ library: PhotoLibrary, memory: ImageMemory? = nil, making: ImageQueue = .making) {
    self.library = library
    self.memory = memory
    self.making = making
  }

  /// Sets a request going.
  func begin(_ request: ImageRequest) {
    ImageQueue.looking.add(request.lane) { self.look(for: request) }
  }

  /// Does a request on the calling thread.
  func perform(_ request: ImageRequest) {
    do throws(PhotoLibraryError) {
      let stamp = try library.stamp(of: request.subject)
      let key = request.recipe.key(of: stamp)
      if let image = found(key, for: request, stamp) { return request.finish(image) }
      let image = try made(request.recipe, of: stamp)
      keep(image, key, request.recipe, of: stamp)
      request.finish(image)
    } catch {
      request.fail(error)
    }
  }

  /// A file of a photo, whole.
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

  private func look(for request: ImageRequest) {
    guard !request.isOver else { return }
    do throws(PhotoLibraryError) {
      let stamp = try library.stamp(of: request.subject)
      let key = request.recipe.key(of: stamp)
      if let image = found(key, for: request, stamp) { return request.finish(image) }
      if answerQuickly(request, key, stamp) { return }
      if request.quickOnly { return request.cancel() }
      guard let work = inWork.join(key, request) else { return }
      making.add(request.lane) { self.make(work, request.recipe, of: stamp) }
    } catch {
      request.fail(error)
    }
  }

  /// The picture, where it is in memory or on disk.
  private func found(
    _ key: ImageKey, for request: ImageRequest, _ stamp: PhotoStamp
  ) -> DisplayImage? {
    if let image = memory?.image(key) { return image }
    guard let image = library.imageCache.image(for: key) else { return nil }
    memory?.keep(image, key, of: request)
    return image
  }

  /// Hands on a degraded picture where that is wanted.
  ///
  /// - Returns: Whether the request is done with it.
  private func answerQuickly(
    _ request: ImageRequest, _ key: ImageKey, _ stamp: PhotoStamp
  ) -> Bool {
    guard request.deliveryMode != .highQualityFormat, request.recipe.fit.crop == .whole,
      let image = memory?.thumbnail(key)
        ?? display.thumbnail(of: stamp, showsEdit: request.recipe.showsEdit)
    else { return false }
    if request.deliveryMode == .opportunistic {
      request.deliver(degraded: image)
      return false
    }
    guard request.recipe.fit.isServed(byWidth: image.width, height: image.height) else {
      return false
    }
    memory?.keep(thumbnail: image, key, of: request)
    request.finish(image, isDegraded: true)
    return true
  }

  private func make(_ work: ImagesInWork.Work, _ recipe: ImageRecipe, of stamp: PhotoStamp) {
    guard work.begin() else { return }
    do throws(PhotoLibraryError) {
      let image = try made(recipe, of: stamp, work)
      // First of all: a program may end with its last picture.
      keep(image, work.key, recipe, of: stamp)
      let requests = inWork.end(work)
      for request in requests { memory?.keep(image, work.key, of: request) }
      for request in requests { request.finish(image) }
    } catch {
      for request in inWork.end(work) { request.fail(error) }
    }
  }

  private func made(
    _ recipe: ImageRecipe, of stamp: PhotoStamp, _ work: ImagesInWork.Work? = nil
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
    _ image: DisplayImage, _ key: ImageKey, _ recipe: ImageRecipe, of stamp: PhotoStamp
  ) {
    guard recipe.fit.target != nil, library.imageCache.keeps(image, madeFrom: stamp),
      let now = try? PhotoStamp(stamp.path), recipe.key(of: now) == key
    else { return }
    library.imageCache.store(image, for: key)
  }
}
