import PhotoEditing
import Synchronization

extension PhotoLibrary {
  /// Pictures of what was chosen, one by one in the order of the choice.
  ///
  /// A few are loaded ahead of the one that is taken, and no more than those are in memory. When one
  /// fails, those before it are still given; then comes its error, and the rest is cancelled. Nothing
  /// is loaded before the first is asked for, and the loading ends when nobody can take any more.
  /// - Parameters:
  ///   - selection: What was chosen.
  ///   - targetSize: The size in pixels; as large as the photos are without it.
  ///   - contentMode: Whether the pictures lie inside the size or cover it.
  ///   - options: Version and how exactly the size is met; pictures are always the good ones.
  public func selectedImages(
    for selection: [SelectionItem], targetSize: PixelSize = imageManagerMaximumSize,
    contentMode: ImageContentMode = .aspectFit,
    options: ImageRequestOptions = ImageRequestOptions()
  ) -> SelectedImages {
    SelectedImages(
      library: self, items: selection,
      recipe: ImageRecipe(targetSize: targetSize, contentMode: contentMode, options: options))
  }
}

/// The pictures of a selection, in its order; may be read more than once, and is loaded each time.
public struct SelectedImages: AsyncSequence, Sendable {
  /// A picture of an item.
  public typealias Element = DisplayImage
  /// Which item failed, and why.
  public typealias Failure = SelectionError

  fileprivate let library: PhotoLibrary
  fileprivate let items: [SelectionItem]
  fileprivate let recipe: ImageRecipe

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
        ahead = LoadingAhead(try SelectionPlan(images.items, in: images.library, images.recipe))
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

/// The pictures of a selection that are being loaded ahead of the one that is taken.
///
/// Dropping it ends the loading.
private final class LoadingAhead: Sendable {
  private typealias Loading = Task<Result<DisplayImage, SelectionError>, Never>

  private let plan: SelectionPlan
  private let loading = Mutex<[Int: Loading]>([:])

  init(_ plan: SelectionPlan) { self.plan = plan }

  deinit { cancel() }

  /// The picture of an item, once it is there; those behind it are begun.
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
