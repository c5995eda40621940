import SafelightRendering
import SafelightStorage

extension PhotoEditor {
  /// Looks at a photo and its edit without changing anything; a read-only folder will do.
  ///
  /// Compares the original and the render with the record, which takes as long as reading both
  /// once.
  ///
  /// - Throws: ``EditError`` when the photo is missing or no picture, or its sidecar is unusable.
  public func state(of asset: Photo) async throws(EditError) -> PhotoState {
    try await working(on: asset.path) { _ in
      try files(of: asset).reading(timeout: configuration.lockTimeout) { snapshot in
        let facts = try renderer.facts(of: source(snapshot.original))
        return try PhotoState(snapshot, facts, owner: owner(of: snapshot, facts))
      }
    }
  }
}

extension PhotoState {
  fileprivate init(_ snapshot: PhotoSnapshot, _ facts: PhotoFacts, owner: String?) throws {
    original = facts
    originalSize = snapshot.original.status.size
    resources =
      [
        AssetResource(
          type: .photo, path: snapshot.original.path, contentType: facts.format.contentType)
      ] + Self.adjustmentResources(snapshot)
    versions = PhotoVersion.all(in: snapshot)
    canRevert = snapshot.record?.isForeign == false
    guard let record = snapshot.record else {
      edit = nil
      warnings = owner.map { ["It is a render of \($0)."] } ?? []
      return
    }
    let data = record.adjustmentData
    var warnings: [String] = []
    var stack: EditStack?
    if EditStack.canHandle(data) {
      do {
        stack = try EditStack(data)
      } catch {
        warnings.append(error.description)
      }
    }
    for unknown in stack?.unknownEntries ?? [] {
      warnings.append("\(unknown.id) version \(unknown.version) needs a newer Safelight.")
    }
    edit = Edit(
      adjustmentData: data, stack: stack, editor: record.editorBundleID, date: record.timestamp,
      renderer: record.render?.renderer,
      renderSize: record.render.map { PixelSize(width: $0.pixelWidth, height: $0.pixelHeight) },
      historyCount: record.history.count, redoCount: record.redo.count)
    self.warnings = try warnings + Self.differences(snapshot, record)
  }

  private static func adjustmentResources(_ snapshot: PhotoSnapshot) -> [AssetResource] {
    var resources: [AssetResource] = []
    if snapshot.record != nil {
      resources.append(
        AssetResource(
          type: .adjustmentData, path: snapshot.recordPath,
          contentType: "com.apple.photos.apple-adjustment-envelope"))
    }
    if let render = snapshot.render {
      resources.append(
        AssetResource(type: .fullSizePhoto, path: render, contentType: "public.jpeg"))
    }
    if let base = snapshot.base {
      resources.append(
        AssetResource(type: .adjustmentBasePhoto, path: base, contentType: "public.jpeg"))
    }
    for version in snapshot.record?.versions ?? [] {
      guard let path = snapshot.path(of: .version(version.name)) else { continue }
      resources.append(
        AssetResource(type: .alternatePhoto, path: path, contentType: "public.jpeg"))
    }
    return resources
  }

  /// What the files differ in from the record.
  private static func differences(_ snapshot: PhotoSnapshot, _ record: Record) throws -> [String] {
    var warnings: [String] = []
    func note(_ check: () throws(StorageError) -> Void) throws {
      do {
        try check()
      } catch StorageError.originalChanged(let path) {
        warnings.append(StorageError.originalChanged(path).description)
      } catch StorageError.renderChanged(let path) {
        warnings.append(StorageError.renderChanged(path).description)
      } catch StorageError.baseChanged(let path) {
        warnings.append(StorageError.baseChanged(path).description)
      }
    }
    try note(snapshot.checkOriginal)
    for file in record.files {
      try note { () throws(StorageError) in try snapshot.check(file.role) }
    }
    if let recorded = record.render, snapshot.render == nil {
      warnings.append("The render \(recorded.file.name) is missing; apply the edit again.")
    }
    if let recorded = record.base, snapshot.base == nil {
      warnings.append("The base photo \(recorded.name) is missing.")
    }
    for version in record.versions where snapshot.path(of: .version(version.name)) == nil {
      warnings.append("The render \(version.render.file.name) of a version is missing.")
    }
    if record.isForeign {
      warnings.append("The sidecar is another program's; its edit is kept and not shown.")
    }
    if snapshot.needsRecovery {
      warnings.append("A change was interrupted; the next edit or revert finishes it.")
    }
    return warnings
  }
}
