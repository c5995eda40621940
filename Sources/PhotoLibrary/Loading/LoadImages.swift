import FoundationEssentials
import PhotoEditing
import SafelightFiles
import Synchronization

/// Hears how far loading is: how many pictures are loaded, 1 after the first, and how many there are. It is
/// called on any thread, one call after the other, and not after an error.
public typealias LoadingProgressHandler = @Sendable (_ loaded: Int, _ total: Int) -> Void

extension PhotoLibrary {
  /// Loads the pictures of a selection: all of them, in the selection's order, or none.
  ///
  /// Several pictures load at once. As soon as one fails the others are cancelled, and the error says
  /// which item failed. A selection may have an item more than once. At the end all pictures are in
  /// memory: for many pictures give a target size, or take them one by one with
  /// ``selectedImages(for:targetSize:contentMode:options:)``.
  ///
  /// ```swift
  /// let thumbnails = try await library.loadImages(
  ///   for: assets.map(SelectionItem.asset), targetSize: PixelSize(width: 400, height: 400))
  /// ```
  /// - Parameters:
  ///   - selection: The items. Files need not be in the library, and need no access to it.
  ///   - targetSize: The size in pixels; without it the photos' full size.
  ///   - contentMode: Whether the pictures fit inside the size or cover it.
  ///   - options: Version and resize mode; the pictures always have good quality.
  ///   - progressHandler: Called after each picture.
  /// - Throws: ``SelectionError``.
  public func loadImages(
    for selection: [SelectionItem], targetSize: PixelSize = imageManagerMaximumSize,
    contentMode: ImageContentMode = .aspectFit,
    options: ImageRequestOptions? = nil, progressHandler: LoadingProgressHandler? = nil
  ) async throws(SelectionError) -> [DisplayImage] {
    let options = options ?? ImageRequestOptions()
    let request = PictureRequest(targetSize: targetSize, contentMode: contentMode, options: options)
    return try await SelectionPlan(selection.map(\.absolute), in: self, request)
      .all(progressHandler)
  }

  /// Loads the pictures of assets: all of them, in their order, or none.
  ///
  /// - Throws: ``SelectionError``.
  public func loadImages(
    for assets: [Asset], targetSize: PixelSize = imageManagerMaximumSize,
    contentMode: ImageContentMode = .aspectFit,
    options: ImageRequestOptions? = nil, progressHandler: LoadingProgressHandler? = nil
  ) async throws(SelectionError) -> [DisplayImage] {
    try await loadImages(
      for: assets.map(SelectionItem.asset), targetSize: targetSize, contentMode: contentMode,
      options: options, progressHandler: progressHandler)
  }

  /// Loads the pictures of assets by their identifiers: all of them, in their order, or none.
  ///
  /// - Throws: ``SelectionError``.
  public func loadImages(
    for identifiers: [String], targetSize: PixelSize = imageManagerMaximumSize,
    contentMode: ImageContentMode = .aspectFit,
    options: ImageRequestOptions? = nil, progressHandler: LoadingProgressHandler? = nil
  ) async throws(SelectionError) -> [DisplayImage] {
    try await loadImages(
      for: identifiers.map(SelectionItem.identifier), targetSize: targetSize,
      contentMode: contentMode, options: options, progressHandler: progressHandler)
  }

  /// Loads the pictures of files: all of them, in their order, or none.
  ///
  /// A URL that is no file URL fails like a file that does not exist.
  /// - Throws: ``SelectionError``.
  public func loadImages(
    for files: [URL], targetSize: PixelSize = imageManagerMaximumSize,
    contentMode: ImageContentMode = .aspectFit,
    options: ImageRequestOptions? = nil, progressHandler: LoadingProgressHandler? = nil
  ) async throws(SelectionError) -> [DisplayImage] {
    let items = files.map { url in
      SelectionItem.file(FilePath(fileURL: url) ?? FilePath(url.absoluteString))
    }
    return try await loadImages(
      for: items, targetSize: targetSize, contentMode: contentMode, options: options,
      progressHandler: progressHandler)
  }
}

extension SelectionPlan {
  /// All pictures, or the error of the first item that failed.
  fileprivate func all(
    _ progressHandler: LoadingProgressHandler?
  ) async throws(SelectionError) -> [DisplayImage] {
    let result = await withTaskGroup(
      of: LoadedItem.self, returning: Result<[DisplayImage], SelectionError>.self
    ) { group in
      var images = [DisplayImage?](repeating: nil, count: items.count)
      for index in 0..<min(window, items.count) {
        group.addTask { await loaded(index) }
      }
      var next = window
      var loadedCount = 0
      while let item = await group.next() {
        switch item.result {
        case .success(let image):
          images[item.index] = image
          loadedCount += 1
          progressHandler?(loadedCount, items.count)
        case .failure(let error):
          group.cancelAll()
          return .failure(error)
        }
        if next < items.count {
          let index = next
          group.addTask { await loaded(index) }
          next += 1
        }
      }
      return .success(images.compactMap(\.self))
    }
    return try result.get()
  }

  private func loaded(_ index: Int) async -> LoadedItem {
    do throws(SelectionError) {
      return LoadedItem(index: index, result: .success(try await load(index)))
    } catch {
      return LoadedItem(index: index, result: .failure(error))
    }
  }
}

/// What became of one item of a selection.
///
/// A class: optimized builds of Swift 6.3 lose parts of a larger result that a task group hands over.
private final class LoadedItem: Sendable {
  /// The item's place in the selection.
  let index: Int
  let result: Result<DisplayImage, SelectionError>

  init(index: Int, result: Result<DisplayImage, SelectionError>) {
    self.index = index
    self.result = result
  }
}

extension PhotoLibrary {
  /// The pictures of a selection, one by one, in the selection's order.
  ///
  /// A few pictures load ahead of the one that the program takes; only these are in memory. When an item
  /// fails, the pictures before it still come, then the error, and the rest is cancelled. Loading begins
  /// with the first picture that the program takes, and ends when the iterator is released.
  /// - Parameters:
  ///   - selection: The items.
  ///   - targetSize: The size in pixels; without it the photos' full size.
  ///   - contentMode: Whether the pictures fit inside the size or cover it.
  ///   - options: Version and resize mode; the pictures always have good quality.
  public func selectedImages(
    for selection: [SelectionItem], targetSize: PixelSize = imageManagerMaximumSize,
    contentMode: ImageContentMode = .aspectFit,
    options: ImageRequestOptions? = nil
  ) -> SelectedImages {
    SelectedImages(
      library: self, items: selection.map(\.absolute),
      request: PictureRequest(
        targetSize: targetSize, contentMode: contentMode,
        options: options ?? ImageRequestOptions()))
  }
}

/// The pictures of a selection, in the selection's order. Each iteration loads them again.
///
/// ```swift
/// for try await image in library.selectedImages(for: items, targetSize: size) { show(image) }
/// ```
public struct SelectedImages: AsyncSequence, Sendable {
  /// The picture of one item.
  public typealias Element = DisplayImage
  /// Which item failed, and why.
  public typealias Failure = SelectionError

  fileprivate let library: PhotoLibrary
  fileprivate let items: [SelectionItem]
  fileprivate let request: PictureRequest

  /// Begins to load the pictures.
  public func makeAsyncIterator() -> AsyncIterator { AsyncIterator(self) }

  /// Loads the pictures.
  public struct AsyncIterator: AsyncIteratorProtocol {
    private let images: SelectedImages
    private var ahead: LoadingAhead?
    private var next = 0

    fileprivate init(_ images: SelectedImages) { self.images = images }

    /// The next picture; `nil` after the last, and after an error.
    ///
    /// - Throws: ``SelectionError``.
    public mutating func next(
      isolation actor: isolated (any Actor)? = #isolation
    ) async throws(SelectionError) -> DisplayImage? {
      guard next < images.items.count else { return nil }
      let index = next
      // After an error nothing follows.
      next = images.items.count
      let ahead: LoadingAhead
      if let begun = self.ahead {
        ahead = begun
      } else {
        ahead = LoadingAhead(try SelectionPlan(images.items, in: images.library, images.request))
        self.ahead = ahead
      }
      let image = try await ahead.take(index)
      next = index + 1
      return image
    }

    /// The next picture; `nil` after the last, and after an error.
    ///
    /// - Throws: ``SelectionError``.
    public mutating func next() async throws(SelectionError) -> DisplayImage? {
      try await next(isolation: nil)
    }
  }
}

/// Loads the pictures of a selection ahead of the one that the program takes.
///
/// Releasing it ends the loading.
private final class LoadingAhead: Sendable {
  private typealias Loading = Task<Result<DisplayImage, SelectionError>, Never>

  private let plan: SelectionPlan
  private let loading = Mutex<[Int: Loading]>([:])

  init(_ plan: SelectionPlan) { self.plan = plan }

  deinit { cancel() }

  /// Waits for the picture of an item, and begins to load the items after it.
  func take(_ index: Int) async throws(SelectionError) -> DisplayImage {
    let plan = plan
    let task = loading.withLock { loading in
      for next in index..<min(index + plan.window, plan.items.count) where loading[next] == nil {
        loading[next] = Task {
          do throws(SelectionError) {
            return .success(try await plan.load(next))
          } catch {
            return .failure(error)
          }
        }
      }
      return loading.removeValue(forKey: index)
    }
    guard let task else { preconditionFailure("an item was taken twice") }
    let result = await withTaskCancellationHandler {
      await task.value
    } onCancel: {
      task.cancel()
    }
    do {
      return try result.get()
    } catch {
      cancel()
      throw error
    }
  }

  private func cancel() {
    loading.withLock { loading in
      for task in loading.values { task.cancel() }
      loading = [:]
    }
  }
}
