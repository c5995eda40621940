import FoundationEssentials
import SafelightFiles
import SafelightRendering
import SafelightStorage

/// A named version of a photo: an edit that was kept, with a render of its own beside the original.
///
/// ```swift
/// for version in try await editor.versions(of: photo) where !version.isPresent {
///   print(version.name, version.rendered ?? "without a render")
/// }
/// ```
public struct PhotoVersion: Sendable, Hashable, Identifiable {
  /// What it is called, in the case it was saved with.
  public let name: String
  /// The same as ``name``, which no other version of the photo has.
  public var id: String { name }
  /// The edit as it is stored.
  public let adjustmentData: AdjustmentData
  /// The edit read; `nil` when it is not Safelight's own or cannot be read.
  public let stack: EditStack?
  /// The program that made the edit, by bundle identifier; `nil` when not recorded.
  public let editor: String?
  /// When the edit was made; `nil` when not recorded.
  public let date: Date?
  /// Its rendered JPEG; `nil` when the file is missing.
  public let rendered: FilePath?
  /// Width and height of the render in pixels.
  public let renderSize: PixelSize
  /// Whether it is the photo's present edit.
  public let isPresent: Bool
  /// The edits before it, oldest first, as far as they can be read, when it keeps another machine's edit; see
  /// ``PhotoEditor/mergeConflictingEdits(of:dryRun:)``. The photo's history does not have them.
  public let earlierEdits: [EditStack]

  /// Whether a version may be called so: 1 to 64 letters without accents, digits, hyphens,
  /// underscores and dots, with no dot in front. Capital and small letters count as the same.
  public static func isName(_ text: String) -> Bool { RecordedVersion.isName(text) }

  /// The versions of a record, in the order in which they were saved.
  ///
  /// - Parameter path: Gives the path of a file of the edit; `nil` for a missing file.
  static func all(
    of record: Record?, path: (FileRole) -> FilePath?
  ) -> [PhotoVersion] {
    func stack(_ data: AdjustmentData) -> EditStack? {
      EditStack.canHandle(data) ? try? EditStack(data) : nil
    }
    return (record?.versions ?? []).map { version in
      let data = version.adjustmentData
      return PhotoVersion(
        name: version.name, adjustmentData: data,
        stack: stack(data),
        editor: version.editorBundleID, date: version.timestamp,
        rendered: path(.version(version.name)), renderSize: version.render.size,
        isPresent: record?.isSaved(as: version) == true,
        earlierEdits: version.earlierEdits.compactMap(\.adjustmentData).compactMap(stack))
    }
  }
}

// MARK: - Calls

extension PhotoEditor {
  /// The named versions of a photo, in the order in which they were saved. Nothing is written.
  ///
  /// - Throws: ``EditError`` when the photo is missing or its sidecar is unusable.
  public func versions(of photo: Photo) async throws(EditError) -> [PhotoVersion] {
    try await reading(photo) { edit, _ in
      PhotoVersion.all(of: edit.record, path: edit.files.path)
    }
  }

  /// Keeps a photo's present edit under a name, with a copy of its render: `beach_edited-NAME.jpg`.
  ///
  /// The present edit and its history stay as they are. Saving the same edit under the same name
  /// again is ``EditResult/Status/unchanged``.
  ///
  /// - Parameters:
  ///   - name: See ``PhotoVersion/isName(_:)``.
  ///   - photo: The photo.
  ///   - replacing: Whether it may take the place of a version of that name; the version keeps the
  ///     spelling that it was saved with first.
  ///   - dryRun: Whether only to find out what would happen.
  /// - Returns: A result whose ``EditResult/rendered`` is the version's render.
  /// - Throws: ``EditError/nothingToCopy(path:reason:)`` for a photo without an edit or with
  ///   another program's, ``EditError/storage(_:)`` for a name that is taken or not allowed, or
  ///   another ``EditError``. Nothing changes then.
  @discardableResult
  public func saveVersion(
    named name: String, of photo: Photo, replacing: Bool = false, dryRun: Bool = false
  ) async throws(EditError) -> EditResult {
    try await perform(
      .saveVersion(named: name, replacing: replacing), on: photo, dryRun: dryRun)
  }

  /// Makes a named version the photo's edit. It is a step in the history like any other, so undoing
  /// goes back; the version stays.
  ///
  /// - Returns: ``EditResult/Status/unchanged`` when it is the photo's edit already.
  /// - Throws: ``EditError/versionUnusable(path:name:_:)`` when pixels would be lost or are missing,
  ///   ``EditError/storage(_:)`` when there is no version of that name, or another ``EditError``.
  ///   Nothing changes then.
  @discardableResult
  public func useVersion(
    named name: String, of photo: Photo, dryRun: Bool = false
  ) async throws(EditError) -> EditResult {
    try await perform(.useVersion(named: name), on: photo, dryRun: dryRun)
  }

  /// Drops a named version of a photo and its render. The photo's edit stays, also when it is the
  /// same.
  ///
  /// - Throws: ``EditError/storage(_:)`` when there is no version of that name or somebody changed
  ///   its render, or another ``EditError``. Nothing changes then.
  @discardableResult
  public func removeVersion(
    named name: String, of photo: Photo, dryRun: Bool = false
  ) async throws(EditError) -> EditResult {
    try await perform(.removeVersion(named: name), on: photo, dryRun: dryRun)
  }
}

// MARK: - Plans

extension OpenEdit {
  /// A plan to keep the present edit under a name.
  ///
  /// - Parameter expectingRender: Whether a render that is missing will have been made before. Such a plan is only
  ///   for a dry run.
  func planToSaveVersion(
    named name: String, replacing: Bool, expectingRender: Bool = false
  ) throws -> EditPlan {
    try files.checkOriginal()
    if files.turnedEdits != nil { throw EditError.originalTurned(path) }
    guard let record, !record.showsOriginal else {
      throw EditError.nothingToCopy(path: path, reason: .noEdit)
    }
    guard !record.isForeign else {
      throw EditError.nothingToCopy(path: path, reason: .anotherProgramsEdit)
    }
    try files.check(.render)
    let earlier = record.version(named: name)
    if let earlier, record.isSaved(as: earlier),
      let render = files.path(of: .version(earlier.name))
    {
      try files.check(.version(earlier.name))
      return EditPlan(
        change: .none(.sameVersion),
        report: EditResult(status: .unchanged, rendered: render, record: files.recordPath))
    }
    guard RecordedVersion.isName(name) else { throw StorageError.invalidVersionName(name) }
    if let earlier, !replacing { throw StorageError.versionExists(path, earlier.name) }
    guard expectingRender || files.path(of: .render) != nil else {
      throw EditError.renderMissing(path)
    }
    return EditPlan(
      change: .saveVersion(named: name, replacing: replacing),
      report: EditResult(
        status: .edited,
        rendered: try files.plannedPath(of: .version(earlier?.name ?? name)),
        record: files.recordPath))
  }

  /// A plan to make a named version the photo's edit.
  func planToUseVersion(named name: String) throws -> EditPlan {
    let (record, version) = try version(named: name)
    let role = FileRole.version(version.name)
    try files.checkOriginal()
    try files.check(.render)
    try files.check(role)
    if let problem = problem(with: version, of: record) {
      throw EditError.versionUnusable(path: path, name: version.name, problem)
    }
    if version.base != nil { try files.check(.base) }
    if record.showsOriginal, record.render == nil, version.base == nil,
      version.adjustmentData == record.adjustmentData
    {
      return .nothing(.sameVersion, for: self)
    }
    if record.isSaved(as: version), files.path(of: .render) != nil {
      return try planToRenewMetadata(status: .edited) ?? .nothing(.sameVersion, for: self)
    }
    var start = originalStart
    if version.base != nil, let base = files.path(of: .base) {
      start = EditStart(pixels: .base, path: base)
    }
    let recorded = version.render
    let render: NewEdit.Render
    // A render with the metadata that the original had before, or of the original before it was
    // turned, does not come back.
    let isCopied =
      try files.turnedEdits == nil
      && (!EditStack.canHandle(version.adjustmentData) || !files.isOutdated(role))
    if isCopied, let path = files.path(of: role) {
      render = .copied(CopiedRender(recorded, at: path))
    } else {
      let stack = try EditStack(version.adjustmentData)
      try stack.checkIsKnown()
      render = .rendered(stack, RendererDescription(recorded.renderer).output)
    }
    return try planToCommit(
      NewEdit(
        data: version.adjustmentData, start: start, render: render,
        editorBundleIdentifier: version.editorBundleID,
        history: record.adjustmentData == version.adjustmentData ? .renderAgain : .edit))
  }

  /// A plan to drop a named version.
  func planToRemoveVersion(named name: String) throws -> EditPlan {
    try checkOwnRecord()
    let (_, version) = try version(named: name)
    if !version.isShared { try files.check(.version(version.name)) }
    return EditPlan(
      change: .removeVersion(named: name),
      report: EditResult(status: .edited, record: files.recordPath))
  }

  private func version(
    named name: String
  ) throws(StorageError) -> (record: Record, version: RecordedVersion) {
    guard let record, let version = record.version(named: name) else {
      throw .versionMissing(path, name, present: record?.versions.map(\.name) ?? [])
    }
    return (record, version)
  }

  /// Why using a version would lose pixels, or cannot find them.
  private func problem(
    with version: RecordedVersion, of record: Record
  ) -> EditError.VersionProblem? {
    if version.base?.sha256 != record.base?.sha256 { return .otherBase }
    if version.base != nil, files.path(of: .base) == nil { return .otherBase }
    // Undo renders Safelight's own edits again. Of another program's edit only a version keeps the
    // pixels.
    let isOwn = EditStack.canHandle(record.adjustmentData)
    if !isOwn, !record.versions.contains(where: { record.isSaved(as: $0) }) {
      return .presentNotSaved(record.adjustmentData.formatIdentifier)
    }
    let isRenderMissing = files.path(of: .version(version.name)) == nil
    if isRenderMissing, !EditStack.canHandle(version.adjustmentData) { return .renderMissing }
    return nil
  }
}

extension Record {
  /// Whether a version keeps the present edit with the pixels that it has now.
  func isSaved(as version: RecordedVersion) -> Bool {
    version.adjustmentData == adjustmentData
      && version.render.file.sha256 == render?.file.sha256
      && version.base?.sha256 == base?.sha256
  }
}

extension RecordedRender {
  /// Width and height in pixels.
  var size: PixelSize { PixelSize(width: pixelWidth, height: pixelHeight) }
}
