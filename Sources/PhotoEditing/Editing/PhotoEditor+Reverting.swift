import SafelightFiles
import SafelightRendering
import SafelightStorage

/// Dropping an edit, and rendering it once more.
extension PhotoEditor {
  /// Drops a photo's edit: the sidecar, the render and the base photo. The original stays as it
  /// always was. Reverting a photo without an edit is ``EditResult/Status/unchanged``.
  ///
  /// When the first edit took the place of another program's sidecar, that sidecar comes back with
  /// the same bytes, as a new file with the mode 0644 less the umask; the result names it as the
  /// record. When the photo has only another program's sidecar, revert keeps that sidecar and warns.
  ///
  /// - Parameters:
  ///   - photo: The photo.
  ///   - keepingRender: Whether the render stays as a file of its own, for example because
  ///     somebody retouched it.
  ///   - droppingVersions: Whether the photo's named versions go too. Without it they keep it from
  ///     being reverted, as they would be lost.
  ///   - dryRun: Whether only to find out what would happen.
  /// - Throws: ``EditError``, such as a render that somebody retouched, named versions that may not be
  ///   dropped, or the sidecar of a photo of another name and content; the edit stands then. A
  ///   changed original of the same name does not prevent a revert.
  @discardableResult
  public func revertAssetContentToOriginal(
    _ photo: Photo, keepingRender: Bool = false, droppingVersions: Bool = false,
    dryRun: Bool = false
  ) async throws(EditError) -> EditResult {
    try await perform(
      .revert(keepingRender: keepingRender, droppingVersions: droppingVersions), on: photo,
      dryRun: dryRun)
  }

  /// Renders a photo's edit again when its render is missing, or when another version of the
  /// renderer made it, which may have made other pixels. When another program wrote metadata into
  /// the original, the render gets them without being encoded again, and named versions are rendered
  /// again. When another program turned the original, the edits turn with it.
  ///
  /// Named versions whose renders are missing get new ones, as far as Safelight made them and the photo's
  /// present edit.
  ///
  /// The edit and its history stay as they are otherwise, byte for byte, and so does the quality of
  /// the JPEG.
  ///
  /// - Parameters:
  ///   - photo: The photo.
  ///   - dryRun: Whether only to find out what would happen; nothing is rendered or written.
  /// - Returns: ``EditResult/Status/rendered``, with the render beside the original;
  ///   ``EditResult/Status/unchanged`` when it is up to date, or when the photo has no edit of
  ///   Safelight's own; ``EditResult/Status/skipped`` for what is a render itself.
  /// - Throws: ``EditError``, such as a render that somebody retouched, or another program's edit
  ///   without its render; everything stays as it was then.
  @discardableResult
  public func renderAgain(
    _ photo: Photo, dryRun: Bool = false
  ) async throws(EditError) -> EditResult {
    try await perform(.renderAgain, on: photo, dryRun: dryRun)
  }
}

// MARK: - Plans

extension OpenEdit {
  /// A plan to drop the edit.
  func planToRevert(
    keepingRender: Bool = false, droppingVersions: Bool = false
  ) throws -> EditPlan {
    guard let record else {
      return EditPlan(change: .none(.noEdit), report: EditResult(status: .unchanged))
    }
    guard !record.isForeign else {
      let error = StorageError.foreignSidecar(files.recordPath)
      let warning = "\(error.description) Remove it yourself if its edit is not wanted."
      return EditPlan(
        change: .none(.anotherProgramsEdit),
        report: EditResult(
          status: .unchanged, record: files.recordPath, warnings: [warning]))
    }
    try checkOwnRecord()
    let versions = record.versions.map(\.name)
    if !versions.isEmpty, !droppingVersions { throw StorageError.hasVersions(path, versions) }
    try files.checkRemoval(keepingRender: keepingRender)
    return EditPlan(
      change: .revert(keepingRender: keepingRender, droppingVersions: droppingVersions),
      report: EditResult(
        status: .reverted, rendered: keepingRender ? files.path(of: .render) : nil,
        record: record.replacedSidecar.map { _ in files.recordPath },
        warnings: warningsOfFormerName(record)
          + files.warningsOfNewerRenders(
            Set(record.files.map(\.role) + [.render]).filter { !keepingRender || $0 != .render })))
  }

  /// A file is only removed under a name that the photo gives it, whatever its record says.
  private func warningsOfFormerName(_ record: Record) -> [String] {
    guard let former = record.original?.name, former != path.lastComponent,
      files.hasForeignNames
    else { return [] }
    return ["Files with names made from \(former), the photo's former name, stay where they are."]
  }

  /// Throws when the original or the render is not as recorded.
  func checkForRenderingAgain() throws {
    try files.checkOriginal()
    try files.check(.render)
  }

  /// A plan to make the render of the present edit once more.
  func planToRenderAgain() throws -> EditPlan {
    guard let record, let render = record.render else { return .nothing(.noEdit, for: self) }
    let isOwn = EditStack.canHandle(record.adjustmentData)
    let description = RendererDescription(render.renderer)
    if files.path(of: .render) != nil {
      // Only the program that made an edit can render it again.
      guard isOwn else { return .nothing(.anotherProgramsEdit, for: self) }
      if description.version == Renderer.version {
        return try planToRenewMetadata(status: .rendered, makingMissing: true)
          ?? .nothing(.sameEdit, for: self)
      }
    }
    guard isOwn else { throw EditError.renderMissing(path) }
    return try planToRepeat(
      record, .rendered(try stack(), description.output), status: .rendered,
      versions: versionsToRender(makingMissing: true, where: files.isOutdated))
  }

  /// A plan to give the render and those of the versions the metadata that another program wrote
  /// into the original; `nil` when all have them.
  ///
  /// - Parameter makingMissing: Whether versions without a render get one, too, and a video that is gone.
  func planToRenewMetadata(
    status: EditResult.Status, makingMissing: Bool = false
  ) throws -> EditPlan? {
    guard let record, let render = record.render, EditStack.canHandle(record.adjustmentData)
    else { return nil }
    let versions = try versionsToRender(makingMissing: makingMissing, where: files.isOutdated)
    let new: NewEdit.Render
    if try files.originalLikeness() == .samePicture {
      new = .withNewMetadata(render)
    } else if try files.turnedEdits != nil || files.isOutdated(.render) {
      new = .rendered(try stack(), RendererDescription(render.renderer).output)
    } else if !versions.isEmpty || makingMissing && isVideoMissing,
      let path = files.path(of: .render)
    {
      new = .copied(CopiedRender(render, at: path))
    } else {
      return nil
    }
    let plan = try planToRepeat(record, new, status: status, versions: versions)
    guard case .withNewMetadata = new, let base = files.path(of: .base) else { return plan }
    // A place that was removed from the original may still be in the base photo.
    let warning = "The edit starts from \(base), which keeps the metadata that it has."
    return EditPlan(
      change: plan.change, report: plan.report.adding([warning], render: nil, isUnfinished: false))
  }

  /// Whether the photo's edit has no video, because that is gone, or because the original's could not be rendered, came
  /// later, or was left alone.
  private var isVideoMissing: Bool {
    guard let record, files.path(of: .video) == nil else { return false }
    if record.files.contains(where: { $0.role == .video }) { return true }
    guard (try? stack().isEmpty) == false, (try? start().pixels) == .original,
      let render = files.path(of: .render), let video = PhotoVideo(of: path, .real)
    else { return false }
    return video.kind == .live
      || PhotoBytes(render, .real).flatMap { PhotoVideo(inside: render, $0) } == nil
  }

  /// The named versions that can be rendered again, as far as they must be.
  ///
  /// - Parameters:
  ///   - makingMissing: Whether versions without a render must be.
  ///   - isOutdated: Whether a version with a render must be.
  func versionsToRender(
    makingMissing: Bool = false, where isOutdated: (FileRole) throws -> Bool
  ) throws -> [RenderedVersion] {
    try (record?.versions ?? []).compactMap { version in
      let role = FileRole.version(version.name)
      guard let stack = try? EditStack(version.adjustmentData), stack.unknownEntries.isEmpty,
        !version.isShared || files.turnedEdits != nil, (try? files.check(role)) != nil,
        try files.path(of: role) == nil ? makingMissing : isOutdated(role),
        let start = start(of: version)
      else { return nil }
      return RenderedVersion(
        name: version.name, stack: stack, start: start,
        output: RendererDescription(version.render.renderer).output)
    }
  }

  /// The pixels that a version starts from; `nil` when they are not there.
  private func start(of version: RecordedVersion) -> EditStart? {
    guard let base = version.base else { return originalStart }
    guard base.sha256 == record?.base?.sha256, let path = files.path(of: .base),
      (try? files.check(.base)) != nil
    else { return nil }
    return EditStart(pixels: .base, path: path)
  }

  /// A plan to go on with the picture that has the original's place, whatever it is.
  func planToAcceptOriginal() throws -> EditPlan {
    guard let record, !record.isForeign else { return .nothing(.noEdit, for: self) }
    guard EditStack.canHandle(record.adjustmentData) else {
      return .nothing(.anotherProgramsEdit, for: self)
    }
    let output = record.render.map { RendererDescription($0.renderer).output } ?? .standard
    let likeness = try files.originalLikeness()
    if likeness.isSame { return .nothing(.sameEdit, for: self) }
    // Edits that can follow a turned original do.
    if files.turnedEdits == nil, TurnedEdits(record, likeness) != nil { try files.checkOriginal() }
    try files.check(.render)
    return try planToRepeat(
      record, .rendered(try stack(), output), status: .relinked, acceptingOriginal: true)
  }

  /// A plan to commit the present edit once more, with its date and editor, and another render.
  private func planToRepeat(
    _ record: Record, _ render: NewEdit.Render, status: EditResult.Status,
    acceptingOriginal: Bool = false, versions: [RenderedVersion] = []
  ) throws -> EditPlan {
    let start = try start()
    if start.pixels == .base { try files.check(.base) }
    let versions = versions.map { version in
      var version = version
      version.isPresent = record.versions.contains {
        $0.name == version.name && record.isSaved(as: $0)
      }
      return version
    }
    return try planToCommit(
      NewEdit(
        data: record.adjustmentData, start: start, render: render,
        editorBundleIdentifier: record.editorBundleID, date: record.timestamp,
        history: .renderAgain, acceptsOriginal: acceptingOriginal, versions: versions),
      status: status)
  }
}
