import FoundationEssentials
import PhotoEditing

extension PhotoLibrary {
  /// Loads pictures of what was chosen: all of them, in the order of the choice, or none.
  ///
  /// Several are loaded at once, whatever finishes first. As soon as one fails the rest is cancelled,
  /// and the error says which one it was. An item may be chosen more than once; no items give no
  /// pictures. All pictures are in memory at the end: ask for a size, or take them one by one with
  /// ``selectedImages(for:targetSize:contentMode:options:)``, when they are many.
  ///
  /// ```swift
  /// let thumbnails = try await library.loadImages(
  ///   for: assets.map(SelectionItem.asset), targetSize: PixelSize(width: 400, height: 400))
  /// ```
  /// - Parameters:
  ///   - selection: What was chosen. Files need not be in the library, and no access is asked for them.
  ///   - targetSize: The size in pixels; as large as the photos are without it.
  ///   - contentMode: Whether the pictures lie inside the size or cover it.
  ///   - options: Version and how exactly the size is met; pictures are always the good ones.
  /// - Throws: ``SelectionError``.
  public func loadImages(
    for selection: [SelectionItem], targetSize: PixelSize = imageManagerMaximumSize,
    contentMode: ImageContentMode = .aspectFit,
    options: ImageRequestOptions = ImageRequestOptions()
  ) async throws(SelectionError) -> [DisplayImage] {
    let recipe = ImageRecipe(targetSize: targetSize, contentMode: contentMode, options: options)
    return try await SelectionPlan(selection, in: self, recipe).all()
  }

  /// Loads pictures of assets, as of other selections.
  ///
  /// - Throws: ``SelectionError``.
  public func loadImages(
    for assets: [Asset], targetSize: PixelSize = imageManagerMaximumSize,
    contentMode: ImageContentMode = .aspectFit,
    options: ImageRequestOptions = ImageRequestOptions()
  ) async throws(SelectionError) -> [DisplayImage] {
    try await loadImages(
      for: assets.map(SelectionItem.asset), targetSize: targetSize, contentMode: contentMode,
      options: options)
  }

  /// Loads pictures of assets by their identifiers, as of other selections.
  ///
  /// - Throws: ``SelectionError``.
  public func loadImages(
    for identifiers: [String], targetSize: PixelSize = imageManagerMaximumSize,
    contentMode: ImageContentMode = .aspectFit,
    options: ImageRequestOptions = ImageRequestOptions()
  ) async throws(SelectionError) -> [DisplayImage] {
    try await loadImages(
      for: identifiers.map(SelectionItem.identifier), targetSize: targetSize,
      contentMode: contentMode, options: options)
  }

  /// Loads pictures of files, as of other selections.
  ///
  /// A URL of no file is a mistake of the caller's.
  /// - Throws: ``SelectionError``.
  public func loadImages(
    for files: [URL], targetSize: PixelSize = imageManagerMaximumSize,
    contentMode: ImageContentMode = .aspectFit,
    options: ImageRequestOptions = ImageRequestOptions()
  ) async throws(SelectionError) -> [DisplayImage] {
    let items = files.map { url in
      guard let path = FilePath(fileURL: url) else { preconditionFailure("\(url) is no file.") }
      return SelectionItem.file(path)
    }
    return try await loadImages(
      for: items, targetSize: targetSize, contentMode: contentMode, options: options)
  }
}

extension SelectionPlan {
  /// All pictures, or the error of the item that failed first.
  fileprivate func all() async throws(SelectionError) -> [DisplayImage] {
    let result = await withTaskGroup(
      of: (index: Int, result: Result<DisplayImage, SelectionError>).self,
      returning: Result<[DisplayImage], SelectionError>.self
    ) { group in
      var images = [DisplayImage?](repeating: nil, count: items.count)
      var next = 0
      func add(_ index: Int) {
        group.addTask {
          do throws(SelectionError) {
            return (index, .success(try await load(index)))
          } catch {
            return (index, .failure(error))
          }
        }
      }
      while next < min(window, items.count) {
        add(next)
        next += 1
      }
      while let (index, result) = await group.next() {
        switch result {
        case .success(let image): images[index] = image
        case .failure(let error):
          group.cancelAll()
          return .failure(error)
        }
        if next < items.count {
          add(next)
          next += 1
        }
      }
      return .success(images.compactMap(\.self))
    }
    return try result.get()
  }
}
