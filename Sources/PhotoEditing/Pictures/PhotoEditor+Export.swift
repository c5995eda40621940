import SafelightDarkroom
import SafelightFiles
import SafelightRendering
import SafelightStorage

/// Pictures of a photo in files that belong to no photo. The photo, its record and its render are not
/// touched, and another program's edit is taken from its render.
extension PhotoEditor {
  /// Renders a photo as it is now, or without its edit, to a file of its own.
  ///
  /// - Parameters:
  ///   - photo: The photo, edited or not.
  ///   - path: Where the picture goes.
  ///   - output: Format, quality and size.
  ///   - showsEdit: Whether the photo is written with its edit; otherwise as it was taken, upright.
  ///   - replacing: Whether a file of that name may be replaced; never an original.
  ///   - dryRun: Whether only to find out what would happen.
  /// - Throws: ``EditError``; no file is left behind then.
  @discardableResult
  public func export(
    _ photo: Photo, to path: FilePath, as output: RenderOutput, showingEdit showsEdit: Bool = true,
    replacing: Bool = false, dryRun: Bool = false
  ) async throws(EditError) -> EditResult {
    try await export(
      photo, to: .file(path, replacing: replacing), as: output, showingEdit: showsEdit,
      dryRun: dryRun)
  }

  /// Renders a photo as it is now, or without its edit, and hands out the bytes of the file.
  ///
  /// - Parameter stream: Takes the bytes. When the call throws, they may be incomplete.
  @discardableResult
  package func export(
    _ photo: Photo, as output: RenderOutput, showingEdit showsEdit: Bool = true,
    dryRun: Bool = false, to stream: @escaping PictureStream
  ) async throws(EditError) -> EditResult {
    try await export(
      photo, to: .stream(stream), as: output, showingEdit: showsEdit, dryRun: dryRun)
  }

  private func export(
    _ photo: Photo, to target: NewPicture.Target, as output: RenderOutput,
    showingEdit showsEdit: Bool, dryRun: Bool
  ) async throws(EditError) -> EditResult {
    try await perform(on: photo, .reading, dryRun: dryRun) { edit in
      try edit.planToWrite(to: target, as: output, showsEdit: showsEdit) {
        .photo(showsEdit ? try edit.stack() : EditStack())
      }
    }
  }

  /// Writes a photo before and after its edit as one labeled picture.
  ///
  /// Side by side, the original is not cropped; split, both show the same part.
  ///
  /// - Parameters:
  ///   - photo: The photo, edited or not.
  ///   - comparison: What is shown and how.
  ///   - path: Where the picture goes.
  ///   - output: Format, quality, and the longer side of the whole.
  ///   - replacing: Whether a file of that name may be replaced; never an original.
  ///   - dryRun: Whether only to find out what would happen.
  /// - Throws: ``EditError/nothingToCompare(_:)`` for a photo without an edit, when no filter is
  ///   given, or another ``EditError``; no file is left behind then.
  @discardableResult
  public func exportComparison(
    of photo: Photo, _ comparison: PhotoComparison = PhotoComparison(), to path: FilePath,
    as output: RenderOutput, replacing: Bool = false, dryRun: Bool = false
  ) async throws(EditError) -> EditResult {
    try await perform(on: photo, .reading, dryRun: dryRun) { edit in
      try edit.planToWrite(to: .file(path, replacing: replacing), as: output) {
        try edit.content(of: comparison)
      }
    }
  }

  /// Writes a photo with each of several filters as labeled thumbnails on one picture, the photo
  /// without any filter first.
  ///
  /// A filter takes the place of those that the photo has; its other adjustments stay, as when the
  /// filter is applied. The first thumbnail shows the same part of the photo, otherwise as it was
  /// taken. The photo is decoded once.
  ///
  /// - Parameters:
  ///   - photo: The photo, edited or not.
  ///   - filters: The filters, labeled with their names.
  ///   - columns: Thumbnails in a row; `nil` takes as many as make a sheet of a good shape.
  ///   - originalLabel: What stands below the first thumbnail.
  ///   - path: Where the picture goes.
  ///   - output: Format, quality, and the longer side of a thumbnail, 360 pixels without it.
  ///   - replacing: Whether a file of that name may be replaced; never an original.
  ///   - dryRun: Whether only to find out what would happen.
  /// - Throws: ``EditError``; no file is left behind then.
  @discardableResult
  public func exportContactSheet(
    of photo: Photo, with filters: [Filter], columns: Int? = nil,
    originalLabel: String = "Original", to path: FilePath, as output: RenderOutput,
    replacing: Bool = false, dryRun: Bool = false
  ) async throws(EditError) -> EditResult {
    try await perform(on: photo, .reading, dryRun: dryRun) { edit in
      try edit.planToWrite(to: .file(path, replacing: replacing), as: output) {
        let stack = try edit.stack()
        let geometry = stack.entries.compactMap { $0.isGeometry ? $0.adjustment : nil }
        let original = LabeledStack(label: originalLabel, edit: try EditStack(geometry))
        let filtered = try filters.map { filter in
          var stack = stack
          try stack.setFilter(filter.applied())
          return LabeledStack(label: filter.name, edit: stack)
        }
        return .contactSheet([original] + filtered, columns: columns)
      }
    }
  }

  /// Counts the pixel values of a photo as it is now and, when it is edited, of its original.
  ///
  /// Every pixel counts, at full size, which takes as long as rendering the photo without writing it.
  ///
  /// - Throws: ``EditError``.
  public func histograms(of photo: Photo) async throws(EditError) -> PhotoHistograms {
    try await reading(photo) { edit, cancellation in
      try edit.checkStart()
      func histogram(_ start: EditStart, _ stack: EditStack) throws -> PhotoHistogram {
        try darkroom.histogram(
          of: edit.pixels(of: start).source, edit: stack, cancellation: cancellation)
      }
      return PhotoHistograms(
        now: try histogram(edit.start(), edit.stack()),
        before: try edit.isEdited() ? histogram(edit.originalStart, EditStack()) : nil)
    }
  }

  /// Draws a photo's histograms to a file of its own, 1,088 pixels wide.
  ///
  /// - Parameters:
  ///   - histograms: What ``histograms(of:)`` counted.
  ///   - photo: The photo.
  ///   - path: Where the picture goes.
  ///   - output: Format and quality; its size is not used.
  ///   - replacing: Whether a file of that name may be replaced; never an original.
  /// - Throws: ``EditError``; no file is left behind then.
  @discardableResult
  public func exportHistogram(
    _ histograms: PhotoHistograms, of photo: Photo, to path: FilePath, as output: RenderOutput,
    replacing: Bool = false
  ) async throws(EditError) -> EditResult {
    try await perform(on: photo, .reading, dryRun: false) { edit in
      try edit.planToWrite(to: .file(path, replacing: replacing), as: output) {
        .histograms(histograms)
      }
    }
  }
}

// MARK: - What pictures show

/// What a comparison shows and how.
///
/// ```swift
/// let noir = try Filter.named("noir").applied()
/// try await editor.exportComparison(
///   of: photo, PhotoComparison(.split(at: 0.5), filter: noir), to: "both.jpg", as: .standard)
/// ```
public struct PhotoComparison: Sendable {
  /// How the two pictures lie.
  public var arrangement: ComparisonArrangement
  /// A filter to try: the second picture has it in place of the photo's own. `nil` shows the photo as
  /// it is now.
  public var filter: AppliedFilter?
  /// What stands below the original.
  public var originalLabel: String
  /// Makes the text below the second picture from its edit.
  public var caption: @Sendable (EditStack) -> String

  /// A comparison; without a caption, an edit is called by the names of its adjustments.
  public init(
    _ arrangement: ComparisonArrangement = .automatic, filter: AppliedFilter? = nil,
    originalLabel: String = "Original",
    caption: @escaping @Sendable (EditStack) -> String = { edit in
      edit.inPipelineOrder.map { ($0.adjustment as? AppliedFilter)?.title ?? $0.id }
        .joined(separator: ", ")
    }
  ) {
    self.arrangement = arrangement
    self.filter = filter
    self.originalLabel = originalLabel
    self.caption = caption
  }
}

/// The histograms of a photo.
///
/// ```swift
/// let histograms = try await editor.histograms(of: photo)
/// try await editor.exportHistogram(histograms, of: photo, to: "light.png", as: .init(format: .png))
/// ```
public struct PhotoHistograms: Sendable, Hashable {
  /// Of the photo as it is now, its edit included.
  public let now: PhotoHistogram
  /// Of the original; `nil` when the photo has no edit.
  public let before: PhotoHistogram?
}

// MARK: - Plans

extension OpenEdit {
  /// A plan to write a picture of the photo that becomes no part of the photo.
  ///
  /// - Parameters:
  ///   - showsEdit: Whether the picture shows the photo with its edit.
  ///   - content: What the picture shows; called after the photo's files were checked.
  func planToWrite(
    to target: NewPicture.Target, as output: RenderOutput, showsEdit: Bool = true,
    _ content: () throws -> NewPicture.Content
  ) throws -> EditPlan {
    if showsEdit { try checkStart() } else { try files.checkOriginal() }
    if case .file(let path, let replacing) = target {
      try files.checkDestination(path, replacing: replacing)
    }
    let picture = NewPicture(
      target: target, output: output, content: try content(),
      start: showsEdit ? try start() : originalStart)
    return EditPlan(
      change: .write(picture), report: EditResult(status: .rendered, rendered: target.path))
  }

  /// Whether the photo differs from its original.
  fileprivate func isEdited() throws -> Bool {
    try !stack().isEmpty || start().pixels != .original
  }

  fileprivate func content(of comparison: PhotoComparison) throws -> NewPicture.Content {
    var stack = try stack()
    if let filter = comparison.filter {
      try stack.setFilter(filter)
    } else if try !isEdited() {
      throw EditError.nothingToCompare(path)
    }
    // Another program's edit is in the pixels that the picture shows.
    let isForeign = try start().pixels == .render
    let labels = [
      isForeign ? record?.adjustmentData.formatIdentifier : nil,
      stack.isEmpty ? nil : comparison.caption(stack),
    ]
    return .comparison(
      comparison.arrangement,
      before: LabeledStack(label: comparison.originalLabel, edit: EditStack()),
      after: LabeledStack(label: labels.compactMap(\.self).joined(separator: ", "), edit: stack))
  }
}
