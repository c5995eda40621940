import SafelightDarkroom
import SafelightFiles
import SafelightMetadata
import SafelightRendering
import SafelightStorage

/// Renders that are staged for a change, each with the video that belongs behind it.
extension PhotoEditor {
  /// Stages a named version, rendered again.
  ///
  /// - Returns: The version, and warnings.
  func stage(
    _ version: RenderedVersion, of edit: OpenEdit, _ cancellation: RenderCancellation
  ) throws -> (StagedRender, [String]) {
    try stage(
      version.stack, as: version.output, from: version.start, naming: version.stack.adjustmentData,
      version: version.name, of: edit, cancellation)
  }

  /// Renders an edit and stages the JPEG.
  ///
  /// - Parameters:
  ///   - data: What the JPEG's metadata name as its edit.
  ///   - video: What goes behind the JPEG.
  ///   - version: The named version that it is of; `nil` for the present edit.
  /// - Returns: The render, and warnings.
  func stage(
    _ stack: EditStack, as output: RenderOutput, from start: EditStart,
    naming data: AdjustmentData, version: String? = nil, with video: InnerVideo? = nil,
    of edit: OpenEdit, _ cancellation: RenderCancellation
  ) throws -> (StagedRender, [String]) {
    let renderer = RendererDescription(output).text
    let original = try edit.reference(data, renderer)
    var hasVideo = false
    let (file, report) = try edit.changing.stageReportedRender(of: version) { sink in
      try video.writing(to: sink, &hasVideo) { put in
        try self.darkroom.render(
          edit.pixels(of: start).source, edit: stack, as: output, derivedFrom: original,
          cancellation: cancellation, to: put)
      }
    }
    if output.lossless {
      // What the header did not tell.
      for case .encodedAgain(let reason) in report.warnings {
        throw EditError.notLossless(edit.path, reason)
      }
    }
    let render = StagedRender(
      file, pixelWidth: report.pixelWidth, pixelHeight: report.pixelHeight, renderer: renderer,
      isLossless: report.isLossless)
    let warnings = report.warnings.map(\.description)
    return (render, hasVideo ? warnings.filter { !Self.isAboutInnerVideo($0) } : warnings)
  }

  static func isAboutInnerVideo(_ warning: String) -> Bool {
    warning.hasPrefix(MetadataWarning.motionPhoto)
  }

  /// Stages the copy of a JPEG that was rendered before.
  func stage(
    _ copy: CopiedRender, ofVersion version: String? = nil, by transaction: Transaction
  ) throws -> StagedRender {
    let file = try transaction.stageCopy(of: copy.path, as: .render(of: version))
    // A render that another program put beside the photo has no digest yet.
    if let digest = copy.digest, file.sha256 != digest {
      throw StorageError.renderChanged(copy.path)
    }
    return StagedRender(
      file, pixelWidth: copy.size.width, pixelHeight: copy.size.height, renderer: copy.renderer,
      isLossless: copy.isLossless)
  }

  /// Stages the present render with the metadata that the original has now.
  ///
  /// - Returns: The render, and warnings.
  func stageRenewedRender(
    _ present: RecordedRender, for new: NewEdit, with video: InnerVideo?, of edit: OpenEdit
  ) throws -> (StagedRender, [String]) {
    try edit.files.check(.render)
    guard let path = edit.files.path(of: .render) else {
      throw EditError.renderMissing(edit.path)
    }
    let render = try edit.pixels(of: EditStart(pixels: .render, path: path)).source
    let original = try edit.reference(new.data, present.renderer)
    var hasVideo = false
    let (file, warnings) = try edit.changing.stageReportedRender { sink in
      try video.writing(to: sink, &hasVideo) { put in
        try Renderer().renewMetadata(
          of: render, madeFrom: edit.pixels(of: new.start).header(), with: edit.stack(),
          derivedFrom: original, to: put)
      }
    }
    guard let warnings else { throw StorageError.renderChanged(path) }
    let renewed = StagedRender(
      file, pixelWidth: present.pixelWidth, pixelHeight: present.pixelHeight,
      renderer: present.renderer, isLossless: present.isLossless)
    let texts = warnings.map(\.description)
    return (renewed, hasVideo ? texts.filter { !Self.isAboutInnerVideo($0) } : texts)
  }
}
