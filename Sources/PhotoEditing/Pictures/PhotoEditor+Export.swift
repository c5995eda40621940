import SafelightDarkroom
import SafelightFiles
import SafelightMetadata
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
  ///   - edit: An edit of the original that is shown in place of the photo's own; `nil` for none.
  ///   - existing: What becomes of a file of that name.
  ///   - makingFolders: Whether folders that are not there are made.
  ///   - dryRun: Whether only to find out what would happen.
  /// - Returns: A result that is `unchanged` when the picture is there already.
  /// - Throws: ``EditError``; no file is left behind then.
  @discardableResult
  public func export(
    _ photo: Photo, to path: FilePath, as output: RenderOutput, showingEdit showsEdit: Bool = true,
    edit: EditRequest? = nil, existing: ExistingFile = .refused, makingFolders: Bool = false,
    dryRun: Bool = false
  ) async throws(EditError) -> EditResult {
    try await export(
      photo, to: .file(path, existing: existing, makingFolders: makingFolders), as: output,
      showingEdit: showsEdit, edit, dryRun: dryRun)
  }

  /// Renders a photo as it is now, or without its edit, and hands out the bytes of the file.
  ///
  /// - Parameter stream: Takes the bytes. When the call throws, they may be incomplete.
  @discardableResult
  package func export(
    _ photo: Photo, as output: RenderOutput, showingEdit showsEdit: Bool = true,
    edit: EditRequest? = nil, dryRun: Bool = false, to stream: @escaping PictureStream
  ) async throws(EditError) -> EditResult {
    try await export(
      photo, to: .stream(stream), as: output, showingEdit: showsEdit, edit, dryRun: dryRun)
  }

  private func export(
    _ photo: Photo, to target: NewPicture.Target, as output: RenderOutput,
    showingEdit showsEdit: Bool, _ request: EditRequest?, dryRun: Bool
  ) async throws(EditError) -> EditResult {
    let output = try output.readingFiles()
    let actions = try await request?.operations.stackActions()
    return try await perform(on: photo, .reading, dryRun: dryRun) { edit in
      let shown = try actions.map { try edit.shownOriginal(after: $0) }
      return try edit.planToWrite(
        to: target, as: output, showsEdit ? .present : .original, in: shown
      ) { _ in .photo }
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
        try edit.content(of: comparison, $0)
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
      try edit.planToWrite(to: .file(path, replacing: replacing), as: output) { shown in
        let stack = shown.needed
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
      func histogram(_ shown: ShownState) throws -> PhotoHistogram {
        try darkroom.histogram(
          of: edit.pixels(of: shown).source, edit: shown.needed, cancellation: cancellation)
      }
      let now = try edit.shown(.present)
      return PhotoHistograms(
        now: try histogram(now), before: now.isEdited ? try histogram(edit.shownOriginal) : nil)
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
      try edit.planToWrite(to: .file(path, replacing: replacing), as: output) { _ in
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
  ///   - requested: The state, where it is made already.
  ///   - content: What the picture makes of the state; called after the photo's files and the destination were checked.
  func planToWrite(
    to target: NewPicture.Target, as output: RenderOutput,
    _ state: PictureRequest.State = .present, in requested: ShownState? = nil,
    _ content: (ShownState) throws -> NewPicture.Content
  ) throws -> EditPlan {
    let shown = try requested ?? shown(state)
    // Nobody asks for the content of a picture that must not be written.
    if case .file(let path, let existing, _) = target, existing == .refused || existing == .replaced
    {
      try files.checkDestination(path, replacing: existing == .replaced)
    }
    let picture = NewPicture(
      target: target, output: output, shown: shown, content: try content(shown))
    if case .file(let path, let existing, _) = target, existing == .kept || existing == .renewed {
      if try files.keeps(path, as: picture, existing) {
        return EditPlan(
          change: .none(.samePicture), report: EditResult(status: .unchanged, rendered: path))
      }
      try files.checkDestination(path, replacing: existing == .renewed)
    }
    return EditPlan(
      change: .write(picture), report: EditResult(status: .rendered, rendered: target.path))
  }

  fileprivate func content(
    of comparison: PhotoComparison, _ now: ShownState
  ) throws -> NewPicture.Content {
    var stack = now.needed
    if let filter = comparison.filter {
      try stack.setFilter(filter)
    } else if !now.isEdited {
      throw EditError.nothingToCompare(path)
    }
    // Another program's edit is in the pixels that the picture shows.
    let labels = [
      now.edit == nil ? record?.adjustmentData.formatIdentifier : nil,
      stack.isEmpty ? nil : comparison.caption(stack),
    ]
    return .comparison(
      comparison.arrangement,
      before: LabeledState(label: comparison.originalLabel, shown: shownOriginal),
      after: LabeledState(
        label: labels.compactMap(\.self).joined(separator: ", "),
        shown: ShownState(start: now.start, needed: stack)))
  }
}

extension ShownState {
  /// Whether it differs from the photo as it was taken.
  fileprivate var isEdited: Bool { !needed.isEmpty || start.pixels != .original }
}

extension PhotoDarkroom {
  /// Draws a picture of a photo for a file.
  func draw(
    _ content: NewPicture.Content, showing shown: ShownState, of edit: OpenEdit,
    as output: RenderOutput, derivedFrom original: OriginalReference,
    cancellation: RenderCancellation, to stream: @escaping (UnsafeRawBufferPointer) throws -> Void
  ) throws -> Renderer.Report {
    func labeled(_ state: LabeledState) throws -> LabeledEdit {
      LabeledEdit(
        try edit.pixels(of: state.shown).source, edit: state.shown.needed, label: state.label)
    }
    switch content {
    case .photo:
      return try render(
        edit.pixels(of: shown).source, edit: shown.needed, as: output, derivedFrom: original,
        cancellation: cancellation, to: stream)
    case .comparison(let arrangement, let before, let after):
      return try comparison(
        of: labeled(before), and: labeled(after), arrangement, as: output, derivedFrom: original,
        cancellation: cancellation, to: stream)
    case .contactSheet(let edits, let columns):
      return try contactSheet(
        of: edit.pixels(of: shown).source, with: edits.map { ($0.label, $0.edit) },
        columns: columns, as: output, derivedFrom: original, cancellation: cancellation,
        to: stream)
    case .histograms(let histograms):
      return try draw(
        histograms.now, before: histograms.before, as: output, derivedFrom: original, to: stream)
    }
  }
}
