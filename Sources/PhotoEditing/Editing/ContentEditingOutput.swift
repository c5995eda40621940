import FoundationEssentials
import SafelightDarkroom
import SafelightFiles
import SafelightRendering
import SafelightStorage

/// What an edit hands back: its adjustment data, and a JPEG of the result.
///
/// Write the finished JPEG, upright, to ``renderedContentURL``, set ``adjustmentData``, and give
/// the output to ``PhotoEditor/commit(_:)``. ``ContentEditingInput`` shows how.
public struct ContentEditingOutput: Sendable {
  /// The edit, under the editor's own format identifier. A commit without it is refused.
  public var adjustmentData: AdjustmentData?
  /// The program that made the edit, in reverse DNS order; stored with it.
  public var editorBundleIdentifier: String

  let input: ContentEditingInput
  /// The photo that the output is for, by the path that its input was made with.
  package var photo: Photo { input.photo }
  private let folder: RenderedContentFolder

  /// Prepares an output for an input.
  ///
  /// - Parameters:
  ///   - input: What the edit started from.
  ///   - editorBundleIdentifier: The program that makes the edit, in reverse DNS order.
  /// - Throws: ``EditError/outputRefused(path:problem:)`` when no temporary folder can be made.
  public init(
    contentEditingInput input: ContentEditingInput,
    editorBundleIdentifier: String = "org.safelight.edit"
  ) throws(EditError) {
    self.input = input
    self.editorBundleIdentifier = editorBundleIdentifier
    guard let folder = RenderedContentFolder() else {
      throw .outputRefused(path: input.photo.path, problem: .noTemporaryFolder)
    }
    self.folder = folder
  }

  /// Where the rendered JPEG goes: a file of its own in a temporary folder, which disappears with
  /// the last copy of the output.
  public var renderedContentURL: URL { renderedContentPath.fileURL }

  /// The path of ``renderedContentURL``.
  public var renderedContentPath: FilePath { folder.path.appending("render.jpg") }
}

/// A temporary folder for one render, for this user alone, removed with its last owner.
private final class RenderedContentFolder: Sendable {
  let path: FilePath

  init?() {
    let parent = FilePath(ProcessInfo.processInfo.environment["TMPDIR"] ?? "/tmp").absolute
    let name = FilePath("safelight-\(UInt64.random(in: 0...UInt64.max))")
    guard let folder = try? Folder(parent),
      (try? folder.createFolder(name, mode: 0o700)) == true
    else { return nil }
    path = parent.appending(name)
  }

  deinit { try? FileSystem.real.removeTree(path) }
}

// MARK: - Committing an output

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
    let photo = output.input.photo
    let (data, size) = try await working(on: photo.path) { _ in
      (try output.checkedData(), try output.checkedRender(through: fileSystem, configuration))
    }
    return try await perform(on: photo, dryRun: false) { edit in
      try edit.planToCommit(output, data, size: size)
    }
  }
}

extension OpenEdit {
  /// A plan to make what another program rendered the photo's edit.
  func planToCommit(
    _ output: ContentEditingOutput, _ data: AdjustmentData, size: PixelSize
  ) throws -> EditPlan {
    guard files.moment == output.input.moment else {
      throw EditError.inputOutdated(output.input.photo.path)
    }
    try files.checkOriginal()
    let name = output.editorBundleIdentifier
    return try planToCommit(
      NewEdit(
        data: data, start: output.input.start,
        render: .copied(
          CopiedRender(path: output.renderedContentPath, size: size, renderer: name)),
        editorBundleIdentifier: name))
  }
}

extension ContentEditingOutput {
  private func refused(_ problem: EditError.OutputProblem) -> EditError {
    .outputRefused(path: input.photo.path, problem: problem)
  }

  /// The adjustment data, which must be complete.
  fileprivate func checkedData() throws(EditError) -> AdjustmentData {
    guard let data = adjustmentData, !data.data.isEmpty else { throw refused(.noAdjustmentData) }
    guard data.data.count <= AdjustmentData.maximumSize else {
      throw refused(.adjustmentDataTooLarge(data.data.count))
    }
    guard !data.formatIdentifier.isEmpty, !data.formatVersion.isEmpty else {
      throw refused(.noFormat)
    }
    return data
  }

  /// Width and height of the render, which must be an upright JPEG.
  fileprivate func checkedRender(
    through fileSystem: FileSystem, _ configuration: PhotoEditor.Configuration
  ) throws(EditError) -> PixelSize {
    let path = renderedContentPath
    guard let file = try? fileSystem.openForReading(path) else { throw refused(.noRender) }
    do {
      let size = try configuration.darkroom.checkRender(
        PhotoSource(file, name: path.string, pixelLimit: configuration.pixelLimit))
      return PixelSize(width: size.width, height: size.height)
    } catch {
      throw refused(error == .empty ? .noRender : .badRender(error))
    }
  }
}
