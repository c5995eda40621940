import SafelightFiles
import SafelightRendering
import SafelightStorage

/// Filters, adjustments and crops.
extension PhotoEditor {
  /// What to do with a photo's filters.
  public enum FilterPlacement: Sendable, Hashable {
    /// The filter takes the place of those that are there, as in Photos.
    case replacing
    /// The filter goes on top of those that are there.
    case adding
  }

  /// Gives a photo a filter: renders it beside the original and stores the edit.
  ///
  /// Doing it again changes nothing: the same edit of the same original by the same renderer with
  /// the same settings is ``EditResult/Status/unchanged``.
  ///
  /// - Parameters:
  ///   - filter: The look and its intensity, 0 to 1.
  ///   - placement: Whether it replaces the photo's filters or goes on top.
  ///   - photo: The photo.
  ///   - quality: 1 to 100, of the rendered JPEG, and of those after it; `nil` is the quality that was given
  ///     before, and without one that of the original, see `RenderOutput.standard`.
  ///   - dryRun: Whether only to find out what would happen; nothing is rendered or written.
  /// - Throws: ``EditError``; the old edit stands then.
  @discardableResult
  public func apply(
    _ filter: AppliedFilter, _ placement: FilterPlacement = .replacing, to photo: Photo,
    quality: Int? = nil, dryRun: Bool = false
  ) async throws(EditError) -> EditResult {
    try await adjust(photo, quality: quality, dryRun: dryRun) { stack throws(AdjustmentError) in
      switch placement {
      case .replacing: try stack.setFilter(filter)
      case .adding: try stack.addFilter(filter)
      }
    }
  }

  /// Changes a photo's edit: its adjustments and filters are handed over to be changed, then the
  /// photo is rendered and the edit stored.
  ///
  /// ```swift
  /// try await editor.adjust(photo) { edit throws(AdjustmentError) in
  ///   try edit.adjust(Adjustments.Saturation.self) { $0.amount = 0.2 }
  /// }
  /// ```
  ///
  /// The edit is the present one when that is Safelight's own; on another program's it is empty and
  /// starts from the present render. The same edit again is ``EditResult/Status/unchanged``. When
  /// nothing is left of the edit, the render goes and the record keeps the history, as after undoing the
  /// first edit; use
  /// ``revertAssetContentToOriginal(_:keepingRender:droppingVersions:dryRun:)`` to drop it.
  ///
  /// - Parameters:
  ///   - photo: The photo.
  ///   - quality: 1 to 100, of the rendered JPEG, and of those after it; `nil` is the quality that was given
  ///     before, and without one that of the original, see `RenderOutput.standard`.
  ///   - dryRun: Whether only to find out what would happen; nothing is rendered or written.
  ///   - change: Changes the edit.
  /// - Throws: ``EditError``; the old edit stands then.
  @discardableResult
  public func adjust(
    _ photo: Photo, quality: Int? = nil, dryRun: Bool = false,
    _ change: @Sendable (inout EditStack) throws(AdjustmentError) -> Void
  ) async throws(EditError) -> EditResult {
    try await perform(on: photo, dryRun: dryRun) { edit in
      try edit.planToChange(quality: quality) { stack in try change(&stack) }
    }
  }

  /// Gives a photo a crop, in place of the crop that it has. The edit stores it in shares of the
  /// picture.
  ///
  /// The area lies in the uncropped photo, turned and straightened as the rest of its edit says.
  ///
  /// - Parameters:
  ///   - photo: The photo.
  ///   - area: What to keep; `nil` takes the crop away.
  ///   - quality: 1 to 100, of the rendered JPEG, and of those after it; `nil` is the quality that was given
  ///     before, and without one that of the original, see `RenderOutput.standard`.
  ///   - dryRun: Whether only to find out what would happen; nothing is rendered or written.
  /// - Throws: ``EditError/cropOutside(path:size:_:)`` when the area does not lie in the picture, or
  ///   another ``EditError``; the old edit stands then.
  @discardableResult
  public func crop(
    _ photo: Photo, to area: CropArea?, quality: Int? = nil,
    dryRun: Bool = false
  ) async throws(EditError) -> EditResult {
    try await perform(.crop(area), on: photo, quality: quality, dryRun: dryRun)
  }

  /// Looks for adjustments that suit a photo, without changing anything.
  ///
  /// The values come from the pixels that the photo's edit starts from and not from its present
  /// adjustments, so looking again finds the same. They are ordinary parameters:
  ///
  /// ```swift
  /// let found = try await editor.automaticAdjustments(for: photo)
  /// try await editor.adjust(photo) { edit throws(AdjustmentError) in try edit.set(found.settings) }
  /// ```
  ///
  /// - Parameters:
  ///   - photo: The photo.
  ///   - kinds: What to look for.
  ///   - strength: How far each value goes from neutral, 0 to 1; see
  ///     `AutomaticAdjustments.scaled(to:)`.
  /// - Throws: ``EditError``.
  public func automaticAdjustments(
    for photo: Photo, _ kinds: Set<AutomaticAdjustment> = [.tone, .whiteBalance],
    strength: Double = 1
  ) async throws(EditError) -> AutomaticAdjustments {
    try await reading(photo) { edit, cancellation in
      try edit.checkedPixels().automaticAdjustments(
        kinds, for: edit.stack(), strength: strength, cancellation)
    }
  }

  /// A photo's edit, to be copied to other photos or saved as a filter.
  ///
  /// - Throws: ``EditError/nothingToCopy(path:reason:)`` when the photo has no edit or another
  ///   program's, or another ``EditError``.
  public func edit(of photo: Photo) async throws(EditError) -> EditStack {
    try await reading(photo) { edit, _ in
      guard let record = edit.record else {
        throw EditError.nothingToCopy(path: photo.path, reason: .noEdit)
      }
      guard EditStack.canHandle(record.adjustmentData) else {
        throw EditError.nothingToCopy(path: photo.path, reason: .anotherProgramsEdit)
      }
      let stack = try EditStack(record.adjustmentData)
      if stack.isEmpty { throw EditError.nothingToCopy(path: photo.path, reason: .noEdit) }
      return stack
    }
  }
}

// MARK: - Plans

extension OpenEdit {
  /// A plan to pass over a file that is a render; `nil` for a photo to edit.
  ///
  /// - Parameter verb: What the user does with the photo instead.
  func planToSkip(verb: String = "edit") throws -> EditPlan? {
    try owner().map { owner in
      EditPlan(
        change: .none(.isRender),
        report: EditResult(
          status: .skipped,
          warnings: ["It is a render of \(owner); \(verb) that photo instead."]))
    }
  }

  /// A plan to give the photo's own edit other adjustments.
  ///
  /// - Parameter isLossless: Whether the photo must be rendered without loss, which is its own quality and not the one that
  ///   was given before.
  func planToChange(
    quality: Int?, isLossless: Bool = false, _ change: (inout EditStack) throws -> Void
  ) throws -> EditPlan {
    try checkForEdit()
    if let skip = try planToSkip() { return skip }
    var stack = try stack()
    try change(&stack)
    let notes = [noteOfForeignEdit].compactMap(\.self)
    if isLossless {
      var output = RenderOutput.standard
      output.lossless = true
      let header = try pixels(of: start()).header()
      do throws(LossReason) { try header.checkLossless(stack, as: output) } catch {
        throw EditError.notLossless(path, error)
      }
      return try plan(for: stack, output: output).adding(nil, notes: notes)
    }
    let recorded = record?.render.flatMap { RendererDescription($0.renderer).quality }
    return try plan(for: stack, output: RendererDescription(quality: quality ?? recorded).output)
      .adding(nil, notes: notes)
  }

  /// What the photo's first edit leaves behind that another program did.
  private var noteOfForeignEdit: String? {
    guard record?.isForeign != false, let foreign = files.foreignEdit(), foreign.isSeen else {
      return nil
    }
    return
      "The photo was \(foreign.description). This edit starts from the original; “edit adopt” takes the other one over."
  }

  /// A plan to make an edit stack the photo's own edit.
  func plan(for stack: EditStack, output: RenderOutput) throws -> EditPlan {
    try stack.checkIsKnown()
    try stack.checkSize()
    let start = try start()
    let data = stack.adjustmentData
    let hasSameData = record?.adjustmentData == data
    if hasSameData, let record, record.showsOriginal, record.render == nil {
      return .nothing(.sameEdit, for: self)
    }
    if hasSameData, files.path(of: .render) != nil,
      record?.render?.renderer == RendererDescription(output).text
    {
      return try planToRenewMetadata(status: .edited) ?? .nothing(.sameEdit, for: self)
    }
    // The photo has no edit of Safelight's own that could become empty.
    if stack.holdsNothing, start.adjustmentData == nil { return .nothing(.noEdit, for: self) }
    return try planToCommit(
      NewEdit(
        data: data, start: start, render: .rendered(stack, output),
        history: hasSameData ? .renderAgain : .edit))
  }

  /// A plan to make an edit the photo's. Where the original is turned, all edits turn with it. An edit
  /// that shows the original gets no render.
  func planToCommit(
    _ new: NewEdit, status: EditResult.Status = .edited, step: Int? = nil
  ) throws -> EditPlan {
    var new = new
    if let turned = files.turnedEdits {
      new.turned = turned.data
      new.acceptsOriginal = true
      new.versions = try versionsToRender { _ in true }
    }
    if new.start.pixels == .original, new.data == EditStack().adjustmentData,
      record?.isForeign == false
    {
      new.render = .none
    }
    var rendered: FilePath?
    if case .none = new.render {} else { rendered = try files.plannedPath(of: .render) }
    return EditPlan(
      change: .commit(new),
      report: EditResult(
        status: status, rendered: rendered, record: files.recordPath,
        warnings: files.warningsOfNewerRenders(
          [.render] + new.versions.map { FileRole.version($0.name) }),
        step: step))
  }
}

extension EditStack {
  /// Throws when the edit has an adjustment that only a newer Safelight can render.
  func checkIsKnown() throws(RenderError) {
    guard let unknown = unknownEntries.first else { return }
    throw .unknownAdjustment(id: unknown.id, version: unknown.version)
  }
}
