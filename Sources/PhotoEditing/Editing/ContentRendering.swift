import FoundationEssentials
import SafelightDarkroom
import SafelightFiles
import SafelightMetadata
import SafelightRendering

// Pictures of an edit that is no photo's edit yet: on the screen while the user chooses, and as an output's
// render. Nothing beside the photo is read or written but the pixels that the input starts from.

extension ContentEditingInput {
  /// A picture of the input with an edit on top, in memory.
  ///
  /// An input that was handed out without the present edit's data starts from the render, so the edit comes on
  /// top of it. The picture is in 8-bit sRGB; see ``DisplayImage``.
  ///
  /// ```swift
  /// let input = try await editor.contentEditingInput(for: photo)
  /// let size = PixelSize(width: 400, height: 400)
  /// for filter in Filter.all {
  ///   show(try await input.displayImage(applying: filter.applied(), fitting: size))
  /// }
  /// ```
  /// - Parameters:
  ///   - edit: The edit; an empty one shows the input as it is, upright.
  ///   - size: The picture lies inside this size, and is never larger than the photo; `nil` is full size.
  /// - Throws: ``EditError``, also for a size below one pixel.
  public func displayImage(
    applying edit: EditStack = EditStack(), fitting size: PixelSize? = nil
  ) async throws(EditError) -> DisplayImage {
    var request = PictureRequest(.edit(edit))
    request.fit.target = size
    return try await editor.picture(request, of: self, edit).image
  }

  /// A picture of the input with a filter, in memory.
  ///
  /// - Parameters:
  ///   - filter: The look and its intensity.
  ///   - size: The picture lies inside this size, and is never larger than the photo; `nil` is full size.
  /// - Throws: ``EditError``.
  public func displayImage(
    applying filter: AppliedFilter, fitting size: PixelSize? = nil
  ) async throws(EditError) -> DisplayImage {
    try await displayImage(applying: EditStack(filter, of: photo), fitting: size)
  }
}

extension ContentEditingOutput {
  /// Renders an edit of the input to ``renderedContentURL``, with the metadata of the pixels that the edit
  /// starts from. A render that is there is replaced.
  ///
  /// ```swift
  /// let output = ContentEditingOutput(contentEditingInput: input)
  /// output.adjustmentData = data  // the program's own form of the edit
  /// try await output.renderContent(applying: edit)
  /// ```
  /// - Parameters:
  ///   - edit: The edit. Its `adjustmentData` may serve as the output's data, too.
  ///   - quality: 1 to 100, of the JPEG; other numbers are taken as the nearest. `nil` is that of the original,
  ///     see `RenderOutput.standard`.
  /// - Returns: What the render leaves out of the photo, in sentences for people.
  /// - Throws: ``EditError``; also for the output of a photo that a change set creates, which has no input.
  @discardableResult
  public func renderContent(
    applying edit: EditStack, quality: Int? = nil
  ) async throws(EditError) -> [String] {
    guard let input else {
      throw .outputRefused(path: renderedContentPath, problem: .noInput)
    }
    return try await input.editor.render(input, edit, quality: quality, to: renderedContentPath)
  }

  /// Renders a filter of the input to ``renderedContentURL``.
  ///
  /// - Parameters:
  ///   - filter: The look and its intensity.
  ///   - quality: 1 to 100, of the JPEG; `nil` is that of the original.
  /// - Returns: What the render leaves out of the photo, in sentences for people.
  /// - Throws: ``EditError``.
  @discardableResult
  public func renderContent(
    applying filter: AppliedFilter, quality: Int? = nil
  ) async throws(EditError) -> [String] {
    guard let photo else {
      throw .outputRefused(path: renderedContentPath, problem: .noInput)
    }
    return try await renderContent(applying: EditStack(filter, of: photo), quality: quality)
  }
}

extension EditStack {
  /// An edit of one filter.
  ///
  /// - Parameter photo: The photo, for the error.
  fileprivate init(_ filter: AppliedFilter, of photo: Photo) throws(EditError) {
    self.init()
    do throws(AdjustmentError) { try setFilter(filter) } catch {
      throw EditError(error, path: photo.path)
    }
  }
}

extension PhotoEditor {
  /// A picture of an input with an edit on top.
  ///
  /// - Parameter name: What the metadata of a file call the original; `nil` is the name of the input's file.
  func picture(
    _ request: PictureRequest, of input: ContentEditingInput, _ edit: EditStack,
    name: FilePath? = nil
  ) async throws(EditError) -> ShownPicture {
    try await working(on: input.fullSizeImagePath) { cancellation in
      if let size = request.fit.target, size.width < 1 || size.height < 1 {
        throw RenderError.failed(
          detail: "there is no picture of \(size.width) × \(size.height) pixels")
      }
      return try darkroom.picture(
        request,
        of: ShownPixels(source(of: input, edit), needing: edit, name: name?.string),
        cancellation: cancellation)
    }
  }

  fileprivate func render(
    _ input: ContentEditingInput, _ edit: EditStack, quality: Int?, to path: FilePath
  ) async throws(EditError) -> [String] {
    try await working(on: input.fullSizeImagePath) { cancellation in
      let source = try source(of: input, edit)
      let original = input.photo.path
      let name = original.lastComponent ?? original
      let digest = try fileSystem.digestOfFile(at: original)
      let sink = try FileSink(in: Folder(path.removingLastComponent(), fileSystem), mode: 0o600)
      do {
        let report = try darkroom.render(
          source, edit: edit, as: RendererDescription(quality: quality).output,
          derivedFrom: OriginalReference(fileName: name.string, sha256: "\(digest)"),
          cancellation: cancellation
        ) { try sink.write($0) }
        try sink.place(as: path.lastComponent ?? path, replacing: true, durably: false)
        return report.warnings.map(\.description)
      } catch {
        sink.discard()
        throw error
      }
    }
  }

  /// The pixels of an input, open, after a check whether this version can render the edit.
  private func source(
    of input: ContentEditingInput, _ edit: EditStack
  ) throws -> PhotoSource {
    try edit.checkIsKnown()
    try edit.checkSize()
    let path = input.fullSizeImagePath
    return configuration.source(
      try fileSystem.openForReading(path), name: path.lastComponent ?? path)
  }
}
