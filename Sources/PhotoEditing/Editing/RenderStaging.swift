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
  ) throws -> (StagedRender, [RenderWarning]) {
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
  ) throws -> (StagedRender, [RenderWarning]) {
    let renderer = RendererDescription(output).text
    let original = try edit.reference(data, renderer)
    let (file, report, hasVideo) = try stageJPEG(of: version, with: video, by: edit.changing) {
      put in
      try self.darkroom.render(
        edit.pixels(of: start).source, edit: stack, as: output, derivedFrom: original,
        cancellation: cancellation, to: put)
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
    return (render, hasVideo ? report.warnings.withoutInnerVideo : report.warnings)
  }

  /// Stages a JPEG, with the video behind it where there is one.
  ///
  /// - Parameters:
  ///   - version: The named version that it is of; `nil` for the present edit.
  ///   - draw: Makes the JPEG and hands its bytes on in order.
  /// - Returns: The file, what `draw` returns, and whether the video is in the file.
  private func stageJPEG<Report>(
    of version: String? = nil, with video: InnerVideo?, by transaction: Transaction,
    _ draw: (@escaping (UnsafeRawBufferPointer) throws -> Void) throws -> Report
  ) throws -> (StagedFile, Report, Bool) {
    var hasVideo = false
    let (file, report) = try transaction.stageReportedRender(of: version) { sink -> Report in
      guard let video else { return try draw { try sink.write($0) } }
      var jpeg: [UInt8] = []
      let report = try draw { jpeg += $0 }
      let whole = video.bytes(behind: jpeg)
      hasVideo = whole != nil
      try sink.write(whole ?? jpeg)
      return report
    }
    return (file, report, hasVideo)
  }

  /// Stages the copy of a JPEG that was rendered before.
  ///
  /// - Parameter video: What goes behind the JPEG, which has no video.
  /// - Returns: The render, and warnings.
  func stage(
    _ copy: CopiedRender, ofVersion version: String? = nil, with video: InnerVideo? = nil,
    by transaction: Transaction
  ) throws -> (StagedRender, [RenderWarning]) {
    let file: StagedFile
    var warnings: [RenderWarning] = []
    // A render that another program put beside the photo has no digest yet.
    func check(_ digest: Digest) throws {
      if let recorded = copy.digest, digest != recorded {
        throw StorageError.renderChanged(copy.path)
      }
    }
    if let video {
      let fileSystem = transaction.snapshot.original.fileSystem
      let hasVideo: Bool
      (file, _, hasVideo) = try stageJPEG(of: version, with: video, by: transaction) {
        put -> Void in
        let jpeg = try fileSystem.contents(of: copy.path, limit: Int.max)
        try check(SHA256.digest(of: jpeg))
        try jpeg.withUnsafeBytes { try put($0) }
      }
      if !hasVideo {
        warnings = [.motionPhotoNotCarried(bytes: video.bytes.count)]
      }
    } else {
      file = try transaction.stageCopy(of: copy.path, as: .render(of: version))
      try check(file.sha256)
    }
    let render = StagedRender(
      file, pixelWidth: copy.size.width, pixelHeight: copy.size.height, renderer: copy.renderer,
      isLossless: copy.isLossless)
    return (render, warnings)
  }

  /// Stages the present render with the metadata that the original has now.
  ///
  /// - Returns: The render, and warnings.
  func stageRenewedRender(
    _ present: RecordedRender, for new: NewEdit, with video: InnerVideo?, of edit: OpenEdit
  ) throws -> (StagedRender, [RenderWarning]) {
    try edit.files.check(.render)
    guard let path = edit.files.path(of: .render) else {
      throw EditError.renderMissing(edit.path)
    }
    let render = try edit.pixels(of: EditStart(pixels: .render, path: path)).source
    let original = try edit.reference(new.data, present.renderer)
    let (file, warnings, hasVideo) = try stageJPEG(with: video, by: edit.changing) { put in
      try Renderer().renewMetadata(
        of: render, madeFrom: edit.pixels(of: new.start).header(), with: edit.stack(),
        derivedFrom: original, to: put)
    }
    guard let warnings else { throw StorageError.renderChanged(path) }
    let renewed = StagedRender(
      file, pixelWidth: present.pixelWidth, pixelHeight: present.pixelHeight,
      renderer: present.renderer, isLossless: present.isLossless)
    return (renewed, hasVideo ? warnings.withoutInnerVideo : warnings)
  }
}

extension RenderWarning {
  /// Whether it says that the video of a motion photo is not in the render.
  var isAboutInnerVideo: Bool { if case .motionPhotoNotCarried = self { true } else { false } }
}

extension [RenderWarning] {
  /// The warnings about a render that has the video of a motion photo.
  fileprivate var withoutInnerVideo: [RenderWarning] { filter { !$0.isAboutInnerVideo } }
}
