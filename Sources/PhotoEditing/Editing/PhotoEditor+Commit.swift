import FoundationEssentials
import SafelightRendering
import SafelightStorage

extension PhotoEditor {
  /// Makes an output the photo's edit, in one step: readers see the old edit or the new one.
  ///
  /// An edit that the editor could not handle goes into the record's history, and its render stays
  /// as the base photo that the new edit starts from.
  ///
  /// - Parameter output: Adjustment data, and a rendered JPEG at its URL.
  /// - Throws: ``EditError/outputRefused(path:problem:)`` when the output is not complete,
  ///   ``EditError/inputOutdated(_:)`` when the photo was changed meanwhile, or another
  ///   ``EditError``. Nothing changes then.
  @discardableResult
  public func commit(_ output: ContentEditingOutput) async throws(EditError) -> EditResult {
    let asset = output.input.asset
    return try await working(on: asset.path) { _ in
      let data = try checkedData(of: output)
      let size = try checkedRender(of: output)
      let transaction = try begin(asset)
      defer { end(transaction, of: asset) }
      guard EditIdentity(transaction.record) == output.input.edit,
        OriginalStamp(transaction.original) == output.input.original
      else {
        throw EditError.inputOutdated(asset.path)
      }
      let render = try transaction.stageRender(copying: output.renderedContentPath)
      let outcome = try transaction.commit(
        data, editor: output.editorBundleIdentifier, timestamp: configuration.now(),
        render: render, pixelWidth: size.width, pixelHeight: size.height,
        renderer: output.editorBundleIdentifier, base: transaction.base(for: output.input.start))
      return EditResult(outcome, recordPath: transaction.snapshot.recordPath, warnings: [])
    }
  }

  private func checkedData(of output: ContentEditingOutput) throws(EditError) -> AdjustmentData {
    func refused(_ problem: EditError.OutputProblem) -> EditError {
      .outputRefused(path: output.input.asset.path, problem: problem)
    }
    guard let data = output.adjustmentData, !data.data.isEmpty else {
      throw refused(.noAdjustmentData)
    }
    guard data.data.count <= AdjustmentData.maximumSize else {
      throw refused(.adjustmentDataTooLarge(data.data.count))
    }
    guard !data.formatIdentifier.isEmpty, !data.formatVersion.isEmpty else {
      throw refused(.noFormat)
    }
    return data
  }

  private func checkedRender(of output: ContentEditingOutput) throws(EditError) -> PixelSize {
    let path = output.renderedContentPath
    guard let file = try? fileSystem.openForReading(path) else {
      throw .outputRefused(path: output.input.asset.path, problem: .noRender)
    }
    do {
      let size = try renderer.checkRender(
        PhotoSource(
          descriptor: file.descriptor, name: path.string, pixelLimit: configuration.pixelLimit))
      return PixelSize(width: size.width, height: size.height)
    } catch {
      let problem: EditError.OutputProblem = error == .empty ? .noRender : .badRender(error)
      throw .outputRefused(path: output.input.asset.path, problem: problem)
    }
  }
}
